import FaceGeometry
import Glibc
import MaskComposition

/// Handles with which a prop is moved, turned and scaled in a picture of the head that wears it: arrows and rings along the
/// axes of the head, around the prop's origin. They have the same size however far away the head is. All places are in
/// pixels of the picture.
package struct PropGizmo {
    /// Of the head, as in the manifest.
    package enum Axis: Int, CaseIterable, Sendable {
        case right, down, forward

        var vector: SIMD3<Float> {
            switch self {
            case .right: SIMD3(1, 0, 0)
            case .down: SIMD3(0, 1, 0)
            case .forward: SIMD3(0, 0, 1)
            }
        }
    }

    package enum Handle: Equatable, Sendable {
        /// In the plane of the picture.
        case move
        case moveAlong(Axis)
        case turnAround(Axis)
        case scale
    }

    /// A point of a ring.
    package struct RingPoint: Sendable {
        package let place: Point
        /// Whether it is on the viewer's side.
        package let isNear: Bool
    }

    package let placement: PropPlacement
    /// Where the prop's origin is seen.
    package let center: Point
    let camera: HeadCamera
    /// The prop's origin, in camera coordinates.
    let origin: SIMD3<Float>
    /// Of the arrows, in face widths.
    private let length: Float
    /// Likewise in pixels of the picture.
    private let pixels: Float

    /// The radius of the rings, in lengths of the arrows.
    private static let ringRadius: Float = 0.72
    /// Where the handle for the size is, likewise.
    private static let scalePlace = Point(0.8, -0.8)
    /// Arrows that are seen shorter are left out: they could not be dragged with any precision.
    private static let leastLength: Float = 0.3
    private static let ringPoints = 64

    /// - Parameters:
    ///   - camera: sees the head.
    ///   - length: of the arrows, in pixels of the picture.
    /// - Returns: nil if the prop's origin is behind the camera.
    package init?(_ placement: PropPlacement, camera: HeadCamera, reference: ReferenceFace, length: Float) {
        let place = placement.anchor.headPosition(reference) + placement.position
        origin = camera.headToCamera(place)
        let distance = -origin.z
        guard distance > 0.05, distance.isFinite, length > 0 else { return nil }
        self.placement = placement
        self.camera = camera
        pixels = length
        self.length = length * distance / camera.focalLength
        center = camera.project(place)
    }

    // MARK: What is drawn

    /// The end of an arrow; nil if the axis points nearly along the line of sight.
    package func tip(_ axis: Axis) -> Point? {
        guard let tip = project(origin + length * direction(axis)) else { return nil }
        return (tip - center).length < Self.leastLength * pixels ? nil : tip
    }

    /// A closed line.
    package func ring(_ axis: Axis) -> [RingPoint] {
        let (one, other) = plane(axis)
        return (0..<Self.ringPoints).compactMap { index in
            let angle = 2 * Float.pi * Float(index) / Float(Self.ringPoints)
            let offset = Self.ringRadius * length * (cos(angle) * one + sin(angle) * other)
            guard let place = project(origin + offset) else { return nil }
            return RingPoint(place: place, isNear: (offset * origin).sum() <= 0.05 * length)
        }
    }

    package var scaleHandle: Point { center + pixels * Self.scalePlace }

    /// The handle at a place; nil: none.
    /// - Parameter reach: how far beside it the place may be.
    package func handle(at place: Point, reach: Float) -> Handle? {
        if (scaleHandle - place).length <= reach { return .scale }
        if (center - place).length <= reach { return .move }
        var best: (handle: Handle, distance: Float)?
        func consider(_ handle: Handle, _ distance: Float) {
            if distance <= reach, distance < best?.distance ?? .infinity { best = (handle, distance) }
        }
        for axis in Axis.allCases {
            if let tip = tip(axis) { consider(.moveAlong(axis), Self.distance(place, center, tip)) }
            let ring = ring(axis)
            for (index, point) in ring.enumerated() {
                let next = ring[(index + 1) % ring.count]
                // What is behind the prop gives way.
                let distance = Self.distance(place, point.place, next.place) + (point.isNear ? 0 : reach / 2)
                consider(.turnAround(axis), distance)
            }
        }
        return best?.handle
    }

    // MARK: Geometry

    /// An axis of the head, in camera coordinates.
    func direction(_ axis: Axis) -> SIMD3<Float> { camera.headToCamera.turned(axis.vector) }

    /// Two directions across an axis, in camera coordinates. Turned by a right angle around the axis, the first is the
    /// second.
    func plane(_ axis: Axis) -> (SIMD3<Float>, SIMD3<Float>) {
        let next = SIMD3(axis.vector.z, axis.vector.x, axis.vector.y)
        return (camera.headToCamera.turned(next), camera.headToCamera.turned(axis.vector.cross(next)))
    }

    /// Where a place in camera coordinates is seen; nil: it is behind the camera.
    func project(_ place: SIMD3<Float>) -> Point? {
        guard place.z < -0.01 else { return nil }
        return camera.principalPoint + camera.focalLength * Point(place.x, place.y) / -place.z
    }

    /// The direction from the camera to a place in the picture.
    func ray(_ place: Point) -> SIMD3<Float> {
        let direction = (place - camera.principalPoint) / camera.focalLength
        return SIMD3(direction.x, direction.y, -1)
    }

    /// From a place to a line between two others.
    private static func distance(_ place: Point, _ from: Point, _ to: Point) -> Float {
        let way = to - from
        let square = (way * way).sum()
        let along = square > 0 ? min(1, max(0, ((place - from) * way).sum() / square)) : 0
        return (place - from - along * way).length
    }
}
