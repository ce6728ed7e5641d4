import Files
import Glibc

/// A list of photographs with their sizes, so that many machines need not look at every file: `--manifest`.
///
/// Each entry is the size in bytes, a tab, and the path below the folder of the photographs. Entries end with a line break
/// or, if the file has a NUL, with that: `find Pictures -type f -printf '%s\t%P\0'` writes it.
package enum PhotoManifest {
    /// Some ten million photographs.
    private static let largest = 1 << 30

    /// How such a list is made.
    static let remedy = "find FOLDER -type f -printf '%s\\t%P\\0' > LIST makes such a list"

    /// - Throws: `FileError`, with the number of the first entry that is wrong.
    package static func read(_ path: FilePath) throws(FileError) -> PhotoList {
        let file = try FileBytes(path: path, maximumCount: largest)
        let bytes = file.withUnsafeBytes { [UInt8]($0) }
        // Its memory is not needed twice.
        _ = consume file
        return try parse(bytes, path: path)
    }

    /// - Parameter path: names the file in errors.
    package static func parse(_ bytes: [UInt8], path: FilePath) throws(FileError) -> PhotoList {
        let parsed = bytes.withUnsafeBytes { bytes in
            Result { () throws(FileError) -> [PhotoList.Entry] in try entries(bytes, path) }
        }
        let list = PhotoList(names: bytes, entries: try parsed.get())
        guard list.count > 0 else { throw FileError(.damaged, path: path, "lists no photograph; \(remedy)") }
        if let (name, first, second) = list.firstRepetition {
            throw FileError(
                .damaged, path: path,
                "\(name) is in the list twice, as entries \(first + 1) and \(second + 1); list each photograph once"
            )
        }
        return list
    }

    private static func entries(
        _ bytes: UnsafeRawBufferPointer, _ path: FilePath
    ) throws(FileError) -> [PhotoList.Entry] {
        let isLines = !bytes.contains(0)
        let separator = isLines ? UInt8(ascii: "\n") : 0
        var entries: [PhotoList.Entry] = []
        entries.reserveCapacity(bytes.count(of: separator))
        var (position, number) = (0, 0)
        func problem(_ reason: String) -> FileError {
            // Enough to find it.
            let text = bytes[position...].prefix { $0 != separator }
            let start = FilePath(bytes: text.prefix(60)).description + (text.count > 60 ? "…" : "")
            return FileError(.damaged, path: path, "entry \(number), '\(start)', \(reason); \(remedy)")
        }
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: separator) ?? bytes.count
            defer { position = end + 1 }
            if end == position { continue }
            number += 1
            if end == bytes.count, !isLines { throw problem("does not end with NUL, so it may be cut off") }
            guard let (size, start) = size(bytes[position..<end]) else {
                let reason = isLines ? " (entries end with line breaks here, because the list has no NUL)" : ""
                throw problem("is not a size in bytes, a tab and a path" + reason)
            }
            let name = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            // Only then: a stranger's folders may be so deep, too, and must not stop the others.
            if name.count >= PATH_MAX, isOfLines(bytes[position..<end]) {
                throw problem(
                    "is too long for a path, and each of its lines is an entry (entries end with NUL here, because the "
                        + "list has one)")
            }
            guard FilePath.staysBeneath(name) else {
                throw problem("is not a path below the folder of the photographs")
            }
            entries.append(
                PhotoList.Entry(start: start, count: Int32(name.count), index: Int32(entries.count), size: size))
        }
        return entries
    }

    /// Whether what lies between two NULs is a list whose entries end with line breaks.
    private static func isOfLines(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        return lines.count > 1 && lines.allSatisfy { size($0) != nil }
    }

    /// The number at the start of an entry, and where the path begins; nil if it has no such number and tab.
    private static func size(_ text: Slice<UnsafeRawBufferPointer>) -> (size: Int64, start: Int)? {
        // Numbers of 18 digits fit.
        guard let tab = text.prefix(19).firstIndex(of: UInt8(ascii: "\t")), tab > text.startIndex else { return nil }
        var size: Int64 = 0
        for byte in text[..<tab] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            size = 10 * size + Int64(byte - UInt8(ascii: "0"))
        }
        return (size, tab + 1)
    }
}

extension PhotoList {
    /// The first name that is there again, and the places of both; nil if each is there once.
    fileprivate var firstRepetition: (name: FilePath, first: Int, second: Int)? {
        withNames { names in
            let checksums = entries.map { Checksum.of(Self.name(of: $0, in: names)) }
            let repeated = Self.repeated(checksums)
            if repeated.isEmpty { return nil }
            var seen: [FilePath: Int] = [:]
            for index in entries.indices where repeated.contains(checksums[index]) {
                let name = self[index].name
                if let first = seen[name] { return (name, first, index) }
                seen[name] = index
            }
            return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func count(of byte: UInt8) -> Int { reduce(0) { $0 + ($1 == byte ? 1 : 0) } }
}
