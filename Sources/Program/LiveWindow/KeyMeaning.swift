import Display
import LiveControl

/// What keys do by themselves, for the help, and for who would give one of them to something else.
package struct KeyMeaning {
    /// Of the keys, for the user.
    let name: String
    let keys: [WindowEvent.Key]
    let effect: String

    private init(_ name: String, _ keys: [WindowEvent.Key], _ effect: String) {
        (self.name, self.keys, self.effect) = (name, keys, effect)
    }

    /// Each group is a line of the help.
    private static let groups: [[KeyMeaning]] = [
        [
            .init("Left", [.left], "Another mask"), .init("Right", [.right], "Another mask"),
            .init("1-9", (1...9).map { .digit($0) }, "Another mask"),
        ],
        [.init("0", [.digit(0)], "Mask off and on")],
        [.init("C", [.letter("c")], "Cover everything"), .init("F12", [.function(12)], "Cover everything")],
        [
            .init("Tab", [.tab, .backTab], "Masks and settings"),
            .init("F6", [.function(6)], "Next section of them"),
        ],
        [
            .init(
                "Ctrl+F", [.control("f", shift: false), .control("f", shift: true)], "Search masks, Enter puts one on")
        ],
        [.init("Space", [.space], "Pause")],
        [.init("S", [.letter("s")], "Snapshot"), .init("R", [.letter("r")], "Recording")],
        [
            .init(
                "O", [.letter("o"), .control("o", shift: false), .control("o", shift: true)], "Open a clip or pictures")
        ],
        [.init("G", [.letter("g")], "Save the last 10 s")],
        [.init("M", [.letter("m")], "Mirror"), .init("L", [.letter("l")], "Mesh and landmarks")],
        [
            .init("F", [.letter("f")], "Full screen"), .init("+", [.plus], "Size of texts"),
            .init("-", [.minus], "Size of texts"),
        ],
        [.init("Esc", [.escape], "End nose pointing, full screen, panels")],
        [.init("H", [.letter("h")], "This help")],
        [.init("Q", [.letter("q")], "Quit")],
    ]

    /// What a key does by itself; nil: nothing that the help lists.
    package static func effect(of key: WindowEvent.Key) -> String? {
        groups.joined().first { $0.keys.contains(key) }?.effect
    }

    /// A line for each group: the keys, a tab, and what they do. Keys that the user has given to something else are left out,
    /// and follow with that.
    package static func help(_ bindings: KeyBindings) -> String {
        let lines = groups.compactMap { group -> String? in
            var (names, effects): ([String], [String]) = ([], [])
            for meaning in group {
                let free = meaning.keys.filter { bindings[$0] == nil }
                guard !free.isEmpty else { continue }
                names += free.count == meaning.keys.count ? [meaning.name] : free.compactMap(\.name)
                if !effects.contains(meaning.effect) { effects.append(meaning.effect) }
            }
            guard let first = effects.first else { return nil }
            let rest = effects.dropFirst().map { $0.prefix(1).lowercased() + $0.dropFirst() }
            return "\(names.joined(separator: ", "))\t\(([first] + rest).joined(separator: ", "))"
        }
        let own = bindings.all.compactMap { binding in binding.key.name.map { "\($0)\t\(binding.command.line)" } }
        return (lines + own).joined(separator: "\n")
    }
}
