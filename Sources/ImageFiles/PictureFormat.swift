import Files

/// A file format for still pictures that Bauta reads and writes.
package enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg
    case png

    /// The usual file extension, without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : "png" }

    /// The format of a file by its extension.
    package init?(path: some FilePathConvertible) {
        switch path.filePath.fileExtension {
        case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
        case "png": self = .png
        default: return nil
        }
    }

    /// Whether a file's name says that it is a picture, of whatever format, read here or not.
    package static func isPictureName(_ path: FilePath) -> Bool {
        PictureFormat(path: path) != nil
            || [
                "gif", "webp", "heic", "heif", "hif", "avif", "jxl", "jp2", "bmp", "tif", "tiff", "dng", "cr2", "cr3",
                "nef", "arw", "orf", "rw2", "raf", "pef", "srw",
            ].contains(path.fileExtension)
    }
}

/// The type of a file by its first bytes.
enum FileSignature: Equatable {
    case picture(PictureFormat)
    /// A picture of a known format that cannot be read; the name is for the error message.
    case other(String)
    case video
    /// Another known type of file that is not a picture.
    case noPicture(String)
    case unknown

    init(_ bytes: UnsafeRawBufferPointer) {
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + signature.count
                && signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
        }
        func starts(_ text: String, at offset: Int = 0) -> Bool { starts(Array(text.utf8), at: offset) }

        if starts([0xFF, 0xD8, 0xFF]) {
            self = .picture(.jpeg)
        } else if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .picture(.png)
        } else if starts("GIF8") {
            self = .other("a GIF")
        } else if starts("RIFF") && starts("WEBP", at: 8) {
            self = .other("a WebP")
        } else if starts("ftyphei", at: 4) || starts("ftypmif1", at: 4) || starts("ftyphev", at: 4) {
            self = .other("a HEIF (HEIC)")
        } else if starts("ftypavi", at: 4) {
            self = .other("an AVIF")
        } else if starts("ftyp", at: 4) || starts([0x1A, 0x45, 0xDF, 0xA3]) {
            self = .video
        } else if starts("II*\0") || starts("MM\0*") {
            self = .other("a TIFF or camera raw file")
        } else if starts("BM") {
            self = .other("a BMP")
        } else if starts([0xFF, 0x0A]) || starts("JXL ", at: 4) {
            self = .other("a JPEG XL")
        } else if starts("jP  ", at: 4) {
            self = .other("a JPEG 2000")
        } else if starts("%PDF") {
            self = .noPicture("a PDF")
        } else if starts("<svg") || starts("<?xml") {
            self = .noPicture("an SVG or another XML file")
        } else {
            self = .unknown
        }
    }
}
