import FaceGeometry
import LandmarkModels
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

@Suite(.enabled(if: hasNetworks, absenceOfNetworks)) struct PupilFinderTests {
    /// The pupils of synthetic heads that look in all directions, tilted and turned, are found where they were drawn.
    @Test(arguments: [
        Pose(yaw: 0, pitch: 0, roll: 0), Pose(yaw: -0.2, pitch: 0.05, roll: -2),
    ])
    func pupilsOfDrawnHeads(_ pose: Pose) throws {
        let (finder, reference) = (try PupilFinder(), try Repository.referenceFace())
        for (turn, nod) in [(Float(0.6), Float(0)), (-0.6, 0.2)] {
            var face = DrawnFace()
            face.pose = pose
            face.expression.gazeTurn = turn
            face.expression.gazeNod = nod
            let placement = DrawnFacePlacement(center: Point(110, 70), faceWidth: 150)
            let drawing = FaceDrawing(face, placement: placement, reference: reference)
            var picture = try PixelBuffer(width: 180, height: 180, format: .rgba8)
            picture.fill(SIMD4(120, 120, 120, 255))
            drawing.draw(into: &picture, samples: 2)
            let landmarks = drawing.landmarks
            let found = try finder.eyes(of: landmarks, in: picture)
            let topology = Landmarks.topology
            for (pupil, truth, eye) in [
                (found.right.pupil, drawing.pupils.right, topology.rightEye),
                (found.left.pupil, drawing.pupils.left, topology.leftEye),
            ] {
                let width = (landmarks[eye.left] - landmarks[eye.right]).length
                #expect((pupil - truth).length < 0.15 * width, "\(turn) \(nod)")
            }
        }
    }

    @Test func otherNetworksAreRefused() throws {
        let folder = try TemporaryFolder()
        let networks = NetworkFolder(path: folder.path)
        #expect(throws: VisionError.self) { try PupilFinder(networks) }
        try folder.write(NetworkFolder.standard.bytes(of: .mesh), NetworkFolder.Network.attention.rawValue)
        let error = #expect(throws: VisionError.self) { try PupilFinder(networks) }
        #expect(error?.reason.contains("is damaged, or not the one") == true)
    }
}
