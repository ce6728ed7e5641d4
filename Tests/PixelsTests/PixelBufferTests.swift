import Pixels
import TestSupport
import Testing

@Suite struct PixelBufferTests {
    @Test func rowsArePaddedAndZero() throws {
        let buffer = try PixelBuffer(width: 3, height: 2, format: .rgba8)
        #expect(buffer.bytesPerRow == 64)
        #expect(buffer.withUnsafeBytes { $0.count } == 128)
        #expect(buffer.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
        #expect(buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) % 64 } == 0)
    }

    @Test func tooMuchIsAnErrorNotACrash() {
        #expect(throws: OutOfMemory.self) { _ = try PixelBuffer(width: 1 << 40, height: 1 << 20, format: .rgba16) }
    }

    @Test func sixteenBitsAreRoundedToEight() throws {
        var deep = try PixelBuffer(width: 1, height: 1, format: .rgba16)
        deep.withUnsafeMutableBytes {
            $0.storeBytes(of: SIMD4<UInt16>(0, 128, 129 * 257, 65535), as: SIMD4<UInt16>.self)
        }
        // 128/257 rounds to 0; multiples of 257 are exact.
        #expect(try deep.withEightBits()[0, 0] == SIMD4(0, 0, 129, 255))
    }

    @Test func transparencyBecomesWhite() throws {
        let picture = try plain(2, 1, SIMD4(10, 20, 30, 0))
        #expect(try picture.flattenedOnWhite()[0, 0] == SIMD4(255, 255, 255, 255))
        let half = try plain(1, 1, SIMD4(0, 100, 255, 128))
        #expect(try half.flattenedOnWhite()[0, 0] == SIMD4(127, 177, 255, 255))
    }

    @Test func tilesCoverOnce() {
        let tiles = PixelRectangle(x: -3, y: 5, width: 205, height: 99).tiles(side: 64)
        #expect(tiles.reduce(0) { $0 + $1.width * $1.height } == 205 * 99)
        #expect(tiles.allSatisfy { $0.width <= 64 && $0.height <= 64 && !$0.isEmpty })
        for (index, tile) in tiles.enumerated() {
            #expect(tiles[(index + 1)...].allSatisfy { $0.intersection(tile).isEmpty })
        }
    }

    @Test func linesAreDrawnWhereTheyShouldBeAndClipped() throws {
        var picture = try plain(20, 10, SIMD4(0, 0, 0, 255))
        picture.drawLine(from: SIMD2(-50, 5), to: SIMD2(500, 5), thickness: 2, color: SIMD4(255, 0, 0, 255))
        for x in 0..<20 {
            #expect(picture[x, 4].x == 255 && picture[x, 5].x == 255)
            #expect(picture[x, 2].x == 0 && picture[x, 7].x == 0)
        }
        // Nothing happens, and nothing breaks, outside the picture.
        picture.drawLine(from: SIMD2(1e30, -1e30), to: SIMD2(2e30, 3), thickness: 1, color: SIMD4(0, 255, 0, 255))
        #expect(picture[10, 5].y == 0)
    }
}

@Suite struct EnlargingTests {
    @Test func pixelsGoOverIntoEachOther() throws {
        var picture = try PixelBuffer(width: 2, height: 1, format: .rgba8)
        picture.withMutableRow(0) { row in
            row[0] = SIMD4(0, 90, 255, 255)
            row[1] = SIMD4(120, 90, 0, 255)
        }
        let large = try picture.enlarged(by: 3)
        #expect(large.width == 6 && large.height == 3)
        for y in 0..<3 {
            // The middles of the old pixels are at 1.5 and 4.5.
            let reds = (0..<6).map { large[$0, y].x }
            #expect(reds == [0, 0, 40, 80, 120, 120], "\(reds)")
            for x in 0..<6 { #expect(large[x, y].y == 90 && large[x, y].w == 255) }
        }
        let same = try picture.enlarged(by: 1)
        #expect(same[0, 0] == picture[0, 0] && same[1, 0] == picture[1, 0])
    }
}

@Suite struct PastingTests {
    /// Offsets come from files of painting programs.
    @Test(arguments: [Int.max, Int.min, 1 << 40, -1 << 40]) func farOffsetsPasteNothing(_ offset: Int) throws {
        var picture = try PixelBuffer(width: 4, height: 4, format: .rgba8)
        picture.fill(SIMD4(1, 2, 3, 255))
        var other = try PixelBuffer(width: 3, height: 3, format: .rgba8)
        other.fill(SIMD4(200, 200, 200, 255))
        picture.paste(other, x: offset, y: 0)
        picture.paste(other, x: 0, y: offset)
        picture.paste(other, x: offset, y: offset)
        #expect((0..<4).allSatisfy { y in (0..<4).allSatisfy { picture[$0, y] == SIMD4<UInt16>(1, 2, 3, 255) } })
    }

    @Test func partsOutsideAreClipped() throws {
        var picture = try PixelBuffer(width: 4, height: 4, format: .rgba8)
        picture.fill(SIMD4(1, 2, 3, 255))
        var other = try PixelBuffer(width: 3, height: 3, format: .rgba8)
        other.fill(SIMD4(200, 200, 200, 255))
        picture.paste(other, x: -2, y: 3)
        #expect(picture[0, 3].x == 200 && picture[1, 3].x == 1 && picture[0, 2].x == 1)
    }
}
