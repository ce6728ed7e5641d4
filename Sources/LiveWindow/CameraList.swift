import Media
import Synchronization
import Threads

/// The connected cameras. The list is updated on a separate thread, because opening devices can take seconds.
final class CameraList: Sendable {
    struct Entry: Equatable, Sendable {
        let path: String
        let name: String
        /// Those that can be read, the largest first.
        let modes: [Mode]
    }

    /// A frame size with a rate.
    struct Mode: Equatable, Sendable {
        let width: Int
        let height: Int
        /// Frames per second.
        let rate: Int

        var description: String { "\(width)×\(height) at \(rate) frames/s" }
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
                    .map { Entry(path: $0.path, name: $0.name, modes: Self.modes($0)) }
                self.state.withLock { state in
                    state.entries = found
                    state.isUpdating = false
                }
            }
        }
    }

    private static func modes(_ camera: Camera) -> [Mode] {
        var modes: [Mode] = []
        for mode in camera.modes where mode.format.isReadable && mode.rate >= 1 && mode.rate <= 1000 {
            let mode = Mode(width: mode.width, height: mode.height, rate: Int(mode.rate.rounded()))
            if !modes.contains(mode) { modes.append(mode) }
        }
        return modes.sorted { ($0.width * $0.height, $0.rate) > ($1.width * $1.height, $1.rate) }
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
