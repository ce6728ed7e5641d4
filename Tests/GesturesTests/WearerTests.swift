import FaceGeometry
import Gestures
import TestSupport
import Testing

@Suite struct WearerTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func face(_ trackID: Int, width: Float, isSeen: Bool = true) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { width * $0 }
        var face = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
        face.isSeen = isSeen
        return face
    }

    @Test func theLargestSteersAndKeepsSteering() {
        var wearer = Wearer()
        #expect(wearer.choose(from: [], at: 0).face == nil)
        let first = wearer.choose(from: [face(1, width: 80), face(2, width: 120)], at: 1)
        #expect(first.face?.trackID == 2 && first.isNew)
        // Somebody comes nearer; somebody else is in front in the list.
        let second = wearer.choose(from: [face(1, width: 300), face(2, width: 120)], at: 2)
        #expect(second.face?.trackID == 2 && !second.isNew)
    }

    @Test func anotherSteersOnlyAfterAnAbsence() {
        var wearer = Wearer()
        _ = wearer.choose(from: [face(1, width: 80)], at: 0)
        #expect(wearer.choose(from: [face(2, width: 80)], at: 2).face == nil)
        #expect(wearer.choose(from: [face(1, width: 80, isSeen: false), face(2, width: 80)], at: 2.5).face == nil)
        #expect(wearer.choose(from: [face(1, width: 80)], at: 2.9).isNew == false)
        #expect(wearer.choose(from: [face(2, width: 80)], at: 5).face == nil)
        let other = wearer.choose(from: [face(2, width: 80)], at: 6)
        #expect(other.face?.trackID == 2 && other.isNew)
    }
}
