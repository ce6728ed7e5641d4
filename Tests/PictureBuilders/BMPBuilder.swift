/// BMP files of any kind, honest or not.
package struct BMPBuilder {
    package var width: Int
    /// Negative: the first row is the top one.
    package var height: Int
    package var bits: Int
    package var headerSize = 40
    /// Red, green, blue and, in headers from 56 bytes on, alpha; nil: the usual ones.
    package var masks: [Int]?
    package var compression: Int?
    package var profile: [UInt8]?
    /// Column and row, from the top, to what is stored: an index of the palette, or the bits of a pixel.
    package var value: (Int, Int) -> Int

    /// The palette has the colours (i, 255 − i, i / 2).
    package init(width: Int, height: Int, bits: Int, value: ((Int, Int) -> Int)? = nil) {
        (self.width, self.height, self.bits) = (width, height, bits)
        self.value = value ?? { x, y in (31 * x + 7 * y) & (1 << bits - 1) }
    }

    package var bytes: [UInt8] {
        let palette = bits <= 8 ? (0..<(1 << bits)).flatMap { entry($0) } : []
        let kind = compression ?? (masks == nil ? 0 : 3)
        let apart = headerSize == 40 && masks != nil ? (masks ?? []).prefix(3).flatMap { number($0) } : []
        let start = 14 + headerSize + apart.count + palette.count
        let rows = rows
        var header = number(headerSize)
        if headerSize == 12 {
            header += number(width, 2) + number(height, 2) + number(1, 2) + number(bits, 2)
        } else {
            header +=
                number(width) + number(height) + number(1, 2) + number(bits, 2) + number(kind) + number(rows.count)
            header += number(2835) + number(2835) + number(0) + number(0)
            if headerSize > 40 { header += (masks ?? [0, 0, 0, 0]).flatMap { number($0) } }
            if headerSize > 56 { header += number(profile == nil ? 0x7352_4742 : 0x4D42_4544) }
            header += [UInt8](repeating: 0, count: max(0, headerSize - header.count))
            if let profile, headerSize == 124 {
                header.replaceSubrange(112..<120, with: number(start - 14 + rows.count) + number(profile.count))
            }
        }
        let whole = start + rows.count + (profile?.count ?? 0)
        return Array("BM".utf8) + number(whole) + number(0) + number(start) + header + apart + palette + rows
            + (profile ?? [])
    }

    private func entry(_ index: Int) -> [UInt8] {
        [UInt8(index / 2), UInt8(255 - index), UInt8(index)] + (headerSize == 12 ? [] : [0])
    }

    private var rows: [UInt8] {
        let length = (width * bits + 31) / 32 * 4
        var rows: [UInt8] = []
        for row in 0..<abs(height) {
            let y = height < 0 ? row : height - 1 - row
            var bytes = [UInt8](repeating: 0, count: length)
            for x in 0..<width {
                let value = value(x, y)
                if bits < 8 {
                    bytes[x * bits / 8] |= UInt8(value << (8 - bits - x * bits % 8))
                } else {
                    for index in 0..<(bits / 8) {
                        bytes[x * bits / 8 + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
                    }
                }
            }
            rows += bytes
        }
        return rows
    }

    private func number(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
