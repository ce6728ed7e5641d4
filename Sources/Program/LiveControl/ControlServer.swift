import Files
import Glibc
import Synchronization
import Threads

/// Listens on a socket and takes commands from other programs, on a thread of its own. Whatever they send or do not read,
/// the caller of `next` never waits for them.
package final class ControlServer: Sendable {
    /// A command that waits for its reply.
    package struct Request: Sendable {
        let client: Int
        package let command: ControlCommand
    }

    /// Clients whose commands may take time are not counted while they wait. When there are more, the one that has been silent
    /// longest gives way; while none is silent, new clients wait. A client whose command waits is never dropped.
    package static let mostClients = 32
    /// The server refuses further commands that may take time while so many of them wait: another client must be able to cover
    /// the picture, or to quit, at any time.
    package static let mostWaiting = 128

    /// State that the thread and its callers share.
    struct State {
        /// At most one for each client.
        var requests: [Request] = []
        var replies: [(client: Int, line: [UInt8])] = []
        var isStopping = false
    }

    private let path: FilePath
    /// Of the socket's file, so that another session's is not removed.
    private let place: (device: UInt64, number: UInt64)?
    private let shared: Shared
    private let thread: DedicatedThread.Handle

    final class Shared: Sendable {
        let state = Mutex(State())
        /// A pipe: what is written to one end wakes the thread, which waits at the other.
        let (waiting, waking): (Int32, Int32)

        /// - Returns: nil with a reason in `errno`.
        init?() {
            var ends = InlineArray<2, Int32>(repeating: -1)
            let made = withUnsafeMutableBytes(of: &ends) { pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self)) }
            (waiting, waking) = (ends[0], ends[1])
            guard made == 0 else { return nil }
            for end in [waiting, waking] {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }

        deinit {
            for end in [waiting, waking] where end >= 0 { close(end) }
        }

        func change<Result>(_ body: (inout State) -> Result) -> Result {
            let result = state.withLock { body(&$0) }
            var byte: UInt8 = 0
            // A full pipe wakes the thread, too.
            _ = write(waking, &byte, 1)
            return result
        }
    }

    /// Makes the socket, with permissions for its owner only.
    /// - Throws: `FileError`; also if something other than the socket of a killed session is there. `NoThread`.
    package init(_ path: FilePath) throws {
        let listener = try ControlSocket.listen(path)
        guard let shared = Shared() else {
            let code = errno
            close(listener)
            _ = path.withCString { unlink($0) }
            throw FileError(.unwritable, path: path, "the control socket cannot be created: \(systemErrorText(code))")
        }
        self.path = path
        place = path.status(followsLinks: false).map { (UInt64($0.st_dev), UInt64($0.st_ino)) }
        self.shared = shared
        do throws(NoThread) {
            thread = try DedicatedThread.start {
                var clients = ControlClients(listener, shared)
                clients.serve()
            }
        } catch {
            close(listener)
            _ = path.withCString { unlink($0) }
            throw error
        }
    }

    deinit { stop() }

    /// The oldest command that has not been taken; nil: none. Each must get a reply.
    package func next() -> Request? {
        shared.state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    }

    package func reply(_ reply: ControlReply, to request: Request) {
        shared.change { $0.replies.append((request.client, Array(reply.line.utf8))) }
    }

    /// Takes no more commands, removes the socket, and waits until the replies have been read, for at most a second.
    package func stop() {
        let isFirst = shared.change { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        if let place, let now = path.status(followsLinks: false),
            (UInt64(now.st_dev), UInt64(now.st_ino)) == place
        {
            _ = path.withCString { unlink($0) }
        }
        thread.join()
    }
}
