import CCodecs

/// Small valid pictures of many kinds, with metadata: what broken ones are made from, and seeds of fuzzing.
package enum WholePictures {
    private static let width = 112
    private static let height = 80

    /// RGBA: a smooth picture with some noise, so that all coefficients occur.
    private static func pixels(seed: Int, width: Int = width, height: Int = height) -> [UInt8] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<(width * height)).flatMap { index -> [UInt8] in
            let (x, y) = (index % width, index / width)
            let noise = numbers.below(24)
            return [UInt8(2 * x + noise), UInt8(2 * y + noise), UInt8(x + y + noise), 255]
        }
    }

    package struct JPEGKind: Sendable {
        var quality: Int32 = 80
        var isGrey = false
        var isProgressive = false
        /// Of the first component, horizontally and vertically.
        var sampling: (Int32, Int32) = (2, 2)
    }

    static let jpegKinds = [
        JPEGKind(), JPEGKind(quality: 95, sampling: (1, 1)), JPEGKind(isProgressive: true),
        JPEGKind(quality: 30, isGrey: true, sampling: (1, 1)), JPEGKind(isProgressive: true, sampling: (2, 1)),
    ]

    /// A colour photograph without metadata, 112 × 80.
    package static func jpeg(quality: Int) -> [UInt8] {
        jpeg(JPEGKind(quality: Int32(quality)), metadata: false)
    }

    /// A photograph of 8 × 8 pixels, in which nothing takes time.
    package static func tinyJPEG() -> [UInt8] { compress(JPEGKind(sampling: (1, 1)), nil, width: 8, height: 8) }

    /// A colour picture, 112 × 80.
    package static func png(metadata: Bool = true) -> [UInt8] {
        png(PNGKind(isCompressed: true), metadata: metadata)
    }

    static func jpeg(_ kind: JPEGKind, metadata: Bool = true) -> [UInt8] {
        var file = compress(kind, nil)
        if kind.isProgressive || kind.sampling != (2, 2) { file = compress(kind, tables(of: file, kind)) }
        return metadata ? PictureBuilders.jpeg(file, inserting: segments) : file
    }

    private static func compress(
        _ kind: JPEGKind, _ tables: ccodecs_jpeg_tables?, width: Int = width, height: Int = height
    ) -> [UInt8] {
        let pixels = pixels(seed: Int(kind.quality), width: width, height: height)
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        var error = ccodecs_error()
        let space = kind.isGrey ? CCODECS_JPEG_GREY : CCODECS_JPEG_YCBCR
        func write(_ tables: UnsafePointer<ccodecs_jpeg_tables>?) -> Bool {
            ccodecs_jpeg_write(
                pixels, Int32(width), Int32(height), 4 * width, tables, kind.quality, Int32(space), false, nil, 0,
                &buffer, &size, &error)
        }
        let isWritten = tables.map { withUnsafePointer(to: $0) { write($0) } } ?? write(nil)
        guard isWritten, let buffer else { fatalError("libjpeg cannot write a small picture") }
        defer { ccodecs_free(buffer) }
        return Array(UnsafeBufferPointer(start: buffer, count: size))
    }

    /// The tables of a file, with another kind of scans and sampling.
    private static func tables(of file: [UInt8], _ kind: JPEGKind) -> ccodecs_jpeg_tables {
        var info = ccodecs_jpeg_info()
        var error = ccodecs_error()
        guard let reader = ccodecs_jpeg_open(file, file.count, &info, &error) else {
            fatalError("libjpeg cannot read its own picture")
        }
        ccodecs_jpeg_close(reader)
        var tables = info.tables
        tables.progressive = kind.isProgressive
        tables.horizontal_sampling.0 = kind.sampling.0
        tables.vertical_sampling.0 = kind.sampling.1
        return tables
    }

    /// Metadata of all sorts.
    static var segments: [(code: UInt8, data: [UInt8])] {
        let exif = ExifBuilder.block(orientation: 6, width: 112, height: 80)
        let resources = IPTCBuilder.resource(4, IPTCBuilder.dataSet(5, "title") + IPTCBuilder.dataSet(200, "preview"))
        return [
            (0xE1, Array("Exif\0\0".utf8) + exif),
            (
                0xE1,
                Array("http://ns.adobe.com/xap/1.0/\0".utf8) + XMPBuilder.packet(attributes: "tiff:Orientation=\"6\"")
            ),
            (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + ICCBuilder.profile()),
            (0xED, Array("Photoshop 3.0\0".utf8) + resources),
            (0xFE, Array("a comment".utf8)),
        ]
    }

    package struct PNGKind: Sendable {
        var colorType: UInt8 = 2
        var bitDepth: UInt8 = 8
        /// By libpng, and so with filters and real compression.
        var isCompressed = false
    }

    static let pngKinds = [
        PNGKind(), PNGKind(isCompressed: true), PNGKind(colorType: 6, bitDepth: 16), PNGKind(colorType: 3, bitDepth: 4),
        PNGKind(colorType: 0, bitDepth: 1), PNGKind(colorType: 4),
    ]

    static func png(_ kind: PNGKind, metadata: Bool = true) -> [UInt8] {
        if kind.isCompressed { return compressedPNG(metadata: metadata) }
        let components = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind.colorType] ?? 1
        let bytesPerRow = (40 * components * Int(kind.bitDepth) + 7) / 8
        let rows = (0..<30).map { y in (0..<bytesPerRow).map { x in UInt8(truncatingIfNeeded: 3 * x + 5 * y) } }
        var builder = PNGBuilder(
            width: 40, height: 30, colorType: kind.colorType, bitDepth: kind.bitDepth, rows: rows)
        if metadata { builder.chunks = chunks }
        if kind.colorType == 3 {
            builder.chunks.append(("PLTE", (0..<48).map { UInt8(5 * $0) }))
            builder.chunks.append(("tRNS", [0, 128, 255]))
        }
        return builder.bytes
    }

    private static func compressedPNG(metadata: Bool) -> [UInt8] {
        let pixels = pixels(seed: 7)
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        var error = ccodecs_error()
        let isWritten = ccodecs_png_write(
            pixels, Int32(width), Int32(height), 4 * width, 8, true, false, 9, nil, 0, nil, 0, &buffer, &size, &error)
        guard isWritten, let buffer else { fatalError("libpng cannot write a small picture") }
        defer { ccodecs_free(buffer) }
        let file = Array(UnsafeBufferPointer(start: buffer, count: size))
        guard metadata else { return file }
        // After the header, which is 33 bytes with the signature.
        return Array(file[..<33]) + chunks.flatMap { PNGBuilder.chunk($0.type, $0.data) } + file[33...]
    }

    static var chunks: [(type: String, data: [UInt8])] {
        let xmp = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + XMPBuilder.packet()
        let title = Array("Title".utf8) + [0, 0] + PNGBuilder.zlib(Array("a title".utf8))
        return [
            ("iCCP", Array("icc".utf8) + [0, 0] + PNGBuilder.zlib(ICCBuilder.profile())),
            ("eXIf", ExifBuilder.block(orientation: 3, width: 40, height: 30)), ("iTXt", xmp), ("zTXt", title),
            ("pHYs", PNGBuilder.big(2835) + PNGBuilder.big(2835) + [1]),
            ("tEXt", Array("Raw profile type iptc\0\niptc\n4\n1c020500\n".utf8)),
        ]
    }
}
