import FaceGeometry
import ImageFiles
import Pixels
import SyntheticFaces
import TestSupport
import Testing

@Suite struct SampleTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    @Test(arguments: Sample.all.map(\.name)) func landmarksInTheRepositoryAreThoseOfTheDrawing(_ name: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let recorded = try PointsFile.parse(Repository.text("samples/\(name).pts"))
        let drawn = sample.drawing(reference: reference).landmarks.points
        #expect(recorded.count == drawn.count)
        for (a, b) in zip(recorded, drawn) { #expect((a - b).length < 0.01) }
    }

    /// One picture drawn again (with fewer rays) is the one in the repository.
    @Test func thePictureInTheRepositoryIsTheDrawing() throws {
        let sample = try #require(Sample.all.first { $0.name == "bruno" })
        let drawn = try sample.picture(reference: reference, samples: 1)
        let recorded = try PictureReader.read("\(Repository.root)/samples/bruno.jpg")
        let difference = try PictureDifference(drawn, recorded.pixels)
        #expect(difference.share(above: 40) < 0.01, "\(difference.histogram)")
    }

    @Test func depthsInTheRepositoryAreThoseOfTheDrawnHead() throws {
        let drawing = FaceDrawing(
            DrawnFace(), placement: DrawnFacePlacement(center: .zero, faceWidth: 1), reference: reference)
        for (vertex, depth) in zip(reference.vertices, reference.depths) {
            #expect(abs(drawing.depth(atCanonicalPoint: vertex) - depth) < 0.001)
        }
    }

    /// A turned head shows less of the mouth's width, and a nodding one less of its height.
    @Test(arguments: [Float(0), 0.3, 0.6, 1]) func mouthsOpenAsWideWhicheverWayAHeadIsTurned(_ opening: Float) {
        func signal(_ yaw: Float, _ pitch: Float) -> Float {
            var face = DrawnFace()
            face.expression.mouthOpening = opening
            (face.pose.yaw, face.pose.pitch) = (yaw * .pi / 180, pitch * .pi / 180)
            let placement = DrawnFacePlacement(center: Point(500, 500), faceWidth: 400)
            let instance = FaceDrawing(face, placement: placement, reference: reference).instance()
            return instance.signals[.mouthOpening]
        }
        let frontal = signal(0, 0)
        for yaw in [Float(-45), -20, 20, 45] {
            for pitch in [Float(-20), 0, 20] {
                let turned = signal(yaw, pitch)
                #expect(abs(turned - frontal) < max(0.05, 0.15 * frontal), "\(yaw)°, \(pitch)°: \(turned)")
                if opening == 0 { #expect(turned < 0.05) }
            }
        }
    }

    /// What turns, closes and opens does so in the landmarks.
    @Test func landmarksFollowPoseAndExpression() {
        func landmarks(_ adjust: (inout DrawnFace) -> Void) -> Landmarks {
            var face = DrawnFace()
            adjust(&face)
            let placement = DrawnFacePlacement(center: Point(500, 500), faceWidth: 400)
            return FaceDrawing(face, placement: placement, reference: reference).landmarks
        }
        let still = landmarks { _ in }
        func lidGap(_ l: Landmarks) -> Float { (l[41] - l[37]).length + (l[40] - l[38]).length }
        #expect(lidGap(landmarks { $0.expression.rightEyeOpenness = 0 }) < 0.1 * lidGap(still))
        let open = landmarks { $0.expression.mouthOpening = 1 }
        #expect((open[66] - open[62]).length > 40 + (still[66] - still[62]).length)
        #expect(open[8].y > still[8].y + 30)
        #expect(
            landmarks { $0.pose.yaw = 0.4 }[30].x > still[30].x + 30, "yaw turns the nose to the right of the picture")
        #expect(landmarks { $0.pose.pitch = 0.3 }[30].y < still[30].y - 15, "pitch lifts the nose")
        let tilted = landmarks { $0.pose.roll = 0.3 }
        #expect(tilted[45].y > tilted[36].y + 50, "roll is clockwise in the picture")
        #expect(landmarks { $0.expression.browRaise = 1 }[19].y < still[19].y - 15)
        let smile = landmarks { $0.expression.smile = 1 }
        #expect(smile[54].x - smile[48].x > still[54].x - still[48].x + 15)
    }
}
