import Files

/// The properties in the boxes of a HEIC or AVIF file (ISO/IEC 23008-12, ISO/IEC 14496-12), before decoding.
struct HEIFHeader: Equatable {
    /// Of the largest picture in the file, in pixels, as stored.
    private(set) var width = 0
    private(set) var height = 0
    /// A component: 8, 10, 12 or more; of the picture with the most.
    private(set) var bits = 8
    /// 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4; of the picture with the most colour.
    private(set) var chroma = 0

    /// More boxes than any photograph has.
    static let boxLimit = 20_000

    struct Box {
        let type: Int
        let content: Range<Int>
    }

    /// - Returns: nil when no picture has a size.
    init?<Source: ByteSource>(_ source: Source) {
        var budget = Self.boxLimit
        let path = ["meta", "iprp", "ipco"].map(Self.code)
        var range = 0..<Int.max
        for type in path {
            guard let box = Self.box(type, in: range, source, &budget) else { return nil }
            // "meta" has a version and flags before its boxes.
            let versioned = type == path[0] ? 4 : 0
            guard box.content.count >= versioned else { return nil }
            range = (box.content.lowerBound + versioned)..<box.content.upperBound
        }
        while let property = Self.next(in: &range, source, &budget) { note(property, source) }
        guard width > 0, height > 0 else { return nil }
    }

    private mutating func note<Source: ByteSource>(_ property: Box, _ source: Source) {
        let start = property.content.lowerBound
        switch property.type {
        case Self.code("ispe"):
            guard let width = source.big32(at: start + 4), let height = source.big32(at: start + 8),
                // Products of such sides fit, and are refused.
                case let (width, height) = (min(width, 1 << 30), min(height, 1 << 30)),
                width * height > self.width * self.height
            else { return }
            (self.width, self.height) = (width, height)
        case Self.code("pixi"):
            for index in 0..<Int(source.byte(at: start + 4) ?? 0) {
                bits = max(bits, Int(source.byte(at: start + 5 + index) ?? 0))
            }
        case Self.code("hvcC"):
            chroma = max(chroma, Int(source.byte(at: start + 16) ?? 0) & 3)
            bits = max(bits, 8 + (Int(source.byte(at: start + 17) ?? 0) & 7))
        case Self.code("av1C"):
            let flags = source.byte(at: start + 2) ?? 0
            // High bit depth, 12 bits, monochrome, subsampled in x, and in y.
            bits = max(bits, flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12)
            chroma = max(chroma, flags & 0x10 != 0 ? 0 : flags & 0x08 == 0 ? 3 : flags & 0x04 == 0 ? 2 : 1)
        default:
            break
        }
    }

    // MARK: Boxes

    static func code(_ type: String) -> Int { type.utf8.reduce(0) { $0 << 8 | Int($1) } }

    private static func box<Source: ByteSource>(
        _ type: Int, in range: Range<Int>, _ source: Source, _ budget: inout Int
    ) -> Box? {
        var range = range
        while let box = next(in: &range, source, &budget) {
            if box.type == type { return box }
        }
        return nil
    }

    /// The box at the start of a range, which then begins behind it.
    static func next<Source: ByteSource>(
        in range: inout Range<Int>, _ source: Source, _ budget: inout Int
    ) -> Box? {
        let start = range.lowerBound
        guard budget > 0, !range.isEmpty, let stated = source.big32(at: start), let type = source.big32(at: start + 4)
        else { return nil }
        budget -= 1
        var (size, head) = (stated, 8)
        if stated == 1 {
            guard let high = source.big32(at: start + 8), high < 1 << 24, let low = source.big32(at: start + 12)
            else { return nil }
            (size, head) = (high << 32 | low, 16)
        } else if stated == 0 {
            size = range.upperBound - start
        }
        guard size >= head, size <= range.upperBound - start else { return nil }
        range = (start + size)..<range.upperBound
        return Box(type: type, content: (start + head)..<(start + size))
    }
}
