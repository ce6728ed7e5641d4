import Files

/// A file format for still pictures that Bauta reads, but does not write: the result is a PNG.
enum ReadOnlyFormat: String, CaseIterable, Sendable {
    case gif
    case bmp
    case netpbm

    /// For sentences.
    var name: String {
        switch self {
        case .gif: "GIF"
        case .bmp: "BMP"
        case .netpbm: "Netpbm"
        }
    }

    /// The file extensions, without the dot.
    var fileExtensions: [String] {
        switch self {
        case .gif: ["gif"]
        case .bmp: ["bmp", "dib"]
        case .netpbm: ["ppm", "pgm", "pbm", "pnm"]
        }
    }
}

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

    /// All that can be read, for sentences: these formats, and those that are not written.
    package static let readableNames = list(allCases.map(\.name) + ReadOnlyFormat.allCases.map(\.name), "or")

    /// The file extensions of all that can be read.
    package static let readableExtensions = allCases.flatMap(\.fileExtensions) + readOnlyExtensions

    /// The file extensions of pictures that are read and not written, without the dot, in lower case.
    package static let readOnlyExtensions = ReadOnlyFormat.allCases.flatMap(\.fileExtensions)

    /// Whether a file's name says that it is a picture that can be read.
    package static func isReadableName(_ path: FilePath) -> Bool { readableExtensions.contains(path.fileExtension) }

    /// Extensions of pictures that Bauta does not read, and knows by name.
    private static let otherExtensions: Set<String> = [
        "jxl", "jp2", "psd", "pam", "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "orf", "rw2", "raf", "pef", "srw",
        "x3f", "mrw", "3fr", "iiq",
    ]

    /// Whether a file's name says that it is a picture, of whatever format, read here or not.
    package static func isPictureName(_ path: FilePath) -> Bool {
        isReadableName(path) || otherExtensions.contains(path.fileExtension)
    }
}
