import ImageFiles
import Pixels
import Testing

/// What is removed from an EXIF block, and what stays.
@Suite struct ExifTests {
    /// A TIFF structure that is put together piece by piece.
    private struct Block {
        struct Value {
            let tag: Int
            let type: Int
            let count: Int
            /// Without those, the value lies at `place` already.
            var bytes: [UInt8] = []
            var place: Int?
        }

        let isBigEndian: Bool
        private(set) var bytes: [UInt8]

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
            bytes = isBigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 0] : [0x49, 0x49, 42, 0, 0, 0, 0, 0]
        }

        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? little.reversed() : little
        }

        func longs(_ tag: Int, _ values: [Int]) -> Value {
            Value(tag: tag, type: 4, count: values.count, bytes: values.flatMap { number($0, 4) })
        }

        func shorts(_ tag: Int, _ values: [Int]) -> Value {
            Value(tag: tag, type: 3, count: values.count, bytes: values.flatMap { number($0, 2) })
        }

        func text(_ tag: Int, _ text: String) -> Value {
            Value(tag: tag, type: 2, count: text.utf8.count, bytes: Array(text.utf8))
        }

        mutating func append(_ data: [UInt8]) -> Range<Int> {
            bytes += data
            return bytes.count - data.count..<bytes.count
        }

        mutating func append(_ text: String) -> Range<Int> { append(Array(text.utf8)) }

        /// Appends a directory behind those of its values that do not fit into it.
        /// - Returns: where it lies, with its values.
        mutating func directory(_ values: [Value], next: Int = 0) -> (start: Int, range: Range<Int>) {
            let start = bytes.count
            let fields = values.map { value -> [UInt8] in
                if let place = value.place { return number(place, 4) }
                if value.bytes.count <= 4 { return value.bytes + [UInt8](repeating: 0, count: 4 - value.bytes.count) }
                return number(append(value.bytes).lowerBound, 4)
            }
            let table = append(number(values.count, 2)).lowerBound
            for (value, field) in zip(values, fields) {
                bytes += number(value.tag, 2) + number(value.type, 2) + number(value.count, 4) + field
            }
            bytes += number(next, 4)
            return (table, start..<bytes.count)
        }

        mutating func replace(_ range: Range<Int>, with data: [UInt8]) { bytes.replaceSubrange(range, with: data) }

        mutating func begin(at first: Int) { bytes.replaceSubrange(4..<8, with: number(first, 4)) }

        /// An entry whose value lies at a place.
        func entry(_ tag: Int, _ type: Int, _ count: Int, at place: Int) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + number(place, 4)
        }
    }

    private func adapted(_ block: [UInt8]) throws -> [UInt8]? {
        var picture = Picture(pixels: try PixelBuffer(width: 2, height: 1, format: .rgba8))
        picture.metadata.exif = block
        return PictureWriter.metadata(ofMasked: picture).exif
    }

    /// The thumbnail's directory goes with its values, and all parts of its picture; nothing else changes, also not what both
    /// directories share.
    @Test(arguments: [false, true], [(0x0111, 0x0117), (0x0144, 0x0145)])
    func allPartsOfAThumbnailGo(_ isBigEndian: Bool, _ tags: (Int, Int)) throws {
        var block = Block(isBigEndian: isBigEndian)
        var parts: [Range<Int>] = []
        for number in 1...3 {
            parts.append(block.append("bare part \(number)" + String(repeating: "!", count: number)))
            _ = block.append("kept \(number)")
        }
        let resolution = block.append(block.number(72, 4) + block.number(1, 4)).lowerBound
        let shared = Block.Value(tag: 0x011A, type: 5, count: 1, place: resolution)
        let second = block.directory([
            block.text(0x010E, "bare name of somebody"), block.longs(tags.0, parts.map(\.lowerBound)),
            block.shorts(tags.1, parts.map(\.count)), shared,
        ])
        let make = "kept make"
        let first = block.directory(
            [block.text(0x010F, make), block.shorts(0x0112, [6]), block.longs(0x0100, [99, 98]), shared],
            next: second.start)
        block.begin(at: first.start)
        let original = block.bytes
        var expected = original
        for range in parts + [second.range] { for index in range { expected[index] = 0 } }
        // The link to the thumbnail's directory, and the orientation; of the widths, the first one.
        for index in expected.count - 4..<expected.count { expected[index] = 0 }
        let entries = first.start + 2
        expected.replaceSubrange(entries + 20..<entries + 22, with: block.number(1, 2))
        let widths = first.range.lowerBound + make.utf8.count
        expected.replaceSubrange(widths..<widths + 4, with: block.number(2, 4))
        #expect(try adapted(original) == expected)
    }

    /// The pictures of directories beneath the first one and behind the second one, with numbers of other sizes, and of lists
    /// that are too short.
    @Test(arguments: [false, true]) func furtherPicturesGo(_ isBigEndian: Bool) throws {
        var block = Block(isBigEndian: isBigEndian)
        let (beneath, third) = (block.append("bare beneath"), block.append("bare third"))
        let text = block.append("kept text")
        let inner = block.directory([
            block.shorts(0x0111, [beneath.lowerBound]), block.shorts(0x0117, [beneath.count]),
        ])
        let last = block.directory([block.longs(0x0201, [third.lowerBound]), block.longs(0x0202, [third.count])])
        let second = block.directory([block.longs(0x0100, [1])], next: last.start)
        let first = block.directory([block.longs(0x014A, [inner.start, inner.start])], next: second.start)
        let end = block.append("bare until the end")
        // Without its length.
        let endless = block.directory([block.longs(0x0111, [end.lowerBound])])
        block.begin(at: first.start)
        var bytes = block.bytes
        #expect(endless.start > 0)
        let changed = try #require(try adapted(bytes))
        #expect(changed[beneath].allSatisfy { $0 == 0 } && changed[third].allSatisfy { $0 == 0 })
        #expect(changed[text] == bytes[text] && changed[end] == bytes[end])
        // The third directory leads to the last one.
        bytes.replaceSubrange(last.range.upperBound - 4..<last.range.upperBound, with: block.number(endless.start, 4))
        let again = try #require(try adapted(bytes))
        #expect(again[end.lowerBound...].allSatisfy { $0 == 0 } && again[text] == bytes[text])
    }

    /// Directories that lie over each other take no time without end, and what is not understood is dropped.
    @Test func confusedBlocksAreDropped() throws {
        var block = Block(isBigEndian: false)
        let count = 2000
        // From each place 12 bytes on, a directory of 200 entries that are those of the next directories, too.
        let pattern = block.number(200, 2) + block.number(0x0111, 2) + block.number(4, 2) + block.number(1, 4) + [0, 0]
        let places = block.append([UInt8](repeating: 0, count: 12 * (count + 200)))
        block.replace(places, with: (0..<count + 200).flatMap { _ in pattern })
        let first = block.directory([block.longs(0x014A, (0..<count).map { places.lowerBound + 12 * $0 })])
        block.begin(at: first.start)
        let bytes = block.bytes
        #expect(try adapted(bytes) == nil)
        // As many that lie beside each other are understood.
        block.replace(places, with: (0..<count + 200).flatMap { _ in block.number(0, 12) })
        #expect(try adapted(block.bytes)?.count == bytes.count)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var changed = bytes.prefix(600).map(\.self)
            changed.replaceSubrange(0..<8, with: bytes.prefix(4) + block.number(8, 4))
            for _ in 0..<20 {
                changed[Int.random(in: 4..<changed.count, using: &random)] = UInt8.random(in: 0...20, using: &random)
            }
            let result = try adapted(changed)
            #expect(result.map { $0.count == changed.count } ?? true)
        }
    }
}
