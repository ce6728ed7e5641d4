import FaceGeometry
import GLTF
import Glibc
import Masks

/// The soft shadow of a prop on the skin below it: how much of the light from in front and above a prop keeps from each
/// place of the face. Props stand still on the head, so it is computed once for each place where one stands, whatever the
/// pose, and both renderers draw it as a layer with this visibility.
///
/// Rays from the skin march through a grid that the prop's opaque triangles have filled (ambient occlusion by voxels; see
/// Akenine-Möller et al., Real-Time Rendering, 4th edition, 11.3). What blends, such as glass, throws no shadow.
struct ContactShadow {
    /// For each vertex of the refined mesh, 0 (none) to 1.
    let strengths: [Float]
    /// Those of the refined mesh on which it is seen.
    let triangles: [Triangle]

    /// Nothing farther away counts, in face widths.
    private static let reach: Float = 0.42
    private static let step: Float = 0.02
    /// Rays start so far above the skin: what lies on it, and what is below a mean skin, would hide itself.
    private static let start: Float = 0.03
    /// From where most light comes: in front and above.
    private static let sky = SIMD3<Float>(0, -0.62, 0.78)
    private static let rayCount = 48

    /// - Parameters:
    ///   - positions: of the refined mesh's vertices, in the coordinates of the head.
    ///   - triangles: of the refined mesh.
    init(of prop: PropLayer, on positions: [SIMD3<Float>], triangles: [Triangle], reference: ReferenceFace) {
        let grid = PropGrid(prop.model, modelToHead: prop.modelToHead(reference))
        let normals = Self.normals(positions, triangles)
        var strengths = zip(positions, normals).map { Self.strength(at: $0, $1, in: grid) }
        for _ in 0..<2 { strengths = Self.smoothed(strengths, triangles) }
        self.strengths = strengths
        self.triangles = triangles.filter { max(strengths[$0.a], strengths[$0.b], strengths[$0.c]) >= 0.01 }
    }

    private static func strength(at place: SIMD3<Float>, _ normal: SIMD3<Float>, in grid: PropGrid) -> Float {
        var (hidden, all): (Float, Float) = (0, 0)
        let origin = place + start * normal
        for direction in directions {
            let height = (direction * normal).sum()
            guard height > 0.08 else { continue }
            let weight = height * (0.35 + max(0, (direction * sky).sum()))
            all += weight
            var distance = step
            while distance < reach {
                if grid.isFilled(origin + distance * direction) {
                    let nearness = 1 - distance / reach
                    hidden += weight * nearness * nearness
                    break
                }
                distance += step
            }
        }
        // What keeps little light away, such as the rim of glasses, leaves hardly a shadow.
        let share = all > 0 ? min(1, 1.6 * hidden / all) : 0
        return share * share * (1.5 - 0.5 * share)
    }

    /// Evenly over the sphere (the Fibonacci lattice).
    private static let directions: [SIMD3<Float>] = (0..<2 * rayCount).map { index in
        let y = 1 - (Float(index) + 0.5) / Float(rayCount)
        let (radius, angle) = ((1 - y * y).squareRoot(), 2.399963 * Float(index))
        return SIMD3(radius * cos(angle), y, radius * sin(angle))
    }

    /// Towards the viewer of the template.
    private static func normals(_ positions: [SIMD3<Float>], _ triangles: [Triangle]) -> [SIMD3<Float>] {
        var sums = [SIMD3<Float>](repeating: .zero, count: positions.count)
        for triangle in triangles {
            let corners = triangle.indices
            let normal = (positions[corners[1]] - positions[corners[0]])
                .cross(positions[corners[2]] - positions[corners[0]])
            for corner in corners { sums[corner] += normal.z < 0 ? -normal : normal }
        }
        return sums.map { $0.normalized ?? SIMD3(0, 0, 1) }
    }

    /// The mean of each vertex and its neighbours.
    private static func smoothed(_ values: [Float], _ triangles: [Triangle]) -> [Float] {
        var sums = values.map { SIMD2($0, 1) * 2 }
        for triangle in triangles {
            let mean = triangle.indices.reduce(Float(0)) { $0 + values[$1] } / 3
            for corner in triangle.indices { sums[corner] += SIMD2(mean, 1) }
        }
        return sums.map { $0.x / $0.y }
    }
}

/// The cells of the space in front of a face that an opaque prop fills.
private struct PropGrid {
    private static let cell: Float = 0.025
    private static let low = SIMD3<Float>(-0.8, -1.15, -0.6)
    private static let counts = SIMD3<Int32>(64, 84, 64)
    /// However large and however many the triangles are, so many places of them are looked at.
    private static let mostSamples = 3_000_000

    private var cells = [Bool](repeating: false, count: Int(counts.x * counts.y * counts.z))

    init(_ model: Model, modelToHead: AffineTransform3D) {
        let places = model.vertices.map { modelToHead($0.position) }
        var left = Self.mostSamples
        for part in model.parts where model.materials[part.material].transparency != .blend {
            for triangle in stride(from: part.indices.lowerBound, to: part.indices.upperBound, by: 3) {
                let corners = (0..<3).map { places[Int(model.indices[triangle + $0])] }
                fill(corners[0], corners[1], corners[2], &left)
            }
        }
    }

    private mutating func fill(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ left: inout Int) {
        let high = Self.low + Self.cell * SIMD3<Float>(Self.counts)
        let (least, most) = (pointwiseMin(a, pointwiseMin(b, c)), pointwiseMax(a, pointwiseMax(b, c)))
        // Also false for what is no number.
        guard all(most .>= Self.low), all(least .<= high) else { return }
        let longest = max((b - a).length, max((c - a).length, (c - b).length))
        guard longest.isFinite else { return }
        let parts = max(1, Int(min(400, longest / (0.7 * Self.cell)).rounded(.up)))
        left -= (parts + 1) * (parts + 2) / 2
        guard left > 0 else { return }
        for i in 0...parts {
            for j in 0...(parts - i) {
                let (u, v) = (Float(i) / Float(parts), Float(j) / Float(parts))
                if let index = Self.index(a + u * (b - a) + v * (c - a)) { cells[index] = true }
            }
        }
    }

    func isFilled(_ place: SIMD3<Float>) -> Bool { Self.index(place).map { cells[$0] } ?? false }

    private static func index(_ place: SIMD3<Float>) -> Int? {
        let relative = (place - low) / cell
        guard all(relative .>= SIMD3(repeating: 0)), all(relative .< SIMD3<Float>(counts)) else { return nil }
        let at = SIMD3<Int32>(relative)
        return Int((at.z * counts.y + at.y) * counts.x + at.x)
    }
}
