import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first one asks the command to end cleanly, the second one ends the process.
package enum Interrupt {
    package static var isRequested: Bool { interruptFlag.load(ordering: .relaxed) }

    /// Installs the signal handlers. Without them the first signal ends the process.
    package static func install() {
        // The parent process may have blocked these signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM] { signal(number, handleInterrupt) }
    }
}

/// A signal handler is a C function without context, so the flag is global.
private let interruptFlag = Atomic<Bool>(false)

private func handleInterrupt(_ number: Int32) {
    interruptFlag.store(true, ordering: .relaxed)
    signal(number, SIG_DFL)
}
