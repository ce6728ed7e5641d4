import Dispatch
import LandmarkModels
import Synchronization
import Threads
import Vision

/// The landmark model, which loads on a thread of its own while the first photographs are decoded and searched. The
/// first time on a machine, the cascade is converted, which takes a second.
package final class SharedModel: Sendable {
    private let box: Box
    private let handle: Result<DedicatedThread.Handle, NoThread>

    package init(_ models: FaceModels) {
        let box = Box()
        self.box = box
        handle = Result { () throws(NoThread) in
            try DedicatedThread.start {
                let loaded = Result { () throws(VisionError) in try models.loadLandmarkModel(for: .photographs) }
                box.result.withLock { $0 = loaded }
            }
        }
    }

    private final class Box: Sendable {
        let result = Mutex<Result<any LandmarkModel, VisionError>?>(nil)
    }

    /// The process must not exit while the thread still reads.
    deinit { try? handle.get().join() }

    /// The model, once it has loaded.
    /// - Throws: `VisionError` if it cannot be loaded; `NoThread`.
    package func model() throws -> any LandmarkModel {
        try handle.get().wait()
        guard let result = box.result.withLock({ $0 }) else {
            throw VisionError(.failed, "the landmark model was not loaded")
        }
        return try result.get()
    }
}
