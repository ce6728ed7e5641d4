import FaceGeometry
import Gestures
import LiveControl

/// The face steers the session: `--hands-free`.
extension LiveSession {
    /// Begins to follow gestures, anew if they have been followed, or stops.
    func setHandsFree(_ isHandsFree: Bool) {
        handsFree =
            isHandsFree ? HandsFree(delay: preferences.gestureDelay ?? HandsFree.standardDelay) : nil
        setPointing(isPointing)
    }

    /// Begins to follow the nose with a pointer, anew if it has been followed, or stops.
    func setPointing(_ isPointing: Bool) {
        self.isPointing = isPointing
        handsFree?.pointer = isPointing ? NosePointer() : nil
    }

    /// Does what the wearer's gestures ask for. To be called for each new frame, before it is drawn: what covers, covers
    /// this frame.
    func followGestures(of faces: [FaceInstance], isCut: Bool, at seconds: Double) {
        let step = handsFree?.update(faces, isCut: isCut, at: seconds) { gesture in
            preferences.gestures[gesture].map(resolved).map { ($0, covers($0)) }
        }
        switch step {
        case .nothing, nil: break
        case .waits(let gesture, let command):
            // A window shows it all the time.
            if window == nil { messages.say("\(gesture.title): \(title(of: command)) follows") }
        case .acts(let gesture, let command):
            messages.say("\(gesture.title): \(title(of: command))")
            perform(command, asksBeforeQuitting: true)
        case .takenBack(_, let command): messages.say("Taken back: \(title(of: command))")
        }
    }

    /// - Returns: whether a gesture was about to do something; now it is not.
    func takeBackGesture() -> Bool {
        guard case .takenBack(_, let command)? = handsFree?.confirmation.cancel() else { return false }
        messages.say("Taken back: \(title(of: command))")
        return true
    }

    /// A command that changes to the other state, as a change to that state: what is shown while it waits must hold when it
    /// acts, also if the state changes meanwhile.
    private func resolved(_ command: ControlCommand) -> ControlCommand {
        func change(_ change: ControlCommand.Change, _ current: Bool) -> ControlCommand.Change {
            change.applied(to: current) ? .on : .off
        }
        return switch command {
        case .mask(let wanted): .mask(change(wanted, !isMaskOff))
        case .record(let wanted): .record(change(wanted, outputs.isRecording))
        case .cover(let wanted): .cover(change(wanted, isCovered))
        default: command
        }
    }

    /// Whether a command hides the picture. That harms nobody if nobody meant it, and must not wait.
    private func covers(_ command: ControlCommand) -> Bool {
        guard case .cover(let change) = command else { return false }
        return change.applied(to: isCovered)
    }

    /// What a command will do now, for the user.
    func title(of command: ControlCommand) -> String {
        switch command {
        case .next: "next mask"
        case .previous: "previous mask"
        case .wear(let name): "mask \(name)"
        case .mask(let change): change.applied(to: !isMaskOff) ? "mask on" : "mask off"
        case .snapshot: "snapshot"
        case .record(let change):
            change.applied(to: outputs.isRecording) ? "start recording" : "stop recording"
        case .cover(let change): change.applied(to: isCovered) ? "cover everything" : "show the picture"
        case .quit: "quit"
        case .masks, .status: command.line
        }
    }
}
