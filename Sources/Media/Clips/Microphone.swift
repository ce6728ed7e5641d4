import Glibc

/// A source of sound of PulseAudio or PipeWire.
package struct Microphone: Equatable, Sendable {
    /// The sound server's name of it.
    package let name: String
    /// For the user.
    package let title: String

    package init(name: String, title: String) { (self.name, self.title) = (name, title) }

    /// Those that there are, the default one first. None without a sound server.
    package static func all() -> [Microphone] {
        var limits = ChildLimits()
        limits.usesSound = true
        let question = ["ffmpeg", "-v", "quiet", "-sources", "pulse"]
        guard
            let child = try? ChildProcess(
                question, writing: [STDOUT_FILENO], limits: limits, end: .isKilledWhenAsked)
        else { return [] }
        return list(String(decoding: child.readAll(0), as: UTF8.self))
    }

    /// Reads the lines of `ffmpeg -sources`: "* NAME [TITLE] (audio)", with a space in place of the star for all but the
    /// default one.
    package static func list(_ text: String) -> [Microphone] {
        var found: [Microphone] = []
        for line in text.split(separator: "\n") {
            guard line.hasPrefix("* ") || line.hasPrefix("  "), let space = line.dropFirst(2).firstIndex(of: " ") else {
                continue
            }
            let rest = line[line.index(after: space)...]
            guard rest.hasPrefix("["), let end = rest.lastIndex(of: "]") else { continue }
            let microphone = Microphone(
                name: String(line.dropFirst(2)[..<space]), title: String(rest[rest.index(after: rest.startIndex)..<end])
            )
            found.insert(microphone, at: line.hasPrefix("* ") ? 0 : found.count)
        }
        return found
    }
}
