import FaceGeometry
import Masking
import TestSupport
import Testing

@Suite struct LostFacesTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func face(_ trackID: Int, x: Float = 0) -> (trackID: Int, face: Face) {
        let landmarks = reference.landmarks.mapped { Point(x, 0) + 100 * $0 }
        return (trackID, Face(landmarks: landmarks, reference: reference))
    }

    @Test func masksAreKeptForAMoment() {
        var lost = LostFaces(policy: .keep)
        #expect(lost.update([face(1), face(2, x: 300)], at: 0, isCut: false) == .init())
        #expect(lost.update([face(1)], at: 0.04, isCut: false).kept.map(\.trackID) == [2])
        #expect(lost.update([face(1)], at: 0.5, isCut: false).kept.count == 1)
        #expect(lost.update([face(1)], at: 0.6, isCut: false).kept.isEmpty)
    }

    /// Not beside the one that came back, nor where somebody else is now, nor in another scene.
    @Test func nobodyWearsTwo() {
        var lost = LostFaces(policy: .keep)
        _ = lost.update([face(1)], at: 0, isCut: false)
        #expect(lost.update([], at: 0.04, isCut: false).kept.count == 1)
        #expect(lost.update([face(1, x: 400)], at: 0.08, isCut: false).kept.isEmpty)
        #expect(lost.update([], at: 0.12, isCut: false).kept.count == 1)
        #expect(lost.update([face(7, x: 410)], at: 0.16, isCut: false).kept.isEmpty)
        _ = lost.update([], at: 0.2, isCut: false)
        #expect(lost.update([], at: 0.24, isCut: true).kept.isEmpty)
    }

    @Test func hidingHides() {
        var lost = LostFaces(policy: .hide)
        _ = lost.update([face(1)], at: 0, isCut: false)
        #expect(lost.update([], at: 0.04, isCut: false) == .init())
    }

    /// Nobody's face is shown before all are surely followed.
    @Test func blurringIsSure() {
        var lost = LostFaces(policy: .blur)
        #expect(lost.update([], at: 0, isCut: false).mustBlur)
        #expect(!lost.update([face(1), face(2, x: 300)], at: 0.04, isCut: false).mustBlur)
        #expect(lost.update([face(1)], at: 0.08, isCut: false).mustBlur)
        #expect(lost.update([face(1), face(2, x: 300)], at: 0.5, isCut: false).mustBlur)
        #expect(!lost.update([face(1), face(2, x: 300)], at: 1.2, isCut: false).mustBlur)
        #expect(lost.update([face(1), face(2, x: 300)], at: 1.24, isCut: true).mustBlur)
        // A clip that begins again.
        #expect(!lost.update([face(1), face(2, x: 300)], at: 0, isCut: false).mustBlur)
    }
}
