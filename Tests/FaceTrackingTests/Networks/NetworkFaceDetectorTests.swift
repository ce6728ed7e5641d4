import Detection
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import LandmarkModels
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

@Suite(.enabled(if: hasNetworks, absenceOfNetworks)) struct NetworkFaceDetectorTests {
    private func finder() throws -> PhotographFaces {
        try PhotographFaces(reference: Repository.referenceFace(), models: FaceModels())
    }

    private func photograph(_ path: String) throws -> PixelBuffer {
        try PictureReader.read(path).pixels.withEightBits()
    }

    /// Boxes lie where dlib's do.
    @Test func boxesAreInDlibsConvention() throws {
        let (network, dlib) = (try NetworkFaceDetector(), try HOGFaceDetector())
        var ratios: [Float] = []
        for sample in Sample.all {
            let picture = try photograph("\(Repository.root)/samples/\(sample.name).jpg")
            let expected = try #require(
                try dlib.detections(in: picture.grey(width: picture.width, height: picture.height)).first)
            let found = try network.detections(in: picture)
            #expect(found.count == 1, "\(sample.name)")
            let box = try #require(found.first).box
            #expect((box.center - expected.box.center).length < 0.15 * expected.box.width, "\(sample.name)")
            ratios.append(box.width / expected.box.width)
        }
        #expect(abs(ratios.sorted()[ratios.count / 2] - 1) < 0.1)
    }

    /// A photograph that lies on its side or head is searched without being asked for.
    @Test(arguments: [Orientation.turnLeft, .turnRight, .upsideDown]) func rotatedPhotographs(
        _ orientation: Orientation
    ) throws {
        let finder = try finder()
        let picture = try photograph("\(Repository.root)/samples/ada.jpg")
        let upright = try #require(try finder.faces(in: picture).faces.first)
        let found = try finder.faces(in: picture.copy().turnedUpright(from: orientation)).faces
        #expect(found.count == 1)
        let face = try #require(found.first)
        let size = Point(Float(picture.width), Float(picture.height))
        let distances = face.vertices.enumerated().map { index, point in
            (orientation.source(of: point, size: size) - upright.vertices[index]).length
        }
        #expect(distances.reduce(0, +) / Float(distances.count) < 0.03 * upright.box.width)
    }

    /// At some sizes, the detector takes a few faces of a group for faces upside down.
    @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.absence)"), arguments: [1280, 600])
    func nobodyInAGroupIsUpsideDown(_ width: Int) throws {
        let picture = try photograph("\(SharedData.root)/photos/many_faces.jpg")
        let faces = try finder().facesAtAnyRotation(
            in: picture.resized(width: width, height: width * picture.height / picture.width)
        ).faces
        let eyes = faces.map { $0.landmarks[45] - $0.landmarks[36] }
        #expect(eyes.count > 20 && eyes.allSatisfy { $0.x > abs($0.y) })
    }

    /// The mesh sees every head upright; the cascade knows slightly tilted ones.
    @Test func boxesFollowTheTiltForTheMesh() throws {
        let tilt: Float = 0.2
        let landmarks = try Repository.referenceFace().landmarks.mapped { point in
            Point(cos(tilt) * point.x - sin(tilt) * point.y, sin(tilt) * point.x + cos(tilt) * point.y) * 200
        }
        #expect(abs(try MeshLandmarkModel().box(around: landmarks).roll - tilt) < 0.01)
        #expect(OrientedBox(around: landmarks).roll == 0)
    }

    /// On the far side of a turned head, masks end with the head.
    @Test(arguments: [Float(-0.75), 0.75]) func headPointsLieOnTurnedHeads(_ yaw: Float) throws {
        let background = SIMD4<UInt8>(40, 90, 160, 255)
        var face = DrawnFace()
        face.pose = Pose(yaw: yaw, pitch: 0, roll: 0)
        let placement = DrawnFacePlacement(center: Point(120, 130), faceWidth: 130)
        let drawing = FaceDrawing(face, placement: placement, reference: try Repository.referenceFace())
        var picture = try PixelBuffer(width: 240, height: 260, format: .rgba8)
        picture.fill(background)
        drawing.draw(into: &picture, samples: 1)
        let found = try #require(try finder().faces(in: picture).faces.first)
        for point in HeadPoint.allCases {
            let place = found.headPoints[point]
            #expect(SIMD4<UInt8>(truncatingIfNeeded: picture[Int(place.x), Int(place.y)]) != background, "\(point)")
        }
    }

    /// Noise, stripes, chequers, spots and gradients of many sizes and colours.
    @Test func texturesAreNoFaces() throws {
        let detector = try NetworkFaceDetector()
        var random = Shuffle()
        var picture = try PixelBuffer(width: 192, height: 192, format: .rgba8)
        for index in 0..<200 {
            Self.draw(index, in: &picture, &random)
            let found = try detector.detections(in: picture)
            #expect(found.isEmpty, "texture \(index): \(found)")
        }
    }

    private static func draw(_ index: Int, in picture: inout PixelBuffer, _ random: inout Shuffle) {
        let (period, angle) = (Float.random(in: 3...60, using: &random), Float.random(in: 0...3, using: &random))
        let colors = (0..<2).map { _ in
            SIMD4<Float>.random(in: 0...255, using: &random)
        }
        let noise = Float.random(in: 0...60, using: &random)
        let stride = picture.bytesPerRow
        picture.withUnsafeMutableBytes { bytes in
            for y in 0..<192 {
                for x in 0..<192 {
                    let (fx, fy) = (Float(x), Float(y))
                    let u = (fx * angle + fy) / period
                    let v = (fy * angle - fx) / period
                    let (a, b) = (u - u.rounded(), v - v.rounded())
                    let share: Float =
                        switch index % 5 {
                        case 0: abs(a) * 2
                        case 1: a * b > 0 ? 1 : 0
                        case 2: a * a + b * b < 0.1 ? 1 : 0
                        case 3: fx / 192
                        default: 0.5
                        }
                    let disturbance = Float.random(in: -noise...noise, using: &random)
                    let color = colors[0] * share + colors[1] * (1 - share) + disturbance
                    for channel in 0..<3 {
                        bytes[y * stride + 4 * x + channel] = UInt8(max(0, min(255, color[channel])))
                    }
                    bytes[y * stride + 4 * x + 3] = 255
                }
            }
        }
    }

    /// At least the faces that dlib's detector finds, and none elsewhere.
    @Test(
        .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"),
        arguments: [
            ("photos/many_faces", 24), ("photos/two_people", 2), ("photos/portrait_1080p", 1), ("photos/selfie", 1),
            ("photos/surprised", 1), ("photos/partial_face", 1), ("photos/no_face_dogs", 0), ("faces/2007_007763", 7),
            ("faces/2008_001009", 2), ("faces/2008_001322", 3), ("faces/2008_002079", 6), ("faces/2008_002470", 6),
            ("faces/2008_002506", 3), ("faces/2008_004176", 7), ("faces/2008_007676", 7), ("faces/2009_004587", 2),
        ])
    func facesOfPhotographs(_ name: String, _ count: Int) throws {
        let found = try finder().faces(in: photograph("\(SharedData.root)/\(name).jpg")).faces
        #expect(found.count == count)
    }

    @Test func otherNetworksAreRefused() throws {
        let folder = try TemporaryFolder()
        let networks = NetworkFolder(path: folder.path)
        #expect(throws: VisionError.self) { try NetworkFaceDetector(networks) }
        for (wrong, right) in [(NetworkFolder.Network.detector, NetworkFolder.Network.mesh), (.mesh, .detector)] {
            try folder.write(NetworkFolder.standard.bytes(of: right), wrong.rawValue)
        }
        let error = #expect(throws: VisionError.self) { try NetworkFaceDetector(networks) }
        #expect(error?.reason.contains("is damaged, or not the one") == true)
        #expect(throws: VisionError.self) { try MeshLandmarkModel(networks) }
    }
}

/// The same numbers in every run (a linear congruential generator).
private struct Shuffle: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

/// Without the networks, dlib's detector and the cascade are used.
@Suite struct FaceModelsTests {
    @Test func withoutNetworksAllIsAsBefore() throws {
        var models = FaceModels()
        models.networks = NetworkFolder(path: "/nowhere")
        #expect(try models.makeDetector(for: .frames) is HOGFaceDetector)
        #expect(try models.loadLandmarkModel(for: .photographs) is LandmarkCascade)
        models.detector = .network
        let error = #expect(throws: VisionError.self) { try models.makeDetector(for: .frames) }
        #expect(error?.reason.contains("bauta fetch-networks") == true)
        models.landmarks = .mesh
        #expect(throws: VisionError.self) { try models.loadLandmarkModel(for: .frames) }
        models.detector = .lbp
        #expect(try models.makeDetector(for: .frames) is CascadeFaceDetector)
    }

    @Test(.enabled(if: hasNetworks, absenceOfNetworks)) func whereTheyAreTheyAreUsed() throws {
        var models = FaceModels()
        #expect(try models.makeDetector(for: .frames) is NetworkFaceDetector)
        #expect(try models.loadLandmarkModel(for: .photographs) is MeshLandmarkModel)
        models.landmarks = .cascade
        #expect(try models.loadLandmarkModel(for: .photographs) is LandmarkCascade)
        #expect(try models.loadLandmarkModel(for: .frames) is LandmarkCascade)
        models.landmarks = .mesh
        #expect(try models.loadLandmarkModel(for: .frames) is MeshLandmarkModel)
        models.landmarks = .auto
        #expect(try models.loadLandmarkModel(for: .frames) is CombinedLandmarkModel)
        // Who names the model's usual file has chosen it.
        let chosen = FaceModels(cascade: FilePath(LandmarkCascade.defaultModelPath))
        #expect(try chosen.loadLandmarkModel(for: .photographs) is LandmarkCascade)
    }
}
