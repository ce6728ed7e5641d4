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
    package var fileExtension: String { fileExtensions[0] }

    /// Whether pictures lose details when they are written, as much as a quality says.
    package var hasQuality: Bool {
        switch self {
        case .jpeg, .webp, .heic, .avif: true
        case .png, .tiff: false
        }
    }

    /// The file extensions, the usual one first, without the dot.
    package var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png"]
        case .webp: ["webp"]
        case .tiff: ["tif", "tiff"]
        case .heic: ["heic", "heif", "hif"]
        case .avif: ["avif"]
        }
    }

    /// The format of a file by its extension.
    package init?(path: some FilePathConvertible) {
        let ending = path.filePath.fileExtension
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else { return nil }
        self = format
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

    /// The file extensions of all that can be read.
    package static let readableExtensions = allCases.flatMap(\.fileExtensions) + ["gif"]

    /// Whether a file's name says that it is a picture that can be read.
    package static func isReadableName(_ path: FilePath) -> Bool { readableExtensions.contains(path.fileExtension) }

    /// Extensions of pictures that Bauta does not write: it reads only GIF, and knows the others by name.
    private static let otherExtensions: Set<String> = [
        "gif", "jxl", "jp2", "bmp", "psd", "ppm", "pgm", "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw",
        "orf", "rw2", "raf", "pef", "srw", "x3f", "mrw", "3fr", "iiq",
    ]

    /// Whether a file's name says that it is a picture, of whatever format, read here or not.
    package static func isPictureName(_ path: FilePath) -> Bool {
        PictureFormat(path: path) != nil || otherExtensions.contains(path.fileExtension)
    }
}
