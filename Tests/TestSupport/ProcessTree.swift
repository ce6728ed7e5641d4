import Foundation

/// The processes that a program has started.
package enum ProcessTree {
    /// The children of a process with their arguments, as /proc has them.
    package static func children(of parent: Int32) -> [(process: Int32, arguments: [String])] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { Int32($0) }.filter { self.parent(of: $0) == parent }.map { process in
            let words = (try? bytes(of: "/proc/\(process)/cmdline")) ?? []
            return (process, words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Whether a process runs: neither gone nor waiting to be collected by its parent.
    package static func isRunning(_ process: Int32) -> Bool {
        guard let state = fields(of: process).first else { return false }
        return state != "Z" && state != "X"
    }

    private static func parent(of process: Int32) -> Int32? {
        fields(of: process).dropFirst().first.flatMap { Int32($0) }
    }

    /// The fields of /proc/…/stat after the name.
    private static func fields(of process: Int32) -> [Substring] {
        let text = String(decoding: (try? bytes(of: "/proc/\(process)/stat")) ?? [], as: UTF8.self)
        return text.lastIndex(of: ")").map { text[text.index(after: $0)...].split(separator: " ") } ?? []
    }
}
