import FaceGeometry
import Foundation
import SyntheticFaces
import TestSupport
import Testing

/// The pose of heads in space, against synthetic heads and cameras that are known exactly.
@Suite struct HeadCameraTests {
    let reference: ReferenceFace
    let fit: HeadCameraFit

    init() throws {
        reference = try Repository.referenceFace()
        fit = HeadCameraFit(reference)
    }

    /// Points far off the face that props stand on: crown, sides, nape, and in front of the nose.
    static let landmarksOfProps: [SIMD3<Float>] = [
        SIMD3(0, -0.85, -0.4), SIMD3(-0.5, 0, -0.4), SIMD3(0.5, 0, -0.4), SIMD3(0, -0.4, 0.1), SIMD3(0, 0.05, 0.1),
        SIMD3(0, 0.3, 0.35), SIMD3(0, 0.78, 0),
    ]

    /// Heads at arm's length before a webcam, and a metre away; yaw to ±45°, pitch and roll.
    static let poses: [Pose] = {
        let degree = Float.pi / 180
        var poses = stride(from: Float(-45), through: 45, by: 15).map { Pose(yaw: $0 * degree, pitch: 0, roll: 0) }
        for (yaw, pitch, roll) in [(-30, 15, 0), (30, -15, 10), (0, 20, 0), (0, -20, 0), (20, 10, -25), (-45, -10, 5)] {
            poses.append(Pose(yaw: Float(yaw) * degree, pitch: Float(pitch) * degree, roll: Float(roll) * degree))
        }
        return poses
    }()

    @Test(arguments: [Float(3), 4.5, 7]) func drawnHeadsHaveTheirPose(_ distance: Float) throws {
        let width: Float = 300
        let picture = Point(1280, 720)
        var (worstAngle, worstOffset): (Float, Float) = (0, 0)
        for pose in Self.poses {
            var person = DrawnFace()
            person.pose = pose
            let placement = DrawnFacePlacement(center: picture / 2, faceWidth: width, cameraDistance: distance)
            let drawing = FaceDrawing(person, placement: placement, reference: reference)
            let camera = fit.camera(drawing.face(), picture: picture)
            let angle = camera.pose.angle(to: pose) * 180 / .pi
            let offset =
                Self.landmarksOfProps.map {
                    (camera.project($0) - drawing.position(ofHeadPoint: $0)).length / width
                }.max() ?? 1
            worstAngle = max(worstAngle, angle)
            worstOffset = max(worstOffset, offset)
        }
        #expect(worstAngle <= 2, "degrees")
        #expect(worstOffset <= 0.02, "face widths")
    }

    /// The reference face itself, seen by a known camera away from the middle of the picture.
    @Test(arguments: [(0, 0, 0), (0.6, 0.2, -0.3), (-0.7, -0.2, 0.4)])
    func aKnownCameraIsFound(_ yaw: Double, _ pitch: Double, _ roll: Double) throws {
        let pose = Pose(yaw: Float(yaw), pitch: Float(pitch), roll: Float(roll))
        var transform = AffineTransform3D(pose)
        transform.translation = SIMD3(-0.8, 0.4, -3.5)
        let known = HeadCamera(headToCamera: transform, focalLength: 1000, principalPoint: Point(500, 400))
        let points = (0..<Landmarks.count).map { known.project(HeadCamera.position(of: $0, reference: reference)) }
        let face = Face(landmarks: try #require(Landmarks(points)), reference: reference)
        let camera = fit.camera(face, picture: Point(1000, 800))
        #expect(camera.pose.angle(to: pose) < 0.01)
        for place in Self.landmarksOfProps { #expect((camera.project(place) - known.project(place)).length < 3) }
        // With what is known of the nearness, nothing is left open.
        let exact = fit.camera(face, picture: Point(1000, 800), nearness: 1 / 3.5)
        #expect(exact.pose.angle(to: pose) < 0.001)
        for place in Self.landmarksOfProps { #expect((exact.project(place) - known.project(place)).length < 0.1) }
    }

    @Test func landmarksWithoutSenseAreNoCrash() throws {
        let collapsed = try #require(Landmarks(Array(repeating: Point(5, 5), count: 68)))
        let far = try #require(Landmarks((0..<68).map { Point(Float($0 % 7) * 1e9, Float($0) * -1e12) }))
        for landmarks in [collapsed, far] {
            let camera = fit.camera(Face(landmarks: landmarks, reference: reference), picture: Point(100, 100))
            #expect(camera.distance > 1 && camera.distance <= 50.1)
        }
    }

    /// The surface that hides things passes through the landmarks: they are at most 0.09 face widths off it.
    @Test func theHeadSurfaceIsWhereTheFaceIs() {
        let head = HeadSurface.mean
        for vertex in 0..<Landmarks.count {
            let place = HeadCamera.position(of: vertex, reference: reference)
            let nearest = head.positions.map { ($0 - place).length }.min() ?? 1
            #expect(nearest < 0.09, "landmark \(vertex)")
        }
        for (position, normal) in zip(head.positions, head.normals) where abs(position.y) < 0.4 && position.z > 0 {
            #expect(normal.z > 0, "\(position)")
        }
    }
}

extension Pose {
    /// The angle of the rotation between two poses, radians.
    fileprivate func angle(to other: Pose) -> Float {
        let (a, b) = (AffineTransform3D(self), AffineTransform3D(other))
        let trace =
            (a.columns.0 * b.columns.0).sum() + (a.columns.1 * b.columns.1).sum() + (a.columns.2 * b.columns.2).sum()
        return Float(acos(Double(max(-1, min(1, (trace - 1) / 2)))))
    }
}
