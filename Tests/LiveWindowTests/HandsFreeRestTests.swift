import FaceGeometry
import Gestures
import LiveControl
import LiveWindow
import TestSupport
import Testing

/// Gestures where no further frame comes, as in a pause.
@Suite struct HandsFreeRestTests {
    private let face: Face
    private var handsFree = HandsFree(delay: 1.5, wantsPointer: false)

    init() throws {
        let reference = try Repository.referenceFace()
        face = Face(landmarks: reference.landmarks.mapped { Point(60, 20) + 200 * $0 }, reference: reference)
        handsFree.set(isOn: true)
    }

    /// - Returns: whether a gesture was recognised, or has acted, by `end`.
    private mutating func hold(_ opening: Float, from start: Double, to end: Double) -> (waits: Bool, acts: Bool) {
        var instance = FaceInstance(face: face, trackID: 1)
        instance.signals[.mouthOpening] = opening
        var result = (waits: false, acts: false)
        for frame in Int((20 * start).rounded())..<Int((20 * end).rounded()) {
            let step = handsFree.update([instance], isCut: false, at: Double(frame) / 20) { gesture in
                gesture == .mouthOpen ? (.next, false) : nil
            }
            switch step {
            case .waits: result.waits = true
            case .acts: result.acts = true
            case .nothing, .takenBack: break
            }
        }
        return result
    }

    /// The rest of the gesture is no gesture.
    @Test mutating func whatHasBegunEnds() {
        _ = hold(0, from: 0, to: 1)
        let first = hold(0.9, from: 1, to: 1.8)
        let cancelled = handsFree.rest()
        let second = hold(0.9, from: 1.8, to: 2.6)
        #expect(cancelled == nil && !first.waits && !second.waits)
        // Held on for all of its time, it is one.
        let whole = hold(0.9, from: 2.6, to: 3)
        #expect(whole.waits)
    }

    @Test mutating func whatWaitsIsCancelled() {
        _ = hold(0, from: 0, to: 1)
        let held = hold(0.9, from: 1, to: 2.2)
        let (cancelled, again) = (handsFree.rest(), handsFree.rest())
        #expect(held.waits && !held.acts && cancelled == .next && again == nil)
        let later = hold(0, from: 2.2, to: 5)
        #expect(!later.acts)
    }

    @Test mutating func theNosePointsUntilItIsTold() {
        let before = handsFree.hasPointer
        handsFree.set(wantsPointer: true)
        let during = handsFree.hasPointer
        handsFree.set(wantsPointer: false)
        #expect(!before && during && !handsFree.hasPointer)
    }

    @Test mutating func whereNothingRestsItActs() {
        _ = hold(0, from: 0, to: 1)
        let held = hold(0.9, from: 1, to: 2.2)
        let later = hold(0, from: 2.2, to: 5)
        #expect(held.waits && !held.acts && later.acts)
    }
}
