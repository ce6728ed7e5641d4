import FaceTracking
import Synchronization

/// What the window changes of the tracker, which lives on another thread and looks here before each frame.
final class TrackerControls: Sendable {
    private let value = Mutex<Float>(1)

    /// How much steadier, and later, than usual (1) faces are held.
    var smoothing: Float {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    func attached(_ tracker: FaceTracker) -> FaceTracker {
        tracker.beforeFrame = { [self] tracker in
            let wanted = smoothing
            if tracker.smoothingStrength != wanted { tracker.smoothingStrength = wanted }
        }
        return tracker
    }
}
