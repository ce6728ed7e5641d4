import Display
import FaceGeometry
import Gestures
import LiveControl

/// Steering a session with the face: whose face, what it does, and what that will do.
struct HandsFree {
    private var wearer = Wearer()
    private(set) var recognizer = GestureRecognizer()
    var confirmation: GestureConfirmation<ControlCommand>
    /// Nil: nothing is pointed at.
    var pointer: NosePointer?
    /// Whether the pointer has clicked since the window was last shown.
    private var hasClicked = false

    /// The time in which a gesture can be taken back, in seconds, unless the user has chosen another one.
    static let standardDelay = 1.5

    /// - Parameter delay: the time in which a gesture can be taken back, in seconds.
    init(delay: Double) { confirmation = GestureConfirmation(delay: delay) }

    /// Where the pointer is in the window, and whether it clicks; each click is given once.
    mutating func takePointer() -> DisplayWindow.Pointer? {
        guard let position = pointer?.position else { return nil }
        defer { hasClicked = false }
        return DisplayWindow.Pointer(x: position.x, y: position.y, isDown: hasClicked)
    }

    /// - Parameters:
    ///   - isCut: whether the frame shows another scene than the one before.
    ///   - seconds: the time of the frame.
    ///   - action: what a gesture does, and whether it does so at once; nil: nothing.
    mutating func update(
        _ faces: [FaceInstance], isCut: Bool, at seconds: Double,
        action: (Gesture) -> (command: ControlCommand, isImmediate: Bool)?
    ) -> GestureConfirmation<ControlCommand>.Step {
        let (face, isNew) = wearer.choose(from: faces, at: seconds)
        if isNew { recognizer = GestureRecognizer() }
        if isCut { recognizer.interrupt() }
        let gesture = recognizer.update(face.map { GestureSample($0) }, at: seconds)
        if pointer?.update(yaw: face?.face.pose.yaw, pitch: face?.face.pose.pitch, at: seconds) == true {
            hasClicked = true
        }
        let bound = gesture.flatMap(action)
        return confirmation.update(
            gesture, action: bound?.command, isImmediate: bound?.isImmediate ?? false, isSeen: face != nil, at: seconds)
    }
}
