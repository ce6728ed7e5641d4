import Files
import Masking

/// A list of photographs with their sizes, so that many machines need not look at every file: `--manifest`.
///
/// Each entry is the size in bytes, a tab, and the path below the folder of the photographs. Entries end with a line break
/// or, if the file has a NUL, with that: `find Pictures -type f -printf '%s\t%P\0'` writes it.
package enum PhotoManifest {
    package struct Entry: Equatable, Sendable {
        package let path: FilePath
        /// In bytes.
        package let size: Int64

        package init(path: FilePath, size: Int64) {
            self.path = path
            self.size = size
        }
    }

    /// Some ten million photographs.
    private static let largest = 1 << 30

    /// - Throws: `FileError`, with the number of the first entry that is wrong.
    package static func read(_ path: FilePath) throws(FileError) -> [Entry] {
        let bytes = try FileBytes(path: path, maximumCount: largest)
        return try bytes.withUnsafeBytes { (bytes) throws(FileError) -> [Entry] in try parse(bytes, path: path) }
    }

    /// - Parameter path: names the file in errors.
    package static func parse(_ bytes: UnsafeRawBufferPointer, path: FilePath) throws(FileError) -> [Entry] {
        let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
        var entries: [Entry] = []
        for part in bytes.split(separator: separator) {
            let tab = part.firstIndex(of: UInt8(ascii: "\t"))
            let size = tab.flatMap { Int64(String(decoding: part[..<$0], as: UTF8.self)) }
            guard let tab, let size, size >= 0 else {
                throw FileError(
                    .damaged, path: path,
                    "entry \(entries.count + 1) is not a size in bytes, a tab and a path; "
                        + "find FOLDER -type f -printf '%s\\t%P\\0' writes such a list")
            }
            let name = FilePath(bytes: part[(tab + 1)...])
            guard name.staysBeneath else {
                throw FileError(
                    .damaged, path: path,
                    "entry \(entries.count + 1), \(name), is not a path below the folder of the photographs")
            }
            entries.append(Entry(path: name, size: size))
        }
        guard !entries.isEmpty else { throw FileError(.damaged, path: path, "names no photograph") }
        return entries
    }
}
