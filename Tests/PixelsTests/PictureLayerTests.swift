import PictureBuilders
import Pixels
import Testing

/// Layers that make one picture of another one.
@Suite struct PictureLayerTests {
    /// A source over a backdrop, normal blending (W3C, Compositing and Blending Level 1, 5.1), 0…255.
    static func over(_ source: SIMD4<UInt8>, _ backdrop: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let (s, b) = (SIMD4<Double>(source) / 255, SIMD4<Double>(backdrop) / 255)
        let alpha = s.w + b.w * (1 - s.w)
        guard alpha > 0 else { return SIMD4(repeating: 0) }
        var mixed = (s * s.w + b * (b.w * (1 - s.w))) / alpha
        mixed.w = alpha
        return SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int>((255 * mixed + 0.5).rounded(.down)))
    }

    private func picture(_ numbers: inout SeededNumbers, isOpaque: Bool) throws -> PixelBuffer {
        var pixels = try PixelBuffer(width: 40, height: 30, format: .rgba8)
        for y in 0..<30 {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4((0..<4).map { _ in UInt8.random(in: 0...255, using: &numbers) })
                    if isOpaque { row[x].w = 255 }
                }
            }
        }
        return pixels
    }

    /// Whatever alpha is asked for, also where no colour with it could give the result.
    @Test func laidOverOnePictureItGivesTheOther() throws {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<8 {
            let before = try picture(&numbers, isOpaque: true)
            let after = try picture(&numbers, isOpaque: true)
            let coverage = try picture(&numbers, isOpaque: false)
            let made = try PictureLayer.difference(named: "a", from: before, to: after, coverage: coverage)
            let layer = try #require(made)
            #expect(layer.x == 0 && layer.y == 0 && layer.pixels.width == 40 && layer.pixels.height == 30)
            for y in 0..<30 {
                for x in 0..<40 {
                    let source = SIMD4<UInt8>(truncatingIfNeeded: layer.pixels[x, y])
                    let result = Self.over(source, SIMD4<UInt8>(truncatingIfNeeded: before[x, y]))
                    let wanted = SIMD4<UInt8>(truncatingIfNeeded: after[x, y])
                    let error = (0..<4).map { abs(Int(result[$0]) - Int(wanted[$0])) }.max() ?? 0
                    #expect(error <= 1, "\(x), \(y): \(result), not \(wanted)")
                    #expect(source.w >= UInt8(coverage[x, y].w), "the wanted alpha where it suffices")
                }
            }
        }
    }

    /// Its own colour comes back where the alpha is known.
    @Test func theColourIsThatOfTheSource() throws {
        let paint = SIMD4<UInt8>(200, 40, 90, 128)
        var before = try PixelBuffer(width: 8, height: 6, format: .rgba8)
        before.fill(SIMD4(70, 120, 30, 255))
        var after = try before.copy()
        var coverage = try PixelBuffer(width: 8, height: 6, format: .rgba8)
        after.withMutableRow(2) { $0[3] = Self.over(paint, SIMD4(70, 120, 30, 255)) }
        coverage.withMutableRow(2) { $0[3] = SIMD4(0, 0, 0, 128) }
        let made = try PictureLayer.difference(named: "a", from: before, to: after, coverage: coverage)
        let layer = try #require(made)
        #expect(layer.x == 3 && layer.y == 2 && layer.pixels.width == 1 && layer.pixels.height == 1)
        let found = layer.pixels[0, 0]
        #expect((0..<4).allSatisfy { abs(Int(found[$0]) - Int(paint[$0])) <= 1 }, "\(found)")
    }

    @Test func equalPicturesNeedNoLayer() throws {
        var numbers = SeededNumbers(seed: 8)
        let before = try picture(&numbers, isOpaque: true)
        #expect(try PictureLayer.difference(named: "a", from: before, to: before, coverage: before) == nil)
    }
}
