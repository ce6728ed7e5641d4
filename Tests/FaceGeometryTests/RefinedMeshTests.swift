import FaceGeometry
import TestSupport
import Testing

@Suite struct RefinedMeshTests {
    let reference: ReferenceFace
    let mesh: FaceMesh
    let refined: RefinedMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
        refined = RefinedMesh(mesh, reference: reference)
    }

    @Test func everyTriangleIsDividedAndNoneIsLost() {
        #expect(refined.triangles.count == 9 * mesh.triangles.count)
        let places = refined.vertices(reference.vertices)
        #expect(places.count == refined.vertexCount)
        for parent in mesh.triangles.indices {
            let parts = refined.triangles.indices.filter { refined.parents[$0] == parent }
            let area = parts.reduce(Float(0)) { $0 + refined.triangles[$1].doubleArea(places) }
            #expect(abs(area - mesh.triangles[parent].doubleArea(reference.vertices)) < 1e-5)
            #expect(parts.allSatisfy { refined.triangles[$0].doubleArea(places) > 0 })
        }
        // One outline, all of it.
        let outline = refined.outline()
        #expect(outline.count == 3 * FaceMesh.boundary(of: mesh.triangles).count)
        #expect(Set(outline).count == outline.count)
    }

    /// Whatever moves, shrinks and turns the whole face does so to every vertex.
    @Test func wholeMotionsAreKept() {
        func move(_ point: Point) -> Point {
            Point(300 * point.x - 120 * point.y + 7, 100 * point.x + 310 * point.y - 9)
        }
        let moved = refined.vertices(reference.vertices.map(move))
        for (index, place) in refined.vertices(reference.vertices).enumerated() {
            #expect((moved[index] - move(place)).length < 0.01)
        }
    }

    /// A bend is followed smoothly: nearer to it than straight lines between the landmarks come.
    @Test func bendsAreSmooth() {
        func bend(_ point: Point) -> Point { Point(point.x, point.y + 0.5 * (point.x - 0.5) * (point.x - 0.5)) }
        let bent = refined.vertices(reference.vertices.map(bend))
        let flat = refined.vertices(reference.vertices)
        let ends = refined.interpolated(reference.vertices.map { bend($0).y })
        var (smooth, straight): (Float, Float) = (0, 0)
        for index in flat.indices {
            smooth += abs(bent[index].y - bend(flat[index]).y)
            straight += abs(ends[index] - bend(flat[index]).y)
        }
        #expect(smooth < 0.75 * straight, "\(smooth) \(straight)")
    }

    @Test func openingsCanBeLeftOut() {
        let open = refined.triangles(openings: [.mouth])
        #expect(open.count == 9 * mesh.triangles(openings: [.mouth]).count && open.count < refined.triangles.count)
    }
}
