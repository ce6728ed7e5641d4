import Display
import JSON
import LiveControl

/// The command of `bauta control` for each key that the user has bound.
package struct KeyBindings: Equatable, Sendable {
    /// A key with its command, in the order in which they were set.
    package struct Binding: Equatable, Sendable {
        package let key: WindowEvent.Key
        package let command: ControlCommand
    }

    package private(set) var all: [Binding] = []
    private static let most = 200

    package init() {}

    package subscript(key: WindowEvent.Key) -> ControlCommand? { all.first { $0.key == key }?.command }

    /// The keys of a command.
    package func keys(of command: ControlCommand) -> [WindowEvent.Key] {
        all.filter { $0.command == command }.map(\.key)
    }

    /// - Parameter command: nil: the key does again what it does by itself.
    package mutating func set(_ key: WindowEvent.Key, _ command: ControlCommand?) {
        all.removeAll { $0.key == key }
        if let command { all.append(Binding(key: key, command: command)) }
    }

    /// Why a command cannot be given to a key; nil: it can.
    package static func objection(to key: WindowEvent.Key, _ command: ControlCommand) -> String? {
        switch (key, command) {
        case (_, .masks), (_, .status): "'\(command.line)' prints an answer, so it cannot be used for a key"
        case (.function(12), .cover): nil
        // The cover must be found in any session.
        case (.function(12), _): "F12 always covers everything"
        default: nil
        }
    }
}

extension WindowEvent.Key {
    /// A letter, a digit or F1 to F12, alone; or Ctrl, or Ctrl and Shift, with a letter: "b", "F5", "Ctrl+Shift+B". In any
    /// case. Nil for other texts: these keys cannot be given another command.
    package init?(name: String) {
        let parts = name.lowercased().split(separator: "+", omittingEmptySubsequences: false)
        guard let last = parts.last else { return nil }
        let isLetter = last.utf8.count == 1 && last.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        switch (parts.dropLast(), last.first) {
        case ([], let letter?) where isLetter: self = .letter(letter)
        case ([], let digit?) where last.utf8.count == 1 && ("0"..."9").contains(digit):
            self = .digit(digit.wholeNumberValue ?? 0)
        case ([], "f"):
            guard let number = Int(last.dropFirst()), (1...12).contains(number), last == "f\(number)" else {
                return nil
            }
            self = .function(number)
        case (["ctrl"], let letter?) where isLetter: self = .control(letter, shift: false)
        case (["ctrl", "shift"], let letter?) where isLetter: self = .control(letter, shift: true)
        default: return nil
        }
    }

    /// The name that `init(name:)` reads; nil if the key cannot be given another command.
    package var name: String? {
        switch self {
        case .letter(let letter): letter.uppercased()
        case .digit(let digit): "\(digit)"
        case .function(let number): "F\(number)"
        case .control(let letter, let shift): "Ctrl+\(shift ? "Shift+" : "")\(letter.uppercased())"
        case .left, .right, .space, .tab, .escape, .enter, .up, .down, .delete, .bracket: nil
        case .backTab, .backspace, .pageUp, .pageDown, .home, .end, .comma, .period, .plus, .minus, .slash: nil
        }
    }
}

// MARK: JSON

extension KeyBindings {
    /// Reads an object of key names and command lines.
    /// - Parameter warn: receives a sentence about each member that does not count.
    package init(_ json: JSONValue, warn: (String) -> Void) {
        guard case .object(let members) = json else {
            warn("'keys' must be an object")
            return
        }
        for member in members.prefix(Self.most) {
            let place = "'keys', '\(member.key)'"
            guard let key = WindowEvent.Key(name: member.key) else {
                warn("\(place): the key must be A to Z, 0 to 9, F1 to F12, or Ctrl+ or Ctrl+Shift+ with a letter")
                continue
            }
            guard let line = member.value.string else {
                warn("\(place): must be a command in quotes")
                continue
            }
            do {
                let command = try ControlCommand(line: line.utf8)
                if let objection = Self.objection(to: key, command) {
                    warn("\(place): \(objection)")
                } else {
                    set(key, command)
                }
            } catch {
                warn("\(place): \(error)")
            }
        }
    }

    /// Writes what differs from other bindings into an object; its other members stay as they are.
    package func write(changesSince old: KeyBindings, into json: inout JSONValue) {
        func change(_ key: WindowEvent.Key, _ value: JSONValue?) {
            guard let name = key.name else { return }
            var spelling = name
            // The member may be spelled in another case.
            if case .object(let members) = json["keys"] ?? .null {
                spelling = members.first { WindowEvent.Key(name: $0.key) == key }?.key ?? name
            }
            var keys = json["keys"] ?? .object([:])
            keys[spelling] = value
            json["keys"] = keys
        }
        for binding in old.all where self[binding.key] == nil { change(binding.key, nil) }
        for binding in all where old[binding.key] != binding.command {
            change(binding.key, .string(binding.command.line))
        }
    }
}
