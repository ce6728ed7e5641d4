import Arguments
import Files
import Glibc
import JSON
import PhotoRecords
import Synchronization

/// The file of `--report`: a line of JSON for each input, as each is done. It grows beside its final name and takes it
/// at the end, so that the name never stands for half a report.
final class PhotoReport: Sendable {
    /// A line could not be written.
    struct WritingFailure: Error {
        let path: FilePath
        let reason: String

        /// - Parameter unprocessed: the number of photographs that were not processed because of it.
        func commandFailure(unprocessed: Int) -> CommandFailure {
            let rest = unprocessed == 1 ? "1 photograph was" : "\(unprocessed) photographs were"
            let place = path == "-" ? "standard output" : path.description
            return CommandFailure(
                .cannotCreate, "stopped: the report cannot be written; \(rest) not processed (\(place): \(reason))")
        }
    }

    private let path: FilePath
    private let replacement: Replacement
    /// The file that existed at the start, and may be replaced.
    private let replaced: FileIdentity?
    private let isAnonymous: Bool
    /// Nil for standard output, and once the report is finished, or cannot be.
    private let file: Mutex<TemporaryFile?>
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: "-" is standard output.
    ///   - replacement: the files that may be replaced.
    ///   - isAnonymous: whether the shape of the faces is left out.
    /// - Throws: `FileError`.
    init(path: FilePath, replacement: Replacement, isAnonymous: Bool) throws(FileError) {
        self.isAnonymous = isAnonymous
        self.path = path
        self.replacement = replacement
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            file = Mutex(nil)
            replaced = nil
            return
        }
        replaced = try replacement.isNeeded(at: path) ? Self.identity(path) : nil
        try Folder.createParent(of: path)
        let file = try TemporaryFile(for: path)
        descriptor = file.descriptor
        self.file = Mutex(consume file)
    }

    /// The line that `append` writes for a photograph.
    func line(_ outcome: PhotoOutcome) -> [UInt8] { Self.line(outcome.json(isAnonymous: isAnonymous)) }

    private static func line(_ value: JSONValue) -> [UInt8] { Array((Console.printableText(of: value) + "\n").utf8) }

    func append(_ value: JSONValue) throws(WritingFailure) { try append(Self.line(value)) }

    func append(_ line: [UInt8]) throws(WritingFailure) {
        let reason = file.withLock { file -> String? in
            guard path == "-" || file != nil else { return "an earlier line could not be written" }
            if line.withUnsafeBytes({ writeAll($0, to: descriptor) }) { return nil }
            let reason = systemErrorText()
            // The program may end without this object's end.
            file = nil
            return reason
        }
        if let reason { throw WritingFailure(path: path, reason: reason) }
    }

    /// - Throws: `FileError`; then nothing is left of the report.
    func finish() throws(FileError) {
        guard let file = file.withLock({ $0.take() }) else { return }
        // Somebody may have put something there meanwhile.
        let replacing = replaced != nil && Self.identity(path) == replaced
        try file.rename(replacing: replacing ? true : replacement.isNeeded(at: path))
    }

    private static func identity(_ path: FilePath) -> FileIdentity? {
        path.status(followsLinks: false).map(FileIdentity.init)
    }
}
