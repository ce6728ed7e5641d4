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

    /// Gives a grey picture colours: files are written with red, green and blue from then on. A profile of greys says
    /// nothing about colours and is dropped.
    package mutating func becomeColored() {
        guard !isColor else { return }
        isColor = true
        metadata.iccProfile = nil
        metadata.pngChunks.removeAll { $0.type == "iCCP" }
    }
}

/// How the pixels of a file were compressed.
enum PictureCompression: Equatable {
    case uncompressed
    case lossless
    /// The quality, 1…100, is that of libwebp.
    case lossy(quality: Int)
}

/// The metadata that a result takes over from its input.
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
    /// picture has no profile, or one that is not a matrix profile. Without a profile, the primaries of HEIC and AVIF count.
    package var matrixFromSRGB: [Float]? {
        guard let iccProfile else { return Self.matrix(primaries: color?.primaries) }
        var matrix = [Float](repeating: 0, count: 9)
        let usable = ccodecs_icc_matrix_from_srgb(iccProfile, iccProfile.count, &matrix)
        return usable ? matrix : nil
    }

    /// White is that of sRGB, so D50 does not come in.
    private static func matrix(primaries: Int32?) -> [Float]? {
        switch primaries {
        case 9:  // ITU-R BT.2020
            [0.627404, 0.329283, 0.043313, 0.069097, 0.919540, 0.011362, 0.016391, 0.088013, 0.895595]
        case 12:  // Display P3
            [0.822462, 0.177538, 0, 0.033194, 0.966806, 0, 0.017083, 0.072397, 0.910520]
        default: nil
        }
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
