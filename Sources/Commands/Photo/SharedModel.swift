import Dispatch
import FaceTracking
import Synchronization
import Threads

/// The landmark model, loading on its own thread from the moment it is asked for, while the first photographs are
/// decoded and searched: the very first time it has to be converted.
final class SharedModel: Sendable {
    private let box: Box
    private let handle: DedicatedThread.Handle

    init(path: String) {
        let box = Box()
        self.box = box
        handle = DedicatedThread.start {
            let loaded = Result { () throws(VisionError) in try LandmarkCascade(modelPath: path) }
            box.result.withLock { $0 = loaded }
        }
    }

    private final class Box: Sendable {
        let result = Mutex<Result<LandmarkCascade, VisionError>?>(nil)
    }

    /// A thread that is still reading must not be there when the process exits.
    deinit { handle.join() }

    /// Waits for the end of loading.
    func cascade() throws -> LandmarkCascade {
        handle.wait()
        guard let result = box.result.withLock({ $0 }) else {
            throw VisionError(.failed, "the landmark model was not loaded")
        }
        return try result.get()
    }
}
