import Foundation
import ImageFiles
import Pixels

/// Compares a picture with a recorded one, the way Filament does: a largest difference, and a share of pixels that
/// may exceed it.
package struct GoldenPicture {
    package struct Mismatch: Error, CustomStringConvertible {
        package let description: String
    }

    /// Components may differ by this much of 255 …
    package var tolerance = 5
    /// … in all but this share of the pixels. Software renderers round edges differently.
    package var exceptions = 0.002

    package init() {}

    /// - Parameter name: the file in `Tests/Goldens`. A missing one is a failure; `BAUTA_RECORD_GOLDENS=1` records
    ///   it, to be looked at.
    package func check(_ pixels: consuming PixelBuffer, name: String) throws {
        let path = Repository.root + "/Tests/Goldens/\(name).png"
        let actual = Picture(pixels: pixels)
        if ProcessInfo.processInfo.environment["BAUTA_RECORD_GOLDENS"] == "1" {
            try PictureWriter.write(actual, to: path, options: .init(format: .png), replacing: true)
            return
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw Mismatch(description: "\(path) is missing; BAUTA_RECORD_GOLDENS=1 records it")
        }
        let expected = try PictureReader.read(path)
        let difference = try PictureDifference(actual.pixels, expected.pixels)
        if difference.share(above: tolerance) <= exceptions { return }
        let folder = Repository.root + "/Tests/Failures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try PictureWriter.write(actual, to: "\(folder)/\(name).png", options: .init(format: .png), replacing: true)
        try PictureWriter.write(
            Picture(pixels: difference.picture()), to: "\(folder)/\(name)-difference.png", options: .init(format: .png),
            replacing: true)
        throw Mismatch(
            description: """
                \(name): \(difference.share(above: tolerance) * 100) % of the pixels differ by more than \(tolerance) \
                (largest: \(difference.largest)); see \(folder)/\(name)-difference.png. Histogram: \(difference.histogram)
                """)
    }
}

/// How much two pictures of one size differ, pixel by pixel (the largest component counts).
package struct PictureDifference {
    package let width: Int
    package let height: Int
    /// Row by row, 0…255.
    package let values: [Int]

    package init(_ a: borrowing PixelBuffer, _ b: borrowing PixelBuffer) throws {
        guard a.width == b.width, a.height == b.height else {
            throw GoldenPicture.Mismatch(description: "sizes differ: \(a.width)x\(a.height), \(b.width)x\(b.height)")
        }
        var values: [Int] = []
        values.reserveCapacity(a.width * a.height)
        for y in 0..<a.height {
            for x in 0..<a.width {
                let (p, q) = (SIMD4<Int32>(truncatingIfNeeded: a[x, y]), SIMD4<Int32>(truncatingIfNeeded: b[x, y]))
                let d = p &- q
                values.append(Int(max(abs(d.x), abs(d.y), abs(d.z), abs(d.w))))
            }
        }
        width = a.width
        height = a.height
        self.values = values
    }

    package var largest: Int { values.max() ?? 0 }
    package var mean: Double { Double(values.reduce(0, +)) / Double(max(1, values.count)) }
    package func share(above limit: Int) -> Double { Double(values.count { $0 > limit }) / Double(values.count) }

    /// Pixels by difference: 0, 1–5, 6–20, 21–80, above.
    package var histogram: [Int] {
        var counts = [0, 0, 0, 0, 0]
        for value in values { counts[value == 0 ? 0 : value <= 5 ? 1 : value <= 20 ? 2 : value <= 80 ? 3 : 4] += 1 }
        return counts
    }

    /// The differences as a picture, eightfold.
    package func picture() throws -> PixelBuffer {
        var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let value = UInt8(min(255, values[y * width + x] * 8))
                    row[x] = SIMD4(value, value, value, 255)
                }
            }
        }
        return picture
    }
}

/// A picture of one colour.
package func plain(_ width: Int, _ height: Int, _ color: SIMD4<UInt8>) throws -> PixelBuffer {
    var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
    for y in 0..<height { picture.withMutableRow(y) { row in for x in row.indices { row[x] = color } } }
    return picture
}

/// A picture in which every pixel tells its place.
package func gradient(_ width: Int, _ height: Int) throws -> PixelBuffer {
    var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
    for y in 0..<height {
        picture.withMutableRow(y) { row in
            for x in row.indices {
                row[x] = SIMD4(UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y) * 3 % 256), 255)
            }
        }
    }
    return picture
}
