import Files

/// A mask package as one file: a zip archive (`.bauta`). Equal files make equal archives, byte by byte.
package enum MaskArchive {
    package struct File: Equatable, Sendable {
        /// Its path in the package.
        package let name: FilePath
        package let bytes: [UInt8]

        package init(name: FilePath, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// Why an archive is refused. Archives are untrusted.
    package struct Refusal: Error, Equatable, CustomStringConvertible {
        package let code: MaskProblem.Code
        /// The name of the entry with the problem; nil when it concerns the whole archive.
        package let entry: String?
        package let reason: String

        package var description: String { "[\(code.rawValue)] \(entry.map { "'\($0)': " } ?? "")\(reason)" }
    }

    /// Why an archive cannot be written.
    package struct WritingFailure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let maximumFiles = 512
    package static let maximumFileSize = 64 << 20
    package static let maximumSize = 256 << 20
    package static let maximumDepth = 4
    /// Of the archive itself.
    package static let maximumArchiveSize = 256 << 20

    static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
