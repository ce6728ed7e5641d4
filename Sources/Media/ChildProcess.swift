import CMedia
import Files
import Glibc
import Synchronization

/// A child process with pipes to and from it; its standard error is kept. It is killed when this object ends. Belongs
/// to one thread; only its `stopper` may be used by others.
final class ChildProcess {
    /// The reading ends of pipes that the child writes to, in the order asked for.
    let pipes: [Int32]
    /// Kills the child from any thread; threads that wait for its pipes go on.
    let stopper: Stopper
    /// The writing end of the child's standard input, where it was asked for.
    private var input: Int32
    private let process: pid_t
    /// Standard error: a file in memory, which unlike a pipe never blocks the child.
    private let messages: Int32
    private var status: Int32?

    struct LaunchFailure: Error { let code: Int32 }

    /// Knows the child's process number until it is reaped and the number may be reused.
    final class Stopper: Sendable {
        fileprivate let process: Mutex<pid_t?>

        fileprivate init(_ process: pid_t) { self.process = Mutex(process) }

        func stop() { process.withLock { if let process = $0 { _ = kill(process, SIGKILL) } } }
    }

    /// Starts a program found through `PATH`.
    /// - Parameters:
    ///   - writing: the file descriptors that the child writes to; each gets a pipe.
    ///   - isFed: whether its standard input is a pipe too, for `write`.
    init(_ arguments: [String], writing descriptors: [Int32], isFed: Bool = false) throws(LaunchFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var feeding = InlineArray<2, Int32>(repeating: -1)
        if isFed {
            let made = withUnsafeMutableBytes(of: &feeding) {
                cmedia_pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self))
            }
            guard made == 0 else { throw LaunchFailure(code: errno) }
            posix_spawn_file_actions_adddup2(&actions, feeding[0], STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }

        let messages = cmedia_memory_file()
        if messages >= 0 { posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO) }

        var reading: [Int32] = []
        var writing: [Int32] = []
        func closeAll(_ all: [Int32]) { for descriptor in all { close(descriptor) } }
        for descriptor in descriptors {
            var ends = InlineArray<2, Int32>(repeating: -1)
            let made = withUnsafeMutableBytes(of: &ends) {
                cmedia_pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self))
            }
            guard made == 0 else {
                let code = errno
                closeAll(reading + writing + [messages, feeding[0], feeding[1]])
                throw LaunchFailure(code: code)
            }
            reading.append(ends[0])
            // Beyond the numbers under which the child expects its pipes.
            let moved = fcntl(ends[1], F_DUPFD_CLOEXEC, 16)
            close(ends[1])
            writing.append(moved)
            posix_spawn_file_actions_adddup2(&actions, moved, descriptor)
        }

        // This program ignores SIGPIPE; the child must not: it ends when its pipe is closed.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A process group of its own: Ctrl-C reaches only this program, which then ends its children in order.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var identifier = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let code = posix_spawnp(&identifier, words[0] ?? strdup(""), &actions, &attributes, &words, environ)
        for word in words { free(word) }
        closeAll(writing + [feeding[0]])
        guard code == 0 else {
            closeAll(reading + [messages, feeding[1]])
            throw LaunchFailure(code: code)
        }
        process = identifier
        stopper = Stopper(identifier)
        input = feeding[1]
        pipes = reading
        self.messages = messages
    }

    deinit {
        for descriptor in pipes { close(descriptor) }
        if status == nil { stopper.stop() }
        _ = finish()
        if messages >= 0 { close(messages) }
    }

    /// Closes the child's standard input and waits for its end. Its pipes must have been read to their ends.
    /// - Returns: whether it ended with status 0.
    func finish() -> Bool {
        closeInput()
        if status == nil {
            var information = siginfo_t()
            // Not reaped yet: until then its number cannot be reused, and `stopper` must forget it first.
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            stopper.process.withLock { $0 = nil }
            var result: Int32 = 0
            while waitpid(process, &result, 0) < 0 && errno == EINTR {}
            status = result
        }
        return status == 0
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Writes bytes to the child's standard input, and waits while the pipe is full.
    /// - Returns: false when the child does not take them: it has ended or is about to.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool { writeAll(bytes, to: input) }

    /// The last three lines of the child's standard error.
    var lastWords: String {
        guard messages >= 0 else { return "" }
        let size = lseek(messages, 0, SEEK_END)
        let length = min(Int(size), 4096)
        var bytes = [UInt8](repeating: 0, count: max(length, 0))
        let count = pread(messages, &bytes, bytes.count, size - off_t(length))
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return text.split(separator: "\n").suffix(3).joined(separator: "; ")
    }

    /// Reads until the buffer is full or the child closes the pipe.
    /// - Returns: the number of bytes read.
    func read(_ pipe: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var position = 0
        while position < buffer.count {
            let count = Glibc.read(pipes[pipe], buffer.baseAddress.map { $0 + position }, buffer.count - position)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            position += count
        }
        return position
    }

    /// Reads until the child closes the pipe, up to a limit in bytes.
    func readAll(_ pipe: Int, limit: Int = 1 << 20) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = bytes.withUnsafeMutableBytes { read(pipe, into: $0) }
        return Array(bytes.prefix(count))
    }
}
