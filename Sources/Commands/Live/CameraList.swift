import Media
import Synchronization
import Threads

/// The connected cameras, looked up on a thread of its own, because opening devices can take a while.
final class CameraList: Sendable {
    struct Entry: Equatable, Sendable {
        let path: String
        let name: String
    }

    private struct State {
        var entries: [Entry] = []
        var isLooking = false
        var thread: DedicatedThread.Handle?
    }

    private let state = Mutex(State())

    /// The cameras found at the last look.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Looks for cameras again, unless it is doing so already.
    func lookAgain() {
        state.withLock { state in
            guard !state.isLooking else { return }
            state.isLooking = true
            state.thread?.join()
            state.thread = DedicatedThread.start { [self] in
                let found = Camera.all().filter { $0.bestMode(width: 1280, height: 720, rate: 30) != nil }
                    .map { Entry(path: $0.path, name: $0.name) }
                self.state.withLock { state in
                    state.entries = found
                    state.isLooking = false
                }
            }
        }
    }

    /// Waits for the thread.
    func stop() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }
}
