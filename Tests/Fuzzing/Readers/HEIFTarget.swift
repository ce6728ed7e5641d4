import ImageFiles
import Pixels

/// HEIC and AVIF: boxes by our own reader, pixels by libheif.
enum HEIFTarget: FuzzTarget {
    static let name = "heif"
    static let longest = 4096

    static func seeds() throws -> [[UInt8]] {
        try [PictureFormat.heic, .avif].flatMap { format in
            try [false, true].map { hasAlpha in
                var pixels = try PixelBuffer(width: 32, height: 24, format: hasAlpha ? .rgba16 : .rgba8)
                pixels.withUnsafeMutableBytes { bytes in
                    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: 7 * index) }
                }
                let picture = Picture(pixels: pixels, hasAlpha: hasAlpha)
                return try PictureWriter.encode(picture, options: .init(format: format), path: "seed").bytes()
            }
        }
    }

    static func read(_ bytes: [UInt8]) {
        // Writing again would only fuzz video encoders, at a hundredth of the speed.
        guard let picture = try? PictureReader.read(bytes, path: "fuzz", maximumSide: 256) else { return }
        _ = try? PictureWriter.encode(picture, options: .init(format: .jpeg), path: "fuzz")
    }
}
