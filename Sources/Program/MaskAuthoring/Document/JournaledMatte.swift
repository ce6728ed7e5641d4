import Files
import ImageFiles
import Masks
import Pixels

/// The brush strokes on a texture, in the journal.
package struct JournaledMatte: Equatable, Sendable {
    /// The tiles of a matte that differ from the file's picture.
    struct Tiles: Equatable, Sendable {
        /// Of the whole picture, in pixels.
        let width: Int
        let height: Int
        /// Where they are in it, counted row by row, in ascending order.
        let places: [Int]
        /// Whether they have colours of their own.
        let areColored: Bool
    }

    /// Without `tiles`, the whole picture. With them, these, one beside the other, in rows that make about a square: their
    /// colours with alpha, or their alpha in grey.
    let png: [UInt8]
    let tiles: Tiles?

    init(png: [UInt8], tiles: Tiles?) { (self.png, self.tiles) = (png, tiles) }

    /// The whole picture, because the file does not have the colours, or has others.
    init(whole matte: Matte) throws {
        self.init(png: try Self.encode(Picture(pixels: try matte.pixels(), hasAlpha: true)), tiles: nil)
    }

    /// The difference from the file: the size depends on the changes, not on the picture.
    /// - Parameter file: the matte that shows what is in the file, of the same base.
    init(_ matte: Matte, on file: Matte) throws {
        let places = matte.tiles(differingFrom: file)
        let areColored = !matte.hasSameColors(as: file)
        let (columns, rows) = Self.layout(of: places.count)
        var pixels = try PixelBuffer(width: columns * Matte.side, height: rows * Matte.side, format: .rgba8)
        for (index, place) in places.enumerated() {
            let (left, top) = (index % columns * Matte.side, index / columns * Matte.side)
            let alpha = matte.alpha(of: place)
            let colors = areColored ? matte.colors(of: place) : []
            for y in 0..<Matte.side {
                pixels.withMutableRow(top + y) { row in
                    for x in 0..<Matte.side {
                        let value = alpha[y * Matte.side + x]
                        guard areColored else {
                            row[left + x] = SIMD4(value, value, value, 255)
                            continue
                        }
                        var color = colors[y * Matte.side + x]
                        if value == 0, color.w > 0 { color = Matte.kept(color) }
                        color.w = value
                        row[left + x] = color
                    }
                }
            }
        }
        let tiles = Tiles(
            width: matte.bounds.width, height: matte.bounds.height, places: places, areColored: areColored)
        let picture = Picture(pixels: pixels, isColor: areColored, hasAlpha: areColored)
        self.init(png: try Self.encode(picture), tiles: tiles)
    }

    private static func encode(_ picture: consuming Picture) throws -> [UInt8] {
        var options = PictureWriter.Options(format: .png)
        options.pngCompression = 1
        return try PictureWriter.encode(picture, options: options, path: "the journal").bytes()
    }

    /// How many tiles lie beside each other, and in how many rows.
    private static func layout(of count: Int) -> (columns: Int, rows: Int) {
        let columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
        return (columns, (max(1, count) + columns - 1) / columns)
    }

    /// - Parameters:
    ///   - texture: as the file has it; nil if it cannot be read.
    ///   - path: of the file.
    /// - Throws: why it cannot be restored.
    package func matte(of texture: Texture?, path: FilePath) throws -> Matte {
        let picture = try PictureReader.read(
            png, for: .texture, path: "the journal's picture of \(path)", maximumSide: MaskLoader.maximumTextureSide)
        let pixels = try picture.pixels.withEightBits()
        guard let tiles else {
            guard let texture, texture.pixels.bounds == pixels.bounds else {
                return Matte(Texture(path: path, pixels: pixels, fileKind: .png))
            }
            // What is taken back shows the file.
            return Matte(texture, painted: pixels)
        }
        guard let texture else { throw FileError(.unreadable, path: path, "cannot be read") }
        let (width, height) = (texture.pixels.width, texture.pixels.height)
        guard width == tiles.width, height == tiles.height else {
            throw FileError(
                .damaged, path: path,
                "is now \(width) × \(height) pixels; the strokes were made on \(tiles.width) × \(tiles.height)"
            )
        }
        var matte = Matte(texture)
        let (columns, rows) = Self.layout(of: tiles.places.count)
        guard pixels.width == columns * Matte.side, pixels.height == rows * Matte.side,
            tiles.places.allSatisfy({ (0..<matte.tileCount).contains($0) })
        else { throw FileError(.damaged, path: path, "has strokes in the journal that do not match its size") }
        for (index, place) in tiles.places.enumerated() {
            let (left, top) = (index % columns * Matte.side, index / columns * Matte.side)
            let part = matte.rectangle(of: place)
            var values = matte.alpha(of: place)
            var colors = tiles.areColored ? matte.colors(of: place) : []
            for y in 0..<part.height {
                pixels.withRow(top + y) { row in
                    for x in 0..<part.width {
                        let (pixel, index) = (SIMD4<UInt8>(truncatingIfNeeded: row[left + x]), y * Matte.side + x)
                        values[index] = tiles.areColored ? pixel.w : pixel.x
                        if tiles.areColored { colors[index] = pixel }
                    }
                }
            }
            matte.set(values, of: place)
            if tiles.areColored { matte.set(colors: colors, of: place) }
        }
        return matte
    }
}
