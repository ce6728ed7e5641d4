import Files
import Glibc

/// Asks a running `bauta live`.
package enum ControlClient {
    /// Why there is no reply.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The longest reply, in bytes.
    private static let longestReply = 1 << 20

    /// Sends a command and waits for its reply.
    /// - Parameter seconds: the longest time to wait.
    /// - Throws: `Failure` if nobody listens or answers; `FileError` if the path cannot be a socket's.
    package static func ask(
        _ command: ControlCommand, on path: FilePath, waiting seconds: Double = 30
    ) throws -> ControlReply {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let descriptor = try connect(path, until: deadline)
        defer { close(descriptor) }
        var rest = Array((command.line + "\n").utf8)[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT, descriptor, until: deadline, path)
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { throw gone(path) }
        }
        var reply: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !reply.contains(UInt8(ascii: "\n")), reply.count < longestReply {
            try wait(for: POLLIN, descriptor, until: deadline, path)
            let count = read(descriptor, &piece, piece.count)
            if count > 0 { reply += piece[..<count] } else if count == 0 || errno != EAGAIN && errno != EINTR { break }
        }
        guard let end = reply.firstIndex(of: UInt8(ascii: "\n")), let read = ControlReply(line: reply[..<end]) else {
            throw gone(path)
        }
        return read
    }

    /// Tries again while too many others wait for the session.
    private static func connect(_ path: FilePath, until deadline: ContinuousClock.Instant) throws -> Int32 {
        while true {
            if let descriptor = try ControlSocket.connect(path) { return descriptor }
            guard errno == EAGAIN else {
                let reason = errno == ENOENT || errno == ECONNREFUSED ? "no session listens there" : systemErrorText()
                throw Failure(description: "\(path): \(reason); start 'bauta live' with --control-socket")
            }
            guard ContinuousClock.now < deadline else {
                throw Failure(description: "\(path): too many other clients are waiting for a reply")
            }
            usleep(10_000)
        }
    }

    private static func gone(_ path: FilePath) -> Failure {
        Failure(description: "\(path): the connection closed without a reply")
    }

    private static func wait(
        for events: Int32, _ descriptor: Int32, until deadline: ContinuousClock.Instant, _ path: FilePath
    ) throws(Failure) {
        var waits = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { throw Failure(description: "\(path): no reply in time") }
            if poll(&waits, 1, Int32(left.rounded(.up))) > 0 { return }
        }
    }
}
