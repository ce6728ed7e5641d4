import ImageFiles
import Pixels

/// Motion JPEG: a camera's JPEG, decoded to the size that the camera has promised.
enum MotionJPEGTarget: FuzzTarget {
    static let name = "mjpeg"
    static let longest = 4096

    static func seeds() throws -> [[UInt8]] {
        try [(16, 16), (17, 9)].map { width, height in
            var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
            for y in 0..<height {
                pixels.withMutableRow(y) { row in
                    for x in row.indices { row[x] = SIMD4(UInt8(x * 15), UInt8(y * 15), 90, 255) }
                }
            }
            let jpeg = try PictureWriter.encode(Picture(pixels: pixels), options: .init(format: .jpeg), path: "seed")
            return [UInt8(width), UInt8(height)] + jpeg.bytes()
        }
    }

    static func read(_ bytes: [UInt8]) {
        guard bytes.count > 2,
            var frame = try? PixelBuffer(
                width: 1 + (Int(bytes[0]) + 63) % 64, height: 1 + (Int(bytes[1]) + 63) % 64, format: .rgba8)
        else { return }
        Array(bytes[2...]).withUnsafeBytes { _ = MotionJPEG.decode($0, into: &frame) }
    }
}
