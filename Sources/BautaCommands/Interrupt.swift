import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first asks the work to end cleanly, the second ends the program at once.
enum Interrupt {
    static var isRequested: Bool { interruptFlag.load(ordering: .relaxed) }

    static func install() {
        // A parent may have started the program with these blocked.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM] { signal(number, handleInterrupt) }
    }
}

/// A signal handler is a C function and can reach nothing but globals.
private let interruptFlag = Atomic<Bool>(false)

private func handleInterrupt(_ number: Int32) {
    interruptFlag.store(true, ordering: .relaxed)
    signal(number, SIG_DFL)
}
