import Compositing
import FaceGeometry
import TestSupport
import Testing

@Suite struct LostFacesTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func face(_ trackID: Int, x: Float = 0, blinks: Int = 0) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { Point(x, 0) + 100 * $0 }
        var instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
        instance.blinks = blinks
        return instance
    }

    private func update(
        _ lost: inout LostFaces, _ faces: [FaceInstance], chosen: [FaceInstance]? = nil, at seconds: Double,
        isCut: Bool = false
    ) -> LostFaces.Decision { lost.update(faces, chosen: chosen ?? faces, at: seconds, isCut: isCut) }

    @Test func masksAreKeptForHalfASecond() {
        var lost = LostFaces(policy: .keep)
        let first = update(&lost, [face(1), face(2, x: 300)], at: 0)
        #expect(first.kept.isEmpty && !first.mustBlur)
        #expect(update(&lost, [face(1)], at: 0.04).kept.map(\.trackID) == [2])
        for seconds in [0.08, 0.12, 0.16, 0.5] {
            #expect(update(&lost, [face(1)], at: seconds).kept.count == 1)
        }
        #expect(update(&lost, [face(1)], at: 0.6).kept.isEmpty)
    }

    /// On a slow machine, a second has few frames: a mask is not gone before the detector has seen some. For long it does not
    /// stay.
    @Test(arguments: [(0.4, 4), (0.9, 3), (5, 1)]) func masksAreKeptForSomeFrames(_ interval: Double, _ count: Int) {
        var lost = LostFaces(policy: .keep)
        _ = update(&lost, [face(1)], at: 0)
        let kept = (1...8).map { update(&lost, [], at: interval * Double($0)).kept.count }
        #expect(kept == (1...8).map { $0 <= count ? 1 : 0 })
    }

    /// A frame that mixes two scenes still shows the scene in which the face was lost.
    @Test func masksAreKeptInAMixture() {
        var lost = LostFaces(policy: .keep)
        _ = update(&lost, [face(1), face(2, x: 300)], at: 0)
        _ = update(&lost, [face(1)], at: 0.04)
        let (kept, new) = ([face(1)], [face(3, x: 600)])
        let mixture = lost.update(kept + new, chosen: kept + new, at: 0.08, isCut: true, isMixture: true)
        #expect(mixture.kept.map(\.trackID) == [2])
        #expect(update(&lost, new, at: 0.12, isCut: true).kept.isEmpty)
    }

    /// A face that had no mask gets none when it is lost.
    @Test func onlyChosenFacesAreKept() {
        var lost = LostFaces(policy: .keep)
        let (large, small) = (face(1), face(2, x: 300))
        _ = update(&lost, [large, small], chosen: [large], at: 0)
        #expect(update(&lost, [large], at: 0.04).kept.isEmpty)
        _ = update(&lost, [large, small], chosen: [large], at: 0.08)
        #expect(update(&lost, [small], chosen: [small], at: 0.12).kept.map(\.trackID) == [1])
    }

    /// The blink count goes on, so that masks that change with each blink do not jump.
    @Test func lostFacesKeepTheirExpression() {
        var lost = LostFaces(policy: .keep)
        var instance = face(1, blinks: 3)
        instance.states = [.mouthOpen]
        _ = update(&lost, [instance], at: 0)
        let kept = update(&lost, [], at: 0.04).kept
        #expect(kept.map(\.blinks) == [3] && kept.map(\.states) == [[.mouthOpen]])
    }

    /// A mask is not kept beside the same face found again, nor over another face, nor after a cut.
    @Test func aKeptMaskGivesWay() {
        var lost = LostFaces(policy: .keep)
        _ = update(&lost, [face(1)], at: 0)
        #expect(update(&lost, [], at: 0.04).kept.count == 1)
        #expect(update(&lost, [face(1, x: 400)], at: 0.08).kept.isEmpty)
        #expect(update(&lost, [], at: 0.12).kept.count == 1)
        #expect(update(&lost, [face(7, x: 410)], at: 0.16).kept.isEmpty)
        _ = update(&lost, [], at: 0.2)
        #expect(update(&lost, [], at: 0.24, isCut: true).kept.isEmpty)
    }

    @Test func hidingKeepsNothing() {
        var lost = LostFaces(policy: .hide)
        _ = update(&lost, [face(1)], at: 0)
        let decision = update(&lost, [], at: 0.04)
        #expect(decision.kept.isEmpty && !decision.mustBlur)
    }

    /// The picture is blurred whenever a face may be without its mask.
    @Test func blurringIsSafe() {
        var lost = LostFaces(policy: .blur)
        let both = [face(1), face(2, x: 300)]
        #expect(update(&lost, [], at: 0).mustBlur)
        #expect(!update(&lost, both, at: 0.04).mustBlur)
        #expect(update(&lost, [face(1)], at: 0.08).mustBlur)
        #expect(update(&lost, both, at: 0.5).mustBlur)
        #expect(!update(&lost, both, at: 1.2).mustBlur)
        #expect(update(&lost, both, at: 1.24, isCut: true).mustBlur)
        // A clip that starts over.
        #expect(!update(&lost, both, at: 0).mustBlur)
    }
}
