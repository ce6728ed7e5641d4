/// Zip archives of any kind, honest or not: entries are stored as they are.
package struct ZipBuilder {
    package struct Entry {
        package var name: [UInt8]
        package var data: [UInt8]
        /// Bit 0 says that it is encrypted, bit 11 that the name is UTF-8.
        package var flags: UInt16 = 0x0800
        /// As stat has them: 0o100644 for a file.
        package var mode: UInt32 = 0o100644
        /// Said instead of the true one.
        package var checksum: UInt32?

        package init(_ name: String, _ data: [UInt8] = Array("x".utf8)) {
            self.name = Array(name.utf8)
            self.data = data
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    package var bytes: [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = file.count
            let common =
                little(entry.flags, 2) + little(0, 2) + little(0, 2) + little(0x21, 2)
                + little(entry.checksum ?? PNGBuilder.crc(entry.data), 4) + little(entry.data.count, 4)
                + little(entry.data.count, 4) + little(entry.name.count, 2) + little(0, 2)
            file += [0x50, 0x4B, 3, 4] + little(20, 2) + common + entry.name + entry.data
            // Made on Unix, so that the mode counts.
            directory +=
                [0x50, 0x4B, 1, 2] + little(0x0314, 2) + little(20, 2) + common + little(0, 2) + little(0, 2)
                + little(0, 2) + little(entry.mode << 16, 4) + little(offset, 4) + entry.name
        }
        let start = file.count
        return file + directory + [0x50, 0x4B, 5, 6] + little(0, 4) + little(entries.count, 2)
            + little(entries.count, 2) + little(directory.count, 4) + little(start, 4) + little(0, 2)
    }

    private func little(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
