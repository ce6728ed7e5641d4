import Pixels

/// The pixels of a window at one time.
package final class Screenshot {
    private let pixels: PixelBuffer

    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }

    /// The share of pixels that differ visibly.
    package func difference(_ other: Screenshot, in region: TestDisplay.Region = .whole) -> Double {
        share(of: region) { x, y in Self.distance(pixels[x, y], other.pixels[x, y]) > 16 }
    }

    /// The share of pixels that have nearly one colour.
    package func share(of region: TestDisplay.Region, near color: SIMD4<UInt8>) -> Double {
        share(of: region) { x, y in Self.distance(pixels[x, y], SIMD4<UInt16>(truncatingIfNeeded: color)) < 30 }
    }

    /// The share of pixels that have nearly one colour in both pictures.
    package func share(of region: TestDisplay.Region, near color: SIMD4<UInt8>, alsoIn other: Screenshot) -> Double {
        let color = SIMD4<UInt16>(truncatingIfNeeded: color)
        return share(of: region) { x, y in
            Self.distance(pixels[x, y], color) < 30 && Self.distance(other.pixels[x, y], color) < 30
        }
    }

    /// The share of pixels whose largest difference from the one to their left, of 255, is as wanted.
    func share(ofSteps isCounted: (Int) -> Bool) -> Double {
        share(of: .whole) { x, y in x > 0 && isCounted(Self.distance(pixels[x - 1, y], pixels[x, y])) }
    }

    package func mirrored() throws -> Screenshot {
        var result = try PixelBuffer(width: pixels.width, height: pixels.height, format: .rgba8)
        for y in 0..<pixels.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4<UInt8>(truncatingIfNeeded: pixels[pixels.width - 1 - x, y])
                }
            }
        }
        return Screenshot(result)
    }

    private func share(of region: TestDisplay.Region, where isCounted: (Int, Int) -> Bool) -> Double {
        let (width, height) = (Double(pixels.width), Double(pixels.height))
        let bounds = region.bounds
        var (count, all) = (0, 0)
        for y in Int(bounds.y.lowerBound * height)..<Int(bounds.y.upperBound * height) {
            for x in Int(bounds.x.lowerBound * width)..<Int(bounds.x.upperBound * width) {
                all += 1
                if isCounted(x, y) { count += 1 }
            }
        }
        return Double(count) / Double(max(all, 1))
    }

    private static func distance(_ a: SIMD4<UInt16>, _ b: SIMD4<UInt16>) -> Int {
        let d = SIMD4<Int32>(truncatingIfNeeded: a) &- SIMD4<Int32>(truncatingIfNeeded: b)
        return Int(max(abs(d.x), abs(d.y), abs(d.z)))
    }
}
