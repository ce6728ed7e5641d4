/// Decides whether a track still follows a face (docs/decisions/0009-what-is-a-face.md).
///
/// The landmark model alone is no sufficient witness: it is uncertain about walls, but also about faces that are turned
/// far or tilted down. The picture is the other one. As long as optical flow follows the skin without a break since the
/// model was last certain, it is still the same face; what comes in its place breaks the flow. What hides a part of it,
/// such as a hand, does not, and the model's doubt counts less meanwhile.
struct TrackConfidence {
    /// A probe fails above this uncertainty,
    static let failingUncertainty: Float = 0.08
    /// or above this one when the face has become dissimilar to its own descriptor. Flow proves nothing when it has become
    /// dissimilar to what it was when the model was last certain.
    static let suspiciousUncertainty: Float = 0.04
    static let dissimilar: Float = 0.35
    /// A track ends after this number of failed probes in a row if the flow broke (after the first one if the model has
    /// never been certain),
    private static let maximumFailures = 3
    /// and after this time in seconds if it did not.
    private static let longestDoubt: Float = 1
    /// How long a detector that has recognised the face with these landmarks vouches for it, in seconds: longer than it takes
    /// until the next search.
    private static let vouchedFor: Float = 1
    /// Number of certain probes in a row after which a break of the flow is forgotten. The uncertainty is the sum of two
    /// probes, of which the first may be from before the break.
    private static let certainProbes = 2

    /// Number of failed probes in a row.
    private(set) var failures = 0
    /// Whether flow has followed the skin in every frame since the model was last certain. On a new track the model has
    /// not been certain yet: the track may have started on a face that is half covered, beside its place.
    private(set) var isUnbroken = false
    /// Whether flow broke, and the model has not been certain since.
    private(set) var isBroken = false
    /// Whether the model has been certain at all.
    private(set) var wasCertain = false
    private var certain = 0
    /// Since the first failed probe in a row, in seconds.
    private var doubtSeconds: Float = 0

    /// For how long a detector still vouches for the face, in seconds.
    private var vouchedSeconds: Float = 0

    /// Whether a detector vouches for the face: then it is one, although the landmark model is uncertain.
    var isVouchedFor: Bool { vouchedSeconds > 0 }
    /// Whether nothing but a detector shows that this is a face.
    var reliesOnDetector: Bool { isVouchedFor && !wasCertain }
    /// Whether every frame must be probed.
    var needsProbe: Bool { failures > 0 || isBroken || reliesOnDetector }
    /// Whether the face is known from flow alone.
    var reliesOnFlow: Bool { failures > 0 && isUnbroken }
    var hasEnded: Bool {
        if !wasCertain { return failures > 0 }
        return failures >= Self.maximumFailures && !(isUnbroken && doubtSeconds < Self.longestDoubt)
    }

    /// Takes the next frame.
    /// - Parameter seconds: since the frame before.
    mutating func follow(isFlowGood: Bool, seconds: Float) {
        if failures > 0 { doubtSeconds += seconds }
        vouchedSeconds = max(0, vouchedSeconds - seconds)
        if !isFlowGood {
            distrustFlow()
            certain = 0
        }
    }

    /// A detector has found the face in the last frame, with these landmarks.
    mutating func vouch() {
        vouchedSeconds = Self.vouchedFor
        failures = 0
        doubtSeconds = 0
    }

    /// Takes the result of a probe in that frame.
    mutating func probe(hasFailed: Bool, uncertainty: Float) {
        guard !hasFailed else {
            failures += 1
            certain = 0
            return
        }
        failures = 0
        doubtSeconds = 0
        certain = uncertainty < Self.suspiciousUncertainty ? certain + 1 : 0
        if certain >= Self.certainProbes { (isUnbroken, isBroken, wasCertain) = (true, false, true) }
    }

    /// The model itself says that there is no face, or the face has slowly become something else, as in a dissolve: then
    /// flow proves nothing.
    mutating func distrustFlow() {
        (isUnbroken, isBroken) = (false, true)
        vouchedSeconds = 0
    }
}
