import Arguments
import Files
import FrameProcessing
import Glibc
import ImageFiles
import JSON
import Synchronization

/// The report: one line of JSON per second, and a summary.
final class LiveReport: Sendable {
    private let path: FilePath
    private let descriptor: Int32
    private let firstFailure = Mutex<FileError?>(nil)
    /// The first error of writing.
    var failure: FileError? { firstFailure.withLock { $0 } }

    /// - Parameters:
    ///   - path: an earlier report is replaced; "-" is standard output.
    ///   - replaces: whether any other file is, too.
    /// - Throws: `FileError` if it cannot be opened, or is no report.
    init(_ path: FilePath, replaces: Bool) throws(FileError) {
        self.path = path
        try InputFiles.check(path, followsLinks: true)
        if !replaces, path != "-", Self.isOtherFile(path) {
            throw FileError(.alreadyExists, path: path, "exists and is not a report; --force replaces it")
        }
        descriptor =
            path == "-"
            ? STDOUT_FILENO : path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }

    /// Whether there is a file that does not begin as lines of JSON do.
    private static func isOtherFile(_ path: FilePath) -> Bool {
        guard let status = path.status(), status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        defer { if file >= 0 { close(file) } }
        var first: UInt8 = 0
        return file < 0 || read(file, &first, 1) != 1 || first != UInt8(ascii: "{")
    }

    deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

    /// Appends a line, on one thread at a time. Durations are in milliseconds, rounded to two digits after the point.
    /// - Parameter kind: the value of the key "kind": "second" or "summary".
    func write(_ summary: LiveStatistics.Summary, kind: String, outputs: [(target: String, frames: Int)] = []) {
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind)), .init("seconds", .number(DecimalText.rounded(summary.seconds))),
            .init("frames", .integer(summary.frames)),
            .init("framesPerSecond", .number(DecimalText.rounded(summary.framesPerSecond))),
            .init("droppedFrames", .integer(summary.droppedFrames)),
            .init("framesWithFaces", .integer(summary.framesWithFaces)),
            .init(
                "milliseconds",
                .object(
                    zip(LiveStatistics.stages, zip(summary.medians, summary.slowest)).map { name, values in
                        JSONValue.Member(
                            name,
                            .object([
                                "median": .number(DecimalText.rounded(values.0)),
                                "p99": .number(DecimalText.rounded(values.1)),
                            ]))
                    })),
        ]
        if !outputs.isEmpty {
            members.append(
                .init(
                    "outputs",
                    .array(
                        outputs.map { .object(["target": .string($0.target), "frames": .integer($0.frames)]) })))
        }
        let line = Array((Console.printableText(of: .object(members)) + "\n").utf8)
        if !line.withUnsafeBytes({ writeAll($0, to: descriptor) }) {
            let error = FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
            firstFailure.withLock { if $0 == nil { $0 = error } }
        }
    }
}
