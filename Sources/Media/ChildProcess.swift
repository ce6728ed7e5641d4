import CMedia
import Glibc
import Synchronization

/// Another program that writes to us or reads from us, with what it says about problems. Ends with this object. It
/// belongs to one thread; only its `stopper` may be used from others.
final class ChildProcess {
    /// The reading ends of pipes that the child writes to, in the order asked for.
    let pipes: [Int32]
    /// Ends the child from any thread, so that whoever waits for its pipes gets on.
    let stopper: Stopper
    /// The writing end of the child's standard input, where it was asked for.
    private var input: Int32
    private let process: pid_t
    /// A file in memory: nobody has to read along for the child not to get stuck.
    private let messages: Int32
    private var status: Int32?

    struct LaunchFailure: Error { let code: Int32 }

    /// Knows the child for as long as its number is its own.
    final class Stopper: Sendable {
        fileprivate let process: Mutex<pid_t?>

        fileprivate init(_ process: pid_t) { self.process = Mutex(process) }

        func stop() { process.withLock { if let process = $0 { _ = kill(process, SIGKILL) } } }
    }

    /// Starts a program that is looked for in `PATH`.
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
            // Out of the way of the numbers that the child is to find its pipes under.
            let moved = fcntl(ends[1], F_DUPFD_CLOEXEC, 16)
            close(ends[1])
            writing.append(moved)
            posix_spawn_file_actions_adddup2(&actions, moved, descriptor)
        }

        // The program ignores SIGPIPE; the child shall end when nobody reads.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A group of its own: Ctrl-C is for this program, which then lets its children end in order.
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

    /// Waits for the child's end. Its pipes must have been read to their ends.
    /// - Returns: whether it ended well.
    func finish() -> Bool {
        closeInput()
        if status == nil {
            var information = siginfo_t()
            // First only looked at: as long as it is not reaped, its number belongs to nobody else.
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

    /// Hands bytes to the child's standard input, and waits while it has no room.
    /// - Returns: whether the child took all of them; if not, it is gone or going.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            let count = Glibc.write(input, bytes.baseAddress.map { $0 + position }, bytes.count - position)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return false }
            position += count
        }
        return true
    }

    /// What the child has said about problems: its last lines.
    var lastWords: String {
        guard messages >= 0 else { return "" }
        let size = lseek(messages, 0, SEEK_END)
        let length = min(Int(size), 4096)
        var bytes = [UInt8](repeating: 0, count: max(length, 0))
        let count = pread(messages, &bytes, bytes.count, size - off_t(length))
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return text.split(separator: "\n").suffix(3).joined(separator: "; ")
    }

    /// Reads until the buffer is full.
    /// - Returns: how many bytes there were before the child closed its end.
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

    /// Everything that the child still writes, up to a limit.
    func readAll(_ pipe: Int, limit: Int = 1 << 20) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = bytes.withUnsafeMutableBytes { read(pipe, into: $0) }
        return Array(bytes.prefix(count))
    }
}
