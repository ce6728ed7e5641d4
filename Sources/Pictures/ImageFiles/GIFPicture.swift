import Pixels

/// A still GIF (versions 87a and 89a), read without a library: the format is small, and Swift checks every access.
struct GIFPicture {
    private(set) var width = 0
    private(set) var height = 0
    /// Whether pixels are transparent, or lie outside the one image.
    private(set) var hasAlpha = false
    private(set) var metadata = PictureMetadata()

    /// Where the first image lies on the canvas.
    private var left = 0, top = 0, imageWidth = 0, imageHeight = 0
    private var isInterlaced = false
    private var palette: [SIMD4<UInt8>] = []
    private var transparent: Int?
    /// The compressed indices, and how many bits the first of them have.
    private var codes: [UInt8] = []
    private var codeSize = 0
    /// How many images begin, whether they can be read or not.
    private(set) var imageCount = 0

    /// In bytes: a larger profile is dropped.
    private static let largestProfile = 16 << 20

    /// Reads everything but the pixels.
    /// - Returns: nil when the file is damaged before the end of its first image.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = Reader(bytes: bytes, position: 6)
        guard let width = reader.number(), let height = reader.number(), let flags = reader.byte(),
            reader.skip(2), let globalPalette = reader.palette(flags)
        else { return nil }
        (self.width, self.height) = (width, height)
        var control: (flags: UInt8, transparent: Int)?
        // What follows the pictures does not matter.
        while let kind = reader.byte(), kind == 0x21 || kind == 0x2C {
            if kind == 0x2C {
                guard readImage(&reader, globalPalette, control) else { break }
            } else if let label = reader.byte() {
                control = note(extension: label, &reader) ?? control
            }
        }
        guard imageWidth > 0 || imageCount > 1 else { return nil }
    }

    /// - Returns: the header of the next image.
    private mutating func note(extension label: UInt8, _ reader: inout Reader) -> (flags: UInt8, transparent: Int)? {
        var blocks = reader.blocks()
        switch label {
        case 0xF9 where blocks.first?.count == 4:
            return (blocks[0][0], Int(blocks[0][3]))
        case 0xFE:
            let text = blocks.flatMap { $0 }
            if !text.isEmpty, text.count <= 1 << 16, !HiddenPicture.mayBe(in: text), metadata.pngChunks.count < 16 {
                metadata.pngChunks.append(
                    PNGChunk(type: "tEXt", data: Array("Comment\0".utf8) + text.filter { $0 != 0 }))
            }
        case 0xFF where blocks.first == Array("ICCRGBG1012".utf8) && metadata.iccProfile == nil:
            blocks.removeFirst()
            let profile = blocks.flatMap { $0 }
            if profile.count <= Self.largestProfile { metadata.iccProfile = profile }
        default:
            break
        }
        return nil
    }

    private mutating func readImage(
        _ reader: inout Reader, _ globalPalette: [SIMD4<UInt8>], _ control: (flags: UInt8, transparent: Int)?
    ) -> Bool {
        imageCount += 1
        guard let left = reader.number(), let top = reader.number(), let width = reader.number(),
            let height = reader.number(), let flags = reader.byte(), let palette = reader.palette(flags),
            let codeSize = reader.byte()
        else { return false }
        let codes = reader.blocks()
        // The memory for the picture was granted by the size of the canvas.
        guard imageCount == 1, left + width <= self.width, top + height <= self.height else { return true }
        (self.left, self.top, imageWidth, imageHeight) = (left, top, width, height)
        isInterlaced = flags & 0x40 != 0
        self.palette = palette.isEmpty ? globalPalette : palette
        transparent = control.flatMap { $0.flags & 1 != 0 ? $0.transparent : nil }
        self.codeSize = Int(codeSize)
        self.codes = codes.flatMap { $0 }
        hasAlpha = transparent != nil || left > 0 || top > 0 || width < self.width || height < self.height
        return true
    }

    /// Draws the image into a transparent picture of `width` × `height` pixels.
    /// - Returns: false when it is damaged or cut off.
    func draw(into pixels: inout PixelBuffer) -> Bool {
        guard imageWidth > 0, imageHeight > 0, (1...8).contains(codeSize), !palette.isEmpty
        else { return false }
        var decoder = GIFCodes(codes, codeSize: codeSize)
        for y in rowOrder() {
            let isWhole = pixels.withMutableRow(top + y) { row in
                for x in 0..<imageWidth {
                    guard let index = decoder.next(), index < palette.count || index == transparent else {
                        return false
                    }
                    row[left + x] = index == transparent ? SIMD4(repeating: 0) : palette[index]
                }
                return true
            }
            guard isWhole else { return false }
        }
        return true
    }

    /// The rows of the image in the order in which they are stored.
    private func rowOrder() -> [Int] {
        guard isInterlaced else { return Array(0..<imageHeight) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: imageHeight, by: $0.1)) }
    }

    /// Reads bytes one after the other.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var position: Int

        mutating func byte() -> UInt8? {
            guard position < bytes.count else { return nil }
            position += 1
            return bytes[position - 1]
        }

        mutating func number() -> Int? {
            guard let low = byte(), let high = byte() else { return nil }
            return Int(low) | Int(high) << 8
        }

        mutating func skip(_ count: Int) -> Bool {
            position += count
            return position <= bytes.count
        }

        /// - Returns: empty when the flags announce none.
        mutating func palette(_ flags: UInt8) -> [SIMD4<UInt8>]? {
            guard flags & 0x80 != 0 else { return [] }
            var palette: [SIMD4<UInt8>] = []
            for _ in 0..<(2 << Int(flags & 7)) {
                guard let red = byte(), let green = byte(), let blue = byte() else { return nil }
                palette.append(SIMD4(red, green, blue, 255))
            }
            return palette
        }

        /// Blocks up to the empty one, or up to the end of the file.
        mutating func blocks() -> [[UInt8]] {
            var blocks: [[UInt8]] = []
            while let size = byte(), size > 0 {
                let end = min(bytes.count, position + Int(size))
                blocks.append(Array(bytes[position..<end]))
                position = end
            }
            return blocks
        }
    }
}

/// Decodes the indices of a GIF image: LZW with codes of 3 to 12 bits.
private struct GIFCodes {
    private let bytes: [UInt8]
    private var position = 0
    private var (bits, bitCount): (UInt32, Int) = (0, 0)

    private let clear: Int
    private var codeSize: Int
    private let firstCodeSize: Int
    /// Each code stands for the string of another one, and one more index.
    private var prefixes = [Int](repeating: 0, count: 4096)
    private var suffixes = [UInt8](repeating: 0, count: 4096)
    private var codeCount: Int
    private var previous: Int?
    /// Indices that are decoded and not taken yet, last first.
    private var pending: [UInt8] = []
    private var isAtEnd = false

    init(_ bytes: [UInt8], codeSize: Int) {
        self.bytes = bytes
        clear = 1 << codeSize
        firstCodeSize = codeSize + 1
        self.codeSize = firstCodeSize
        codeCount = clear + 2
        for index in 0..<clear { suffixes[index] = UInt8(truncatingIfNeeded: index) }
    }

    /// - Returns: nil after the last one, and when the codes are damaged.
    mutating func next() -> Int? {
        while pending.isEmpty {
            guard !isAtEnd, decodeString() else {
                isAtEnd = true
                return nil
            }
        }
        return Int(pending.removeLast())
    }

    private mutating func decodeString() -> Bool {
        guard let code = nextCode(), code != clear + 1 else { return false }
        if code == clear {
            codeSize = firstCodeSize
            codeCount = clear + 2
            previous = nil
            return true
        }
        guard let last = previous else {
            guard code < clear else { return false }
            previous = code
            pending.append(UInt8(code))
            return true
        }
        // The newest code may be used before it is complete.
        guard code < codeCount || (code == codeCount && codeCount < 4096) else { return false }
        if code == codeCount { pending.append(0) }
        var step = code == codeCount ? last : code
        while step >= clear {
            pending.append(suffixes[step])
            step = prefixes[step]
        }
        pending.append(suffixes[step])
        if code == codeCount { pending[0] = suffixes[step] }
        if codeCount < 4096 {
            prefixes[codeCount] = last
            suffixes[codeCount] = suffixes[step]
            codeCount += 1
            if codeCount == 1 << codeSize, codeSize < 12 { codeSize += 1 }
        }
        previous = code
        return true
    }

    private mutating func nextCode() -> Int? {
        while bitCount < codeSize {
            guard position < bytes.count else { return nil }
            bits |= UInt32(bytes[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        defer {
            bits >>= UInt32(codeSize)
            bitCount -= codeSize
        }
        return Int(bits & ((1 << UInt32(codeSize)) - 1))
    }
}
