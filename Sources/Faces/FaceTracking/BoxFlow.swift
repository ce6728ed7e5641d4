import FaceGeometry
import Pixels

/// Carries the box of a face from one grey picture to the next by optical flow: whatever side of the head it shows, and without
/// landmarks.
final class BoxFlow {
    /// Where the box has come to.
    struct Step {
        var box: OrientedBox
        /// The share of the points inside the picture that moved with the whole, 0…1. Where it is small, something else came into
        /// the box, or there is nothing to follow.
        var agreement: Float
    }

    /// Points in a row of the grid that is followed.
    private static let row = 6
    private static let pointCount = 36
    /// Of fewer points inside the picture, nothing is concluded.
    private static let fewestPoints = 6
    /// The side of the grid and that of the patch, in sides of the box.
    private static let gridSide: Float = 0.9
    private static let patchSide: Float = 1.6
    /// A point that is followed with a larger mean difference is not the same skin any more, in grey values.
    private static let largestResidual: Float = 25
    /// How far a point may be from where the whole takes it, in sides of the box.
    private static let tolerance: Float = 0.08
    /// A box grows or shrinks by no more than this factor between two frames.
    private static let largestGrowth: Float = 1.1

    private var patch = FlowPatch()
    private var next = FlowPatch()

    /// Starts, or starts again, with a box in a picture.
    func start(_ picture: borrowing PixelBuffer, box: OrientedBox) {
        patch.extract(picture, from: box.scaled(by: Self.patchSide))
    }

    /// Follows the box into the next picture.
    /// - Parameter box: the one that the last call started with or led to.
    func step(_ picture: borrowing PixelBuffer, box: OrientedBox) -> Step {
        next.extract(picture, likeThat: patch)
        var points = InlineArray<36, Point>(repeating: .zero)
        for index in 0..<Self.pointCount {
            let (row, column) = index.quotientAndRemainder(dividingBy: Self.row)
            let place = Point(Float(column), Float(row)) / Float(Self.row - 1) - 0.5
            points[index] = box.center + Self.gridSide * (place.x * box.across + place.y * box.down)
        }
        var (moved, residual) = (points, InlineArray<36, Float>(repeating: -1))
        patch.follow(points, count: Self.pointCount, into: next, moved: &moved, residual: &residual)
        let (width, height) = (Float(picture.width), Float(picture.height))
        let inside = (0..<Self.pointCount).filter {
            (0..<width).contains(points[$0].x) && (0..<height).contains(points[$0].y)
        }
        let followed = inside.filter { (0...Self.largestResidual).contains(residual[$0]) }
        var step = Step(box: box, agreement: 0)
        if !followed.isEmpty {
            let shift = Point(
                Self.median(followed.map { moved[$0].x - points[$0].x }),
                Self.median(followed.map { moved[$0].y - points[$0].y }))
            let center = box.center + shift
            let growth = Self.median(
                followed.map { (moved[$0] - center).length / max((points[$0] - box.center).length, 1e-3) })
            let limited = max(1 / Self.largestGrowth, min(Self.largestGrowth, growth))
            let agreeing = followed.count {
                let expected = center + limited * (points[$0] - box.center)
                return (moved[$0] - expected).length < Self.tolerance * box.side
            }
            step.agreement = Float(agreeing) / Float(max(inside.count, Self.fewestPoints))
            step.box = OrientedBox(center: center, side: limited * box.side, roll: box.roll)
        }
        start(picture, box: step.box)
        return step
    }

    private static func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }
}
