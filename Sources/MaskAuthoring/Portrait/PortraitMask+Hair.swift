import FaceGeometry
import Pixels

/// Removing hair and background.
extension PortraitMask {
    /// Fades out pixels above the brows and at the temples that do not have the color of skin. There the mesh covers hair
    /// and, on a turned head, background.
    static func fadeHairAndBackground(of texture: inout PixelBuffer, vertices: [Point], mesh: FaceMesh) {
        guard let skin = SkinColor(texture, vertices: vertices, mesh: mesh) else { return }
        // Triangles with head points; the others are surrounded by landmarks and show skin.
        let rim = mesh.triangles.filter { $0.indices.contains(where: Landmarks.topology.isHeadPoint) }
        let onRim = TriangleCoverage(rim, vertices, width: texture.width, height: texture.height)
        let step = max(1, Int(Landmarks.topology.faceWidth(vertices) / 60))
        let inside = TriangleCoverage(mesh.triangles, vertices, width: texture.width, height: texture.height)
        let (width, height) = (texture.width / step + 1, texture.height / step + 1)
        var visibility = CoarseMap(width: width, height: height, filledWith: 1)
        // Cells outside of the face.
        var outside: [Int] = []
        for y in 0..<height {
            for x in 0..<width {
                let (column, line) = (min(texture.width - 1, x * step), min(texture.height - 1, y * step))
                if !inside[column, line] { outside.append(y * width + x) }
                guard onRim[column, line] else { continue }
                let distance = skin.distance(of: texture[column, line])
                visibility.values[y * width + x] = min(1, max(0, (3.6 - distance) / 1.2))
            }
        }
        keepOnly(connectedTo: outside, in: &visibility)
        // Blurred, so that single hairs and pores make no holes.
        visibility = visibility.blurred(reach: 1, times: 2)
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices where onRim[x, y] {
                    // A cell's value was measured at its corner.
                    let value = visibility.value(at: Point(Float(x), Float(y)) / Float(step) + 0.5)
                    row[x].w = UInt8((Float(row[x].w) * min(1, value)).rounded())
                }
            }
        }
    }
}

extension PortraitMask {
    /// Hair and background reach to the edge of the face. What looks like them elsewhere is a highlight on the forehead or
    /// a brow: it becomes visible. Hair grows by a cell, so that its soft edge does not stay as a dark line.
    /// - Parameter outside: indices of the cells outside of the face.
    private static func keepOnly(connectedTo outside: [Int], in visibility: inout CoarseMap) {
        let (width, height) = (visibility.width, visibility.height)
        func neighbours(_ index: Int) -> [Int] {
            let (x, y) = (index % width, index / width)
            return [
                x > 0 ? index - 1 : nil, x + 1 < width ? index + 1 : nil, y > 0 ? index - width : nil,
                y + 1 < height ? index + width : nil,
            ].compactMap { $0 }
        }
        var isReached = [Bool](repeating: false, count: width * height)
        for index in outside { isReached[index] = true }
        var waiting = outside
        while let index = waiting.popLast() {
            for next in neighbours(index) where !isReached[next] && visibility.values[next] < 1 {
                isReached[next] = true
                waiting.append(next)
            }
        }
        let hair = visibility.values.indices.filter { isReached[$0] && visibility.values[$0] < 0.3 }
        for index in visibility.values.indices where !isReached[index] { visibility.values[index] = 1 }
        for index in hair {
            for next in neighbours(index) { visibility.values[next] = min(visibility.values[next], 0.3) }
        }
    }
}

/// The distribution of a face's skin color.
private struct SkinColor {
    private let mean: SIMD3<Float>
    private let deviation: SIMD3<Float>

    /// Measures the cheeks and the nose; nil if too few pixels of them are visible.
    init?(_ texture: borrowing PixelBuffer, vertices: [Point], mesh: FaceMesh) {
        var (sum, squares, count) = (SIMD3<Float>.zero, SIMD3<Float>.zero, Float(0))
        let topology = Landmarks.topology
        let bare = Set(topology.jaw.dropFirst().dropLast() + topology.noseBridge + topology.nostrils)
        let cheeks = mesh.triangles.filter { $0.indices.allSatisfy(bare.contains) }
        let onCheeks = TriangleCoverage(cheeks, vertices, width: texture.width, height: texture.height)
        for y in stride(from: 0, to: texture.height, by: 2) {
            for x in stride(from: 0, to: texture.width, by: 2) where onCheeks[x, y] {
                let value = Self.coordinates(texture[x, y])
                sum += value
                squares += value * value
                count += 1
            }
        }
        guard count > 50 else { return nil }
        mean = sum / count
        deviation = pointwiseMax((squares / count - mean * mean), SIMD3(repeating: 4)).squareRoot()
    }

    /// Brightness with a small weight, because shadows are skin too, and two chromaticities.
    private static func coordinates(_ pixel: SIMD4<UInt16>) -> SIMD3<Float> {
        let rgb = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
        let brightness = max(8, rgb.sum())
        return SIMD3(0.35 * brightness / 3, 255 * rgb.x / brightness, 255 * rgb.z / brightness)
    }

    /// The distance from the mean, in standard deviations.
    func distance(of pixel: SIMD4<UInt16>) -> Float {
        let offset = (Self.coordinates(pixel) - mean) / deviation
        return (offset * offset).sum().squareRoot()
    }
}
