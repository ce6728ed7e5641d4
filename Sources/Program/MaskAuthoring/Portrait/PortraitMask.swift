import FaceGeometry
import Files
import Masks
import Pixels

/// A face cut out of a photograph, as a texture with its points.
package struct PortraitMask: ~Copyable {
    /// The face with a margin, `rgba8`, straight alpha. Hair and background are transparent, with soft edges; their colours
    /// stay, so that the brush can restore them.
    package var texture: PixelBuffer
    /// The mesh's vertices, in pixels of the texture.
    package let vertices: [Point]

    /// How much of the photograph's light is removed, unless something else is asked for.
    package static let defaultLightRemoval: Float = 0.7
    /// The light of the scene takes the place of what was removed.
    static let light = LightMatching(shading: 0.5, color: 0.8)
    /// The longest side of a texture.
    package static let largestSide = 2048
    /// Space around the face, as a fraction of its larger side.
    private static let margin: Float = 0.08

    /// - Parameters:
    ///   - portrait: `rgba8`.
    ///   - face: in pixels of the portrait.
    ///   - lightRemoval: 0 keeps the photograph's light, 1 removes as much as possible.
    package init(
        _ portrait: borrowing PixelBuffer, face: Face, mesh: FaceMesh, lightRemoval: Float
    ) throws {
        let bounds = FaceBox(around: face.vertices)
        let room = Self.margin * max(bounds.width, bounds.height)
        // A whole pixel of the portrait, so that pixels are copied exactly if nothing is scaled.
        let origin = Point((bounds.x - room).rounded(.down), (bounds.y - room).rounded(.down))
        let width = (bounds.x + bounds.width + room - origin.x).rounded(.up)
        let height = (bounds.y + bounds.height + room - origin.y).rounded(.up)
        // The face is never enlarged: that would add no detail.
        let scale = min(1, Float(Self.largestSide) / max(width, height))
        let matte = try FaceMatte(portrait, face: face, mesh: mesh)
        var texture = try PixelBuffer(
            width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())),
            format: .rgba8)
        for y in 0..<texture.height {
            texture.withMutableRow(y) { row in
                for x in row.indices {
                    let place = origin + (Point(Float(x), Float(y)) + 0.5) / scale
                    let color = Self.color(portrait, at: place, area: 1 / scale)
                    row[x] = Matte.kept(color)
                    row[x].w = UInt8((Float(color.w) * matte.alpha(at: place)).rounded())
                }
            }
        }
        vertices = face.vertices.map { scale * ($0 - origin) }
        if lightRemoval > 0 {
            Self.removeLight(from: &texture, vertices: vertices, mesh: mesh, strength: lightRemoval)
        }
        self.texture = texture
    }

    /// The mask that `mask new` makes of the same face, without files: its eyes and mouth are open.
    /// - Parameter path: of the portrait.
    package func mask(from path: FilePath) throws(OutOfMemory) -> Mask {
        var layer = Layer(
            .warp(
                WarpLayer(
                    Texture(path: path, pixels: try texture.copy()), vertices: vertices,
                    openings: Set(FaceMesh.Opening.allCases))))
        layer.light = Self.light
        return Mask(
            name: path.name.description, author: nil, license: nil, likeness: .unasked, layers: [layer], folder: "")
    }

    /// The portrait's color at a place: bilinear, or the mean over a square if the portrait is scaled down. Beyond its
    /// border, the border's pixels repeat.
    /// - Parameter area: the side of the square, in pixels of the portrait.
    static func color(_ picture: borrowing PixelBuffer, at place: Point, area: Float) -> SIMD4<UInt8> {
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
        return SIMD4<UInt8>(
            truncating: (mean + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
    }
}
