import FaceGeometry
import TestSupport
import Testing

@Suite struct FaceMeshTests {
    let reference: ReferenceFace
    let mesh: FaceMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
    }

    @Test func theMeshInTheRepositoryIsThatOfTheReferenceFace() {
        #expect(FaceMesh(of: reference) == mesh)
    }

    @Test func textSurvivesARoundTrip() throws {
        #expect(try FaceMesh(parsing: mesh.text) == mesh)
        #expect(try Repository.text("face/mesh.txt") == mesh.text)
    }

    /// The circle through a triangle's corners holds no vertex that the triangle can see: one that no rim of an eye
    /// or of the mouth hides from it.
    @Test func circumcirclesAreEmpty() {
        let points = reference.vertices.map { SIMD2<Double>(Double($0.x), Double($0.y)) }
        var hidden = 0
        for triangle in mesh.triangles {
            let center = triangle.indices.reduce(SIMD2<Double>.zero) { $0 + points[$1] } / 3
            for vertex in points.indices where !triangle.indices.contains(vertex) {
                guard DelaunayTriangulation.incircle(triangle, points, points[vertex]) > 1e-6 else { continue }
                let isHidden = FaceMesh.rims.contains { rim in
                    ![rim.from, rim.to].contains(vertex)
                        && segmentsCross(center, points[vertex], points[rim.from], points[rim.to])
                }
                #expect(isHidden, "vertex \(vertex) lies in the circle of \(triangle)")
                hidden += 1
            }
        }
        // The rims change little: only at the corners of the mouth.
        #expect(hidden <= 12)
    }

    /// Without constraints every circle is empty, whatever it can see.
    @Test func plainTriangulationsAreDelaunay() {
        let plain = DelaunayTriangulation.triangles(of: reference.vertices)
        let points = reference.vertices.map { SIMD2<Double>(Double($0.x), Double($0.y)) }
        for triangle in plain {
            for vertex in points.indices where !triangle.indices.contains(vertex) {
                #expect(DelaunayTriangulation.incircle(triangle, points, points[vertex]) <= 1e-6)
            }
        }
        // Euler: as many triangles as 79 points with their hull make.
        #expect(plain.count == mesh.triangles.count)
    }

    @Test func trianglesAreClockwiseAndDoNotOverlap() {
        let areas = mesh.triangles.map { $0.doubleArea(reference.vertices) }
        #expect(areas.allSatisfy { $0 > 0 })
        // The hull's area, by the shoelace formula over the outline.
        let outline = FaceMesh.boundary(of: mesh.triangles)
        var next: [Int: [Int]] = [:]
        for edge in outline {
            next[edge.from, default: []].append(edge.to)
            next[edge.to, default: []].append(edge.from)
        }
        #expect(next.values.allSatisfy { $0.count == 2 }, "the outline is one closed line")
        let directed = mesh.triangles.flatMap(\.edges).filter { outline.contains($0.undirected) }
        let doubleArea = directed.reduce(Float.zero) { sum, edge in
            let (a, b) = (reference.vertices[edge.from], reference.vertices[edge.to])
            return sum + a.x * b.y - a.y * b.x
        }
        #expect(abs(doubleArea - areas.reduce(0, +)) < 1e-4)
    }

    @Test func openingsAreExactlyEyesAndMouth() {
        let edges = Set(mesh.triangles.flatMap(\.edges).map(\.undirected))
        for rim in FaceMesh.rims { #expect(edges.contains(rim.undirected)) }
        // A polygon of n corners is n − 2 triangles: two eyes of six, a mouth of eight.
        #expect(mesh.triangles.count - mesh.triangles(openings: [.eyes]).count == 8)
        #expect(mesh.triangles.count - mesh.triangles(openings: [.mouth]).count == 6)
        let open = FaceMesh.boundary(of: mesh.triangles(openings: [.eyes, .mouth]))
        #expect(Set(FaceMesh.rims.map(\.undirected)).isSubset(of: open))
    }

    @Test(arguments: [
        ("1 2", "line 1"), ("0 1 2\n3 3 4", "line 2"), ("0 1 79", "0…78"), ("# nothing", "no triangle"),
        ("a b c", "line 1"),
    ])
    func brokenMeshesAreRefused(_ text: String, _ message: String) {
        #expect { try FaceMesh(parsing: text) } throws: { "\($0)".contains(message) }
    }

    private func segmentsCross(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>) -> Bool {
        func side(_ p: SIMD2<Double>, _ q: SIMD2<Double>, _ r: SIMD2<Double>) -> Double {
            (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
        }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}

@Suite struct DelaunayTests {
    @Test func aSquareIsTwoTriangles() {
        let square = [Point(0, 0), Point(1, 0), Point(0, 1), Point(1, 1)]
        #expect(DelaunayTriangulation.triangles(of: square).count == 2)
    }

    @Test func aConstraintIsKept() {
        // The short diagonal 0–2 would be Delaunay's choice.
        let kite = [Point(0, -1), Point(3, 0), Point(0, 1), Point(-3, 0)]
        #expect(
            DelaunayTriangulation.triangles(of: kite).allSatisfy { $0.indices.contains(0) && $0.indices.contains(2) })
        let forced = DelaunayTriangulation.triangles(of: kite, constraints: [Edge(from: 1, to: 3)])
        #expect(forced.count == 2 && forced.allSatisfy { $0.indices.contains(1) && $0.indices.contains(3) })
    }

    @Test func randomPointsAreDelaunay() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let points = (0..<40).map { _ in
                Point(Float.random(in: 0..<1, using: &generator), Float.random(in: 0..<1, using: &generator))
            }
            let all = points.map { SIMD2<Double>(Double($0.x), Double($0.y)) }
            for triangle in DelaunayTriangulation.triangles(of: points) {
                for vertex in all.indices where !triangle.indices.contains(vertex) {
                    #expect(DelaunayTriangulation.incircle(triangle, all, all[vertex]) < 1e-6)
                }
            }
        }
    }

    @Test func tooFewPointsAreNoTriangle() {
        #expect(DelaunayTriangulation.triangles(of: [Point(0, 0), Point(1, 1)]).isEmpty)
    }
}
