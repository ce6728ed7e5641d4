import FaceGeometry
import Foundation
import TestSupport
import Testing

@Suite struct AffineCameraTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    /// The reference face seen by a known camera: turned by yaw, then pitch, then roll.
    private func view(yaw: Float, pitch: Float, roll: Float, scale: Float = 400, offset: Point = Point(300, 250))
        -> [Point]
    {
        zip(reference.vertices, reference.depths).map { point, depth in
            let (x, y, z) = (point.x - 0.5, point.y - 0.45, depth)
            let (x1, z1) = (x * cos(yaw) + z * sin(yaw), -x * sin(yaw) + z * cos(yaw))
            let y1 = y * cos(pitch) - z1 * sin(pitch)
            return offset + scale * Point(x1 * cos(roll) - y1 * sin(roll), x1 * sin(roll) + y1 * cos(roll))
        }
    }

    @Test(arguments: [(0, 0, 0), (0.5, 0, 0), (-0.5, 0, 0), (0, 0.3, 0), (0, -0.3, 0), (0, 0, 0.6), (0.3, -0.2, -0.4)])
    func poseAndHeadPointsOfAKnownCameraAreFound(_ yaw: Double, _ pitch: Double, _ roll: Double) throws {
        let vertices = view(yaw: Float(yaw), pitch: Float(pitch), roll: Float(roll))
        let landmarks = try #require(Landmarks(Array(vertices.prefix(68))))
        let face = Face(landmarks: landmarks, reference: reference)
        for point in HeadPoint.allCases {
            let error = (face.headPoints[point] - vertices[point.vertex]).length
            #expect(error < 0.5, "\(point) is off by \(error) px")
        }
        #expect(abs(face.pose.yaw - Float(yaw)) < 0.01, "yaw \(face.pose.yaw)")
        #expect(abs(face.pose.pitch - Float(pitch)) < 0.01, "pitch \(face.pose.pitch)")
        #expect(abs(face.pose.roll - Float(roll)) < 0.01, "roll \(face.pose.roll)")
    }

    /// An open mouth moves the lower face; the forehead must not follow.
    @Test func theForeheadDoesNotFollowTheJaw() throws {
        var vertices = view(yaw: 0.1, pitch: 0, roll: 0)
        let still = vertices
        for index in [4, 5, 6, 7, 8, 9, 10, 11, 12, 55, 56, 57, 58, 59, 65, 66, 67] { vertices[index].y += 30 }
        let landmarks = try #require(Landmarks(Array(vertices.prefix(68))))
        let face = Face(landmarks: landmarks, reference: reference)
        let width = (still[16] - still[0]).length
        for point in HeadPoint.allCases {
            #expect((face.headPoints[point] - still[point.vertex]).length < 0.04 * width, "\(point)")
        }
    }

    @Test func collapsedLandmarksAreNoCrash() throws {
        let landmarks = try #require(Landmarks(Array(repeating: Point(5, 5), count: 68)))
        let face = Face(landmarks: landmarks, reference: reference)
        #expect(face.headPoints.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
        #expect(face.pose.yaw.isFinite && face.pose.pitch.isFinite && face.pose.roll.isFinite)
        #expect(Landmarks(Array(repeating: Point(.nan, 0), count: 68)) == nil)
        #expect(Landmarks([]) == nil)
    }
}
