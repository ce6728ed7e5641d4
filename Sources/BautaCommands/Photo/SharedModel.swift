import Dispatch
import FaceTracking
import Synchronization
import Threads

/// The landmark model, loading on its own thread from the moment it is asked for: that takes about a second, as long as the first
/// photographs need to be decoded and searched.
final class SharedModel: Sendable {
    private let box: Box
    private let handle: DedicatedThread.Handle

    init(path: String) {
        let box = Box()
        self.box = box
        handle = DedicatedThread.start {
            let loaded = Result { () throws(VisionError) in try LandmarkPredictor(modelPath: path) }
            box.result.withLock { $0 = loaded }
        }
    }

    private final class Box: Sendable {
        let result = Mutex<Result<LandmarkPredictor, VisionError>?>(nil)
    }

    /// A thread that is still reading must not be there when the process exits.
    deinit { handle.join() }

    /// Waits for the end of loading.
    func predictor() throws -> LandmarkPredictor {
        handle.wait()
        guard let result = box.result.withLock({ $0 }) else {
            throw VisionError(.failed, "the landmark model was not loaded")
        }
        return try result.get()
    }
}
