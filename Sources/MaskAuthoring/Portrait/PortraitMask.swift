import FaceGeometry
import Glibc
import ImageFiles
import JSON
import Pixels

/// A mask made from a portrait: the face cut out of it, and its landmarks.
package struct PortraitMask: ~Copyable {
    /// The face with a margin, straight alpha; hair and background are transparent, with a soft edge.
    package var texture: PixelBuffer
    /// The vertices of the mesh, in pixels of the texture.
    package let vertices: [Point]

    /// The longest side of a texture, in pixels.
    package static let largestSide = 2048
    /// The margin around the face, as a fraction of its size.
    private static let margin: Float = 0.08
    /// The width of the soft edge in the texture, in face widths.
    private static let feather: Float = 0.03

    /// - Parameters:
    ///   - portrait: `rgba8`.
    ///   - lightRemoval: 0 (keeps the light of the portrait) to 1 (as flat as possible).
    package init(
        _ portrait: borrowing PixelBuffer, face: Face, mesh: FaceMesh, lightRemoval: Float
    ) throws(OutOfMemory) {
        let bounds = FaceBox(around: face.vertices)
        let room = Self.margin * max(bounds.width, bounds.height)
        // Whole pixels of the portrait, so that an unscaled texture is not blurred.
        let origin = Point((bounds.x - room).rounded(.down), (bounds.y - room).rounded(.down))
        let width = (bounds.x + bounds.width + room - origin.x).rounded(.up)
        let height = (bounds.y + bounds.height + room - origin.y).rounded(.up)
        // Never enlarged: that would only make the file larger.
        let scale = min(1, Float(Self.largestSide) / max(width, height))
        var texture = try PixelBuffer(
            width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())),
            format: .rgba8)
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices {
                    let place = origin + (Point(Float(x), Float(y)) + 0.5) / scale
                    row[x] = Self.color(portrait, at: place, area: 1 / scale)
                }
            }
        }
        vertices = face.vertices.map { scale * ($0 - origin) }
        Self.fadeHairAndBackground(of: &texture, vertices: vertices, mesh: mesh)
        if lightRemoval > 0 {
            Self.removeLight(from: &texture, vertices: vertices, mesh: mesh, strength: lightRemoval)
        }
        Self.featherOutline(of: &texture, vertices: vertices, mesh: mesh)
        self.texture = texture
    }

    /// A bilinear sample, or the mean over a square if the texture is smaller than the portrait. Outside, the border is
    /// repeated.
    private static func color(_ picture: borrowing PixelBuffer, at place: Point, area: Float) -> SIMD4<UInt8> {
        func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
            let value = picture[max(0, min(picture.width - 1, x)), max(0, min(picture.height - 1, y))]
            return SIMD4<Float>(Float(value.x), Float(value.y), Float(value.z), Float(value.w))
        }
        let steps = max(1, Int(area.rounded(.up)))
        var sum = SIMD4<Float>.zero
        for i in 0..<steps {
            for j in 0..<steps {
                let offset = (Point(Float(i), Float(j)) + 0.5) / Float(steps) - 0.5
                let corner = place + area * offset * (steps > 1 ? 1 : 0) - 0.5
                let (x, y) = (corner.x.rounded(.down), corner.y.rounded(.down))
                let (u, v) = (corner.x - x, corner.y - y)
                let (left, top) = (Int(x), Int(y))
                let upper = (1 - u) * pixel(left, top) + u * pixel(left + 1, top)
                let lower = (1 - u) * pixel(left, top + 1) + u * pixel(left + 1, top + 1)
                sum += (1 - v) * upper + v * lower
            }
        }
        let mean = sum / Float(steps * steps)
        return SIMD4<UInt8>((mean + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)), rounding: .down)
    }

    // MARK: The outline

    /// Makes everything outside the mesh transparent, with a soft edge.
    private static func featherOutline(of texture: inout PixelBuffer, vertices: [Point], mesh: FaceMesh) {
        let edges = FaceMesh.boundary(of: mesh.triangles).map { (vertices[$0.from], vertices[$0.to]) }
        let width = feather * Landmarks.topology.faceWidth(vertices)
        let inside = Coverage(mesh.triangles, vertices, width: texture.width, height: texture.height)
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices {
                    guard inside[x, y] else {
                        row[x] = .zero
                        continue
                    }
                    let place = Point(Float(x), Float(y)) + 0.5
                    // Distances matter only near the edge.
                    var nearest = width
                    for (from, to) in edges {
                        let along = to - from
                        let share = max(
                            0, min(1, ((place - from) * along).sum() / max((along * along).sum(), 1e-9)))
                        nearest = min(nearest, (place - from - share * along).length)
                    }
                    let share = nearest / max(width, 1e-6)
                    let alpha = share * share * (3 - 2 * share)
                    row[x].w = UInt8((Float(row[x].w) * alpha).rounded())
                }
            }
        }
    }

    /// The pixels that lie inside any of the triangles.
    private struct Coverage {
        private var bits: [Bool]
        private let width: Int

        init(_ triangles: [Triangle], _ vertices: [Point], width: Int, height: Int) {
            self.width = width
            bits = [Bool](repeating: false, count: width * height)
            for triangle in triangles {
                let corners = triangle.indices.map { vertices[$0] }
                let bounds = FaceBox(around: corners)
                let columns = max(0, Int(bounds.x))..<max(0, min(width, Int(bounds.x + bounds.width) + 1))
                let rows = max(0, Int(bounds.y))..<max(0, min(height, Int(bounds.y + bounds.height) + 1))
                for y in rows where !columns.isEmpty {
                    for x in columns {
                        let place = Point(Float(x), Float(y)) + 0.5
                        let isInside = (0..<3).allSatisfy { index in
                            let edge = corners[(index + 1) % 3] - corners[index]
                            let offset = place - corners[index]
                            return edge.x * offset.y - edge.y * offset.x >= 0
                        }
                        if isInside { bits[y * width + x] = true }
                    }
                }
            }
        }

        subscript(x: Int, y: Int) -> Bool { bits[y * width + x] }
    }

    /// Above the brows and at the temples, the mesh covers hair and, on a turned head, background. Pixels there whose
    /// colour clearly differs from the skin are made transparent.
    private static func fadeHairAndBackground(of texture: inout PixelBuffer, vertices: [Point], mesh: FaceMesh) {
        // Mean and deviation of the skin's colour, from cheeks and nose.
        var (sum, squares, count) = (SIMD3<Float>.zero, SIMD3<Float>.zero, Float(0))
        func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
            let pixel = texture[x, y]
            let rgb = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
            // Brightness and chromaticity: shadows are skin, too.
            let brightness = max(8, rgb.sum())
            return SIMD3(0.35 * brightness / 3, 255 * rgb.x / brightness, 255 * rgb.z / brightness)
        }
        let topology = Landmarks.topology
        let bare = Set(topology.jaw.dropFirst().dropLast() + topology.noseBridge + topology.nostrils)
        let cheeks = mesh.triangles.filter { $0.indices.allSatisfy(bare.contains) }
        let onCheeks = Coverage(cheeks, vertices, width: texture.width, height: texture.height)
        for y in stride(from: 0, to: texture.height, by: 2) {
            for x in stride(from: 0, to: texture.width, by: 2) where onCheeks[x, y] {
                let value = color(x, y)
                sum += value
                squares += value * value
                count += 1
            }
        }
        guard count > 50 else { return }
        let mean = sum / count
        let spread = pointwiseMax((squares / count - mean * mean), SIMD3(repeating: 4)).squareRoot()
        // Only triangles with head points, which are estimated.
        let rim = mesh.triangles.filter { $0.indices.contains(where: topology.isHeadPoint) }
        let onRim = Coverage(rim, vertices, width: texture.width, height: texture.height)
        let step = max(1, Int(Landmarks.topology.faceWidth(vertices) / 60))
        let (width, height) = (texture.width / step + 1, texture.height / step + 1)
        var visibility = CoarseMap(width: width, height: height, filledWith: 1)
        for y in 0..<height {
            for x in 0..<width {
                let (column, line) = (min(texture.width - 1, x * step), min(texture.height - 1, y * step))
                guard onRim[column, line] else { continue }
                let offset = (color(column, line) - mean) / spread
                let distance = (offset * offset).sum().squareRoot()
                visibility.values[y * width + x] = min(1, max(0, (3.6 - distance) / 1.2))
            }
        }
        // Single hairs and pores must not become holes.
        visibility = visibility.blurred(reach: 1, times: 2)
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices where onRim[x, y] {
                    // The value of a cell was measured at its corner.
                    let value = visibility.value(at: Point(Float(x), Float(y)) / Float(step) + 0.5)
                    row[x].w = UInt8((Float(row[x].w) * min(1, value)).rounded())
                }
            }
        }
    }

    // MARK: Light

    /// Divides the skin by its own soft shading: regions darker than the mean over a seventh of the face are brightened,
    /// brighter ones darkened. Eyes, brows and lips do not contribute to the shading. Hard shadows remain.
    private static func removeLight(
        from texture: inout PixelBuffer, vertices: [Point], mesh: FaceMesh, strength: Float
    ) {
        let side = 48
        let cell = Point(Float(texture.width), Float(texture.height)) / Float(side)
        let features = Landmarks.topology.features
        let skin = mesh.triangles(openings: Set(FaceMesh.Opening.allCases))
            .filter { $0.indices.count(where: features.contains) < 3 }
        let covered = Coverage(skin, vertices, width: texture.width, height: texture.height)
        var sums = [Float](repeating: 0, count: side * side)
        var weights = sums
        for y in 0..<texture.height {
            for x in 0..<texture.width where covered[x, y] {
                let pixel = texture[x, y]
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
