import Files
import ImageFiles
import Masks
import Pixels

/// What the brush has changed of a texture, in the journal: a PNG. A grey one is the alpha of the file's picture; one with
/// colours replaces the whole picture.
package struct JournaledMatte: Sendable {
    let png: [UInt8]

    /// - Parameter hasColors: whether the colours are kept, too, because the file does not have them.
    init(_ matte: Matte, hasColors: Bool) throws {
        var picture: Picture
        if hasColors {
            picture = Picture(pixels: try matte.pixels(), hasAlpha: true)
        } else {
            var alpha = try PixelBuffer(width: matte.bounds.width, height: matte.bounds.height, format: .rgba8)
            matte.forEachRow(in: matte.bounds) { y, _, values in
                alpha.withMutableRow(y) { row in
                    for x in row.indices { row[x] = SIMD4(values[x], values[x], values[x], 255) }
                }
            }
            picture = Picture(pixels: alpha, isColor: false)
        }
        var options = PictureWriter.Options(format: .png)
        options.pngCompression = 1
        png = try PictureWriter.encode(picture, options: options, path: "the journal").bytes()
    }

    init(png: [UInt8]) { self.png = png }

    /// - Parameters:
    ///   - texture: as the file has it; nil if it cannot be read.
    ///   - path: of the file.
    /// - Throws: why it cannot be restored.
    package func matte(of texture: Texture?, path: FilePath) throws -> Matte {
        let picture = try PictureReader.read(
            png, for: .texture, path: "the journal's picture of \(path)", maximumSide: MaskLoader.maximumTextureSide)
        if picture.isColor {
            return Matte(Texture(path: path, pixels: try picture.pixels.withEightBits(), fileKind: .png))
        }
        guard let texture else { throw FileError(.unreadable, path: path, "cannot be read") }
        let (width, height) = (texture.pixels.width, texture.pixels.height)
        var alpha = try picture.pixels.withEightBits()
        guard alpha.width == width, alpha.height == height else {
            throw FileError(
                .damaged, path: path,
                "is now \(width) × \(height) pixels; the strokes belong to a picture of \(alpha.width) × \(alpha.height)"
            )
        }
        for y in 0..<height {
            alpha.withMutableRow(y) { row in for x in row.indices { row[x].w = row[x].x } }
        }
        return Matte(texture, alpha: alpha)
    }
}
