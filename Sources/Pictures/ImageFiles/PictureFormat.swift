import Files

/// A file format for still pictures that Bauta reads and writes.
package enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg
    case png
    case webp
    case tiff
    case heic
    case avif

    /// For sentences.
    package var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .tiff: "TIFF"
        case .heic: "HEIC"
        case .avif: "AVIF"
        }
    }

    /// The usual file extension, without the dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        default: rawValue
        }
    }

    /// Whether pictures lose details when they are written, as much as a quality says.
    package var hasQuality: Bool {
        switch self {
        case .jpeg, .webp, .heic, .avif: true
        case .png, .tiff: false
        }
    }

    /// The format of a file by its extension.
    package init?(path: some FilePathConvertible) {
        switch path.filePath.fileExtension {
        case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
        case "png": self = .png
        case "webp": self = .webp
        case "tif", "tiff": self = .tiff
        case "heic", "heif", "hif": self = .heic
        case "avif": self = .avif
        default: return nil
        }
    }

    /// "JPEG, PNG or WebP".
    package static func list(_ formats: [PictureFormat] = allCases, _ conjunction: String = "or") -> String {
        list(formats.map(\.name), conjunction)
    }

    private static func list(_ names: [String], _ conjunction: String) -> String {
        names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " \(conjunction) \(names[names.count - 1])"
    }

    /// All that can be read, for sentences: these formats, and GIF, which is not written.
    package static let readableNames = list(allCases.map(\.name) + ["GIF"], "or")

    /// Whether a file's name says that it is a picture that can be read.
    package static func isReadableName(_ path: FilePath) -> Bool {
        PictureFormat(path: path) != nil || path.fileExtension == "gif"
    }

    /// Extensions of pictures that Bauta does not write: it reads only GIF, and knows the others by name.
    private static let otherExtensions: Set<String> = [
        "gif", "jxl", "jp2", "bmp", "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw",
        "orf", "rw2", "raf", "pef", "srw", "x3f", "mrw", "3fr", "iiq",
    ]

    /// Whether a file's name says that it is a picture, of whatever format, read here or not.
    package static func isPictureName(_ path: FilePath) -> Bool {
        PictureFormat(path: path) != nil || otherExtensions.contains(path.fileExtension)
    }
}
