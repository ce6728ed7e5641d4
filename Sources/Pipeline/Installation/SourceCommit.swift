import Files
import Glibc

/// The commit that the program was made from, as far as its files tell.
///
/// Releases and packages say it in the file `COMMIT`, into which `git archive` (with the attribute `export-subst`) and
/// `scripts/package` write it. In a clone, `git` has noted what is checked out.
package struct SourceCommit: Equatable, Sendable {
    /// 40 hexadecimal digits.
    package let hash: String
    /// Year, month and day: 2026-01-31. Nil in a clone.
    package let date: String?
    /// Whether the program is older than the checkout of this commit, so that it was made from another one.
    package let isNewerThanProgram: Bool

    /// Nil if the files do not tell.
    package static func find() -> SourceCommit? {
        guard let program = ThisProgram.path,
            let folder = DataFolder.above(program)?.path
        else { return nil }
        if let text = try? FileContents.text(folder / "COMMIT", limit: 1000), let commit = SourceCommit(written: text) {
            return commit
        }
        // The newest line is the last one: "before after name <address> seconds zone\tmessage".
        guard let log = try? FileContents.text(folder / ".git/logs/HEAD", limit: 16 << 20),
            let line = log.split(separator: "\n").last
        else { return nil }
        return SourceCommit(logged: line, programTime: program.status().map { Int($0.st_mtim.tv_sec) })
    }

    /// - Parameter text: "hash date". In a clone it is the placeholder that `git archive` replaces.
    package init?(written text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, Self.isHash(words[0]) else { return nil }
        self.init(hash: String(words[0]), date: String(words[1].prefix(10)), isNewerThanProgram: false)
    }

    /// - Parameter programTime: seconds since 1970.
    package init?(logged line: some StringProtocol, programTime: Int?) {
        let words = line.prefix { $0 != "\t" }.split(separator: " ")
        guard words.count > 3, Self.isHash(words[1]), let time = Int(words[words.count - 2]) else { return nil }
        self.init(hash: String(words[1]), date: nil, isNewerThanProgram: programTime.map { $0 < time } ?? false)
    }

    private init(hash: String, date: String?, isNewerThanProgram: Bool) {
        self.hash = hash
        self.date = date
        self.isNewerThanProgram = isNewerThanProgram
    }

    private static func isHash(_ text: some StringProtocol) -> Bool {
        text.count == 40 && text.allSatisfy(\.isHexDigit)
    }
}
