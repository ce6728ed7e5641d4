/// Uncompressed TIFF files of any kind, honest or not, written without libtiff so that the two do not share their mistakes.
package struct TIFFBuilder {
    package struct Entry {
        package var tag: Int
        /// 1 bytes, 2 text, 3 numbers of two bytes, 4 of four, 7 undefined.
        package var type: Int
        package var values: [Int]

        package init(_ tag: Int, _ type: Int, _ values: [Int]) {
            (self.tag, self.type, self.values) = (tag, type, values)
        }

        package init(_ tag: Int, _ type: Int = 1, bytes: [UInt8]) { self.init(tag, type, bytes.map(Int.init)) }
    }

    package var width: Int
    package var height: Int
    package var bits = 8
    /// 0 grey (white is 0), 1 grey, 2 RGB, 3 palette, 5 CMYK, 6 YCbCr.
    package var photometric = 2
    package var samples = 3
    package var isBigEndian = false
    package var isPlanar = false
    /// The side of the tiles, a multiple of 16; nil: strips.
    package var tile: Int?
    /// The number of rows in a strip; nil: all.
    package var rowsPerStrip: Int?
    package var compression = 1
    /// Further entries of the directory, which replace those that describe the picture.
    package var entries: [Entry] = []
    /// Directories that entries refer to, by the entry's tag.
    package var directories: [Int: [Entry]] = [:]
    /// The next pages.
    package var pages: [TIFFBuilder] = []
    /// The samples: column, row, and which one of a pixel.
    package var value: (Int, Int, Int) -> Int

    package init(
        width: Int, height: Int, value: @escaping (Int, Int, Int) -> Int = { x, y, s in (3 * x + 5 * y + 40 * s) % 256 }
    ) {
        (self.width, self.height, self.value) = (width, height, value)
    }

    package var bytes: [UInt8] {
        var file: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        file += number(0, 4)
        var link = 4
        for page in [self] + pages {
            var page = page
            page.isBigEndian = isBigEndian
            link = page.append(to: &file, link: link)
        }
        return file
    }

    /// Appends the picture and its directory. Returns where the offset of the next directory has to stand.
    private func append(to file: inout [UInt8], link: Int) -> Int {
        var (offsets, sizes): ([Int], [Int]) = ([], [])
        for piece in pieces() {
            offsets.append(file.count)
            sizes.append(piece.count)
            file += piece + (piece.count % 2 == 1 ? [0] : [])
        }
        var all = [
            Entry(0x100, 4, [width]), Entry(0x101, 4, [height]),
            Entry(0x102, 3, [Int](repeating: bits, count: samples)), Entry(0x103, 3, [compression]),
            Entry(0x106, 3, [photometric]), Entry(0x115, 3, [samples]), Entry(0x11C, 3, [isPlanar ? 2 : 1]),
        ]
        if let tile {
            all += [
                Entry(0x142, 4, [tile]), Entry(0x143, 4, [tile]), Entry(0x144, 4, offsets), Entry(0x145, 4, sizes),
            ]
        } else {
            all += [Entry(0x111, 4, offsets), Entry(0x116, 4, [rowsPerStrip ?? height]), Entry(0x117, 4, sizes)]
        }
        for (tag, directory) in directories {
            let place = file.count
            file += self.directory(directory, at: place)
            all.append(Entry(tag, 4, [place]))
        }
        let replaced = Set(entries.map(\.tag))
        all = all.filter { !replaced.contains($0.tag) } + entries
        let place = file.count
        file.replaceSubrange(link..<(link + 4), with: number(place, 4))
        // The link stands behind the entries, before their values.
        file += directory(all, at: place)
        return place + 2 + 12 * all.count
    }

    private func directory(_ entries: [Entry], at place: Int) -> [UInt8] {
        var head = number(entries.count, 2)
        var rest: [UInt8] = []
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            let size = [3: 2, 4: 4][entry.type] ?? 1
            let value = entry.values.flatMap { number($0, size) }
            head += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, 4)
            if value.count <= 4 {
                head += value + [UInt8](repeating: 0, count: 4 - value.count)
            } else {
                head += number(place + 2 + 12 * entries.count + 4 + rest.count, 4)
                rest += value + (value.count % 2 == 1 ? [0] : [])
            }
        }
        return head + number(0, 4) + rest
    }

    /// The strips or tiles.
    private func pieces() -> [[UInt8]] {
        isPlanar ? (0..<samples).flatMap { pieces(of: [$0]) } : pieces(of: Array(0..<samples))
    }

    private func pieces(of plane: [Int]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        let rowCount = tile ?? rowsPerStrip ?? height
        for top in stride(from: 0, to: height, by: rowCount) {
            if let tile {
                for left in stride(from: 0, to: width, by: tile) {
                    pieces.append(rows(top..<(top + tile), left..<(left + tile), plane))
                }
            } else {
                pieces.append(rows(top..<min(height, top + rowCount), 0..<width, plane))
            }
        }
        return pieces
    }

    private func rows(_ rows: Range<Int>, _ columns: Range<Int>, _ plane: [Int]) -> [UInt8] {
        rows.flatMap { y -> [UInt8] in
            let values = columns.flatMap { x in plane.map { value(min(x, width - 1), min(y, height - 1), $0) } }
            if bits >= 8 { return values.flatMap { number($0, bits / 8) } }
            var (row, used): ([UInt8], Int) = ([], 8)
            for value in values {
                if used == 8 { (row, used) = (row + [0], 0) }
                used += bits
                row[row.count - 1] |= UInt8(value & ((1 << bits) - 1)) << UInt8(8 - used)
            }
            return row
        }
    }

    private func number(_ number: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }
}
