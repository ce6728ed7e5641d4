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
    /// Of each triangle of the mesh: how much larger it is than in canonical UV. The second is reordered.
    private var (areas, reordered): ([Float], [Float]) = ([], [])
    /// Of each vertex of the mesh: 0…1.
    private var visible: [Float] = []

    init(_ texels: CanonicalTexels) { self.texels = texels }

    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - vertices: of the mesh, in pixels.
    mutating func read(_ picture: borrowing PixelBuffer, _ vertices: [Point]) {
        areas.removeAll(keepingCapacity: true)
        for (triangle, area) in texels.triangles { areas.append(triangle.doubleArea(vertices) / max(area, 1e-9)) }
        reordered.removeAll(keepingCapacity: true)
        reordered.append(contentsOf: areas)
        let median = max(reordered.reorderedMedian(), 1e-6)
        // A vertex is as visible as the least visible triangle about it.
        visible.removeAll(keepingCapacity: true)
        for _ in vertices.indices { visible.append(1) }
        for index in areas.indices {
            let visibility = ((areas[index] / median - 0.45) / 0.35).limitedToUnit
            let triangle = texels.triangles[index].triangle
            visible[triangle.a] = min(visible[triangle.a], visibility)
            visible[triangle.b] = min(visible[triangle.b], visibility)
            visible[triangle.c] = min(visible[triangle.c], visibility)
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

extension [Float] {
    /// The element that would be in the middle if they were sorted (Hoare, "Algorithm 65: Find", 1961). It reorders them, and
    /// unlike sorting it allocates nothing.
    fileprivate mutating func reorderedMedian() -> Float {
        let middle = count / 2
        var (low, high) = (0, count - 1)
        while low < high {
            let pivot = self[middle]
            var (left, right) = (low, high)
            while left <= right {
                while self[left] < pivot { left += 1 }
                while pivot < self[right] { right -= 1 }
                guard left <= right else { break }
                swapAt(left, right)
                left += 1
                right -= 1
            }
            if right < middle { low = left }
            if middle < left { high = right }
        }
        return self[middle]
    }
}
