/// One face in a frame, with its track ID and expression: everything that masks depend on.
package struct FaceInstance: Sendable {
    package var face: Face
    /// Counts people in order of appearance, from 1. Stays the same while a face is tracked, and when it returns and is
    /// recognised.
    package var trackID: Int
    package var states: Expression.States
    /// The number of times that both eyes have closed.
    package var blinks: Int
    package var signals: ExpressionSignals
    /// The expression by the names of 3-D heads.
    package var shapes = BlendShapes()
    /// How far the wider eye is open: 1 as at rest, 0 shut (`ExpressionEvents.eyeOpenness`).
    package var eyeOpenness: Float = 1
    /// Whether the face was seen in this frame. Otherwise it is where it was last seen, or between where it was seen
    /// before and after.
    package var isSeen = true
    /// Whether it may be somebody else than the later faces with this track ID: the track was followed back to here past a
    /// change of its look, or the face was not seen here.
    package var mayBeAnother = false
    /// Set where enrolled people are looked for.
    package var identity = FaceIdentity.notSought

    package init(
        face: Face, trackID: Int, states: Expression.States, blinks: Int = 0, signals: ExpressionSignals
    ) {
        self.face = face
        self.trackID = trackID
        self.states = states
        self.blinks = blinks
        self.signals = signals
    }

    /// A face in a single picture: its states are judged by the measures of average faces.
    package init(face: Face, trackID: Int) {
        var expression = Expression(face.landmarks)
        expression.shape = face.shape
        let rest = ExpressionSignals.generalRest
        var events = ExpressionEvents(rest: rest)
        events.update(expression, yaw: face.pose.yaw, seconds: 1)
        let signals = ExpressionSignals(expression, rest: rest, pose: face.pose)
        self.init(face: face, trackID: trackID, states: events.states, signals: signals)
        shapes = BlendShapes(expression, rest: rest, signals: signals)
    }
}

/// The expression and pose of a face, and what is heard, as continuous values that can animate a mask: 0 at rest, 1 fully
/// expressed.
package struct ExpressionSignals: Equatable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case mouthOpening
        case smile
        case browRaise
        case rightEyeClosing
        case leftEyeClosing
        /// −1 to 1: 1 is the subject's left, by 45°.
        case turn
        /// −1 to 1: 1 is up, by 30°.
        case nod
        /// −1 to 1: 1 is clockwise in the picture, by 45°.
        case tilt
        /// −1 to 1: 1 is to the subject's left, by 30°, relative to the head. 0 where the pupils were not looked for.
        case gazeTurn
        /// −1 to 1: 1 is up, by 30°, relative to the head. 0 where the pupils were not looked for.
        case gazeNod
        /// The sound signals, the same for all faces: 0 in silence and without a source of sound.
        case loudness
        case beat

        /// Whether it is measured only for masks that ask for it.
        package var isGaze: Bool { self == .gazeTurn || self == .gazeNod }
        /// Whether it is heard, not seen: no property of the face.
        package var isSound: Bool { self == .loudness || self == .beat }
        /// Those of the face.
        package static let ofFace = allCases.filter { !$0.isSound }
    }

    private var values: InlineArray<12, Float>

    package subscript(name: Name) -> Float {
        get { values[Self.index(name)] }
        set { values[Self.index(name)] = newValue }
    }

    private static func index(_ name: Name) -> Int { Name.allCases.firstIndex(of: name) ?? 0 }

    /// A face at rest.
    package init() { values = InlineArray(repeating: 0) }

    /// - Parameter rest: the person's own measures at rest.
    package init(_ expression: Expression, rest: Expression, pose: Pose) {
        self.init()
        func fraction(_ value: Float, from low: Float, to high: Float) -> Float {
            min(1, max(0, (value - low) / (high - low)))
        }
        func signed(_ value: Float) -> Float { min(1, max(-1, value)) }
        self[.mouthOpening] = fraction(
            expression.frontalMouth(pose), from: rest.mouth + 0.03, to: rest.mouth + 0.55)
        self[.smile] = fraction(expression.mouthWidth / max(rest.mouthWidth, 1e-3), from: 1.02, to: 1.22)
        self[.browRaise] = fraction(expression.browHeight / max(rest.browHeight, 1e-3), from: 1.03, to: 1.3)
        self[.rightEyeClosing] = 1 - fraction(expression.rightEye / max(rest.rightEye, 1e-3), from: 0.45, to: 0.95)
        self[.leftEyeClosing] = 1 - fraction(expression.leftEye / max(rest.leftEye, 1e-3), from: 0.45, to: 0.95)
        self[.turn] = signed(pose.yaw / (.pi / 4))
        self[.nod] = signed(pose.pitch / (.pi / 6))
        self[.tilt] = signed(pose.roll / (.pi / 4))
    }

    /// The measures of average faces at rest.
    static let generalRest = Expression(eyes: 0.30, mouth: 0.33, mouthWidth: 0.62, browHeight: 0.22)

    package static func == (a: ExpressionSignals, b: ExpressionSignals) -> Bool {
        Name.allCases.allSatisfy { a[$0] == b[$0] }
    }
}
