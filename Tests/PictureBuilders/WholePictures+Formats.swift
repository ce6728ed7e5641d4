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

    /// Each number of bits, with headers of several sizes.
    package static func bmps() -> [[UInt8]] {
        [1, 4, 8, 16, 24, 32].map { BMPBuilder(width: 13, height: 9, bits: $0).bytes }
            + [12, 108, 124].map { size in
                var builder = BMPBuilder(width: 5, height: 7, bits: size == 12 ? 24 : 32)
                builder.headerSize = size
                if size > 12 { builder.masks = [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000] }
                if size == 124 { builder.profile = ICCBuilder.profile() }
                return builder.bytes
            }
    }

    /// As text and as bytes, with 1, 8 and 16 bits.
    package static func netpbms() -> [[UInt8]] {
        let texts = ["P1 # bits\n3 2\n101\n0 1 0\n", "P2\n2 2 15\n0 5 10 15\n", "P3\n2 1\n1000\n0 500 1000 1 2 3\n"]
        let bytes: [(String, [UInt8])] = [
            ("P4\n10 2\n", [0xA5, 0x40, 0x5A, 0x80]), ("P5\n3 1\n255\n", [0, 100, 255]),
            ("P6 2 1 255\n", [255, 0, 0, 1, 2, 3]), ("P6\n1 1\n65535\n", [255, 255, 0, 0, 127, 128]),
        ]
        return texts.map { Array($0.utf8) } + bytes.map { Array($0.0.utf8) + $0.1 }
    }

    /// With and without a profile, as Adobe's programs write them and as others do.
    package static func cmykJPEGs() -> [[UInt8]] {
        let inks: [SIMD4<UInt8>] = [
            SIMD4(0, 0, 0, 0), SIMD4(255, 0, 0, 0), SIMD4(20, 90, 130, 40), SIMD4(0, 0, 0, 255),
        ]
        return [false, true].map { isAdobes in
            var builder = CMYKJPEGBuilder(blocks: inks)
            builder.isAdobes = isAdobes
            builder.profile = isAdobes ? ICCBuilder.cmykProfile() : nil
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
