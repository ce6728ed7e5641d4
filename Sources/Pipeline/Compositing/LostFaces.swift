import FaceGeometry

/// Decides, frame by frame, what happens to the masks of faces that the tracker has lost.
package struct LostFaces: Sendable {
    package enum Policy: String, CaseIterable, Sendable {
        /// The mask stays where it was for half a second, and for a few frames where frames are rare.
        case keep
        /// The mask disappears at once.
        case hide
        /// The whole picture is blurred while no face is tracked, and for `unsureSeconds` after a loss or a cut.
        case blur
    }

    /// The action in one frame.
    package struct Decision: Sendable {
        /// Lost faces that keep their masks, as they were last seen: with their blink counts and expressions.
        package var kept: [FaceInstance] = []
        /// Whether the picture may show a face without a mask.
        package var mustBlur = false
    }

    private struct Lost {
        let instance: FaceInstance
        /// When it was lost.
        let since: Double
        /// The frames since then.
        var frames = 0

        func hasExpired(at seconds: Double) -> Bool {
            let elapsed = seconds - since
            return elapsed > LostFaces.keptSeconds && frames > LostFaces.keptFrames
                || elapsed > LostFaces.longestKeptSeconds
        }
    }

    /// How long a lost face keeps its mask at least, in seconds and in frames: on a slow machine, few frames are tracked in
    /// that time. But at most so many seconds.
    package static let keptSeconds = 0.5
    package static let keptFrames = 4
    package static let longestKeptSeconds = 2.0
    /// How long after a loss or a cut a face may be missed.
    package static let unsureSeconds = 1.0

    package var policy: Policy
    /// The faces of the last frame, and whether each was chosen for a mask.
    private var present: [(instance: FaceInstance, isChosen: Bool)] = []
    private var lost: [Lost] = []
    private var unsureUntil = -Double.infinity

    package init(policy: Policy) { self.policy = policy }

    /// Takes the next frame's faces.
    /// - Parameters:
    ///   - faces: all that are tracked in this frame.
    ///   - chosen: those of them that get a mask. A face keeps its mask when it is lost only if it had one.
    ///   - seconds: the frame's time. If it goes back, as when a clip starts over, no lost face is kept.
    ///   - isCut: whether the scene is another one than in the frame before.
    ///   - isMixture: whether the frame still shows the scene before, too.
    package mutating func update(
        _ faces: [FaceInstance], chosen: [FaceInstance], at seconds: Double, isCut: Bool, isMixture: Bool = false
    ) -> Decision {
        for old in present where !faces.contains(where: { $0.trackID == old.instance.trackID }) {
            if old.isChosen {
                var instance = old.instance
                instance.isSeen = false
                lost.append(Lost(instance: instance, since: seconds))
            }
            unsureUntil = seconds + Self.unsureSeconds
        }
        present = faces.map { face in (face, chosen.contains { $0.trackID == face.trackID }) }
        if isCut {
            if !isMixture { lost = [] }
            unsureUntil = seconds + Self.unsureSeconds
        }
        for index in lost.indices { lost[index].frames += 1 }
        lost.removeAll { other in
            other.hasExpired(at: seconds) || seconds < other.since
                || faces.contains {
                    $0.trackID == other.instance.trackID || Self.overlap($0.face, other.instance.face)
                }
        }
        if unsureUntil > seconds + Self.unsureSeconds { unsureUntil = seconds }
        switch policy {
        case .hide: return Decision()
        case .keep: return Decision(kept: lost.map(\.instance))
        case .blur: return Decision(mustBlur: faces.isEmpty || seconds < unsureUntil)
        }
    }

    /// Whether two faces are in the same place.
    static func overlap(_ a: Face, _ b: Face) -> Bool {
        (a.landmarks.bounds.center - b.landmarks.bounds.center).length
            < 0.5 * max(a.landmarks.bounds.width, b.landmarks.bounds.width)
    }
}
