import CCodecs
import CHEIF
import Pixels

/// A still picture, upright, with the metadata of its file.
package struct Picture: ~Copyable {
    /// `rgba8`, or `rgba16` when the file has 16 bits a component.
    package var pixels: PixelBuffer
    /// False for grey pictures: there red, green and blue are equal.
    package var isColor: Bool
    package var hasAlpha: Bool
    package var metadata: PictureMetadata
    /// The format that it was read from; nil: one that is not written.
    package var format: PictureFormat?
    /// How it was compressed; nil unless it was a JPEG.
    var jpegTables: ccodecs_jpeg_tables?
    /// How it was compressed, if that is known.
    var compression: PictureCompression?
    /// How it was compressed; nil unless it was a HEIC or AVIF.
    var heif: HEIFCoding?

    /// A picture that does not come from a file.
    package init(pixels: consuming PixelBuffer, isColor: Bool = true, hasAlpha: Bool = false) {
        self.pixels = pixels
        self.isColor = isColor
        self.hasAlpha = hasAlpha
        metadata = PictureMetadata()
        format = .png
        compression = .lossless
    }
}

/// How the pixels of a file were compressed.
enum PictureCompression: Equatable {
    case uncompressed
    case lossless
    /// The quality, 1…100, is that of libwebp.
    case lossy(quality: Int)
}

/// What travels with a picture from the file read to the file written.
package struct PictureMetadata: Sendable {
    /// The TIFF structure of an EXIF block, without any wrapping.
    package var exif: [UInt8]?
    /// An XMP packet: UTF-8 text of XML.
    package var xmp: [UInt8]?
    package var iccProfile: [UInt8]?
    /// Primaries, transfer function and matrix (ITU-T H.273), as HEIC and AVIF have them.
    var color: cheif_color?
    /// Photoshop's image resources, which hold IPTC among others.
    package var photoshop: [UInt8]?
    /// Markers that only a JPEG can keep: comments.
    var jpegMarkers: [JPEGMarker] = []
    /// Chunks that only a PNG can keep: texts, resolution, gamma.
    var pngChunks: [PNGChunk] = []

    package init() {}

    /// The matrix from linear sRGB to the picture's own linear RGB, row by row, both relative to D50; nil when the
    /// picture has no profile, or one that is not a matrix profile.
    package var matrixFromSRGB: [Float]? {
        guard let iccProfile else { return nil }
        var matrix = [Float](repeating: 0, count: 9)
        let usable = ccodecs_icc_matrix_from_srgb(iccProfile, iccProfile.count, &matrix)
        return usable ? matrix : nil
    }
}

struct JPEGMarker: Sendable {
    var code: Int32
    var data: [UInt8]
}

struct PNGChunk: Sendable {
    var type: String
    var data: [UInt8]
}
