import Pixels

/// How the half-transparent pixels of a picture with straight alpha go with those beside them.
struct PaintedEdge {
    struct Fringe {
        var x: Int
        var y: Int
        var isDark: Bool
        var count: Int
    }

    private(set) var isEmpty = true
    /// Where the colours of the edge are mixed with black or white, as those of premultiplied alpha are.
    private(set) var fringe: Fringe?

    /// A pixel's colour is compared with that of its most opaque neighbour: painted straight, it goes on; mixed with a
    /// background, it falls with its alpha. Judged only where the two differ enough.
    init(_ pixels: borrowing PixelBuffer) {
        var (dark, light) = (Fringe(x: 0, y: 0, isDark: true, count: 0), Fringe(x: 0, y: 0, isDark: false, count: 0))
        var (comparedWithBlack, comparedWithWhite) = (0, 0)
        let (width, height) = (pixels.width, pixels.height)
        for y in 0..<height {
            pixels.withRow(y) { row in
                for x in row.indices {
                    let alpha = row[x].w
                    if alpha > 0 { isEmpty = false }
                    guard alpha > 25, alpha < 230, x > 0, y > 0, x < width - 1, y < height - 1 else { continue }
                    var neighbour = SIMD4<UInt16>.zero
                    for dy in -1...1 {
                        for dx in -1...1 {
                            let other = pixels[x + dx, y + dy]
                            if other.w > neighbour.w { neighbour = other }
                        }
                    }
                    guard neighbour.w >= UInt16(alpha) + 20 else { continue }
                    let color = SIMD4<Int32>(truncatingIfNeeded: row[x])
                    let inner = SIMD4<Int32>(truncatingIfNeeded: neighbour)
                    let straight = Self.distance(color, inner)
                    func faded(_ component: Int32) -> Int32 { component * Int32(alpha) / Int32(neighbour.w) }
                    let onBlack = SIMD4(faded(inner.x), faded(inner.y), faded(inner.z), 0)
                    let onWhite = SIMD4(
                        255 - faded(255 - inner.x), 255 - faded(255 - inner.y), 255 - faded(255 - inner.z), 0)
                    if Self.distance(inner, onBlack) > 60 {
                        comparedWithBlack += 1
                        if 3 * Self.distance(color, onBlack) < straight { dark.add(x, y) }
                    }
                    if Self.distance(inner, onWhite) > 60 {
                        comparedWithWhite += 1
                        if 3 * Self.distance(color, onWhite) < straight { light.add(x, y) }
                    }
                }
            }
        }
        if dark.count >= 64, 10 * dark.count > 6 * comparedWithBlack {
            fringe = dark
        } else if light.count >= 64, 10 * light.count > 6 * comparedWithWhite {
            fringe = light
        }
    }

    private static func distance(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Int32 {
        abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z)
    }
}

extension PaintedEdge.Fringe {
    mutating func add(_ x: Int, _ y: Int) {
        if count == 0 { (self.x, self.y) = (x, y) }
        count += 1
    }
}
