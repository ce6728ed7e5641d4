import CommandLine
import Files
import Glibc
import ImageFiles
import Masking

/// The file of `--report`: a line of JSON for each photograph, as each is done. It grows beside its final name and
/// takes it at the end, so that the name never stands for half a report.
final class PhotoReport: @unchecked Sendable {  // used under the queue's lock
    /// A line could not be written.
    struct WritingFailure: Error {
        let path: String
        let reason: String

        /// - Parameter unprocessed: the number of photographs that were not processed because of it.
        func commandFailure(unprocessed: Int) -> CommandFailure {
            let rest = unprocessed == 1 ? "1 photograph was" : "\(unprocessed) photographs were"
            let place = path == "-" ? "standard output" : path
            return CommandFailure(
                .cannotCreate, "stopped: the report cannot be written; \(rest) not processed (\(place): \(reason))")
        }
    }

    private let path: String
    private let partialPath: String
    private let descriptor: Int32
    private let replacing: Bool
    private var isFinished = false

    /// - Parameter path: "-" is standard output.
    init(path: String, replacing: Bool) throws {
        self.path = path
        guard path != "-" else {
            self.replacing = false
            descriptor = STDOUT_FILENO
            partialPath = path
            return
        }
        if !replacing { try AtomicFile.checkIsFree(path) }
        try Folder.createParent(of: path)
        self.replacing = replacing
        partialPath = TemporaryFile.name(beside: path)
        descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path): cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        guard path != "-" else { return }
        close(descriptor)
        if !isFinished { unlink(partialPath) }
    }

    func append(_ outcome: PhotoOutcome) throws {
        let line = Array((outcome.json.text() + "\n").utf8)
        guard line.withUnsafeBytes({ writeAll($0, to: descriptor) }) else {
            throw WritingFailure(path: path, reason: String(cString: strerror(errno)))
        }
    }

    func finish() throws {
        guard path != "-", !isFinished else { return }
        // On failure the temporary file is removed, too.
        isFinished = true
        try AtomicFile.rename(partialPath, to: path, replacing: replacing)
    }
}
