import FaceRecognition
import FaceTracking
import Synchronization

/// Settings of the face tracker that the user changes in the window. The tracker reads them before each frame, on its
/// own thread.
final class TrackerControls: Sendable {
    /// What could not be loaded.
    enum Failure {
        case models(FaceModels, reason: String)
        case people(reason: String)
    }

    private struct State {
        var smoothing: Float = 1
        var models: FaceModels
        /// Nil: nobody is looked for.
        var identifier: FaceIdentifier?
        var isIdentifierMissing = false
        var failure: Failure?
    }

    private let state: Mutex<State>
    private let loadIdentifier: @Sendable () throws -> FaceIdentifier?

    /// - Parameters:
    ///   - identifier: nil: nobody is looked for at first.
    ///   - loadIdentifier: for masks that are chosen later; nil if nobody is enrolled.
    init(
        _ models: FaceModels, identifier: FaceIdentifier?,
        loadIdentifier: @escaping @Sendable () throws -> FaceIdentifier?
    ) {
        state = Mutex(State(models: models, identifier: identifier))
        self.loadIdentifier = loadIdentifier
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

    /// Looks for enrolled people from now on. If that is impossible, `takeFailure` says why.
    func identifyFaces() { state.withLock { $0.isIdentifierMissing = $0.identifier == nil } }

    /// What recognises people; nil: nobody is looked for. To be called on the analyzer's thread: it is loaded at the first
    /// use.
    func takeIdentifier() -> FaceIdentifier? {
        let (known, isMissing) = state.withLock { state in
            defer { state.isIdentifierMissing = false }
            return (state.identifier, state.isIdentifierMissing)
        }
        guard isMissing else { return known }
        do {
            let loaded = try loadIdentifier()
            state.withLock { $0.identifier = loaded }
            return loaded
        } catch {
            fail(.people(reason: "\(error)"))
            return nil
        }
    }

    func fail(_ failure: Failure) { state.withLock { $0.failure = failure } }

    /// The last failure that has not been taken.
    func takeFailure() -> Failure? {
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
