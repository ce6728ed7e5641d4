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

    /// - Parameter path: an existing file is replaced; "-" is standard output.
    /// - Throws: `FileError` if it cannot be opened.
    init(_ path: FilePath) throws(FileError) {
        self.path = path
        try InputFiles.check(path, followsLinks: true)
        descriptor =
            path == "-"
            ? STDOUT_FILENO : path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
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
