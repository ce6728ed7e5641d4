import FaceGeometry
import Glibc

/// The effect of dragging a handle.
extension PropGizmo {
    /// Steps while snapping, in face widths.
    private static let lengthStep: Float = 0.05
    /// Likewise, in radians.
    private static let angleStep = Float.pi / 12
    /// Rings that are seen more from the side than that (the cosine) are turned by dragging along them.
    private static let flattestRing: Float = 0.3

    /// The placement after a handle was dragged.
    /// - Parameters:
    ///   - start: where it was taken, in pixels of the picture.
    ///   - end: where the mouse is now, likewise.
    ///   - snaps: whether positions and sizes are multiples of 0.05 face widths, and angles change by multiples of 15°.
    package func dragged(_ handle: Handle, from start: Point, to end: Point, snaps: Bool) -> PropPlacement {
        var result = placement
        switch handle {
        case .move:
            let offset = -origin.z / camera.focalLength * (end - start)
            let moved = placement.position + inHead(SIMD3(offset.x, offset.y, 0))
            result.position = snaps ? Self.snapped(moved) : moved
        case .moveAlong(let axis):
            guard let first = along(axis, start), let last = along(axis, end) else { return placement }
            let moved = placement.position[axis.rawValue] + last - first
            result.position[axis.rawValue] = snaps ? Self.snapped(SIMD3(repeating: moved)).x : moved
        case .turnAround(let axis):
            var angle = angle(axis, from: start, to: end)
            if snaps { angle = (angle / Self.angleStep).rounded() * Self.angleStep }
            let half = angle / 2
            let axis = sin(half) * axis.vector
            let turn = AffineTransform3D(
                scale: SIMD3(1, 1, 1), rotation: SIMD4(axis.x, axis.y, axis.z, cos(half)), translation: .zero)
            result.turn = turn.after(placement.turn)
        case .scale:
            let factor = (end - center).length / max(1e-3, (start - center).length)
            let width = placement.width * factor
            result.width = snaps ? max(Self.lengthStep, Self.snapped(SIMD3(repeating: width)).x) : width
        }
        guard result.position.isFinite, result.rotation.isFinite, result.width.isFinite else { return placement }
        let (low, high) = (PropPlacement.positions.lowerBound, PropPlacement.positions.upperBound)
        result.position.clamp(lowerBound: SIMD3(repeating: low), upperBound: SIMD3(repeating: high))
        result.width = min(PropPlacement.widths.upperBound, max(PropPlacement.widths.lowerBound, result.width))
        return result
    }

    private static func snapped(_ value: SIMD3<Float>) -> SIMD3<Float> {
        (value / lengthStep).rounded(.toNearestOrAwayFromZero) * lengthStep
    }

    /// How far along an axis through the prop's origin a place in the picture is, in face widths; nil: the axis lies in the
    /// line of sight.
    private func along(_ axis: Axis, _ place: Point) -> Float? {
        // The point of the axis that is nearest to the line of sight.
        let (u, d) = (direction(axis), ray(place))
        let (uu, dd, ud) = ((u * u).sum(), (d * d).sum(), (u * d).sum())
        let determinant = uu * dd - ud * ud
        guard determinant > 1e-4 * uu * dd else { return nil }
        return ((d * origin).sum() * ud - (u * origin).sum() * dd) / determinant
    }

    /// The angle around an axis between two places in the picture, in radians.
    private func angle(_ axis: Axis, from start: Point, to end: Point) -> Float {
        let (one, other) = plane(axis)
        /// In the plane of the ring; nil: the line of sight does not meet it.
        func hit(_ place: Point) -> Float? {
            let (normal, ray) = (direction(axis), ray(place))
            let slope = (normal * ray).sum()
            guard abs(slope) > 1e-6 else { return nil }
            let offset = (normal * origin).sum() / slope * ray - origin
            return atan2((offset * other).sum(), (offset * one).sum())
        }
        let sight = origin / origin.length
        if abs((direction(axis) * sight).sum()) > Self.flattestRing, let first = hit(start), let last = hit(end) {
            return atan2(sin(last - first), cos(last - first))
        }
        // Along the ring where it was taken, as if a wheel were rolled.
        let ring = ring(axis)
        guard
            let taken = ring.indices.min(by: {
                let (a, b) = (ring[$0], ring[$1])
                return (a.place - start).length + (a.isNear ? 0 : 4) < (b.place - start).length + (b.isNear ? 0 : 4)
            })
        else { return 0 }
        let (before, after) = (ring[(taken + ring.count - 1) % ring.count], ring[(taken + 1) % ring.count])
        let way = (after.place - before.place) * (Float(ring.count) / (4 * .pi))
        let square = (way * way).sum()
        return square > 0 ? ((end - start) * way).sum() / square : 0
    }

    /// A direction of the camera, in the coordinates of the head.
    private func inHead(_ direction: SIMD3<Float>) -> SIMD3<Float> {
        let (cofactors, determinant) = (camera.headToCamera.cofactors, camera.headToCamera.determinant)
        let columns = cofactors.columns
        return SIMD3((columns.0 * direction).sum(), (columns.1 * direction).sum(), (columns.2 * direction).sum())
            / determinant
    }
}

extension SIMD3<Float> {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
