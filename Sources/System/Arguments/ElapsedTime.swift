import Dispatch
import Synchronization

/// A line on a terminal that says for how long a command has been working, for commands without progress of their own.
/// It appears after a second, and `Console` removes it before anything else is written.
enum ElapsedTime {
    private static let isShown = Mutex(false)

    /// - Parameter name: of the command, such as `bauta lab evaluate stability`.
    static func show<Result>(name: String, during work: () throws -> Result) rethrows -> Result {
        guard Console.errorIsTerminal else { return try work() }
        let start = ContinuousClock.now
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler {
            isShown.withLock { isShown in
                guard !timer.isCancelled else { return }
                isShown = true
                let seconds = Int((ContinuousClock.now - start) / .seconds(1))
                Console.write(StatusLine.text("\(name): working for \(seconds) s"))
            }
        }
        timer.resume()
        defer {
            timer.cancel()
            hide()
        }
        return try work()
    }

    static func hide() {
        isShown.withLock { isShown in
            if isShown { Console.write(StatusLine.clear) }
            isShown = false
        }
    }
}
