import Detection
import FaceGeometry
import FaceTracking
import Foundation
import ImageFiles
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

/// dlib's predictor takes a second to load; all tests share one.
let sharedPredictor = Result { try DlibLandmarkPredictor(modelPath: LandmarkCascade.defaultModelPath) }

@Suite struct PhotographFacesTests {
    let reference: ReferenceFace
    let finder: PhotographFaces

    init() throws {
        reference = try Repository.referenceFace()
        finder = try PhotographFaces(reference: reference, model: { try sharedCascade.get() })
    }

    /// Exactly one face in each drawn picture, its landmarks where the drawing knows them to be.
    @Test(arguments: Sample.all.map(\.name)) func drawnFacesAreFound(_ name: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let picture = try PictureReader.read("\(Repository.root)/samples/\(name).jpg")
        let faces = try finder.faces(in: picture.pixels).faces
        #expect(faces.count == 1)
        let face = try #require(faces.first)
        let truth = sample.drawing(reference: reference).landmarks
        func error(_ indices: some Sequence<Int>) -> Float {
            let errors = indices.map { (face.landmarks[$0] - truth[$0]).length / truth.interocularDistance }
            return errors.reduce(0, +) / Float(errors.count)
        }
        // In shares of the distance between the outer corners of the eyes. People who annotate photographs differ by
        // 3 to 4 %; along the jaw, which has no corners to agree on, by more.
        #expect(error(17..<68) < 0.06, "brows, nose, eyes, mouth: \(error(17..<68))")
        #expect(error(36..<48) < 0.075, "eyes: \(error(36..<48))")
        #expect(error(0..<17) < 0.12, "jaw: \(error(0..<17))")
    }

    /// The head points found lie where the synthetic head has them.
    @Test(arguments: Sample.all.map(\.name)) func headPointsOfDrawnFaces(_ name: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let drawing = sample.drawing(reference: reference)
        let truth = drawing.landmarks
        let face = Face(landmarks: truth, reference: reference)
        let width = sample.placement.faceWidth
        for point in HeadPoint.allCases where point != .rightSide && point != .leftSide {
            let place = reference.vertices[point.vertex]
            let expected = drawing.position(ofCanonicalPoint: place)
            #expect((face.headPoints[point] - expected).length < 0.09 * width, "\(point)")
        }
    }

    @Test func aFaceOf40PixelsIsFound() throws {
        let sample = Sample.all[0]
        let picture = try PictureReader.read("\(Repository.root)/samples/\(sample.name).jpg")
        // The detector's box is about as wide as the face: 300 pixels there, 40 here.
        let width = 640 * 40 / 300
        let small = try shrunk(picture.pixels, width: width, height: width * 800 / 640)
        let faces = try finder.faces(in: small).faces
        #expect(faces.count == 1)
        let truth = sample.drawing(reference: reference).landmarks.mapped { $0 * (Float(width) / 640) }
        let face = try #require(faces.first)
        let error = (17..<68).map { (face.landmarks[$0] - truth[$0]).length }.reduce(0, +) / 51
        #expect(error < 0.1 * truth.interocularDistance)
    }

    /// Lying on its side or head a face is found when asked for, and its landmarks are where they are.
    @Test(arguments: [Orientation.turnLeft, .turnRight, .upsideDown]) func turnedPhotographs(_ orientation: Orientation)
        throws
    {
        let picture = try PictureReader.read("\(Repository.root)/samples/ada.jpg")
        let upright = try #require(try finder.faces(in: picture.pixels).faces.first)
        let turned = try picture.pixels.copy().turnedUpright(from: orientation)
        #expect(try finder.faces(in: turned).faces.isEmpty)
        let face = try #require(try finder.facesAtAnyRotation(in: turned).faces.first)
        for (index, point) in face.vertices.enumerated() {
            let place = orientation.source(of: point, size: Point(640, 800))
            #expect((place - upright.vertices[index]).length < 1, "vertex \(index)")
        }
        #expect(abs(face.pose.roll) > 1)
    }

    @Test func smallFacesAreLeftAloneOnDemand() throws {
        let picture = try PictureReader.read("\(Repository.root)/samples/ada.jpg")
        #expect(try finder.faces(in: picture.pixels, minimumFaceWidth: 100).faces.count == 1)
        #expect(try finder.faces(in: picture.pixels, minimumFaceWidth: 500).faces.isEmpty)
    }

    @Test(arguments: [(1, 1), (1, 300), (300, 1), (79, 79)]) func tinyPicturesHaveNoFace(_ width: Int, _ height: Int)
        throws
    {
        #expect(try finder.faces(in: gradient(width, height)).faces.isEmpty)
    }

    @Test(
        .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"),
        arguments: [("many_faces", 24), ("two_people", 2), ("portrait_1080p", 1), ("no_face_dogs", 0)])
    func facesOfRealPhotographs(_ name: String, _ count: Int) throws {
        let picture = try PictureReader.read("\(SharedData.root)/photos/\(name).jpg")
        let faces = try finder.faces(in: picture.pixels).faces
        if count > 2 { #expect(faces.count >= count) } else { #expect(faces.count == count) }
        #expect(faces.map(\.box.area) == faces.map(\.box.area).sorted(by: >))
    }

    private func shrunk(_ picture: borrowing PixelBuffer, width: Int, height: Int) throws -> PixelBuffer {
        let grey = try picture.grey(width: width, height: height)
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            result.withMutableRow(y) { row in for x in row.indices { row[x] = SIMD4(truncatingIfNeeded: grey[x, y]) } }
        }
        return result
    }
}

@Suite struct DetectionPlanTests {
    @Test func searchIsBounded() {
        #expect(DetectionPlan.scales(width: 640, height: 480, minimumFaceWidth: nil) == [2])
        #expect(DetectionPlan.scales(width: 1920, height: 1080, minimumFaceWidth: nil) == [1])
        let large = DetectionPlan.scales(width: 6000, height: 4000, minimumFaceWidth: nil)
        #expect(large.count == 2 && large[1] == 1)
        #expect(abs(6000 * 4000 * large[0] * large[0] - 4_000_000) < 1)
    }

    @Test func theSmallestFaceSetsTheScale() {
        #expect(DetectionPlan.scales(width: 6000, height: 4000, minimumFaceWidth: 160) == [0.5])
        #expect(DetectionPlan.scales(width: 1920, height: 1080, minimumFaceWidth: 40) == [2])
        #expect(DetectionPlan.scales(width: 1920, height: 1080, minimumFaceWidth: 1) == [2])
        let enormous = DetectionPlan.scales(width: 20_000, height: 20_000, minimumFaceWidth: 40)
        #expect(20_000 * 20_000 * enormous[0] * enormous[0] <= 400_000_001)
    }
}

@Suite struct LandmarkModelTests {
    @Test func theReferenceFaceIsTheMeanShapeOfTheModel() throws {
        let mean = try sharedCascade.get().meanShape
        let reference = try Repository.referenceFace()
        for (index, point) in mean.enumerated() {
            let place = ReferenceFace.canonicalPosition(meanShape: point) / ReferenceFace.canonicalSide
            #expect((place - reference.vertices[index]).length < 0.001, "landmark \(index)")
        }
    }

    @Test func brokenModelsAreErrors() throws {
        let folder = try TemporaryFolder()
        func kind(_ path: String) -> VisionError.Kind? {
            do {
                _ = try DlibLandmarkPredictor(modelPath: path)
                return nil
            } catch {
                #expect(error.description.contains(path))
                return error.kind
            }
        }
        #expect(kind(folder.path + "/missing.dat") == .modelUnreadable)
        #expect(kind(try folder.write("no model", "text.dat")) == .modelInvalid)
        #expect(kind(try folder.write([], "empty.dat")) == .modelUnreadable)
        mkfifo(folder.path + "/pipe.dat", 0o600)
        #expect(kind(folder.path + "/pipe.dat") == .modelUnreadable)
        let model = try FileHandle(forReadingFrom: URL(fileURLWithPath: LandmarkCascade.defaultModelPath))
        let head = [UInt8](try #require(try model.read(upToCount: 100_000)))
        #expect(kind(try folder.write(head, "cut.dat")) == .modelInvalid)
    }
}
