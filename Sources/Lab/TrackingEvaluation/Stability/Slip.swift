import FaceGeometry
import FaceTracking

/// How far a mesh moves from frame to frame beyond what the skin under it moves: what one sees as floating of a mask.
///
/// The motion of the skin is measured at points that are easy to follow (`SkinPoints`). The mesh moves the same points
/// by their barycentric coordinates. The difference is the slip of the point.
package struct Slip {
    /// A pair of frames with fewer points does not count.
    package static let fewestPoints = 15

    /// √(mean over pairs of the median over points of the squared length of the slip), in pixels.
    package let points: Float?
    /// √(mean over pairs of the squared length of the median slip, component by component), in pixels: the part that all
    /// points have in common.
    package let wholeFace: Float?
    /// The fraction of the pairs with a face in both frames in which there are enough points.
    package let countedPairs: Float?

    /// - Parameters:
    ///   - mesh: the vertices of the mesh in each frame, in pixels; nil in frames without a face.
    ///   - motions: the motion of the skin from each frame to the next; nil over a cut, where nothing is measured.
    package init(
        mesh: [[Point]?], triangles: [Triangle], motions: [[SkinPoints.Motion]?]
    ) {
        var (pairs, counted) = (0, 0)
        var (pointSquares, wholeSquares) = (0.0, 0.0)
        for (index, motions) in motions.enumerated() where index + 1 < mesh.count {
            guard let motions, let before = mesh[index], let after = mesh[index + 1] else { continue }
            pairs += 1
            let slips = Self.slips(of: motions, before, after, triangles)
            guard slips.count >= Self.fewestPoints else { continue }
            counted += 1
            pointSquares += Double(Self.median(slips.map { ($0 * $0).sum() }))
            let whole = Point(Self.median(slips.map(\.x)), Self.median(slips.map(\.y)))
            wholeSquares += Double((whole * whole).sum())
        }
        points = counted == 0 ? nil : Float((pointSquares / Double(counted)).squareRoot())
        wholeFace = counted == 0 ? nil : Float((wholeSquares / Double(counted)).squareRoot())
        countedPairs = pairs == 0 ? nil : Float(counted) / Float(pairs)
    }

    /// For each point on the mesh.
    private static func slips(
        of motions: [SkinPoints.Motion], _ before: [Point], _ after: [Point], _ triangles: [Triangle]
    ) -> [Point] {
        motions.compactMap { motion in
            for triangle in triangles {
                let (a, b, c) = (before[triangle.a], before[triangle.b], before[triangle.c])
                let (ab, ac, ap) = (b - a, c - a, motion.from - a)
                let area = ab.x * ac.y - ab.y * ac.x
                guard abs(area) > 1e-6 else { continue }
                let v = (ap.x * ac.y - ap.y * ac.x) / area
                let w = (ab.x * ap.y - ab.y * ap.x) / area
                guard v >= 0, w >= 0, v + w <= 1 else { continue }
                let (a2, b2, c2) = (after[triangle.a], after[triangle.b], after[triangle.c])
                return a2 + v * (b2 - a2) + w * (c2 - a2) - motion.to
            }
            return nil
        }
    }

    /// The mean of the two middle values if their number is even.
    private static func median(_ values: [Float]) -> Float {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
