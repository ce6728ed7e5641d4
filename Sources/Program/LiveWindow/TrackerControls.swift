import FaceRecognition
import FaceTracking
import Glibc
import NeuralNetworks
import Synchronization

/// Settings of the face tracker that the user changes in the window. The tracker reads them before each frame, on its
/// own thread.
package final class TrackerControls: Sendable {
    /// The failure to load something.
    package enum Failure {
        case models(FaceModels, reason: String)
        case people(reason: String)
        /// - Parameter reason: nil: CenterFace, which finds them, is not installed. It is used once it is there.
        case untrackedFaces(reason: String?)

        fileprivate var kind: Int {
            switch self {
            case .models: 0
            case .people: 1
            case .untrackedFaces: 2
            }
        }
    }

    private struct State {
        var smoothing: Float = 1
        var smallestFace: SmallestFace?
        var countsSmallerFaces = false
        var smallerFaces = 0
        var models: FaceModels
        var findsUntrackedFaces = false
        /// Nil: nobody is looked for.
        var identifier: FaceIdentifier?
        var isIdentifierMissing = false
        /// At most one of each kind, the last one; the oldest first.
        private(set) var failures: [Failure] = []

        mutating func note(_ failure: Failure) {
            failures.removeAll { $0.kind == failure.kind }
            failures.append(failure)
        }

        mutating func takeFailure() -> Failure? { failures.isEmpty ? nil : failures.removeFirst() }
    }

    private let state: Mutex<State>
    private let loadIdentifier: @Sendable () throws -> FaceIdentifier?

    /// - Parameters:
    ///   - identifier: nil: nobody is looked for at first.
    ///   - loadIdentifier: for masks that are chosen later; nil if nobody is enrolled.
    package init(
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

    /// The smallest face that wears a mask; nil: as the session's settings have it.
    var smallestFace: SmallestFace? {
        get { state.withLock { $0.smallestFace } }
        set { state.withLock { $0.smallestFace = newValue } }
    }

    /// See `FaceTracker.countsSmallerFaces`.
    var countsSmallerFaces: Bool {
        get { state.withLock { $0.countsSmallerFaces } }
        set { state.withLock { $0.countsSmallerFaces = newValue } }
    }

    /// See `FaceTracker.smallerFaces`.
    var smallerFaces: Int { state.withLock { $0.smallerFaces } }

    /// Whether faces without landmarks, such as profiles, are looked for, too.
    var findsUntrackedFaces: Bool {
        get { state.withLock { $0.findsUntrackedFaces } }
        set { state.withLock { $0.findsUntrackedFaces = newValue } }
    }

    /// Faces without landmarks cannot be looked for.
    /// - Parameter reason: see `Failure`.
    func refuseUntrackedFaces(reason: String?) { state.withLock { $0.note(.untrackedFaces(reason: reason)) } }

    /// What a user is told who wants faces without landmarks blurred.
    /// - Parameters:
    ///   - reason: see `Failure`.
    ///   - blurs: whether the picture is blurred when a face is lost.
    package static func notice(ofUntrackedFaces reason: String?, blurs: Bool) -> String {
        let known = blurs ? "Blur is on, but faces" : "Faces"
        guard let reason else {
            return "\(known) seen from the side are not blurred beside others. For those, run \(NetworkFolder.remedy)"
        }
        return "\(known) seen from the side cannot be found: \(reason)"
    }

    /// The detector and the landmark model. If they cannot be loaded, those before go on, and `takeFailure` says why.
    package var models: FaceModels { state.withLock { $0.models } }

    /// Changes what is wanted. In between, nobody else does.
    package func changeModels(_ change: (inout FaceModels) -> Void) { state.withLock { change(&$0.models) } }

    /// The wanted models cannot be loaded: the current ones stay in use, unless others are wanted by now.
    package func refuse(_ wanted: FaceModels, reason: String, used: FaceModels) {
        state.withLock { state in
            if state.models == wanted { state.models = used }
            state.note(.models(wanted, reason: reason))
        }
    }

    /// Looks for enrolled people from now on. If that is impossible, `takeFailure` says why.
    func identifyFaces() { state.withLock { $0.isIdentifierMissing = $0.identifier == nil } }

    /// The recogniser of people; nil: nobody is to be recognised. To be called on the analyzer's thread: it is loaded
    /// at the first use.
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
            state.withLock { $0.note(.people(reason: "\(error)")) }
            return nil
        }
    }

    /// The oldest failure that has not been taken.
    package func takeFailure() -> Failure? {
        state.withLock { $0.takeFailure() }
    }

    /// Makes a tracker read the smoothing and the smallest face, and say how many smaller ones there are.
    /// - Returns: the same tracker.
    func attached(_ tracker: FaceTracker) -> FaceTracker {
        tracker.beforeFrame = { [self] tracker in
            let wanted = smoothing
            if tracker.smoothingStrength != wanted { tracker.smoothingStrength = wanted }
            let smallest = state.withLock { state in
                state.smallerFaces = tracker.smallerFaces
                tracker.countsSmallerFaces = state.countsSmallerFaces
                return state.smallestFace
            }
            if let smallest { tracker.smallestFace = smallest }
        }
        return tracker
    }
}

extension FaceModels {
    /// Whether the landmark model of Debian's libdlib-data is used, which may not be used commercially.
    var usesDebiansCascade: Bool { chosenCascade == nil && landmarks != .mesh && cascade.isAccessible(R_OK) }
}

extension FaceModels.LandmarkModelChoice {
    /// For the user.
    var title: String {
        switch self {
        case .auto: "Automatic"
        case .mesh: "MediaPipe's face mesh"
        case .cascade: "dlib's model"
        }
    }
}

extension FaceModels.Detector {
    /// For the user.
    var title: String {
        switch self {
        case .network: "MediaPipe's network"
        case .hog: "dlib's HOG detector"
        case .haar: "OpenCV's Haar cascade"
        case .lbp: "OpenCV's LBP cascade"
        case .centerFace: "CenterFace"
        }
    }
}
