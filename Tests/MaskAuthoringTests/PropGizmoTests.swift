import FaceGeometry
import JSON
import MaskAuthoring
import MaskComposition
import Masks
import TestSupport
import Testing

/// Handles that move, turn and scale a prop.
@Suite struct PropGizmoTests {
    private let reference: ReferenceFace
    private let placement = PropPlacement(
        anchor: .eyes, position: SIMD3(0.1, -0.6, 0.2), rotation: SIMD3(10, -20, 5), width: 1.2)
    private static let poses = [
        Pose(yaw: 0, pitch: 0, roll: 0), Pose(yaw: 0.7, pitch: -0.2, roll: 0.1),
        Pose(yaw: -0.5, pitch: 0.35, roll: -0.6),
    ]

    init() throws { reference = try Repository.referenceFace() }

    private func camera(_ pose: Pose) -> HeadCamera {
        var head = AffineTransform3D(pose)
        head.translation = SIMD3(0.3, -0.2, -4)
        return HeadCamera(headToCamera: head, focalLength: 900, principalPoint: Point(400, 300))
    }

    private func gizmo(_ placement: PropPlacement, _ pose: Pose) throws -> PropGizmo {
        try #require(PropGizmo(placement, camera: camera(pose), reference: reference, length: 90))
    }

    /// Where a point beside the prop's origin is seen, in the coordinates of the head.
    private func seen(_ offset: SIMD3<Float>, _ pose: Pose) -> Point {
        camera(pose).project(placement.anchor.headPosition(reference) + placement.position + offset)
    }

    private func unit(_ axis: PropGizmo.Axis) -> SIMD3<Float> {
        var vector = SIMD3<Float>.zero
        vector[axis.rawValue] = 1
        return vector
    }

    /// The point that was taken stays under the mouse.
    @Test(arguments: poses) func arrowsMoveAlongTheirAxis(_ pose: Pose) throws {
        let gizmo = try gizmo(placement, pose)
        for axis in PropGizmo.Axis.allCases where gizmo.tip(axis) != nil {
            let (from, to) = (seen(0.2 * unit(axis), pose), seen(0.5 * unit(axis), pose))
            let moved = gizmo.dragged(.moveAlong(axis), from: from, to: to, snaps: false)
            var expected = placement.position
            expected[axis.rawValue] += 0.3
            for index in 0..<3 { #expect(abs(moved.position[index] - expected[index]) < 2e-3, "\(axis): \(moved)") }
            #expect(moved.rotation == placement.rotation && moved.width == placement.width)
        }
    }

    @Test(arguments: poses) func theMiddleFollowsTheMouse(_ pose: Pose) throws {
        let old = try gizmo(placement, pose)
        let way = Point(37, -22)
        let new = try gizmo(
            old.dragged(.move, from: old.center + 2, to: old.center + 2 + way, snaps: false), pose)
        #expect((new.center - old.center - way).length < 0.1)
    }

    /// A point of the model on the ring stays under the mouse.
    @Test(arguments: poses) func ringsTurn(_ pose: Pose) throws {
        let gizmo = try gizmo(placement, pose)
        func turn(_ degrees: SIMD3<Float>) -> AffineTransform3D {
            let radians = degrees * (.pi / 180)
            return AffineTransform3D(Pose(yaw: radians.y, pitch: radians.x, roll: radians.z))
        }
        for axis in PropGizmo.Axis.allCases {
            let sight = camera(pose).headToCamera.turned(unit(axis))
            // From the side, rings are rolled like wheels.
            guard abs(sight.z) > 0.5 else { continue }
            let ring = gizmo.ring(axis)
            let new = gizmo.dragged(.turnAround(axis), from: ring[3].place, to: ring[13].place, snaps: false)
            #expect(new.position == placement.position && new.width == placement.width)
            // Ten of 64 parts of the circle; whatever is on the axis stays.
            let (before, after) = (turn(placement.rotation), turn(new.rotation))
            let relative = after.after(AffineTransform3D.transposed(before))
            let trace = relative.columns.0.x + relative.columns.1.y + relative.columns.2.z
            #expect(abs((trace - 1) / 2 - 0.5556) < 0.01, "\(axis): \(trace)")
            #expect((relative.turned(unit(axis)) - unit(axis)).length < 0.01)
            // The model's point follows the mouse along the ring.
            let offset = Self.offset(of: ring[3].place, on: axis, gizmo, camera(pose), placement, reference)
            let turned = relative.turned(offset)
            #expect((seen(turned, pose) - ring[13].place).length < 1, "\(axis)")
        }
    }

    /// The point of the plane across an axis that is seen at a place, from the prop's origin, in the coordinates of the head.
    private static func offset(
        of place: Point, on axis: PropGizmo.Axis, _ gizmo: PropGizmo, _ camera: HeadCamera, _ placement: PropPlacement,
        _ reference: ReferenceFace
    ) -> SIMD3<Float> {
        let origin = placement.anchor.headPosition(reference) + placement.position
        let (one, other) = ((axis.rawValue + 1) % 3, (axis.rawValue + 2) % 3)
        var offset = SIMD3<Float>.zero
        // By Newton's method.
        for _ in 0..<20 {
            let miss = camera.project(origin + offset) - place
            var (a, b) = (offset, offset)
            a[one] += 1e-3
            b[other] += 1e-3
            let (u, v) = (
                (camera.project(origin + a) - place - miss) / 1e-3, (camera.project(origin + b) - place - miss) / 1e-3
            )
            let determinant = u.x * v.y - u.y * v.x
            offset[one] -= (miss.x * v.y - miss.y * v.x) / determinant
            offset[other] -= (u.x * miss.y - u.y * miss.x) / determinant
        }
        return offset
    }

    @Test func ringsFromTheSideTurn() throws {
        let gizmo = try gizmo(placement, Pose(yaw: 0, pitch: 0, roll: 0))
        let ring = gizmo.ring(.down)
        let near = try #require(ring.firstIndex { $0.isNear && abs($0.place.x - gizmo.center.x) < 4 })
        let way = Point(20, 0)
        let one = gizmo.dragged(.turnAround(.down), from: ring[near].place, to: ring[near].place + way, snaps: false)
        let other = gizmo.dragged(.turnAround(.down), from: ring[near].place, to: ring[near].place - way, snaps: false)
        #expect(abs(one.rotation.y - other.rotation.y) > 20, "\(one) \(other)")
        #expect((one.rotation.y + 20) * (other.rotation.y + 20) < 0, "\(one) \(other)")
    }

    @Test func theCornerScales() throws {
        let gizmo = try gizmo(placement, Pose(yaw: 0, pitch: 0, roll: 0))
        let start = gizmo.scaleHandle
        let twice = gizmo.center + 2 * (start - gizmo.center)
        #expect(abs(gizmo.dragged(.scale, from: start, to: twice, snaps: false).width - 2.4) < 1e-3)
        #expect(gizmo.dragged(.scale, from: start, to: gizmo.center, snaps: false).width == 0.01)
        #expect(gizmo.dragged(.scale, from: start, to: 1e6 * start, snaps: false).width == 10)
    }

    @Test func stepsAreRound() throws {
        let gizmo = try gizmo(placement, Pose(yaw: 0.2, pitch: 0, roll: 0))
        func isRound(_ value: Float, _ step: Float) -> Bool { abs(value / step - (value / step).rounded()) < 1e-3 }
        let moved = gizmo.dragged(.move, from: gizmo.center, to: gizmo.center + Point(31, 17), snaps: true)
        for index in 0..<3 { #expect(isRound(moved.position[index], 0.05)) }
        let scaled = gizmo.dragged(.scale, from: gizmo.scaleHandle, to: gizmo.scaleHandle + Point(9, -3), snaps: true)
        #expect(isRound(scaled.width, 0.05) && scaled.width != 1.2)
        let upright = try self.gizmo(
            PropPlacement(anchor: .eyes, width: 1), Pose(yaw: 0.2, pitch: 0, roll: 0))
        let ring = upright.ring(.forward)
        let turned = upright.dragged(.turnAround(.forward), from: ring[0].place, to: ring[10].place, snaps: true)
        #expect(turned.rotation == SIMD3(0, 0, 60) || turned.rotation == SIMD3(0, 0, -60), "\(turned)")
    }

    @Test func handlesAreFoundWhereTheyAreSeen() throws {
        let gizmo = try gizmo(placement, Self.poses[1])
        #expect(gizmo.handle(at: gizmo.center + 3, reach: 9) == .move)
        #expect(gizmo.handle(at: gizmo.scaleHandle, reach: 9) == .scale)
        for axis in PropGizmo.Axis.allCases {
            if let tip = gizmo.tip(axis) { #expect(gizmo.handle(at: tip, reach: 3) == .moveAlong(axis)) }
        }
        #expect(gizmo.handle(at: gizmo.center + 400, reach: 9) == nil)
        // An arrow towards the viewer cannot be dragged.
        let straight = try self.gizmo(
            PropPlacement(anchor: .noseBridge, position: SIMD3(-0.3, 0.2, 0), width: 1), Self.poses[0])
        #expect(straight.tip(.forward) == nil && straight.tip(.right) != nil)
    }

    @Test func nonsenseChangesNothing() throws {
        let gizmo = try gizmo(placement, Self.poses[1])
        let nothing = Point(.nan, .infinity)
        let all: [PropGizmo.Handle] =
            [.move, .scale] + PropGizmo.Axis.allCases.flatMap { [.moveAlong($0), .turnAround($0)] }
        for handle in all {
            #expect(gizmo.dragged(handle, from: gizmo.center, to: nothing, snaps: false) == placement)
        }
        var behind = AffineTransform3D.identity
        behind.translation.z = 3
        let camera = HeadCamera(headToCamera: behind, focalLength: 900, principalPoint: Point(400, 300))
        #expect(PropGizmo(placement, camera: camera, reference: reference, length: 90) == nil)
    }

    @Test func onlyWhatChangesIsWritten() throws {
        var layer = try JSONValue(
            parsing: #"{"type": "prop", "model": "a.glb", "anchor": "eyes", "width": 1.5, "position": [0, 0.125, 0]}"#)
        let old = try #require(PropPlacement(layer))
        var new = old
        new.rotation = SIMD3(0, 15, 0)
        new.position = .zero
        new.write(to: &layer)
        #expect(
            layer.text() == #"{"type":"prop","model":"a.glb","anchor":"eyes","width":1.5,"rotation":[0,15,0]}"#
                || layer["rotation"]?.elements.count == 3 && layer["position"] == nil, "\(layer.text())")
        for text in [
            #"{"type": "warp"}"#, #"{"type": "prop", "anchor": "eyes"}"#,
            #"{"type": "prop", "anchor": "eyes", "width": 1, "position": [1, "a", 0]}"#,
            #"{"type": "prop", "anchor": "eyes", "width": -1}"#,
        ] { #expect(PropPlacement(try JSONValue(parsing: text)) == nil) }
    }
}

extension AffineTransform3D {
    /// The inverse of a rotation.
    fileprivate static func transposed(_ rotation: AffineTransform3D) -> AffineTransform3D {
        let (a, b, c) = rotation.columns
        return AffineTransform3D(
            columns: (SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z)), translation: .zero)
    }
}
