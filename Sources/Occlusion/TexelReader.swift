import FaceGeometry
import Pixels

/// Reads the colours of a face's texels from pictures. What it holds is kept from frame to frame, so that it is allocated
/// once.
struct TexelReader {
    let texels: CanonicalTexels
    /// Of the texels inside the mesh, in their order; see `SkinColors`.
    private(set) var colors: [SIMD4<Float>] = []
    /// How far each of them is turned towards the viewer, 0…1.
    private(set) var visibility: [Float] = []
    private var places: [Point] = []

    init(_ texels: CanonicalTexels) { self.texels = texels }

    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - vertices: of the mesh, in pixels.
    mutating func read(_ picture: borrowing PixelBuffer, _ vertices: [Point]) {
        let areas = texels.triangles.map { $0.triangle.doubleArea(vertices) / max($0.area, 1e-9) }
        let median = max(areas.sorted()[areas.count / 2], 1e-6)
        // A vertex is as visible as the least visible triangle about it.
        var visible = [Float](repeating: 1, count: vertices.count)
        for (index, triangle) in texels.triangles.enumerated() {
            let visibility = ((areas[index] / median - 0.45) / 0.35).limitedToUnit
            for vertex in triangle.triangle.indices { visible[vertex] = min(visible[vertex], visibility) }
        }
        places.removeAll(keepingCapacity: true)
        for texel in texels.inside { places.append(texel.interpolate(vertices)) }
        let texelArea = CanonicalTexels.grid.size.x * CanonicalTexels.grid.size.y / Float(CanonicalTexels.count)
        SkinColors(spacing: (median * texelArea).squareRoot()).read(picture, at: places, into: &colors)
        visibility.removeAll(keepingCapacity: true)
        for texel in texels.inside {
            visibility.append(
                texel.weights.x * visible[texel.triangle.a] + texel.weights.y * visible[texel.triangle.b]
                    + texel.weights.z * visible[texel.triangle.c])
        }
    }
}
