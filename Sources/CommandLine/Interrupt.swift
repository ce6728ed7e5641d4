import Dispatch
import Glibc
import Synchronization
import Threads

/// Ctrl-C, SIGTERM, and the end of the terminal (SIGHUP): the first one asks the command to end cleanly, the second one
/// ends the process.
package enum Interrupt {
    package static var isRequested: Bool { interruptFlag.load(ordering: .relaxed) }

    /// Installs the signal handlers. Without them the first signal ends the process.
    package static func install() {
        // The parent process may have blocked these signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM] { signal(number, handleInterrupt) }
        // `nohup` ignores it for the commands that it starts.
        let before = signal(SIGHUP, handleInterrupt)
        if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGHUP, SIG_IGN) }
    }

    /// Ends the process 1.5 s after the first signal if the command has not ended by then: decoders, file systems and
    /// drivers do not ask whether they should go on. Files that are being written keep their temporary names.
    /// - Parameter finish: called before the end on a thread of its own, for at most 0.3 s.
    package static func endProcess(finish: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let signalled = ends[0]
        interruptPipe.store(ends[1], ordering: .releasing)
        DedicatedThread.start {
            var byte: UInt8 = 0
            while read(signalled, &byte, 1) != 1 { guard errno == EINTR else { return } }
            usleep(1_500_000)
            let finished = DispatchSemaphore(value: 0)
            DedicatedThread.start {
                finish()
                finished.signal()
            }
            _ = finished.wait(timeout: .now() + 0.3)
            _exit(ExitCode.interrupted.rawValue)
        }
    }
}

/// A signal handler is a C function without context, so the flag is global.
private let interruptFlag = Atomic<Bool>(false)
/// Where the handler writes a byte; -1 for none.
private let interruptPipe = Atomic<Int32>(-1)

private func handleInterrupt(_ number: Int32) {
    interruptFlag.store(true, ordering: .relaxed)
    let pipe = interruptPipe.load(ordering: .acquiring)
    let code = errno
    var byte: UInt8 = 1
    if pipe >= 0 { _ = write(pipe, &byte, 1) }
    errno = code
    signal(number, SIG_DFL)
}
