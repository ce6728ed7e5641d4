import FaceTracking
import Synchronization

/// Settings of the face tracker that the window changes. The tracker, on another thread, reads them before each frame.
final class TrackerControls: Sendable {
    private let value = Mutex<Float>(1)

    /// Strength of the landmark smoothing: 1 is the default; larger values are steadier and lag more.
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
