import CWebP
import Glibc

/// Small valid pictures in the other formats, with metadata.
extension WholePictures {
    /// RGB, grey and a palette, in strips and tiles, with 8 and 16 bits, in both orders of bytes.
    package static func tiffs() -> [[UInt8]] {
        let exif: [TIFFBuilder.Entry] = [.init(0x9003, 2, bytes: Array("2024:05:06 07:08:09\0".utf8))]
        let kinds = (0..<6).map { kind in
            var builder = TIFFBuilder(width: 24, height: 18)
            builder.isBigEndian = kind % 2 == 1
            builder.isPlanar = kind == 2
            builder.tile = kind == 3 ? 16 : nil
            builder.rowsPerStrip = 7
            builder.entries = [.init(0x112, 3, [kind + 1]), .init(0x10F, 2, bytes: Array("maker\0".utf8))]
            builder.directories = [0x8769: exif]
            if kind == 4 { (builder.bits, builder.samples, builder.photometric) = (16, 1, 1) }
            if kind == 5 {
                (builder.bits, builder.samples, builder.photometric) = (4, 1, 3)
                builder.entries.append(.init(0x140, 3, (0..<48).map { 1000 * $0 }))
            }
            return builder.bytes
        }
        var metadata = TIFFBuilder(width: 4, height: 3)
        metadata.entries = [
            .init(0x2BC, bytes: XMPBuilder.packet()), .init(0x8773, 7, bytes: ICCBuilder.profile()),
            .init(0x8649, bytes: IPTCBuilder.resource(4, IPTCBuilder.dataSet(5, "title"))),
        ]
        metadata.pages = [TIFFBuilder(width: 2, height: 2)]
        metadata.pages[0].entries = [.init(0xFE, 4, [1])]
        return kinds + [metadata.bytes]
    }

    package static func gifs() -> [[UInt8]] {
        [2, 5, 8].map { bits in
            var builder = GIFBuilder(width: 31, height: 17, bits: bits) { x, y in (x * y + x) % (1 << bits) }
            builder.images[0].isInterlaced = bits == 5
            builder.images[0].transparent = bits == 2 ? 1 : nil
            builder.extensions = [(0xFE, [Array("a comment".utf8)])]
            return builder.bytes
        }
    }

    /// Lossless and lossy, with and without alpha and metadata.
    package static func webps() -> [[UInt8]] {
        (0..<4).map { kind in
            let alpha: UInt8 = kind % 2 == 0 ? 255 : 120
            var pixels: [UInt8] = []
            for index in 0..<(32 * 24) {
                pixels += [UInt8(index % 251), UInt8(index / 4), UInt8(index % 7 * 30), alpha]
            }
            var settings = cwebp_settings(is_lossless: kind < 2, quality: 60, has_alpha: alpha < 255)
            var (buffer, size): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
            var message = [CChar](repeating: 0, count: Int(CWEBP_MESSAGE))
            guard cwebp_write(pixels, 32, 24, 4 * 32, &settings, &buffer, &size, &message), let buffer else {
                fatalError("libwebp cannot write a small picture")
            }
            defer { free(buffer) }
            let file = Array(UnsafeBufferPointer(start: buffer, count: size))
            return kind % 2 == 0 ? file : withMetadata(file)
        }
    }

    private static func withMetadata(_ file: [UInt8]) -> [UInt8] {
        // A picture with alpha that is lossy has such a header already.
        let hasHeader = file[12..<16].elementsEqual("VP8X".utf8)
        let header: [UInt8] = [0x3C, 0, 0, 0, 31, 0, 0, 23, 0, 0]
        var body = chunk("VP8X", header) + chunk("ICCP", ICCBuilder.profile())
        body += file[(hasHeader ? 30 : 12)...]
        body += chunk("EXIF", ExifBuilder.block(orientation: 6, width: 32, height: 24))
        body += chunk("XMP ", XMPBuilder.packet())
        return Array("RIFF".utf8) + little(body.count + 4) + Array("WEBP".utf8) + body
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
