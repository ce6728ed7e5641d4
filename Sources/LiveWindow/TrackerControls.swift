import FaceRecognition
import FaceTracking
import Synchronization

/// Settings of the face tracker that the user changes in the window. The tracker reads them before each frame, on its
/// own thread.
final class TrackerControls: Sendable {
    private struct State {
        var smoothing: Float = 1
        var models: FaceModels
        /// Models that could not be loaded, and why.
        var failure: (models: FaceModels, reason: String)?
    }

    private let state: Mutex<State>
    /// Nil: nobody is looked for.
    let identifier: FaceIdentifier?

    init(_ models: FaceModels, identifier: FaceIdentifier? = nil) {
        state = Mutex(State(models: models))
        self.identifier = identifier
    }

    /// Strength of the landmark smoothing: 1 is the default; larger values are steadier and lag more.
    var smoothing: Float {
        get { state.withLock { $0.smoothing } }
        set { state.withLock { $0.smoothing = newValue } }
    }

    /// The detector and the landmark model. If they cannot be loaded, those before go on, and `takeFailure` says why.
    var models: FaceModels {
        get { state.withLock { $0.models } }
        set { state.withLock { $0.models = newValue } }
    }

    func fail(_ models: FaceModels, _ error: any Error) {
        state.withLock { $0.failure = (models, "\(error)") }
    }

    /// The last failure that has not been taken.
    func takeFailure() -> (models: FaceModels, reason: String)? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    /// Makes a tracker read the smoothing.
    /// - Returns: the same tracker.
    func attached(_ tracker: FaceTracker) -> FaceTracker {
        tracker.beforeFrame = { [self] tracker in
            let wanted = smoothing
            if tracker.smoothingStrength != wanted { tracker.smoothingStrength = wanted }
        }
        return tracker
    }
}
