import FaceGeometry
import SyntheticFaces
import TestSupport
import Testing

struct HairlineTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func face() -> Face {
        var drawn = DrawnFace()
        drawn.pose.yaw = 0.4
        return FaceDrawing(
            drawn, placement: DrawnFacePlacement(center: Point(90, 110), faceWidth: 100), reference: reference
        ).instance().face
    }

    /// A face is raised as its mesh is; temples and landmarks stay.
    @Test func theHeadPointsAboveTheTemplesMove() {
        var face = face()
        let before = face.vertices
        let hairline = Hairline { $0 == 3 ? 0.2 : $0 == 0 ? 0.1 : 0 }
        var vertices = before
        hairline.raise(&vertices)
        face.raise(to: hairline)
        #expect(zip(face.vertices, vertices).allSatisfy { ($0 - $1).length < 1e-3 })
        let moved = before.indices.filter { (vertices[$0] - before[$0]).length > 1e-3 }
        #expect(moved == [HeadPoint.rightUpperTemple.vertex, HeadPoint.hairlineCenter.vertex])
        let root = before[Landmarks.topology.noseBridge[0]]
        let center = HeadPoint.hairlineCenter.vertex
        #expect(abs((vertices[center] - root).length / (before[center] - root).length - 1.2) < 1e-4)
    }

    @Test func aHairlineApproachesAnother() {
        var hairline = Hairline { _ in 0 }
        #expect(hairline.isMean)
        hairline.approach(Hairline { _ in 0.2 }, fraction: 0.5)
        #expect(!hairline.isMean)
        var (moved, expected) = (face().vertices, face().vertices)
        hairline.raise(&moved)
        Hairline { _ in 0.1 }.raise(&expected)
        #expect(zip(moved, expected).allSatisfy { ($0 - $1).length < 1e-3 })
    }
}
