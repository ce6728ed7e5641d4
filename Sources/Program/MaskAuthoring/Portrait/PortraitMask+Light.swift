import FaceGeometry
import Pixels

/// Removing the light of the photograph.
extension PortraitMask {
    /// Divides the skin by its own smooth shading, measured over a seventh of the face: darker parts become brighter and
    /// brighter parts darker. Eyes, brows and lips are not measured. Hard shadows remain.
    /// - Parameter strength: 0 (no change) to 1.
    static func removeLight(
        from texture: inout PixelBuffer, vertices: [Point], mesh: FaceMesh, strength: Float
    ) {
        let side = 48
        let cell = Point(Float(texture.width), Float(texture.height)) / Float(side)
        let features = Landmarks.topology.features
        let skin = mesh.triangles(openings: Set(FaceMesh.Opening.allCases))
            .filter { $0.indices.count(where: features.contains) < 3 }
        let covered = TriangleCoverage(skin, vertices, width: texture.width, height: texture.height)
        var sums = [Float](repeating: 0, count: side * side)
        var weights = sums
        for y in 0..<texture.height {
            for x in 0..<texture.width where covered[x, y] {
                let pixel = texture[x, y]
                guard pixel.w > 127 else { continue }
                let index = min(side - 1, Int(Float(y) / cell.y)) * side + min(side - 1, Int(Float(x) / cell.x))
                sums[index] += 0.2126 * Float(pixel.x) + 0.7152 * Float(pixel.y) + 0.0722 * Float(pixel.z)
                weights[index] += 1
            }
        }
        let total = weights.reduce(0, +)
        guard total > 0 else { return }
        let mean = max(1, sums.reduce(0, +) / total)
        func smooth(_ values: [Float]) -> [Float] {
            CoarseMap(width: side, height: side, values: values).blurred(reach: 3, times: 3).values
        }
        let map = CoarseMap(
            width: side, height: side,
            values: zip(smooth(sums), smooth(weights)).map { sum, weight in
                weight > 1e-3 ? min(1.8, max(0.4, sum / weight / mean)) : 1
            })
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices {
                    let shading = map.value(at: (Point(Float(x), Float(y)) + 0.5) / cell)
                    let factor = 1 + strength * (1 / shading - 1)
                    for component in 0..<3 {
                        row[x][component] = UInt8(min(255, (Float(row[x][component]) * factor).rounded()))
                    }
                }
            }
        }
    }
}
