/// The mesh of the face with every triangle subdivided, so that a stretched texture shows no straight edges.
///
/// The displacement of new vertices from the reference face is a cubic Bézier patch on every triangle, whose tangents at
/// the corners are the means of the adjacent triangles (the nine-parameter interpolant of Bazeley, Cheung, Irons &
/// Zienkiewicz, 1965). This is linear in the old vertices, so it is computed once, as a table of weights. Where nothing is
/// stretched, nothing bends: the reference face keeps its straight edges.
package struct RefinedMesh: Sendable {
    /// The vertices of the mesh come first and keep their indices.
    package let vertexCount: Int
    package let triangles: [Triangle]
    /// For each triangle, the one it is part of, as an index into the triangles of the mesh.
    package let parents: [Int]
    package let mesh: FaceMesh
    /// Triangles that contain head points, and these points.
    private let headTriangles: [(triangle: Triangle, headPoints: [Int])]
    private let straight: Weights
    private let smooth: Weights
    /// For each triangle of the mesh, whether it lies in an opening, where folds do not matter: closed lids and lips
    /// have no area.
    private let isOpening: [Bool]

    /// For each new vertex, the indices and weights of the vertices it depends on, row after row.
    private struct Weights: Sendable {
        var starts = [0]
        var sources: [Int] = []
        var weights: [Float] = []

        mutating func append(_ row: [Int: Double]) {
            for (source, weight) in row.sorted(by: { $0.key < $1.key }) where abs(weight) > 1e-7 {
                sources.append(source)
                weights.append(Float(weight))
            }
            starts.append(sources.count)
        }

        func apply(to values: [Point], into result: inout [Point]) {
            result.removeAll(keepingCapacity: true)
            result.reserveCapacity(starts.count - 1)
            for row in 0..<(starts.count - 1) {
                var sum = Point.zero
                for entry in starts[row]..<starts[row + 1] { sum += weights[entry] * values[sources[entry]] }
                result.append(sum)
            }
        }
    }

    /// - Parameter divisions: the number of parts of each edge.
    package init(_ mesh: FaceMesh, reference: ReferenceFace, divisions: Int = 3) {
        self.mesh = mesh
        headTriangles = mesh.triangles.compactMap { triangle in
            let points = triangle.indices.filter { $0 >= Landmarks.count }
            return points.isEmpty ? nil : (triangle, points)
        }
        let places = reference.vertices.map { SIMD2<Double>(Double($0.x), Double($0.y)) }
        let openings = Set(FaceMesh.Opening.allCases)
        let skin = Set(mesh.triangles(openings: openings))
        isOpening = mesh.triangles.map { !skin.contains($0) }
        let gradients = Self.gradients(skin.sorted(), places)
        var (straight, smooth) = (Weights(), Weights())
        for vertex in places.indices {
            straight.append([vertex: 1])
            smooth.append([vertex: 1])
        }
        var known: [Place: Int] = [:]
        var count = places.count
        var triangles: [Triangle] = []
        var parents: [Int] = []
        for (parent, triangle) in mesh.triangles.enumerated() {
            let corners = triangle.indices
            func vertex(_ i: Int, _ j: Int) -> Int {
                let weights = [divisions - i - j, i, j]
                let present = (0..<3).filter { weights[$0] > 0 }
                if present.count == 1 { return corners[present[0]] }
                // Equal for both triangles at an edge.
                let key = Place(
                    present.map { Weight(vertex: corners[$0], parts: weights[$0]) }.sorted { $0.vertex < $1.vertex })
                if let index = known[key] { return index }
                let barycentric = weights.map { Double($0) / Double(divisions) }
                straight.append(Dictionary(uniqueKeysWithValues: zip(corners, barycentric)))
                smooth.append(Self.patch(corners, barycentric, gradients, places))
                known[key] = count
                count += 1
                return count - 1
            }
            for i in 0..<divisions {
                for j in 0..<(divisions - i) {
                    triangles.append(Triangle(vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)))
                    parents.append(parent)
                    if i + j < divisions - 1 {
                        triangles.append(Triangle(vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)))
                        parents.append(parent)
                    }
                }
            }
        }
        self.straight = straight
        self.smooth = smooth
        self.triangles = triangles
        self.parents = parents
        vertexCount = count
    }

    private struct Weight: Hashable {
        let vertex: Int
        let parts: Int
    }

    private struct Place: Hashable {
        let weights: [Weight]
        init(_ weights: [Weight]) { self.weights = weights }
    }

    // MARK: Weights

    /// For each vertex, the weights of its gradient: the area-weighted mean over the adjacent triangles.
    private static func gradients(_ triangles: [Triangle], _ places: [SIMD2<Double>]) -> [[Int: SIMD2<Double>]] {
        var sums = [[Int: SIMD2<Double>]](repeating: [:], count: places.count)
        var areas = [Double](repeating: 0, count: places.count)
        for triangle in triangles {
            let corners = triangle.indices
            let (ab, ac) = (places[corners[1]] - places[corners[0]], places[corners[2]] - places[corners[0]])
            let doubleArea = ab.x * ac.y - ab.y * ac.x
            guard doubleArea > 1e-12 else { continue }
            for vertex in corners {
                areas[vertex] += doubleArea
                for k in 0..<3 {
                    let across = places[corners[(k + 2) % 3]] - places[corners[(k + 1) % 3]]
                    // The gradient of a corner's barycentric coordinate, times twice the area.
                    sums[vertex][corners[k], default: .zero] += SIMD2(-across.y, across.x)
                }
            }
        }
        return sums.indices.map { vertex in sums[vertex].mapValues { $0 / max(areas[vertex], 1e-12) } }
    }

    private static func patch(
        _ corners: [Int], _ barycentric: [Double], _ gradients: [[Int: SIMD2<Double>]], _ places: [SIMD2<Double>]
    ) -> [Int: Double] {
        var row: [Int: Double] = [:]
        let center = 6 * barycentric[0] * barycentric[1] * barycentric[2]
        for i in 0..<3 {
            row[corners[i], default: 0] += barycentric[i] * barycentric[i] * barycentric[i] - center / 6
            for j in 0..<3 where j != i {
                // The control point a third of the way to j, on i's tangent.
                let weight = 3 * barycentric[i] * barycentric[i] * barycentric[j] + center / 4
                let third = (places[corners[j]] - places[corners[i]]) / 3
                row[corners[i], default: 0] += weight
                for (source, gradient) in gradients[corners[i]] {
                    row[source, default: 0] += weight * (gradient * third).sum()
                }
            }
        }
        return row
    }

    // MARK: Use

    /// The memory for computing values at all vertices, kept from one face to the next.
    package struct Memory {
        fileprivate var (coarse, fine): ([Point], [Point]) = ([], [])

        package init() {}
    }

    /// All vertices of a face, from those of the mesh. Where the smooth displacement would fold the skin, it is halved, or
    /// replaced by the linear one.
    package func vertices(_ vertices: [Point]) -> [Point] {
        var (result, memory): ([Point], Memory) = ([], Memory())
        self.vertices(vertices, into: &result, &memory)
        return result
    }

    /// The same.
    /// - Parameter result: gets the vertices; its memory is kept.
    package func vertices(_ vertices: [Point], into result: inout [Point], _ memory: inout Memory) {
        unfold(vertices, into: &memory.coarse)
        smooth.apply(to: memory.coarse, into: &result)
        guard folds(result, memory.coarse) else { return }
        straight.apply(to: memory.coarse, into: &memory.fine)
        for index in result.indices { result[index] = 0.5 * (memory.fine[index] + result[index]) }
        guard folds(result, memory.coarse) else { return }
        for index in result.indices { result[index] = memory.fine[index] }
    }

    /// On the far side of a turned head, a brow may pass over the temple. Head points are moved outwards, by at most 6 %
    /// of the face's width, so that none of their triangles is folded. If the head turns farther, triangles are folded
    /// and not drawn.
    private func unfold(_ vertices: [Point], into result: inout [Point]) {
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: vertices)
        let box = FaceBox(around: vertices.prefix(Landmarks.count))
        let center = box.center
        for (triangle, headPoints) in headTriangles {
            let area = triangle.doubleArea(result)
            guard area <= 0 else { continue }
            // Head points when they move outwards by a pixel; landmarks stay.
            func moved(_ index: Int) -> Point {
                guard index >= Landmarks.count else { return result[index] }
                let offset = result[index] - center
                return result[index] + offset / max((offset * offset).sum().squareRoot(), 1e-6)
            }
            let (a, b, c) = (moved(triangle.a), moved(triangle.b), moved(triangle.c))
            let growth = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) - area
            guard growth > 1e-3 else { continue }
            let distance = (0.5 - area) / growth
            guard distance < 0.06 * box.width else { continue }
            for index in headPoints {
                let outwards = moved(index) - result[index]
                result[index] += distance * outwards
            }
        }
    }

    /// Whether a part of a triangle is folded although the triangle as a whole is not.
    private func folds(_ vertices: [Point], _ coarse: [Point]) -> Bool {
        for index in triangles.indices
        where !isOpening[parents[index]] && triangles[index].doubleArea(vertices) <= 0
            && mesh.triangles[parents[index]].doubleArea(coarse) > 0
        { return true }
        return false
    }

    /// Values at all vertices, linearly interpolated from those at the vertices of the mesh.
    package func interpolated(_ values: [Float]) -> [Float] {
        var (result, memory): ([Float], Memory) = ([], Memory())
        interpolate(values, into: &result, &memory)
        return result
    }

    /// The same.
    /// - Parameter result: gets the values; its memory is kept.
    package func interpolate(_ values: [Float], into result: inout [Float], _ memory: inout Memory) {
        result.removeAll(keepingCapacity: true)
        // Usually, everything is visible.
        if let first = values.first, values.allSatisfy({ $0 == first }) {
            for _ in 0..<vertexCount { result.append(first) }
            return
        }
        memory.coarse.removeAll(keepingCapacity: true)
        for value in values { memory.coarse.append(Point(value, 0)) }
        straight.apply(to: memory.coarse, into: &memory.fine)
        for value in memory.fine { result.append(value.x) }
    }

    /// Smoothly interpolated positions of all vertices, without a check for folds: for texture coordinates.
    package func textureCoordinates(_ coordinates: [Point]) -> [Point] {
        var result: [Point] = []
        smooth.apply(to: coordinates, into: &result)
        return result
    }

    /// The triangles to draw if the given parts stay open.
    package func triangles(openings: Set<FaceMesh.Opening>) -> [Triangle] {
        let drawn = Set(mesh.triangles(openings: openings))
        return triangles.indices.filter { drawn.contains(mesh.triangles[parents[$0]]) }.map { triangles[$0] }
    }
}

extension RefinedMesh {
    /// The vertices along the outline of the mesh, clockwise in the picture.
    package func outline() -> [Int] {
        var next: [Int: Int] = [:]
        let all = Set(triangles.flatMap(\.edges))
        for edge in all where !all.contains(Edge(from: edge.to, to: edge.from)) { next[edge.from] = edge.to }
        guard let start = next.keys.min() else { return [] }
        var result = [start]
        while let following = next[result[result.count - 1]], following != start, result.count <= next.count {
            result.append(following)
        }
        return result
    }
}
