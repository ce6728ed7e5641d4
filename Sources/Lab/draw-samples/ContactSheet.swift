import ImageFiles
import Pixels

/// Arranges pictures of equal size in a grid, each at half its size.
enum ContactSheet {
    static func write(_ paths: [String], columns: Int, to output: String) throws {
        guard let first = paths.first else { throw DrawSamples.UsageError() }
        let size = try PictureReader.read(first).pixels.bounds
        let (width, height) = (size.width / 2, size.height / 2)
        let gap = 4
        let rows = (paths.count + columns - 1) / columns
        var sheet = try PixelBuffer(
            width: columns * (width + gap) - gap, height: rows * (height + gap) - gap, format: .rgba8)
        for y in 0..<sheet.height {
            sheet.withMutableRow(y) { row in for x in row.indices { row[x] = SIMD4(255, 255, 255, 255) } }
        }
        for (index, path) in paths.enumerated() {
            let picture = try PictureReader.read(path)
            guard picture.pixels.bounds == size else {
                throw PictureError(.unsupported, path: path, "differs in size from \(first)")
            }
            let (left, top) = (index % columns * (width + gap), index / columns * (height + gap))
            for y in 0..<height {
                sheet.withMutableRow(top + y) { row in
                    for x in 0..<width { row[left + x] = average(picture.pixels, x: 2 * x, y: 2 * y) }
                }
            }
        }
        try PictureWriter.write(
            Picture(pixels: sheet), to: output, options: PictureWriter.Options(format: .jpeg, quality: 88),
            replacing: true)
    }

    private static func average(_ pixels: borrowing PixelBuffer, x: Int, y: Int) -> SIMD4<UInt8> {
        let sum = pixels[x, y] &+ pixels[x + 1, y] &+ pixels[x, y + 1] &+ pixels[x + 1, y + 1]
        return SIMD4(truncatingIfNeeded: (sum &+ 2) / 4)
    }
}
