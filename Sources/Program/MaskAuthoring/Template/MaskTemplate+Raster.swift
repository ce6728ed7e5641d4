import ImageFiles
import Masks
import Pixels

/// The template as pixels: OpenRaster, or one merged picture.
extension MaskTemplate {
    /// The layers as an OpenRaster file. The guides lie above the layer to paint on, and are locked.
    func openRaster() throws -> [UInt8] {
        var merged = try mergedFace()
        let painting = try painting()
        merged.overlay(painting)
        var layers = [
            OpenRaster.LayerPicture(
                name: OpenRaster.faceLayer, png: try Self.png(face), opacity: Self.faceOpacity, isLocked: true),
            OpenRaster.LayerPicture(name: OpenRaster.paintLayer, png: try Self.png(painting)),
        ]
        for guide in guides {
            let layer = try picture(of: guide)
            merged.overlay(layer)
            layers.append(.init(name: guide.name, png: try Self.png(layer), isLocked: true))
        }
        var thumbnail = try merged.copy()
        while thumbnail.width > 256 { thumbnail = try thumbnail.halved() }
        return try OpenRaster.write(
            layers.reversed(), width: side, height: side, merged: Self.png(merged), thumbnail: Self.png(thumbnail))
    }

    /// All layers in one picture.
    func merged() throws(OutOfMemory) -> PixelBuffer {
        var merged = try mergedFace()
        merged.overlay(try painting())
        for guide in guides { merged.overlay(try picture(of: guide)) }
        return merged
    }

    private func mergedFace() throws(OutOfMemory) -> PixelBuffer {
        var picture = try face.copy()
        picture.multiplyAlpha(by: Self.faceOpacity)
        return picture
    }

    private func painting() throws(OutOfMemory) -> PixelBuffer {
        var painting = try PixelBuffer(width: side, height: side, format: .rgba8)
        if let paint { painting.fill(paint) }
        return painting
    }

    private func picture(of guide: TemplateGuide) throws(OutOfMemory) -> PixelBuffer {
        var layer = try PixelBuffer(width: side, height: side, format: .rgba8)
        // Transparent, but of the guide's color: its antialiased edges then have that color too.
        layer.fill(SIMD4(guide.color.x, guide.color.y, guide.color.z, 0))
        for edge in guide.edges {
            layer.drawLine(
                from: Float(side) * vertices[edge.from], to: Float(side) * vertices[edge.to],
                thickness: guide.thickness * Float(side) / 1024, color: guide.color)
        }
        return layer
    }

    static func png(_ pixels: borrowing PixelBuffer) throws -> [UInt8] {
        var options = PictureWriter.Options(format: .png)
        // Fast: the painting program will soon write the layers again.
        options.pngCompression = 2
        return try PictureWriter.encode(
            Picture(pixels: try pixels.copy(), hasAlpha: true), options: options, path: "layer.png"
        ).bytes()
    }
}

extension PixelBuffer {
    fileprivate mutating func multiplyAlpha(by opacity: Float) {
        for y in 0..<height {
            withMutableRow(y) { row in
                for x in row.indices { row[x].w = UInt8((Float(row[x].w) * opacity).rounded()) }
            }
        }
    }

    /// Draws a picture of the same size over this one: source over destination, straight alpha.
    fileprivate mutating func overlay(_ layer: borrowing PixelBuffer) {
        for y in 0..<height {
            layer.withRow(y) { source in
                withMutableRow(y) { row in
                    for x in row.indices where source[x].w > 0 {
                        let (above, below) = (SIMD4<Float>(source[x]) / 255, SIMD4<Float>(row[x]) / 255)
                        let alpha = above.w + below.w * (1 - above.w)
                        var color = (above.w * above + (1 - above.w) * below.w * below) / max(alpha, 1e-6)
                        color.w = alpha
                        row[x] = SIMD4<UInt8>(truncating: (255 * color).rounded(.toNearestOrEven))
                    }
                }
            }
        }
    }
}
