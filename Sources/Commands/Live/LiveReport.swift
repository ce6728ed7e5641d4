import CommandLine
import Glibc
import ImageFiles
import JSON
import Masking

/// The lines of `--stats`: one a second and one at the end.
final class LiveReport {
    private let path: String
    private let descriptor: Int32
    private(set) var failure: CommandFailure?

    /// - Parameter path: replaced if it is there; - is standard output.
    init(_ path: String) throws {
        self.path = path
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path): cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

    func write(_ summary: LiveStatistics.Summary, kind: String, outputs: [(target: String, frames: Int)] = []) {
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind)), .init("seconds", .number(BenchCommand.rounded(summary.seconds))),
            .init("frames", .integer(summary.frames)),
            .init("framesPerSecond", .number(BenchCommand.rounded(summary.framesPerSecond))),
            .init("droppedFrames", .integer(summary.droppedFrames)),
            .init("framesWithFaces", .integer(summary.framesWithFaces)),
            .init(
                "milliseconds",
                .object(
                    zip(LiveStatistics.stages, zip(summary.medians, summary.slowest)).map { name, values in
                        JSONValue.Member(
                            name,
                            .object([
                                "median": .number(BenchCommand.rounded(values.0)),
                                "p99": .number(BenchCommand.rounded(values.1)),
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
        var text = JSONValue.object(members).text() + "\n"
        let isWritten = text.withUTF8 { bytes in
            var position = 0
            while position < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                position += count
            }
            return true
        }
        if !isWritten, failure == nil {
            failure = CommandFailure(.cannotCreate, "\(path): cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
