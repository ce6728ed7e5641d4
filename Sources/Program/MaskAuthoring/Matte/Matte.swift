import Masks
import Pixels

/// The transparency of a texture as the brush has changed it, and what has been painted. Other colours stay, also under what
/// is transparent, so that it can be restored.
///
/// It is a value of square tiles, which copies share: a step of the history costs the tiles that it has changed.
package struct Matte: Equatable, Sendable {
    /// The picture with its colours and its own alpha.
    package let base: Texture
    /// Of each tile, row by row: alpha, row by row; nil: that of the base. Beyond the picture's border: 0.
    private var tiles: [[UInt8]?]
    /// Of each tile, likewise: its colours once something has been painted in it, with the base's alpha, or 255 where it has;
    /// nil: those of the base.
    private var paint: [[SIMD4<UInt8>]?]
    private let columns: Int

    /// Of a tile, in pixels.
    static let side = 64
    /// Most tiles of a large erased or restored area are one of these, and share their memory.
    private static let transparent = [UInt8](repeating: 0, count: side * side)
    private static let opaque = [UInt8](repeating: 255, count: side * side)

    /// The transparency that the picture has by itself.
    package init(_ base: Texture) {
        self.base = base
        columns = (base.pixels.width + Self.side - 1) / Self.side
        tiles = Array(repeating: nil, count: columns * ((base.pixels.height + Self.side - 1) / Self.side))
        paint = Array(repeating: nil, count: tiles.count)
    }

    /// The changes that turn a picture into another one.
    /// - Parameter pixels: of the other one, which has the same size.
    init(_ base: Texture, painted pixels: borrowing PixelBuffer) {
        self.init(base)
        for tile in tiles.indices {
            let (part, old) = (rectangle(of: tile), colors(of: tile))
            var (colors, alpha) = (old, Self.transparent)
            for y in 0..<part.height {
                pixels.withRow(part.y + y) { row in
                    for x in 0..<part.width {
                        colors[y * Self.side + x] = row[part.x + x]
                        alpha[y * Self.side + x] = row[part.x + x].w
                    }
                }
            }
            guard colors != old else { continue }
            set(alpha, of: tile)
            set(colors: colors, of: tile)
        }
    }

    package static func == (one: Matte, other: Matte) -> Bool {
        one.base === other.base && one.tiles == other.tiles && one.paint == other.paint
    }

    package var bounds: PixelRectangle { base.pixels.bounds }
    /// Whether it differs from the transparency that the picture has by itself.
    package var isChanged: Bool { isPainted || tiles.contains { $0 != nil } }
    /// Whether it has other colours than the picture by itself.
    var isPainted: Bool { paint.contains { $0 != nil } }
    /// Whether another one of the same picture differs in transparency at most.
    func hasSameColors(as other: Matte) -> Bool { base === other.base && paint == other.paint }

    // MARK: Tiles

    var tileCount: Int { tiles.count }

    /// In ascending order.
    /// - Parameter other: of the same picture.
    func tiles(differingFrom other: Matte) -> [Int] {
        precondition(base === other.base)
        return tiles.indices.filter { tiles[$0] != other.tiles[$0] || paint[$0] != other.paint[$0] }
    }

    /// The tiles that a rectangle touches.
    func tiles(in rectangle: PixelRectangle) -> [Int] {
        let area = rectangle.intersection(bounds)
        guard !area.isEmpty else { return [] }
        let (left, right) = (area.x / Self.side, (area.x + area.width - 1) / Self.side)
        let (top, bottom) = (area.y / Self.side, (area.y + area.height - 1) / Self.side)
        return (top...bottom).flatMap { row in (left...right).map { row * columns + $0 } }
    }

    /// A tile's part of the picture.
    func rectangle(of tile: Int) -> PixelRectangle {
        PixelRectangle(
            x: tile % columns * Self.side, y: tile / columns * Self.side, width: Self.side, height: Self.side
        ).intersection(bounds)
    }

    /// The alpha of a tile, row by row, `side`² values.
    func alpha(of tile: Int) -> [UInt8] { tiles[tile] ?? Self.alpha(of: base.pixels, in: rectangle(of: tile)) }

    mutating func set(_ alpha: [UInt8], of tile: Int) {
        if alpha == Self.alpha(of: base.pixels, in: rectangle(of: tile)) {
            tiles[tile] = nil
        } else if alpha == Self.transparent {
            tiles[tile] = Self.transparent
        } else {
            tiles[tile] = alpha == Self.opaque ? Self.opaque : alpha
        }
    }

    /// The colours of a tile, row by row, `side`² values. Their alpha says whether there is a colour.
    func colors(of tile: Int) -> [SIMD4<UInt8>] {
        if let own = paint[tile] { return own }
        var colors = [SIMD4<UInt8>](repeating: .zero, count: Self.side * Self.side)
        let part = rectangle(of: tile)
        for y in 0..<part.height {
            base.pixels.withRow(part.y + y) { row in
                for x in 0..<part.width { colors[y * Self.side + x] = row[part.x + x] }
            }
        }
        return colors
    }

    mutating func set(colors: [SIMD4<UInt8>], of tile: Int) { paint[tile] = colors }

    private static func alpha(of pixels: borrowing PixelBuffer, in rectangle: PixelRectangle) -> [UInt8] {
        var alpha = transparent
        for y in 0..<rectangle.height {
            pixels.withRow(rectangle.y + y) { row in
                for x in 0..<rectangle.width { alpha[y * side + x] = row[rectangle.x + x].w }
            }
        }
        return alpha
    }

    /// The smallest rectangle of whole tiles in which two mattes of the same picture differ; nil: they do not.
    package func difference(from other: Matte) -> PixelRectangle? {
        tiles(differingFrom: other).reduce(nil) { area, tile in
            area?.union(rectangle(of: tile)) ?? rectangle(of: tile)
        }
    }

    /// The memory of the tiles that differ from another matte of the same picture, in bytes.
    func bytes(differingFrom other: Matte) -> Int {
        tiles(differingFrom: other).reduce(0) { $0 + (tiles[$1]?.count ?? 0) + 4 * (paint[$1]?.count ?? 0) }
    }

    // MARK: Pictures

    /// Whether a pixel of a picture has a colour. Painting programs leave black where nothing was ever painted.
    package static func hasColor(_ pixel: SIMD4<UInt8>) -> Bool { pixel.w > 0 || pixel.x | pixel.y | pixel.z > 0 }

    /// A colour that stays known as one when its pixel becomes transparent: black becomes nearly black.
    package static func kept(_ pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        pixel.x | pixel.y | pixel.z == 0 ? SIMD4(1, 1, 1, pixel.w) : pixel
    }

    /// The picture with these colours and this transparency.
    package func pixels() throws(OutOfMemory) -> PixelBuffer {
        var pixels = try base.pixels.copy()
        write(bounds, into: &pixels)
        return pixels
    }

    /// Writes the part of `pixels` in a rectangle.
    /// - Parameter pixels: of the same size.
    package func write(_ area: PixelRectangle, into pixels: inout PixelBuffer) {
        for tile in tiles(in: area) {
            let (own, painted, part) = (tiles[tile], paint[tile], rectangle(of: tile))
            for y in 0..<part.height {
                base.pixels.withRow(part.y + y) { source in
                    pixels.withMutableRow(part.y + y) { row in
                        for x in part.x..<part.x + part.width {
                            let place = y * Self.side + x - part.x
                            var pixel = painted?[place] ?? source[x]
                            let alpha = own?[place] ?? source[x].w
                            if alpha == 0, pixel.w > 0 { pixel = Self.kept(pixel) }
                            pixel.w = alpha
                            row[x] = pixel
                        }
                    }
                }
            }
        }
    }

    /// Calls `body` with each row of a part of the picture: its colours, whose alpha says whether there is one, and the alpha
    /// of this matte.
    /// - Parameter area: inside the picture.
    package func forEachRow(
        in area: PixelRectangle, _ body: (_ y: Int, _ colors: [SIMD4<UInt8>], _ alpha: [UInt8]) -> Void
    ) {
        var alpha = [UInt8](repeating: 0, count: area.width)
        var colors = [SIMD4<UInt8>](repeating: .zero, count: area.width)
        for y in area.y..<area.y + area.height {
            base.pixels.withRow(y) { row in
                var x = area.x
                while x < area.x + area.width {
                    let tile = y / Self.side * columns + x / Self.side
                    let end = min(area.x + area.width, (x / Self.side + 1) * Self.side)
                    let start = y % Self.side * Self.side - x / Self.side * Self.side
                    if let painted = paint[tile] {
                        for x in x..<end { colors[x - area.x] = painted[start + x] }
                    } else {
                        for x in x..<end { colors[x - area.x] = row[x] }
                    }
                    if let own = tiles[tile] {
                        for x in x..<end { alpha[x - area.x] = own[start + x] }
                    } else {
                        for x in x..<end { alpha[x - area.x] = row[x].w }
                    }
                    x = end
                }
                body(y, colors, alpha)
            }
        }
    }
}
