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

        func callAsFunction<Value: SIMD<Float>>(_ values: [Value]) -> [Value] {
            var result: [Value] = []
            result.reserveCapacity(starts.count - 1)
            for row in 0..<(starts.count - 1) {
                var sum = Value.zero
                for entry in starts[row]..<starts[row + 1] { sum += weights[entry] * values[sources[entry]] }
                result.append(sum)
            }
            return result
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

    /// All vertices of a face, from those of the mesh. Where the smooth displacement would fold the skin, it is halved, or
    /// replaced by the linear one.
    package func vertices(_ vertices: [Point]) -> [Point] {
        let vertices = unfolded(vertices)
        let smooth = smooth(vertices)
        guard folds(smooth, vertices) else { return smooth }
        let straight = straight(vertices)
        let between = zip(straight, smooth).map { 0.5 * ($0 + $1) }
        return folds(between, vertices) ? straight : between
    }

    /// On the far side of a turned head, a brow may pass over the temple. Head points are moved outwards, by at most 2 %
    /// of the face's width, so that none of their triangles is folded. If the head turns farther, triangles are folded
    /// and not drawn.
    private func unfolded(_ vertices: [Point]) -> [Point] {
        var result = vertices
        let box = FaceBox(around: Array(vertices.prefix(Landmarks.count)))
        let center = box.center
        for (triangle, headPoints) in headTriangles {
            let area = triangle.doubleArea(result)
            guard area <= 0 else { continue }
            // The growth of the area when the points move outwards.
            var moved = result
            for index in headPoints {
                let offset = result[index] - center
                moved[index] += offset / max((offset * offset).sum().squareRoot(), 1e-6)
            }
            let growth = triangle.doubleArea(moved) - area
            guard growth > 1e-3 else { continue }
            let distance = (0.5 - area) / growth
            guard distance < 0.02 * box.width else { continue }
            for index in headPoints { result[index] += distance * (moved[index] - result[index]) }
        }
        return result
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
        // Usually, everything is visible.
        if let first = values.first, values.allSatisfy({ $0 == first }) {
            return [Float](repeating: first, count: vertexCount)
        }
        return straight(values.map { SIMD2($0, 0) }).map(\.x)
    }

    /// Smoothly interpolated positions of all vertices, without a check for folds: for texture coordinates.
    package func textureCoordinates(_ coordinates: [Point]) -> [Point] { smooth(coordinates) }

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
