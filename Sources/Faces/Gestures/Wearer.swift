import FaceGeometry

/// The face that has control: the largest at first, then the same person's until they have been away for some time.
package struct Wearer: Sendable {
    /// The track ID; nil: there has been nobody.
    package private(set) var trackID: Int?
    private var seen = 0.0

    /// Somebody else may steer when the person has been away for so long, in seconds.
    private static let absence = 3.0

    package init() {}

    /// - Returns: the wearer's face in this frame, and whether it is another person than before.
    package mutating func choose(
        from faces: [FaceInstance], at seconds: Double
    ) -> (face: FaceInstance?, isNew: Bool) {
        let visible = faces.filter(\.isSeen)
        if let known = visible.first(where: { $0.trackID == trackID }) {
            seen = seconds
            return (known, false)
        }
        if trackID != nil, seconds >= seen, seconds - seen < Self.absence { return (nil, false) }
        guard let largest = visible.max(by: { $0.face.box.area < $1.face.box.area }) else { return (nil, false) }
        (trackID, seen) = (largest.trackID, seconds)
        return (largest, true)
    }
}
