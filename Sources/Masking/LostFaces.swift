import FaceGeometry

/// Decides what is shown when somebody is lost, frame by frame.
package struct LostFaces: Sendable {
    package enum Policy: String, CaseIterable, Sendable {
        /// The mask stays for a moment where it was.
        case keep
        /// The mask goes at once.
        case hide
        /// The whole picture is blurred until everybody is surely followed again.
        case blur
    }

    /// What is to be done with a frame.
    package struct Decision: Equatable, Sendable {
        /// Lost faces that go on wearing their masks, as they were last seen.
        package var kept: [Lost] = []
        /// Whether a bare face may be in the picture.
        package var mustBlur = false

        package init(kept: [Lost] = [], mustBlur: Bool = false) {
            self.kept = kept
            self.mustBlur = mustBlur
        }
    }

    /// Somebody who is gone.
    package struct Lost: Equatable, Sendable {
        package let trackID: Int
        package let face: Face

        package init(trackID: Int, face: Face) {
            self.trackID = trackID
            self.face = face
        }
    }

    /// For so many seconds a mask stays.
    package static let keptSeconds = 0.5
    /// For so many seconds after a loss, and after a cut, nobody can be sure.
    package static let unsureSeconds = 1.0

    package var policy: Policy
    private var present: [(trackID: Int, face: Face)] = []
    private var lost: [(trackID: Int, face: Face, since: Double)] = []
    private var unsureUntil = -Double.infinity

    package init(policy: Policy) { self.policy = policy }

    /// - Parameters:
    ///   - faces: everybody who is followed in this frame.
    ///   - seconds: the frame's time.
    ///   - isCut: whether the scene is another one than before.
    package mutating func update(
        _ faces: [(trackID: Int, face: Face)], at seconds: Double, isCut: Bool
    ) -> Decision {
        for old in present where !faces.contains(where: { $0.trackID == old.trackID }) {
            lost.append((old.trackID, old.face, seconds))
            unsureUntil = seconds + Self.unsureSeconds
        }
        present = faces
        if isCut {
            lost = []
            unsureUntil = seconds + Self.unsureSeconds
        }
        lost.removeAll { other in
            seconds - other.since > Self.keptSeconds || seconds < other.since
                || faces.contains { $0.trackID == other.trackID || Self.meet($0.face, other.face) }
        }
        // A source that starts over has other times.
        if unsureUntil > seconds + Self.unsureSeconds { unsureUntil = seconds }
        switch policy {
        case .hide: return Decision()
        case .keep: return Decision(kept: lost.map { Lost(trackID: $0.trackID, face: $0.face) })
        case .blur: return Decision(mustBlur: faces.isEmpty || seconds < unsureUntil)
        }
    }

    private static func meet(_ a: Face, _ b: Face) -> Bool {
        (a.landmarks.bounds.center - b.landmarks.bounds.center).length
            < 0.5 * max(a.landmarks.bounds.width, b.landmarks.bounds.width)
    }
}
