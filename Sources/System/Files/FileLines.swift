import Glibc

/// The lines of a regular file, read piece by piece: only the longest one must fit into memory.
package struct FileLines: ~Copyable {
    private static let piece = 1 << 20
    /// Of a line, in bytes. Reports have shorter ones by far.
    private static let longest = 1 << 28

    private let file: RegularFile
    /// Of what is read next.
    private var offset = 0
    private var buffer: [UInt8] = []
    private var start = 0
    /// Of the line that `next` has returned, from 1. Empty lines count.
    package private(set) var number = 0

    /// - Throws: `FileError` if the file cannot be read.
    package init(_ path: some FilePathConvertible) throws(FileError) { file = try RegularFile(path.filePath) }

    /// The next line that is not empty, without its line break; nil at the end.
    /// - Throws: `FileError`.
    package mutating func next() throws(FileError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
            if let end {
                let line = buffer[start..<end]
                start = end + 1
                searched = start
                number += 1
                if !line.isEmpty { return line }
            } else if offset < file.count {
                searched = try readOn()
            } else {
                let line = buffer[start...]
                start = buffer.endIndex
                if !line.isEmpty { number += 1 }
                return line.isEmpty ? nil : line
            }
        }
    }

    /// Reads a piece behind what is not a whole line yet.
    /// - Returns: where it begins.
    private mutating func readOn() throws(FileError) -> Int {
        buffer.removeSubrange(..<start)
        start = 0
        let known = buffer.count
        guard known < Self.longest else {
            throw FileError(.damaged, path: file.path, "line \(number + 1) has more than \(Self.longest) bytes")
        }
        let count = min(Self.piece, file.count - offset)
        // Taken out, because the file is a part of this value, too.
        var grown: [UInt8] = []
        swap(&grown, &buffer)
        grown.append(contentsOf: repeatElement(0, count: count))
        var failure: FileError?
        grown.withUnsafeMutableBytes { bytes in
            do throws(FileError) {
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[known...]), from: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        buffer = grown
        offset += count
        return known
    }
}
