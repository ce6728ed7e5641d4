/// Reads small files into memory.
package enum FileContents {
    /// - Throws: `FileError` if the file cannot be read, is empty, or has more than `limit` bytes.
    package static func read(_ path: some FilePathConvertible, limit: Int) throws(FileError) -> [UInt8] {
        try read(RegularFile(path.filePath), limit: limit)
    }

    /// - Throws: as `read(_:limit:)` with a path.
    package static func read(_ file: borrowing RegularFile, limit: Int) throws(FileError) -> [UInt8] {
        let file = try FileBytes(file, maximumCount: limit)
        return file.withUnsafeBytes { Array($0) }
    }

    /// The content as UTF-8 text; invalid bytes become U+FFFD.
    /// - Throws: as `read(_:limit:)`. The default limit is 1 MiB.
    package static func text(_ path: some FilePathConvertible, limit: Int = 1 << 20) throws(FileError) -> String {
        String(decoding: try read(path, limit: limit), as: UTF8.self)
    }
}
