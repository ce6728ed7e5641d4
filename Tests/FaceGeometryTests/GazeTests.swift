import FaceGeometry
import SyntheticFaces
import TestSupport
import Testing

/// On synthetic heads, whose pupils are known.
@Suite struct GazeTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func drawing(turn: Float, nod: Float, yaw: Float = 0, roll: Float = 0) -> FaceDrawing {
        var face = DrawnFace()
        face.expression.gazeTurn = turn
        face.expression.gazeNod = nod
        face.pose = Pose(yaw: yaw, pitch: 0, roll: roll)
        let placement = DrawnFacePlacement(center: Point(500, 500), faceWidth: 400)
        return FaceDrawing(face, placement: placement, reference: reference)
    }

    private func offsets(_ face: Face) throws -> (right: EyeOffset, left: EyeOffset) {
        let (topology, pupils) = (Landmarks.topology, try #require(face.pupils))
        return (
            try #require(EyeOffset(pupil: pupils.right, of: topology.rightEye, face: face, reference: reference)),
            try #require(EyeOffset(pupil: pupils.left, of: topology.leftEye, face: face, reference: reference))
        )
    }

    /// What differs between eyes that look straight ahead and eyes that look elsewhere, in any pose.
    @Test(arguments: [(Float(0), Float(0)), (0.35, 0), (-0.35, 0), (0, 0.5), (0.3, -2.5)])
    func offsetsAreThoseOfTheEyes(_ yaw: Float, _ roll: Float) throws {
        let ahead = try offsets(drawing(turn: 0, nod: 0, yaw: yaw, roll: roll).face())
        let aside = try offsets(drawing(turn: 0.8, nod: -0.4, yaw: yaw, roll: roll).face())
        for (before, after) in [(ahead.right, aside.right), (ahead.left, aside.left)] {
            #expect(abs(after.turn - before.turn - 0.8) < 0.2)
            #expect(abs(after.nod - before.nod + 0.4) < 0.2)
        }
    }

    @Test func pupilsAreWhereOffsetsPutThem() throws {
        let drawing = drawing(turn: -0.6, nod: 0.5, yaw: 0.3, roll: 0.2)
        var instance = FaceInstance(face: drawing.face(), trackID: 1)
        let offsets = try offsets(instance.face)
        instance.look(right: offsets.right, left: offsets.left, reference: reference)
        let found = try #require(instance.face.pupils)
        #expect((found.right - drawing.pupils.right).length < 0.01)
        #expect((found.left - drawing.pupils.left).length < 0.01)
        #expect(instance.signals[.gazeTurn] < -0.3 && instance.signals[.gazeNod] > 0.2)
    }

    /// Seen from the side, the plane of the face is a line.
    @Test func aProfileHasNoOffsets() {
        let landmarks = reference.landmarks.mapped { Point(100 + 3 * $0.x, 100 + 200 * $0.y) }
        let face = Face(landmarks: landmarks, reference: reference)
        #expect(
            EyeOffset(pupil: .zero, of: Landmarks.topology.rightEye, face: face, reference: reference) == nil)
    }
}
