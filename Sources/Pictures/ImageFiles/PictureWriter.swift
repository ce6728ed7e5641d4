import CCodecs
import Files
import Glibc
import Pixels

/// Writes files of still pictures with their metadata.
package enum PictureWriter {
    /// Format and compression of a file.
    package struct Options: Sendable {
        package var format: PictureFormat
        /// Quality of formats that have one, 1…100. Nil: of a JPEG, the quantisation tables of the one that the picture was
        /// read from; of a WebP, the estimated quality of that one, or without loss if that one was; or else 92,
        /// and for HEIC 70.
        package var quality: Int?
        /// PNG compression level, 0 (fastest) to 9 (smallest).
        package var pngCompression: Int = 6

        package init(format: PictureFormat, quality: Int? = nil) {
            self.format = format
            self.quality = quality
        }
    }

    static let defaultQuality = 92

    /// A picture's metadata, adapted to an upright picture whose faces are covered
    /// (docs/decisions/0005-what-travels-with-a-picture.md).
    package static func metadata(ofMasked picture: borrowing Picture) -> PictureMetadata {
        var metadata = picture.metadata
        // What cannot be parsed may hold a picture of the unmasked face, and is dropped.
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        metadata.exif = metadata.exif.flatMap { ExifBlock($0)?.describingMaskedPicture(width: width, height: height) }
        metadata.xmp = metadata.xmp.flatMap(XMPPacket.describingMaskedPicture)
        metadata.photoshop = metadata.photoshop.flatMap(PhotoshopResources.withoutPictures)
        return metadata
    }

    /// Encodes a picture with its metadata, adapted as `metadata(ofMasked:)` does.
    /// - Parameter path: names the picture in errors.
    package static func encode(
        _ picture: borrowing Picture, options: Options, path: String
    ) throws(PictureError) -> EncodedPicture {
        try encode(picture, with: metadata(ofMasked: picture), options: options, path: path)
    }

    /// Encodes a picture with other metadata than its own.
    /// - Parameter path: names the picture in errors.
    package static func encode(
        _ picture: borrowing Picture, with metadata: PictureMetadata, options: Options, path: String
    ) throws(PictureError) -> EncodedPicture {
        switch options.format {
        case .jpeg: return try encodeJPEG(picture, metadata: metadata, quality: options.quality, path: path)
        case .png: return try encodePNG(picture, metadata: metadata, compression: options.pngCompression, path: path)
        case .webp: return try encodeWebP(picture, metadata: metadata, quality: options.quality, path: path)
        case .tiff: return try encodeTIFF(picture, metadata: metadata, path: path)
        case .heic, .avif:
            return try encodeHEIF(picture, as: options.format, metadata: metadata, quality: options.quality, path: path)
        }
    }

    /// Encodes a picture and writes it to a file.
    package static func write(
        _ picture: borrowing Picture, to path: some FilePathConvertible, options: Options, replacing: Bool
    ) throws(PictureError) {
        try encode(picture, options: options, path: path.filePath.description).write(to: path, replacing: replacing)
    }

    private static func encodeJPEG(
        _ picture: borrowing Picture, metadata: PictureMetadata, quality: Int?, path: String
    ) throws(PictureError) -> EncodedPicture {
        let width = picture.pixels.width
        let height = picture.pixels.height
        guard max(width, height) <= PictureReader.maximumSide else {
            throw PictureError(
                .unsupported, path: path, "a JPEG cannot be \(width) × \(height) pixels; use --format png")
        }
        if picture.pixels.format == .rgba16 || picture.hasAlpha {
            do {
                let flat = try picture.pixels.withEightBits().flattenedOnWhite()
                return try encodeJPEG(flat, of: picture, metadata: metadata, quality: quality, path: path)
            } catch let error as PictureError {
                throw error
            } catch {
                throw PictureError(.outOfMemory, path: path, "\(error)")
            }
        }
        return try encodeJPEG(picture.pixels, of: picture, metadata: metadata, quality: quality, path: path)
    }

    private static func encodeJPEG(
        _ pixels: borrowing PixelBuffer, of picture: borrowing Picture, metadata: PictureMetadata, quality: Int?,
        path: String
    ) throws(PictureError) -> EncodedPicture {
        let markers = JPEGMetadata.markers(from: metadata)
        let joined = markers.flatMap(\.data)
        let colorSpace =
            picture.jpegTables?.color_space ?? Int32(picture.isColor ? CCODECS_JPEG_YCBCR : CCODECS_JPEG_GREY)
        var error = ccodecs_error()
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        let (width, height, bytesPerRow) = (Int32(pixels.width), Int32(pixels.height), pixels.bytesPerRow)
        let written = pixels.withUnsafeBytes { rgba in
            joined.withUnsafeBufferPointer { data in
                var position = 0
                let list = markers.map { marker in
                    defer { position += marker.data.count }
                    return ccodecs_jpeg_marker(
                        code: marker.code, data: data.baseAddress.map { $0 + position }, size: marker.data.count)
                }
                func compress(_ tables: UnsafePointer<ccodecs_jpeg_tables>?) -> Bool {
                    ccodecs_jpeg_write(
                        rgba.baseAddress?.assumingMemoryBound(to: UInt8.self), width, height, bytesPerRow, tables,
                        Int32(quality ?? defaultQuality), colorSpace, false, list, Int32(list.count), &buffer, &size,
                        &error)
                }
                guard quality == nil, var tables = picture.jpegTables else { return compress(nil) }
                return compress(&tables)
            }
        }
        guard written, let buffer else {
            throw PictureError(.unwritable, path: path, "cannot be compressed: \(error.text)")
        }
        return EncodedPicture(buffer: buffer, count: size)
    }

    /// Primaries and transfer function of a HEIC or AVIF; nil where a profile, or nothing, says what the colours are.
    private static func colorChunk(_ metadata: PictureMetadata) -> PNGChunk? {
        let unknown: Int32 = 2
        guard metadata.iccProfile == nil, let color = metadata.color, color.primaries != unknown,
            color.transfer != unknown, !metadata.pngChunks.contains(where: { $0.type == "cICP" })
        else { return nil }
        return PNGChunk(type: "cICP", data: [UInt8(color.primaries & 0xFF), UInt8(color.transfer & 0xFF), 0, 1])
    }

    private static func encodePNG(
        _ picture: borrowing Picture, metadata: PictureMetadata, compression: Int, path: String
    ) throws(PictureError) -> EncodedPicture {
        var chunks = metadata.pngChunks
        if let exif = metadata.exif { chunks.append(PNGChunk(type: "eXIf", data: exif)) }
        if let xmp = metadata.xmp {
            chunks.append(PNGChunk(type: "iTXt", data: Array(PNGText.xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp))
        }
        if let color = colorChunk(metadata) { chunks.append(color) }
        if let resources = metadata.photoshop { chunks.append(RawProfile.chunk(type: "iptc", bytes: resources)) }
        let joined = chunks.flatMap(\.data)
        // The profile of a PNG is written back unchanged: libpng refuses to write some that it reads.
        let profile = chunks.contains { $0.type == "iCCP" } ? [] : metadata.iccProfile ?? []
        var error = ccodecs_error()
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        let (isColor, hasAlpha, bits) = (picture.isColor, picture.hasAlpha, picture.pixels.format == .rgba16 ? 16 : 8)
        let (width, height) = (Int32(picture.pixels.width), Int32(picture.pixels.height))
        let bytesPerRow = picture.pixels.bytesPerRow
        let written = picture.pixels.withUnsafeBytes { rgba in
            joined.withUnsafeBufferPointer { data in
                var position = 0
                let list = chunks.map { chunk in
                    defer { position += chunk.data.count }
                    var type: (CChar, CChar, CChar, CChar, CChar) = (0, 0, 0, 0, 0)
                    withUnsafeMutableBytes(of: &type) { $0.copyBytes(from: chunk.type.utf8.prefix(4)) }
                    return ccodecs_png_chunk(
                        type: type, data: data.baseAddress.map { $0 + position }, size: chunk.data.count)
                }
                return profile.withUnsafeBufferPointer { profile in
                    ccodecs_png_write(
                        rgba.baseAddress?.assumingMemoryBound(to: UInt8.self), width, height, bytesPerRow,
                        Int32(bits), isColor, hasAlpha, Int32(compression),
                        profile.isEmpty ? nil : profile.baseAddress, profile.count, list, Int32(list.count), &buffer,
                        &size, &error)
                }
            }
        }
        guard written, let buffer else {
            throw PictureError(.unwritable, path: path, "cannot be compressed: \(error.text)")
        }
        return EncodedPicture(buffer: buffer, count: size)
    }
}

/// The bytes of a picture file, in memory.
package struct EncodedPicture: ~Copyable {
    private let buffer: UnsafeMutablePointer<UInt8>
    package let count: Int

    init(buffer: UnsafeMutablePointer<UInt8>, count: Int) {
        self.buffer = buffer
        self.count = count
    }

    /// A copy of bytes.
    init(_ bytes: [UInt8], path: String) throws(PictureError) {
        guard let memory = malloc(bytes.count) else {
            throw PictureError(.outOfMemory, path: path, "not enough memory for \(bytes.count) bytes")
        }
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyMemory(from: $0) }
        self.init(buffer: memory.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }

    deinit { ccodecs_free(buffer) }

    package borrowing func bytes() -> [UInt8] { [UInt8](UnsafeBufferPointer(start: buffer, count: count)) }

    /// Writes the file atomically: the whole file or none.
    package borrowing func write(to path: some FilePathConvertible, replacing: Bool) throws(PictureError) {
        do throws(FileError) {
            try AtomicFile.write(bytesInPlace, to: path, replacing: replacing)
        } catch {
            throw PictureError(error)
        }
    }

    /// Writes the file atomically into an open folder.
    /// - Parameters: see `AtomicFile.write`.
    package borrowing func write(
        to name: FilePath, in folder: consuming OpenFolder, replacing: Bool, synchronises: Bool,
        willAppear: (stat) throws(FileError) -> Void
    ) throws(FileError) {
        try AtomicFile.write(
            bytesInPlace, to: name, in: folder, replacing: replacing, synchronises: synchronises,
            willAppear: willAppear)
    }

    /// As `Checksum.ofFile` will find it in the file.
    package var checksum: UInt64 { Checksum.ofContent(bytesInPlace) }

    private var bytesInPlace: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer, count: count) }
}
