import FaceGeometry
import Pixels

/// Colours for the cells of a square of a picture of which only some show the background: elsewhere it goes on smoothly (Gortler
/// et al., "The Lumigraph", SIGGRAPH 1996: push and pull).
struct BackgroundFill {
    /// From the finest, a power of two smaller each; colour times weight, and weight.
    private var levels: [[SIMD4<Float>]] = []
    private let sides: [Int]
    /// Of the background, 0…1: the mean of what was read.
    private var opacity: Float = 1
    /// Whether no cell showed background: then there is no colour to paint.
    private(set) var isEmpty = true

    /// - Parameter side: of the square, in cells.
    init(side: Int) {
        var (sides, next) = ([side], side)
        while next > 1 {
            next = (next + 1) / 2
            sides.append(next)
        }
        self.sides = sides
        levels = sides.map { [SIMD4<Float>](repeating: .zero, count: $0 * $0) }
    }

    /// - Parameters:
    ///   - picture: `rgba8`.
    ///   - weight: of each cell, how far it shows background, 0…1.
    mutating func read(_ picture: borrowing PixelBuffer, _ square: OrientedBox, weight: (Int) -> Float) {
        let side = sides[0]
        let (across, down) = (square.across / Float(side), square.down / Float(side))
        let (width, height) = (Float(picture.width), Float(picture.height))
        var (opaque, total): (Float, Float) = (0, 0)
        picture.withUnsafeBytes { bytes in
            for y in 0..<side {
                for x in 0..<side {
                    let index = y * side + x
                    let weight = weight(index)
                    levels[0][index] = .zero
                    guard weight > 0 else { continue }
                    var sum = SIMD4<Float>.zero
                    for sample in 0..<4 {
                        let place =
                            square.origin + (Float(x) + (sample & 1 == 0 ? 0.25 : 0.75)) * across
                            + (Float(y) + (sample & 2 == 0 ? 0.25 : 0.75)) * down
                        guard place.x >= 0, place.y >= 0, place.x < width, place.y < height else { continue }
                        let pixel = bytes.loadUnaligned(
                            fromByteOffset: Int(place.y) * picture.bytesPerRow + 4 * Int(place.x),
                            as: SIMD4<UInt8>.self)
                        let opacity = Float(pixel.w) / 255
                        sum += opacity * SIMD4(Float(pixel.x), Float(pixel.y), Float(pixel.z), 1)
                        total += weight
                    }
                    levels[0][index] = weight / 4 * sum
                    opaque += weight * sum.w
                }
            }
        }
        isEmpty = total == 0
        opacity = isEmpty ? 1 : opaque / total
        for level in 1..<sides.count { pull(level) }
        for level in (0..<sides.count - 1).reversed() { push(level) }
    }

    /// A coarser level from the one before it.
    private mutating func pull(_ level: Int) {
        let (side, finer) = (sides[level], sides[level - 1])
        for y in 0..<side {
            for x in 0..<side {
                var sum = SIMD4<Float>.zero
                for row in 2 * y..<min(2 * y + 2, finer) {
                    for column in 2 * x..<min(2 * x + 2, finer) { sum += levels[level - 1][row * finer + column] }
                }
                levels[level][y * side + x] = sum.w > 1 ? sum / sum.w : sum
            }
        }
    }

    /// What a level does not know, it takes from the coarser one after it.
    private mutating func push(_ level: Int) {
        let (side, coarser) = (sides[level], sides[level + 1])
        for y in 0..<side {
            for x in 0..<side {
                let own = levels[level][y * side + x]
                guard own.w < 1 else { continue }
                let known = Self.value(
                    levels[level + 1], coarser, Point(Float(x), Float(y)) / 2 - 0.25)
                // Where nothing is known at all, it has no colour.
                levels[level][y * side + x] = own + (1 - own.w) * (known.w > 1e-6 ? known / known.w : .zero)
            }
        }
    }

    /// The colour at a place of the square, in cells from the centre of the first one: red, green and blue, 0…255; anything where
    /// nothing was read.
    func color(at place: Point) -> SIMD4<Float> { Self.value(levels[0], sides[0], place) }

    /// Between the four nearest cells.
    private static func value(_ cells: [SIMD4<Float>], _ side: Int, _ place: Point) -> SIMD4<Float> {
        let limit = Float(side - 1)
        let (x, y) = (max(0, min(limit, place.x)), max(0, min(limit, place.y)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, side - 1), min(top + 1, side - 1))
        let (fx, fy) = (x - Float(left), y - Float(top))
        let above = (1 - fx) * cells[top * side + left] + fx * cells[top * side + right]
        let below = (1 - fx) * cells[bottom * side + left] + fx * cells[bottom * side + right]
        return (1 - fy) * above + fy * below
    }

    /// Paints the colours on what is read, as opaque as that background is.
    /// - Parameter weights: of the cells, 0…1.
    func paint(_ weights: [Float], on picture: inout PixelBuffer, _ square: OrientedBox) {
        let side = sides[0]
        var extent: (low: Point, high: Point)?
        for index in weights.indices where weights[index] > 0 {
            let cell = Point(Float(index % side), Float(index / side))
            for corner in [Point(-0.5, -0.5), Point(1.5, -0.5), Point(-0.5, 1.5), Point(1.5, 1.5)] {
                let share = (cell + corner) / Float(side)
                let place = square.origin + share.x * square.across + share.y * square.down
                extent = (
                    pointwiseMin(extent?.low ?? place, place), pointwiseMax(extent?.high ?? place, place)
                )
            }
        }
        guard let extent else { return }
        func limited(_ value: Float, _ most: Int) -> Int { Int(max(0, min(Float(most), value))) }
        let columns = limited(extent.low.x, picture.width)..<limited(extent.high.x.rounded(.up), picture.width)
        let rows = limited(extent.low.y, picture.height)..<limited(extent.high.y.rounded(.up), picture.height)
        let scale = Float(side) / (square.side * square.side)
        let (across, down) = (scale * square.across, scale * square.down)
        let colours = levels[0]
        for y in rows {
            picture.withMutableRow(y) { row in
                for x in columns {
                    let offset = Point(Float(x) + 0.5, Float(y) + 0.5) - square.origin
                    let place = Point((offset * across).sum(), (offset * down).sum()) - 0.5
                    guard place.x >= 0, place.y >= 0, place.x < Float(side - 1), place.y < Float(side - 1) else {
                        continue
                    }
                    let (left, top) = (Int(place.x), Int(place.y))
                    let (fx, fy) = (place.x - Float(left), place.y - Float(top))
                    let index = top * side + left
                    let above = (1 - fx) * weights[index] + fx * weights[index + 1]
                    let below = (1 - fx) * weights[index + side] + fx * weights[index + side + 1]
                    let weight = (1 - fy) * above + fy * below
                    guard weight > 0.002 else { continue }
                    let colour = Self.value(colours, side, place)
                    let pixel = SIMD4<Float>(row[x])
                    var mixed = pixel + weight * opacity * (colour - pixel) + 0.5
                    mixed.w = pixel.w + weight * (255 * opacity - pixel.w) + 0.5
                    row[x] = SIMD4<UInt8>(mixed.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)))
                }
            }
        }
    }
}
