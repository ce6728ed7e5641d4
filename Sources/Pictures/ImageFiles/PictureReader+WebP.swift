import CWebP
import Pixels

extension PictureReader {
    static func readWebP(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        var info = cwebp_info()
        var message = CodecMessage()
        let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard message.fill({ cwebp_read_info(data, bytes.count, &info, $0) }) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: \(message.text)")
        }
        guard !info.is_animated else {
            throw PictureError(
                .unsupported, path: path, "is an animated WebP; only its first picture would remain")
        }
        try checkSize(width: Int(info.width), height: Int(info.height), maximumSide: maximumSide, path: path)
        let contents = WebPContents(bytes)
        let stored = try decodedPixels(
            width: Int(info.width), height: Int(info.height), format: .rgba8, path: path,
            decode: { rgba, bytesPerRow in
                message.fill { cwebp_read(data, bytes.count, rgba, info.height, bytesPerRow, $0) }
            }, reason: { message.text })
        var picture = Picture(
            pixels: try upright(stored, metadata: contents.metadata, path: path), hasAlpha: info.has_alpha)
        picture.format = .webp
        picture.metadata = contents.metadata
        picture.compression = info.is_lossless ? .lossless : contents.quality.map { .lossy(quality: $0) }
        return picture
    }
}

/// Room for a message of a C library.
struct CodecMessage {
    private var characters = [CChar](repeating: 0, count: 256)

    /// Calls a function that writes a message into the room if it fails.
    mutating func fill<Result>(_ body: (UnsafeMutablePointer<CChar>?) -> Result) -> Result {
        characters.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }

    var text: String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
}
