import CCodecs
import Files
import Pixels

/// TIFF files (TIFF 6.0) of one picture: little-endian, in strips, uncompressed or with Deflate.
extension PictureWriter {
    /// Rows of about so many bytes are compressed together.
    private static let stripSize = 1 << 18

    static func encodeTIFF(
        _ picture: borrowing Picture, metadata: PictureMetadata, path: String
    ) throws(PictureError) -> EncodedPicture {
        let pixels = picture.pixels.bounds
        let bits = picture.pixels.format == .rgba16 ? 16 : 8
        let components = (picture.isColor ? 3 : 1) + (picture.hasAlpha ? 1 : 0)
        let rows = max(1, min(pixels.height, stripSize / (pixels.width * components * bits / 8)))
        var file: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
        var (offsets, sizes): ([Int], [Int]) = ([], [])
        for top in stride(from: 0, to: pixels.height, by: rows) {
            offsets.append(file.count)
            guard appendStrip(of: picture, top: top, rows: min(rows, pixels.height - top), to: &file) else {
                throw PictureError(.outOfMemory, path: path, "not enough memory to compress it")
            }
            sizes.append(file.count - offsets[offsets.count - 1])
            if file.count % 2 == 1 { file.append(0) }
        }
        var tree = descriptiveTree(metadata)
        tree.values.merge(defaultResolution) { old, _ in old }
        tree.values.merge(structure(of: picture, components: components, bits: bits)) { _, new in new }
        tree.values[0x0111] = .longs(offsets)
        tree.values[0x0116] = .longs([rows])
        tree.values[0x0117] = .longs(sizes)
        for index in 0..<4 { file[4 + index] = UInt8(truncatingIfNeeded: file.count >> (8 * index)) }
        file += tree.serialized(at: file.count)
        guard file.count <= Int(UInt32.max) else {
            throw PictureError(.unsupported, path: path, "a TIFF cannot have \(file.count) bytes; use --format png")
        }
        return try EncodedPicture(file, path: path)
    }

    /// 72 pixels per inch: readers may insist on a resolution.
    private static var defaultResolution: [Int: TIFFValue] {
        [0x011A: .rational(72, 1), 0x011B: .rational(72, 1), 0x0128: .shorts([2])]
    }

    private static func appendStrip(
        of picture: borrowing Picture, top: Int, rows: Int, to file: inout [UInt8]
    ) -> Bool {
        let (width, bytesPerRow) = (picture.pixels.width, picture.pixels.bytesPerRow)
        let (isColor, hasAlpha, bits) = (picture.isColor, picture.hasAlpha, picture.pixels.format == .rgba16 ? 16 : 8)
        let isCompressed = picture.compression != .uncompressed
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        let isPacked = picture.pixels.withUnsafeBytes { rgba in
            ccodecs_tiff_strip(
                rgba.baseAddress.map { $0 + top * bytesPerRow }?.assumingMemoryBound(to: UInt8.self), Int32(width),
                Int32(rows), bytesPerRow, Int32(bits), isColor, hasAlpha, isCompressed, &buffer, &size)
        }
        guard isPacked, let buffer else { return false }
        defer { ccodecs_free(buffer) }
        file += UnsafeBufferPointer(start: buffer, count: size)
        return true
    }

    /// The tags that describe the photograph, from its EXIF block.
    private static func descriptiveTree(_ metadata: PictureMetadata) -> TIFFTree {
        let exif = metadata.exif ?? []
        var tree = exif.withUnsafeBytes { bytes -> TIFFTree in
            guard let block = TIFFDirectories(bytes), let first = block.directory(at: block.first)
            else { return TIFFTree() }
            return block.descriptiveTree(of: first)
        }
        tree.values[0x02BC] = metadata.xmp.map { .bytes($0) }
        tree.values[0x8649] = metadata.photoshop.map { .bytes($0) }
        tree.values[0x8773] = metadata.iccProfile.map { .bytes($0, type: .undefined) }
        return tree
    }

    private static func structure(of picture: borrowing Picture, components: Int, bits: Int) -> [Int: TIFFValue] {
        let isCompressed = picture.compression != .uncompressed
        var values: [Int: TIFFValue] = [
            0x0100: .longs([picture.pixels.width]),
            0x0101: .longs([picture.pixels.height]),
            0x0102: .shorts([Int](repeating: bits, count: components)),
            0x0103: .shorts([isCompressed ? 8 : 1]),
            0x0106: .shorts([picture.isColor ? 2 : 1]),
            TIFFTag.orientation: .shorts([1]),
            0x0115: .shorts([components]),
            0x011C: .shorts([1]),
        ]
        if isCompressed { values[0x013D] = .shorts([2]) }
        if picture.hasAlpha { values[0x0152] = .shorts([2]) }
        return values
    }
}
