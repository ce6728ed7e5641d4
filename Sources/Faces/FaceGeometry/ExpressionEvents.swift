/// Tells what one person's face does from its measures, with hysteresis and a minimum duration, so that a value that
/// trembles about a threshold does not make events.
///
/// Thresholds are the person's own: they lie between what their eyes and mouth measure at rest and what the literature
/// says of faces in general, which alone would call some people's open eyes closed. Rest is learnt while running.
package struct ExpressionEvents: Sendable {
    package private(set) var states: Expression.States = []
    /// The states that started and ended with the last measures.
    package private(set) var began: Expression.States = []
    package private(set) var ended: Expression.States = []

    /// This person's measures at rest: a slow average that takes no part in blinks and words.
    package private(set) var rest: Expression?
    private var triggers = InlineArray<7, Trigger>(repeating: Trigger())
    /// How often both eyes have closed.
    package private(set) var blinks = 0
    /// How far the wider eye is open: 1 as at rest, 0 shut. What the picture shows counts where it is known, the landmarks of
    /// the lids where it is not.
    package private(set) var eyeOpenness: Float = 1

    package init() {}

    /// - Parameter rest: what is known of the person already.
    package init(rest: Expression) { self.rest = rest }

    /// - Parameters:
    ///   - yaw: how far the head is turned, in radians.
    ///   - seconds: since the measures before.
    package mutating func update(_ expression: Expression, yaw: Float, seconds: Float) {
        let rest = learnt(expression, seconds: seconds)
        let before = states
        let looksNarrow = expression.mouthWidth > rest.mouthWidth * Self.smiling || abs(yaw) > Self.turned
        let isExact = expression.hasExactLids
        let right = Self.openness(
            expression.rightEye, rest.rightEye, isExact, expression.rightEyeUprightness, rest.rightEyeUprightness,
            looksNarrow)
        let left = Self.openness(
            expression.leftEye, rest.leftEye, isExact, expression.leftEyeUprightness, rest.leftEyeUprightness,
            looksNarrow)
        eyeOpenness = max(right, left)
        // Exact lids of a laugh come to 0.80.
        let opens: Float = isExact ? -0.76 : -0.82
        decide(0, value: -right, on: -0.70, off: opens, seconds)
        decide(1, value: -left, on: -0.70, off: opens, seconds)
        // The mouth: open above 0.5 with lips of mean thickness (0.3 at rest).
        decide(2, value: expression.mouth, on: rest.mouth + 0.20, off: rest.mouth + 0.13, seconds)
        // A smile widens the mouth, and does not open it much.
        decide(3, value: expression.mouthWidth, on: rest.mouthWidth * 1.12, off: rest.mouthWidth * 1.07, seconds)
        decide(4, value: expression.browHeight, on: rest.browHeight * 1.16, off: rest.browHeight * 1.10, seconds)
        // 20° and 14°. The picture's right is the subject's left.
        decide(5, value: yaw, on: 0.35, off: 0.25, seconds)
        decide(6, value: -yaw, on: 0.35, off: 0.25, seconds)
        states = []
        for index in triggers.indices where triggers[index].isOn { states.insert(.init(rawValue: 1 << index)) }
        began = states.subtracting(before)
        if states.isSuperset(of: .eyesClosed) && !before.isSuperset(of: .eyesClosed) { blinks += 1 }
        ended = before.subtracting(states)
    }

    /// 1: as open as at rest. What the picture shows counts where it is known. Where it is not, the aspect ratio does:
    /// 0.70 stands for the literature's 0.24 for an eye of 0.34.
    /// - Parameters:
    ///   - isExact: whether the lids are exact. Then they are enough for an eye to be closed.
    ///   - looksNarrow: whether open eyes look narrow in the picture, too. Then they are closed only if the landmarks of
    ///     the lids agree.
    private static func openness(
        _ aspectRatio: Float, _ restRatio: Float, _ isExact: Bool, _ uprightness: Float?, _ restUprightness: Float?,
        _ looksNarrow: Bool
    ) -> Float {
        let ratio = aspectRatio / max(restRatio, 1e-3)
        guard let uprightness, let restUprightness else { return ratio }
        let shown = uprightness / max(restUprightness, 1e-3)
        let lids = ratio + (isExact ? exactLidsMoveMore : -lidsMoveLess)
        if looksNarrow { return max(shown, lids) }
        return isExact ? min(shown, lids) : shown
    }

    /// Exact lids of eyes that laugh are open by 0.72 of what they are at rest, and those of a short blink by 0.55: below
    /// 0.62, they are closed.
    private static let exactLidsMoveMore: Float = 0.08

    /// The lids' landmarks of a closed eye move less than the lids: 0.85 of the aspect ratio at rest is as certain as 0.70
    /// of what the picture shows.
    private static let lidsMoveLess: Float = 0.15
    /// Of the mouth's width at rest: wider is the mouth of a smile.
    private static let smiling: Float = 1.07
    /// In radians: 14°.
    private static let turned: Float = 0.25

    private struct Trigger: Sendable {
        var isOn = false
        /// How long the value has been beyond the threshold that would change the state.
        var pending: Float = 0
    }

    /// A state lasts at least two frames of 30 a second; a blink lasts from 0.1 s.
    private static let minimumDuration: Float = 0.05

    private mutating func decide(_ index: Int, value: Float, on: Float, off: Float, _ seconds: Float) {
        let wantsChange = triggers[index].isOn ? value < off : value > on
        guard wantsChange else {
            triggers[index].pending = 0
            return
        }
        triggers[index].pending += seconds
        if triggers[index].pending >= Self.minimumDuration {
            triggers[index].isOn.toggle()
            triggers[index].pending = 0
        }
    }

    /// Draws the rest towards new measures: within a second at first, within half a minute later. What lies far from
    /// rest is an expression and counts little.
    private mutating func learnt(_ new: Expression, seconds: Float) -> Expression {
        guard var rest else {
            // Eyes rarely stay closed, and smiles rarely last, but both may be so in the first frame.
            var first = new
            first.rightEye = max(new.rightEye, 0.27)
            first.leftEye = max(new.leftEye, 0.27)
            first.mouth = min(new.mouth, 0.40)
            first.rightEyeUprightness = new.rightEyeUprightness.map { max($0, 0.5) }
            first.leftEyeUprightness = new.leftEyeUprightness.map { max($0, 0.5) }
            self.rest = first
            return first
        }
        age += seconds
        let weight = OneEuroFilter.weight(cutoff: max(0.01, 0.16 / max(age, 1)), seconds: seconds)
        func draw(_ value: inout Float, _ target: Float, tolerance: Float) {
            let distance = (target - value) / (tolerance * max(value, 1e-3))
            value += weight / (1 + distance * distance) * (target - value)
        }
        draw(&rest.rightEye, new.rightEye, tolerance: 0.15)
        draw(&rest.leftEye, new.leftEye, tolerance: 0.15)
        if var value = rest.rightEyeUprightness, let target = new.rightEyeUprightness {
            draw(&value, target, tolerance: 0.2)
            rest.rightEyeUprightness = value
        }
        if var value = rest.leftEyeUprightness, let target = new.leftEyeUprightness {
            draw(&value, target, tolerance: 0.2)
            rest.leftEyeUprightness = value
        }
        draw(&rest.mouth, new.mouth, tolerance: 0.2)
        draw(&rest.mouthWidth, new.mouthWidth, tolerance: 0.06)
        draw(&rest.browHeight, new.browHeight, tolerance: 0.06)
        rest.shape.approach(new.shape, weight: weight)
        self.rest = rest
        return rest
    }

    private var age: Float = 0
}
