import Glibc

/// The surface of a bald mean head with ears and neck, in the coordinates of `HeadCamera`: it hides what lies behind it.
///
/// Cross-sections at heights, as the synthetic head of `SyntheticFaces` has them: superellipses with the power 2.3 in
/// front and 2 behind. Nose and ears are added; everything is symmetric.
package struct HeadSurface: Sendable {
    package let positions: [SIMD3<Float>]
    /// Of length 1, outwards.
    package let normals: [SIMD3<Float>]
    /// Three per triangle.
    package let indices: [UInt32]

    package static let mean = HeadSurface()

    private struct Section {
        var y: Float
        var halfWidth: Float
        /// Where it is frontmost, widest and backmost.
        var front: Float
        var axis: Float
        var back: Float
    }

    /// Measured on the synthetic head.
    private static let sections = [
        Section(y: -0.868, halfWidth: 0.01, front: -0.400, axis: -0.42, back: -0.440),
        Section(y: -0.860, halfWidth: 0.075, front: -0.370, axis: -0.42, back: -0.510),
        Section(y: -0.830, halfWidth: 0.192, front: -0.250, axis: -0.42, back: -0.620),
        Section(y: -0.790, halfWidth: 0.275, front: -0.165, axis: -0.42, back: -0.720),
        Section(y: -0.730, halfWidth: 0.333, front: -0.090, axis: -0.41, back: -0.820),
        Section(y: -0.670, halfWidth: 0.390, front: -0.040, axis: -0.40, back: -0.890),
        Section(y: -0.585, halfWidth: 0.430, front: 0.017, axis: -0.39, back: -0.967),
        Section(y: -0.500, halfWidth: 0.470, front: 0.065, axis: -0.38, back: -1.027),
        Section(y: -0.400, halfWidth: 0.491, front: 0.095, axis: -0.36, back: -1.077),
        Section(y: -0.300, halfWidth: 0.505, front: 0.115, axis: -0.34, back: -1.107),
        Section(y: -0.200, halfWidth: 0.507, front: 0.125, axis: -0.32, back: -1.119),
        Section(y: -0.100, halfWidth: 0.505, front: 0.100, axis: -0.31, back: -1.120),
        Section(y: 0.000, halfWidth: 0.500, front: 0.075, axis: -0.310, back: -1.114),
        Section(y: 0.100, halfWidth: 0.498, front: 0.090, axis: -0.310, back: -1.074),
        Section(y: 0.200, halfWidth: 0.490, front: 0.112, axis: -0.310, back: -1.004),
        Section(y: 0.300, halfWidth: 0.476, front: 0.135, axis: -0.310, back: -0.917),
        Section(y: 0.400, halfWidth: 0.455, front: 0.170, axis: -0.304, back: -0.818),
        Section(y: 0.500, halfWidth: 0.412, front: 0.180, axis: -0.266, back: -0.692),
        Section(y: 0.575, halfWidth: 0.362, front: 0.155, axis: -0.225, back: -0.596),
        Section(y: 0.650, halfWidth: 0.295, front: 0.125, axis: -0.184, back: -0.516),
        Section(y: 0.710, halfWidth: 0.228, front: 0.121, axis: -0.158, back: -0.471),
        Section(y: 0.760, halfWidth: 0.152, front: 0.082, axis: -0.144, back: -0.454),
        Section(y: 0.790, halfWidth: 0.065, front: 0.020, axis: -0.140, back: -0.450),
    ]
    /// The neck, down to the shoulders.
    private static let neck = [
        Section(y: 0.45, halfWidth: 0.36, front: -0.20, axis: -0.52, back: -0.90),
        Section(y: 0.80, halfWidth: 0.35, front: -0.22, axis: -0.54, back: -0.88),
        Section(y: 1.25, halfWidth: 0.38, front: -0.20, axis: -0.58, back: -0.95),
    ]
    private static let columns = 48

    private init() {
        var mesh = Builder()
        mesh.addTube(Self.sections, columns: Self.columns) { place, section in
            // Eyes lie deeper than the profile between them.
            place.z += place.z > section.axis ? Self.nose(x: place.x, y: place.y) : 0
        }
        mesh.addTube(Self.neck, columns: Self.columns / 2) { _, _ in }
        for side: Float in [-1, 1] { mesh.addEar(side: side) }
        (positions, indices) = (mesh.positions, mesh.indices)
        normals = mesh.normals()
    }

    /// How far the nose stands out, by the ridge from the root to the base.
    private static func nose(x: Float, y: Float) -> Float {
        let ridge: [(y: Float, height: Float)] = [
            (-0.17, 0), (-0.07, 0.025), (0, 0.05), (0.08, 0.10), (0.15, 0.155), (0.25, 0.215), (0.31, 0.235),
            (0.345, 0.20), (0.375, 0.10), (0.40, 0.02), (0.43, 0),
        ]
        guard let next = ridge.firstIndex(where: { $0.y > y }), next > 0 else { return 0 }
        let (a, b) = (ridge[next - 1], ridge[next])
        let height = a.height + (b.height - a.height) * (y - a.y) / (b.y - a.y)
        let width = 0.045 + 0.03 * max(0, min(1, (y + 0.05) / 0.3))
        let u = abs(x) / width
        return height / (1 + 0.55 * u * u * u)
    }

    private struct Builder {
        var positions: [SIMD3<Float>] = []
        var indices: [UInt32] = []

        /// Rings joined by triangles.
        /// - Parameter shape: moves a place on the ring.
        mutating func addTube(
            _ sections: [Section], columns: Int, shape: (_ place: inout SIMD3<Float>, _ section: Section) -> Void
        ) {
            let first = UInt32(positions.count)
            for section in sections {
                for column in 0..<columns {
                    let angle = 2 * Float.pi * Float(column) / Float(columns)
                    // Most columns are in front, where the nose is, and behind.
                    let bent = angle - 0.25 * sin(2 * angle)
                    let (s, c) = (sin(bent), cos(bent))
                    let power: Float = c > 0 ? 2.3 : 2
                    let across = section.halfWidth * copysign(powf(abs(s), 2 / power), s)
                    let depth = c > 0 ? section.front - section.axis : section.axis - section.back
                    var place = SIMD3(across, section.y, section.axis + depth * copysign(powf(abs(c), 2 / power), c))
                    shape(&place, section)
                    positions.append(place)
                }
            }
            for ring in 0..<UInt32(sections.count - 1) {
                for column in 0..<UInt32(columns) {
                    let next = (column + 1) % UInt32(columns)
                    let (a, b) = (first + ring * UInt32(columns) + column, first + ring * UInt32(columns) + next)
                    indices += [a, a + UInt32(columns), b, b, a + UInt32(columns), b + UInt32(columns)]
                }
            }
        }

        /// A flat ellipsoid beside the head, turned outwards.
        /// - Parameter side: −1 on the left of the template, 1 on the right.
        mutating func addEar(side: Float) {
            let (rings, columns) = (8, 12)
            let first = UInt32(positions.count)
            for ring in 0...rings {
                let polar = Float.pi * Float(ring) / Float(rings)
                for column in 0..<columns {
                    let angle = 2 * Float.pi * Float(column) / Float(columns)
                    let ball = SIMD3(sin(polar) * cos(angle), cos(polar), sin(polar) * sin(angle))
                    let flat = ball * SIMD3(0.022, 0.20, 0.11)
                    let (s, c): (Float, Float) = (sin(0.42), cos(0.42))
                    let turned = SIMD3(c * flat.x - s * flat.z, flat.y, s * flat.x + c * flat.z)
                    positions.append(SIMD3(side * (0.525 + turned.x), 0.10 + turned.y, -0.42 + turned.z))
                }
            }
            for ring in 0..<UInt32(rings) {
                for column in 0..<UInt32(columns) {
                    let next = (column + 1) % UInt32(columns)
                    let (a, b) = (first + ring * UInt32(columns) + column, first + ring * UInt32(columns) + next)
                    indices += [a, b, a + UInt32(columns), b, b + UInt32(columns), a + UInt32(columns)]
                }
            }
        }

        /// The means of the triangles around each vertex, outwards from the middle of the head.
        func normals() -> [SIMD3<Float>] {
            var sums = [SIMD3<Float>](repeating: .zero, count: positions.count)
            for triangle in stride(from: 0, to: indices.count, by: 3) {
                let corners = indices[triangle..<(triangle + 3)].map { Int($0) }
                let normal = (positions[corners[1]] - positions[corners[0]])
                    .cross(positions[corners[2]] - positions[corners[0]])
                let outward = positions[corners[0]] - SIMD3(0, min(0.4, max(-0.4, positions[corners[0]].y)), -0.45)
                for corner in corners { sums[corner] += (normal * outward).sum() < 0 ? -normal : normal }
            }
            return sums.map { $0.normalized ?? SIMD3(0, 0, 1) }
        }
    }
}
