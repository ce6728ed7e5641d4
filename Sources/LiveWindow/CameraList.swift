import Media
import Synchronization
import Threads

/// The connected cameras. The list is updated on a separate thread, because opening devices can take seconds.
final class CameraList: Sendable {
    struct Entry: Equatable, Sendable {
        let path: String
        let name: String
    }

    private struct State {
        var entries: [Entry] = []
        var isUpdating = false
        var thread: DedicatedThread.Handle?
    }

    private let state = Mutex(State())

    /// The cameras found by the last update.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Starts an update, unless one is running.
    func update() {
        state.withLock { state in
            guard !state.isUpdating else { return }
            state.isUpdating = true
            state.thread?.join()
            state.thread = DedicatedThread.start { [self] in
                let found = Camera.all().filter { $0.bestMode(width: 1280, height: 720, rate: 30) != nil }
                    .map { Entry(path: $0.path, name: $0.name) }
                self.state.withLock { state in
                    state.entries = found
                    state.isUpdating = false
                }
            }
        }
    }

    /// Waits until a running update ends.
    func stop() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }
}
