import CMedia
import Glibc

/// Another program that writes to us, with what it says about problems. Ends with this object. It belongs to one thread.
final class ChildProcess {
    /// The reading ends of pipes that the child writes to, in the order asked for.
    let pipes: [Int32]
    private let process: pid_t
    /// A file in memory: nobody has to read along for the child not to get stuck.
    private let messages: Int32
    private var status: Int32?

    struct LaunchFailure: Error { let code: Int32 }

    /// Starts a program that is looked for in `PATH`.
    /// - Parameter writing: the file descriptors that the child writes to; each gets a pipe.
    init(_ arguments: [String], writing descriptors: [Int32]) throws(LaunchFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)

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
                closeAll(reading + writing + [messages])
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
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        var identifier = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let code = posix_spawnp(&identifier, words[0] ?? strdup(""), &actions, &attributes, &words, environ)
        for word in words { free(word) }
        closeAll(writing)
        guard code == 0 else {
            closeAll(reading + [messages])
            throw LaunchFailure(code: code)
        }
        process = identifier
        pipes = reading
        self.messages = messages
    }

    deinit {
        for descriptor in pipes { close(descriptor) }
        if status == nil {
            kill(process, SIGKILL)
            var ignored: Int32 = 0
            while waitpid(process, &ignored, 0) < 0 && errno == EINTR {}
        }
        if messages >= 0 { close(messages) }
    }

    /// Waits for the child's end. Its pipes must have been read to their ends.
    /// - Returns: whether it ended well.
    func finish() -> Bool {
        if status == nil {
            var result: Int32 = 0
            while waitpid(process, &result, 0) < 0 && errno == EINTR {}
            status = result
        }
        return status == 0
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
