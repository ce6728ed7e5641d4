/// A command to a running `bauta live` from outside: one line of UTF-8, words separated by spaces.
package enum ControlCommand: Equatable, Sendable {
    package enum Change: String, CaseIterable, Sendable {
        case on, off, toggle

        /// - Returns: the state that takes the place of `current`.
        package func applied(to current: Bool) -> Bool {
            switch self {
            case .on: true
            case .off: false
            case .toggle: !current
            }
        }
    }

    /// Wear the mask of that name. A name of a single space-free word that is one of `Change` cannot be asked for.
    case wear(String)
    /// Take the mask off, or put it on again.
    case mask(Change)
    case next
    case previous
    case snapshot
    case record(Change)
    case cover(Change)
    /// The names of the masks.
    case masks
    /// The state of the session, as JSON.
    case status
    case quit

    /// Whether it covers the picture, or ends that.
    var covers: Bool { if case .cover = self { true } else { false } }

    /// Whether its reply may wait for a disk or an encoder.
    var mayTakeTime: Bool {
        switch self {
        case .wear, .mask, .next, .previous, .snapshot, .record: true
        case .cover, .masks, .status, .quit: false
        }
    }

    /// Why a line is no command.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The first words of the commands.
    package static let words = [
        "mask", "next", "previous", "snapshot", "record", "cover", "masks", "status", "quit",
    ]
    /// The commands with their arguments, for messages and help texts.
    package static let usage =
        "mask NAME, mask on|off|toggle, next, previous, snapshot, record on|off|toggle, cover on|off|toggle, masks, "
        + "status, quit"

    /// - Parameter line: without the line break. Spaces around it, and a carriage return at its end, have no meaning.
    package init(line: some Sequence<UInt8>) throws(Invalid) {
        let (space, carriageReturn) = (UInt8(ascii: " "), UInt8(ascii: "\r"))
        var bytes = Array(line.drop { $0 == space })[...]
        while let last = bytes.last, last == space || last == carriageReturn { bytes.removeLast() }
        let word = bytes.prefix { $0 != space }
        let argument = bytes.dropFirst(word.count).drop { $0 == space }
        guard let word = String(validating: word, as: UTF8.self),
            let argument = String(validating: argument, as: UTF8.self)
        else { throw Invalid(description: "the line is not UTF-8") }
        guard !bytes.contains(where: { $0 < space }) else {
            throw Invalid(description: "the line contains a control character")
        }
        self = try Self.command(word, argument: argument.isEmpty ? nil : argument)
    }

    private static func command(_ word: String, argument: String?) throws(Invalid) -> ControlCommand {
        switch word {
        case "mask":
            guard let argument else { throw Invalid(description: "'mask' needs a name, on, off or toggle") }
            return Change(rawValue: argument).map { .mask($0) } ?? .wear(argument)
        case "record": return .record(try change(word, argument))
        case "cover": return .cover(try change(word, argument))
        default: break
        }
        let simple: [String: ControlCommand] = [
            "next": .next, "previous": .previous, "snapshot": .snapshot, "masks": .masks, "status": .status,
            "quit": .quit,
        ]
        guard let command = simple[word] else {
            throw Invalid(
                description: (word.isEmpty ? "the line is empty" : "there is no command '\(word)'") + "; use \(usage)")
        }
        guard argument == nil else { throw Invalid(description: "'\(word)' takes no argument") }
        return command
    }

    private static func change(_ word: String, _ argument: String?) throws(Invalid) -> Change {
        guard let change = argument.flatMap({ Change(rawValue: $0) }) else {
            throw Invalid(description: "'\(word)' needs on, off or toggle")
        }
        return change
    }

    /// The line, without line break.
    package var line: String {
        switch self {
        case .wear(let name): "mask \(name)"
        case .mask(let change): "mask \(change.rawValue)"
        case .next: "next"
        case .previous: "previous"
        case .snapshot: "snapshot"
        case .record(let change): "record \(change.rawValue)"
        case .cover(let change): "cover \(change.rawValue)"
        case .masks: "masks"
        case .status: "status"
        case .quit: "quit"
        }
    }
}
