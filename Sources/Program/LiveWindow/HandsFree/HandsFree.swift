import Display
import FaceGeometry
import Gestures
import LiveControl

/// Hands-free control of a session: whether it is on, the face in control, and the gestures that are held or pending.
package struct HandsFree {
    /// The state that follows one face. It starts anew with another source.
    struct Following {
        private var wearer = Wearer()
        fileprivate(set) var recognizer = GestureRecognizer()
        fileprivate(set) var confirmation: GestureConfirmation<ControlCommand>
        /// Nil: nothing is pointed at.
        fileprivate(set) var pointer: NosePointer?
        /// Whether the pointer has clicked since the window was last shown.
        fileprivate var hasClicked = false

        fileprivate init(delay: Double, hasPointer: Bool) {
            confirmation = GestureConfirmation(delay: delay)
            pointer = hasPointer ? NosePointer() : nil
        }

        fileprivate mutating func update(
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
                gesture, action: bound?.command, isImmediate: bound?.isImmediate ?? false, isSeen: face != nil,
                at: seconds)
        }
    }

    /// The time in which a gesture can be taken back, in seconds.
    private let delay: Double
    /// Whether the nose points while the face steers.
    private(set) var wantsPointer: Bool
    /// Nil: the face does not steer.
    private(set) var following: Following?

    var isOn: Bool { following != nil }
    /// Whether the nose points, or is about to.
    package var hasPointer: Bool { following?.pointer != nil }

    /// The time in which a gesture can be taken back, in seconds, unless the user has chosen another one.
    private static let standardDelay = 1.5

    /// It does not steer yet.
    /// - Parameter delay: the time in which a gesture can be taken back, in seconds; nil: 1.5.
    package init(delay: Double?, wantsPointer: Bool) {
        (self.delay, self.wantsPointer) = (delay ?? Self.standardDelay, wantsPointer)
    }

    /// Begins to follow gestures, anew if they have been followed, or stops.
    package mutating func set(isOn: Bool) { following = isOn ? Following(delay: delay, hasPointer: wantsPointer) : nil }

    /// Begins to follow the nose with a pointer, anew if it has been followed, or stops.
    package mutating func set(wantsPointer: Bool) {
        self.wantsPointer = wantsPointer
        following?.pointer = wantsPointer ? NosePointer() : nil
    }

    /// Where the pointer is in the window, and whether it clicks; each click is given once.
    mutating func takePointer() -> DisplayWindow.Pointer? {
        guard let position = following?.pointer?.position else { return nil }
        defer { following?.hasClicked = false }
        return DisplayWindow.Pointer(x: position.x, y: position.y, isDown: following?.hasClicked ?? false)
    }

    /// - Parameters:
    ///   - isCut: whether the frame shows another scene than the one before.
    ///   - seconds: the time of the frame.
    ///   - action: the effect of a gesture, and whether it is immediate; nil: none.
    package mutating func update(
        _ faces: [FaceInstance], isCut: Bool, at seconds: Double,
        action: (Gesture) -> (command: ControlCommand, isImmediate: Bool)?
    ) -> GestureConfirmation<ControlCommand>.Step {
        following?.update(faces, isCut: isCut, at: seconds, action: action) ?? .nothing
    }

    /// No frame comes in which a gesture could be held on: what has begun ends.
    /// - Returns: the cancelled effect of a gesture. Nil: none.
    package mutating func rest() -> ControlCommand? {
        if following?.recognizer.progress != nil { following?.recognizer.interrupt() }
        return takeBack()
    }

    /// - Returns: the cancelled effect of a gesture. Nil: none.
    mutating func takeBack() -> ControlCommand? {
        guard case .takenBack(_, let command)? = following?.confirmation.cancel() else { return nil }
        return command
    }
}
