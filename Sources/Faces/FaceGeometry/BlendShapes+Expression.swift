import Glibc

extension BlendShapes {
    /// What the landmarks show (`BlendShape.isMeasured`), without the gaze.
    /// - Parameters:
    ///   - rest: the person's own measures at rest.
    ///   - signals: of the same expression.
    package init(_ expression: Expression, rest: Expression, signals: ExpressionSignals) {
        self.init()
        func fraction(_ value: Float, from low: Float, to high: Float) -> Float {
            min(1, max(0, (value - low) / (high - low)))
        }
        let (shape, neutral) = (expression.shape, rest.shape)
        func change(_ measure: FaceShape.Measure, _ side: FaceShape.Side) -> Float {
            shape[measure, side] - neutral[measure, side]
        }
        let opening = signals[.mouthOpening]
        self[.jawOpen] = opening
        self[.eyeBlinkRight] = signals[.rightEyeClosing]
        self[.eyeBlinkLeft] = signals[.leftEyeClosing]
        // A turned head shows less of the width of its far eye, which lies on the round side of the face.
        let yaw = signals[.turn] * .pi / 4
        func farWidth(_ turn: Float) -> Float { turn > 0 ? cos(turn + 0.26) / cos(0.26 as Float) : 1 }
        self[.eyeWideRight] = fraction(
            farWidth(-yaw) * expression.rightEye / max(rest.rightEye, 1e-3), from: 1.12, to: 1.45)
        self[.eyeWideLeft] = fraction(
            farWidth(yaw) * expression.leftEye / max(rest.leftEye, 1e-3), from: 1.12, to: 1.45)
        self[.browInnerUp] = fraction(
            (change(.innerBrow, .right) + change(.innerBrow, .left)) / 2, from: 0.012, to: 0.07)
        set(.right, .browOuterUpRight, .browDownRight, .mouthSmileRight, .mouthFrownRight, .mouthStretchRight)
        set(.left, .browOuterUpLeft, .browDownLeft, .mouthSmileLeft, .mouthFrownLeft, .mouthStretchLeft)
        func set(
            _ side: FaceShape.Side, _ browUp: BlendShape, _ browDown: BlendShape, _ smile: BlendShape,
            _ frown: BlendShape, _ stretch: BlendShape
        ) {
            self[browUp] = fraction(change(.outerBrow, side), from: 0.012, to: 0.07)
            self[browDown] = fraction(-change(.innerBrow, side), from: 0.010, to: 0.045)
            // A smile pulls the corners of the mouth up and out; a jaw that opens pulls them down and in.
            let (rise, out) = (change(.mouthCornerHeight, side), change(.mouthCornerOut, side))
            self[smile] = fraction(0.7 * rise + 0.7 * out, from: 0.012, to: 0.055)
            self[frown] = fraction(-rise - 0.05 * opening, from: 0.012, to: 0.05)
            self[stretch] = fraction(out - 1.5 * max(0, rise), from: 0.012, to: 0.05)
        }
        // Round lips: pointed while they are closed, a funnel while they are open.
        let round = fraction(
            -(change(.mouthCornerOut, .right) + change(.mouthCornerOut, .left)) / 2, from: 0.015, to: 0.06)
        // The height of the mouth: a narrow one has a high aspect ratio, too.
        let height = expression.mouth * expression.mouthWidth / max(rest.mouth * rest.mouthWidth, 1e-3)
        let open = fraction(height, from: 1.15, to: 1.8)
        self[.mouthPucker] = round * (1 - open)
        self[.mouthFunnel] = round * open
        let toLeft = shape.mouthToLeft - neutral.mouthToLeft
        self[.mouthLeft] = fraction(toLeft, from: 0.015, to: 0.07)
        self[.mouthRight] = fraction(-toLeft, from: 0.015, to: 0.07)
    }

    /// Sets the gaze.
    /// - Parameters:
    ///   - turn: −1 to 1: 1 is to the subject's left, by 30°.
    ///   - nod: −1 to 1: 1 is up, by 30°.
    mutating func look(turn: Float, nod: Float) {
        // The left eye looks out where the right one looks in.
        let (left, right, up, down) = (max(0, turn), max(0, -turn), max(0, nod), max(0, -nod))
        (self[.eyeLookOutLeft], self[.eyeLookInRight]) = (left, left)
        (self[.eyeLookInLeft], self[.eyeLookOutRight]) = (right, right)
        (self[.eyeLookUpLeft], self[.eyeLookUpRight]) = (up, up)
        (self[.eyeLookDownLeft], self[.eyeLookDownRight]) = (down, down)
    }
}
