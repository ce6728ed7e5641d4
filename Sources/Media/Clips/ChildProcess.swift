import CMedia
import CSandbox
import Files
import Glibc
import Synchronization
import Threads

/// A child process with pipes to and from it; its standard error is kept. It is killed when this object ends. Belongs
/// to one thread; only its `stopper` may be used by others.
final class ChildProcess {
    /// The reading ends of pipes that the child writes to, in the order asked for.
    private let pipes: [Int32]
    /// Kills the child from any thread; threads that wait for its pipes go on.
    let stopper: Stopper
    /// The writing end of the child's standard input, where it was asked for.
    private var input: Int32 = -1
    private let process: pid_t
    /// Standard error: a file in memory, which unlike a pipe never blocks the child.
    private let messages: Int32
    private var status: Int32?
    private let cpuLimit: Int
    /// Processor time used, once the child has ended.
    private var cpuSeconds = 0
    /// The number of the handler that kills the child when the program is asked to end.
    private var handler: Int?

    struct LaunchFailure: Error { let code: Int32 }

    /// The fate of the child when the program ends.
    enum End {
        /// It is killed as soon as the program is asked to end, or ends.
        case isKilledWhenAsked
        /// It is killed when the program ends, even if what it writes to takes nothing more.
        case isKilled
        /// It ends by itself, at the end of its standard input: it completes a file.
        case completesFile
    }

    /// Knows the child's process number until it is reaped and the number may be reused.
    final class Stopper: Sendable {
        fileprivate let process: Mutex<pid_t?>

        fileprivate init(_ process: pid_t) { self.process = Mutex(process) }

        func stop() { process.withLock { if let process = $0 { _ = kill(process, SIGKILL) } } }
    }

    /// Starts a program found through `PATH`, in a process group of its own: Ctrl-C reaches only this program, which
    /// then ends its children in order.
    /// - Parameters:
    ///   - writing: the file descriptors that the child writes to; each gets a pipe.
    ///   - isFed: whether its standard input is a pipe too, for `write`.
    ///   - end: its fate when the program ends. The end of the thread that starts it counts as the program's.
    init(
        _ arguments: [String], writing descriptors: [Int32], isFed: Bool = false, limits: ChildLimits,
        end: End
    ) throws(LaunchFailure) {
        guard let program = arguments.first.flatMap(ChildLimits.program) else { throw LaunchFailure(code: ENOENT) }
        cpuLimit = limits.cpuSeconds
        var list: [csandbox_descriptor] = []
        /// The child's ends, which this program closes.
        var childEnds: [Int32] = []
        var ownEnds: [Int32] = []
        func makePipe() throws(LaunchFailure) -> (reading: Int32, writing: Int32) {
            var ends = InlineArray<2, Int32>(repeating: -1)
            let made = withUnsafeMutableBytes(of: &ends) {
                cmedia_pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self))
            }
            if made == 0 { return (ends[0], ends[1]) }
            throw LaunchFailure(code: errno)
        }
        messages = cmedia_memory_file()
        let code = errno
        do throws(LaunchFailure) {
            // Without messages nobody would know why the child fails. Some kernels have no files in memory.
            if messages < 0, code == EMFILE || code == ENFILE { throw LaunchFailure(code: code) }
            if messages >= 0 { list.append(csandbox_descriptor(here: messages, there: STDERR_FILENO)) }
            if isFed {
                let pipe = try makePipe()
                (input, childEnds) = (pipe.writing, [pipe.reading])
                list.append(csandbox_descriptor(here: pipe.reading, there: STDIN_FILENO))
            }
            for descriptor in descriptors {
                let pipe = try makePipe()
                ownEnds.append(pipe.reading)
                childEnds.append(pipe.writing)
                list.append(csandbox_descriptor(here: pipe.writing, there: descriptor))
            }
            list += limits.files.map { csandbox_descriptor(here: $0.descriptor, there: $0.childDescriptor) }
            process = try limits.spawn(
                program, arguments, list, deathSignal: end == .completesFile ? 0 : SIGKILL)
        } catch {
            for descriptor in childEnds + ownEnds + [messages, input] where descriptor >= 0 { close(descriptor) }
            throw error
        }
        for descriptor in childEnds { close(descriptor) }
        stopper = Stopper(process)
        pipes = ownEnds
        if end == .isKilledWhenAsked { handler = StopSignal.program.onStop { [stopper] in stopper.stop() } }
    }

    deinit {
        if let handler { StopSignal.program.forget(handler) }
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
            cpuSeconds = Int(csandbox_reap(process, &result))
            status = result
        }
        return status == 0
    }

    /// The limit of processor time in seconds, if that ended the child.
    var exceededCPUSeconds: Int? { cpuLimit > 0 && status != 0 && cpuSeconds + 1 >= cpuLimit ? cpuLimit : nil }

    /// The child has got everything. It may take long to end.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Writes bytes to the child's standard input, and waits while the pipe is full.
    /// - Returns: false when the child does not take them: it has ended or is about to.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool { writeAll(bytes, to: input) }

    /// Writes the pixels of a picture, likewise.
    func write(_ rows: ByteRows) -> Bool { rows.write(to: input) }

    /// The last three lines of the child's standard error, without control characters: they may quote a clip.
    var standardErrorTail: String { messages >= 0 ? Self.tail(of: messages) : "" }

    /// The last three lines of a file in memory, likewise.
    static func tail(of messages: Int32) -> String {
        let size = lseek(messages, 0, SEEK_END)
        let length = min(Int(size), 4096)
        var bytes = [UInt8](repeating: 0, count: max(length, 0))
        let count = pread(messages, &bytes, bytes.count, size - off_t(length))
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        let lines = text.split(separator: "\n").suffix(3).joined(separator: "; ")
        return String(
            String.UnicodeScalarView(lines.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }

    /// Reads until the rows are full or the child closes the pipe.
    /// - Parameters:
    ///   - other: another pipe that is read at the same time, so that the child never waits for it.
    ///   - take: takes what comes from the other pipe. It returns whether to go on; if not, the child is killed.
    /// - Returns: the number of bytes read.
    func read(
        _ pipe: Int, into rows: ByteRows, while other: Int,
        take: (UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        var position = 0
        var waiting: InlineArray<2, pollfd> = [
            pollfd(fd: pipes[pipe], events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipes[other], events: Int16(POLLIN), revents: 0),
        ]
        while position < rows.count {
            let count = withUnsafeMutableBytes(of: &waiting) {
                poll($0.baseAddress?.assumingMemoryBound(to: pollfd.self), 2, -1)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { break }
            if waiting[1].revents != 0, !drain(other, take) {
                // Negative descriptors are left out.
                waiting[1].fd = -1
            }
            if waiting[0].revents == 0 { continue }
            let got = rows.read(from: pipes[pipe], at: position)
            if got <= 0 { break }
            position += got
        }
        // What the child wrote before the last bytes.
        if waiting[1].fd >= 0 { drainWithoutWaiting(other, take) }
        return position
    }

    /// Takes what a pipe holds already, so that the child never waits for it.
    func drainWithoutWaiting(_ pipe: Int, _ take: (UnsafeRawBufferPointer) -> Bool) {
        var isReady = pollfd(fd: pipes[pipe], events: Int16(POLLIN), revents: 0)
        while poll(&isReady, 1, 0) > 0, drain(pipe, take) {}
    }

    /// Takes what a pipe holds, or waits for the next bytes.
    /// - Parameter take: returns whether to go on; if not, the child is killed.
    /// - Returns: whether more may come.
    func drain(_ pipe: Int, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var bytes = InlineArray<4096, UInt8>(repeating: 0)
        return withUnsafeMutableBytes(of: &bytes) { buffer in
            let count = readOnce(pipe, into: buffer)
            guard count > 0 else { return false }
            if take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return true }
            stopper.stop()
            return false
        }
    }

    /// Reads until the buffer is full or the child closes the pipe.
    /// - Returns: the number of bytes read.
    func read(_ pipe: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var position = 0
        while position < buffer.count {
            let count = readOnce(pipe, into: UnsafeMutableRawBufferPointer(rebasing: buffer[position...]))
            if count <= 0 { break }
            position += count
        }
        return position
    }

    private func readOnce(_ pipe: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(pipes[pipe], buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            return count
        }
    }

    /// Reads until the child closes the pipe, up to a limit in bytes; then the child is killed.
    func readAll(_ pipe: Int, limit: Int = 1 << 20) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let position = bytes.withUnsafeMutableBytes { read(pipe, into: $0) }
        if position == limit { stopper.stop() }
        return Array(bytes.prefix(position))
    }
}
