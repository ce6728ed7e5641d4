import Files
import PhotoRecords

/// Names and sizes of many photographs, in little memory: what decides about shards, and what a manifest says.
package struct PhotoList: Sendable {
    struct Entry {
        /// Where the name is in `names`.
        let start: Int
        let count: Int32
        /// The place in the list, from 0.
        let index: Int32
        /// Of the file, in bytes.
        let size: Int64
    }

    /// The names, with anything between them.
    private let names: [UInt8]
    let entries: [Entry]

    package var count: Int { entries.count }

    /// - Parameter names: in which the entries have theirs.
    init(names: [UInt8], entries: [Entry]) {
        self.names = names
        self.entries = entries
    }

    /// Photographs that have been looked for: their names below the folders that were given.
    package init(_ jobs: [PhotoJob]) {
        var names: [UInt8] = []
        var entries: [Entry] = []
        for job in jobs {
            let name = job.input.bytes[job.nameStart...]
            entries.append(
                Entry(start: names.count, count: Int32(name.count), index: Int32(entries.count), size: job.size))
            names += name
        }
        self.init(names: names, entries: entries)
    }

    /// The bytes of all names, for `name(of:in:)`.
    func withNames<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { names.withUnsafeBytes(body) }

    static func name(of entry: Entry, in names: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: names[entry.start..<entry.start + Int(entry.count)])
    }

    package subscript(index: Int) -> (name: FilePath, size: Int64) {
        let entry = entries[index]
        return (FilePath(bytes: names[entry.start..<entry.start + Int(entry.count)]), entry.size)
    }

    /// The places of photographs whose names begin as that of a file does, without its extension.
    func places(ofNamesLike file: FilePath) -> [Int] {
        let start = file.name.withoutExtension.bytes
        return withNames { names in
            entries.indices.filter { place in
                let path = Self.name(of: entries[place], in: names)
                let name = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
                return path[name...].starts(with: start)
            }
        }
    }

    /// The checksums that are there more than once. Those of different names may be equal.
    static func repeated(_ checksums: [UInt64]) -> Set<UInt64> {
        let sorted = checksums.sorted()
        return Set(zip(sorted, sorted.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
    }
}
