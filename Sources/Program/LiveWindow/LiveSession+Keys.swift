import Display
import LiveControl

/// Keys that the user has given commands to.
extension LiveSession {
    /// Does what a key asks for; what is refused is said.
    /// - Parameter asksBeforeQuitting: whether the end of a running recording is asked about first.
    func perform(_ command: ControlCommand, asksBeforeQuitting: Bool) {
        if command == .quit, outputs.isRecording, asksBeforeQuitting { return asksToQuit = true }
        switch perform(command) {
        case .reply(.refused(let reason)): messages.say(reason, isAlarm: true)
        case .later(.snapshot): takeSnapshot()
        case .reply, .later: break
        }
    }

    /// The next key gets a command. Escape changes nothing, Delete takes the command from its keys.
    func bind(_ key: WindowEvent.Key, to command: ControlCommand) {
        switch key {
        case .escape: messages.say("No key is changed")
        case .delete:
            for key in preferences.keys.keys(of: command) { preferences.keys.set(key, nil) }
            messages.say("'\(command.line)' has no key")
        default:
            guard let name = key.name else { return messages.say("This key cannot be changed", isAlarm: true) }
            if let objection = KeyBindings.objection(to: key, command) {
                return messages.say("\(name) cannot be changed: \(objection)", isAlarm: true)
            }
            preferences.keys.set(key, command)
            messages.say("\(name): \(command.line)")
        }
    }

    /// The help with the user's keys.
    var help: String {
        let own = preferences.keys.all.compactMap { binding in binding.key.name.map { "\($0)\t\(binding.command.line)" }
        }
        return ([Self.help] + own).joined(separator: "\n")
    }
}
