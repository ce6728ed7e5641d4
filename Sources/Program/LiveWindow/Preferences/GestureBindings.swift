import Gestures
import JSON
import LiveControl

/// The command of `bauta control` for each gesture.
package struct GestureBindings: Equatable, Sendable {
    /// Their default effects.
    package static let standard: [Gesture: ControlCommand] = [
        .tiltLeft: .previous, .tiltRight: .next, .mouthOpen: .snapshot, .browsTwice: .record(.toggle),
        .eyesShut: .cover(.toggle),
    ]

    private var commands = Self.standard

    package init() {}

    /// Nil: the gesture does nothing.
    package subscript(gesture: Gesture) -> ControlCommand? {
        get { commands[gesture] }
        set { if Gesture.bindable.contains(gesture) { commands[gesture] = newValue } }
    }
}

// MARK: JSON

extension GestureBindings {
    /// Reads an object of names of gestures and command lines, or null for a gesture that does nothing. Gestures that are not
    /// named keep what they do.
    /// - Parameter warn: receives a sentence about each member that does not count.
    package init(_ json: JSONValue, warn: (String) -> Void) {
        guard case .object(let members) = json else {
            warn("'/gestures' must be an object")
            return
        }
        for member in members.prefix(100) {
            let place = "'/gestures/\(JSONPointer.part(member.key))'"
            guard let gesture = Gesture(rawValue: member.key), Gesture.bindable.contains(gesture) else {
                warn("\(place): the gesture must be one of \(Gesture.bindable.map(\.rawValue).joined(separator: ", "))")
                continue
            }
            if member.value == .null {
                self[gesture] = nil
                continue
            }
            guard let line = member.value.string else {
                warn("\(place): must be a command in quotes, or null")
                continue
            }
            do {
                let command = try ControlCommand(line: line.utf8)
                guard command != .masks, command != .status else {
                    warn("\(place): '\(command.line)' prints an answer, so it cannot be used for a gesture")
                    continue
                }
                self[gesture] = command
            } catch {
                warn("\(place): \(error)")
            }
        }
    }

    /// Writes what differs from other bindings into an object; its other members stay as they are.
    package func write(changesSince old: GestureBindings, into json: inout JSONValue) {
        for gesture in Gesture.bindable where self[gesture] != old[gesture] {
            var members = json["gestures"] ?? .object([:])
            members[gesture.rawValue] = self[gesture].map { .string($0.line) } ?? .null
            json["gestures"] = members
        }
    }
}
