import FaceTracking
import Synchronization

/// Settings of the face tracker that the user changes in the window. The tracker reads them before each frame, on its
/// own thread.
final class TrackerControls: Sendable {
    private let value = Mutex<Float>(1)

    /// Strength of the landmark smoothing: 1 is the default; larger values are steadier and lag more.
    var smoothing: Float {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    /// Makes a tracker read these settings.
    /// - Returns: the same tracker.
    func attached(_ tracker: FaceTracker) -> FaceTracker {
        tracker.beforeFrame = { [self] tracker in
            let wanted = smoothing
            if tracker.smoothingStrength != wanted { tracker.smoothingStrength = wanted }
        }
        return tracker
    }
}
