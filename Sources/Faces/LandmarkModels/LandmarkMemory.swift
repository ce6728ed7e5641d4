import FaceGeometry

/// The memory of a landmark model of several parts about one face from frame to frame, so that it can do with its
/// cheapest part in some of them: how the others correct it.
package struct LandmarkMemory: Sendable {
    /// A correction is known well enough after this number of evaluations of all parts in a row in which they agreed.
    private static let leastAgreements = 8
    /// The weight of the latest evaluation in the running mean.
    private static let weight: Float = 0.5

    private var agreements = 0
    /// The running mean of what all parts together add to the landmarks of the cheapest: along the axes of the box, in its
    /// sides.
    private var corrections = Landmarks.Storage(repeating: .zero)

    package init() {}

    /// Whether the cheapest part alone is enough for a frame.
    var isSure: Bool { agreements >= Self.leastAgreements }

    /// The parts do not agree, or it may not be a face.
    mutating func forget() { agreements = 0 }

    /// All parts were evaluated, and agree.
    mutating func learn(_ whole: Landmarks, from part: Landmarks, box: OrientedBox) {
        let weight = agreements == 0 ? 1 : Self.weight
        agreements += 1
        let (across, down) = (box.across, box.down)
        let square = box.side * box.side
        for index in corrections.indices {
            let offset = whole[index] - part[index]
            let inBox = Point((offset * across).sum(), (offset * down).sum()) / square
            corrections[index] += weight * (inBox - corrections[index])
        }
    }

    /// The expected result of all parts, given these landmarks of the cheapest.
    func corrected(_ part: Landmarks, box: OrientedBox) -> Landmarks {
        let (across, down) = (box.across, box.down)
        return part.mappedWithIndex { index, point in
            point + corrections[index].x * across + corrections[index].y * down
        }
    }
}
