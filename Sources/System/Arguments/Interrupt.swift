import Dispatch
import Glibc
import Synchronization
import Threads

/// Ctrl-C, SIGTERM, and the end of the terminal (SIGHUP): the first one asks the command to end cleanly, another one ends
/// the process, if it comes more than half a second later: `timeout` and Slurm send a signal to a process, and then to the
/// group of processes that it is in.
package enum Interrupt {
    package static var isRequested: Bool { interruptFlag.load(ordering: .relaxed) }

    /// Installs the signal handlers. Without them the first signal ends the process. The first signal also stops
    /// `StopSignal.program`.
    package static func install() {
        startWatching()
        unblock()
        setHandlers(handleInterrupt)
    }

    private static func setHandlers(_ handler: sighandler_t?) {
        for number in [SIGINT, SIGTERM] { signal(number, handler) }
        // `nohup` ignores it for the commands that it starts.
        let before = signal(SIGHUP, handler)
        if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGHUP, SIG_IGN) }
    }

    /// Lets the signals end the process, for commands without handlers. The parent process may have blocked them.
    package static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Starts a thread that does what a signal handler must not.
    private static func startWatching() {
        var ends = InlineArray<2, Int32>(repeating: -1)
        let made = withUnsafeMutableBytes(of: &ends) { pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self)) }
        guard made == 0, interruptPipe.compareExchange(expected: -1, desired: ends[1], ordering: .relaxed).exchanged
        else { return }
        for end in [ends[0], ends[1]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        do throws(NoThread) {
            try DedicatedThread.start { [reading = ends[0]] in
                var byte: UInt8 = 0
                while read(reading, &byte, 1) < 0 && errno == EINTR {}
                StopSignal.program.stop()
                usleep(500_000)
                setHandlers(SIG_DFL)
            }
        } catch {
            // Then the first signal only sets the flag, as `handleInterrupt` says.
            interruptPipe.store(-1, ordering: .relaxed)
            for end in [ends[0], ends[1]] { close(end) }
        }
    }

    /// Ends the process 1.5 s after the first signal if the command has not ended by then: decoders, file systems and
    /// drivers do not ask whether they should go on. Files that are being written keep their temporary names.
    /// - Parameter finish: called before the end on a thread of its own, for at most 0.3 s.
    package static func endProcess(finish: @escaping @Sendable () -> Void) {
        _ = StopSignal.program.onStop {
            _ = try? DedicatedThread.start { end(finish) }
        }
    }

    private static func end(_ finish: @escaping @Sendable () -> Void) {
        usleep(1_500_000)
        let finished = DispatchSemaphore(value: 0)
        let finishing = try? DedicatedThread.start {
            finish()
            finished.signal()
        }
        if finishing != nil { _ = finished.wait(timeout: .now() + 0.3) }
        _exit(ExitCode.interrupted.rawValue)
    }
}

/// A signal handler is a C function without context, so the flag is global.
private let interruptFlag = Atomic<Bool>(false)
/// The writing end of the pipe that wakes the watching thread.
private let interruptPipe = Atomic<Int32>(-1)

private func handleInterrupt(_ number: Int32) {
    interruptFlag.store(true, ordering: .relaxed)
    let code = errno
    var byte: UInt8 = 0
    // Without the thread that waits for this, nothing else would let a second signal end the process.
    if write(interruptPipe.load(ordering: .relaxed), &byte, 1) != 1 { signal(number, SIG_DFL) }
    errno = code
}
