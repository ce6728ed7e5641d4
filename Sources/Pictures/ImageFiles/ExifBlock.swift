import Files
import Pixels

/// An EXIF block (CIPA DC-008, a TIFF structure). Values are changed in place, so that unknown ones stay as they are.
/// Every access is checked against the block's end: what a damaged block refers to outside of itself reads as nil.
struct ExifBlock {
    private(set) var bytes: [UInt8]
    private let isBigEndian: Bool

    private enum Tag {
        static let imageWidth = 0x0100
        static let imageLength = 0x0101
        static let orientation = 0x0112
        /// Where the parts of a picture lie, and how many bytes each has: as JPEG, in strips, and in tiles.
        static let pictures: [(offsets: Int, lengths: Int)] = [
            (0x0201, 0x0202), (0x0111, 0x0117), (0x0144, 0x0145),
        ]
        /// The directories of further pictures.
        static let subDirectories = 0x014A
        static let exifDirectory = 0x8769
        static let gpsDirectory = 0x8825
        static let interoperabilityDirectory = 0xA005
        static let pixelXDimension = 0xA002
        static let pixelYDimension = 0xA003
    }

    private struct Entry {
        let tag: Int
        let type: TIFFType
        /// How many numbers, or bytes of text, it has; at least 1.
        let count: Int
        /// Where the first of them lies, perhaps beyond the block's end.
        let place: Int

        var range: Range<Int> { place..<place + count * type.size }
    }

    private struct Directory {
        /// Where it lies itself.
        let range: Range<Int>
        let entries: [Entry]
        /// Where the offset of the next one stands; nil: beyond the block's end.
        let link: Int?

        subscript(tag: Int) -> Entry? { entries.first { $0.tag == tag } }
    }

    /// Directories and lists take more bytes together than the block has: they lie over each other.
    private struct Overlap: Error {}

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        switch bytes.prefix(2) {
        case [0x49, 0x49]: isBigEndian = false
        case [0x4D, 0x4D]: isBigEndian = true
        default: return nil
        }
        guard read16(at: 2) == 42 else { return nil }
    }

    var orientation: Orientation? {
        number(directory(at: firstDirectory)?[Tag.orientation]).flatMap { Orientation(rawValue: $0) }
    }

    /// The block for an upright picture of the given size, in pixels, whose faces are covered: the orientation is
    /// "upright". The thumbnail and all other pictures, which show the unmasked face, are overwritten with zeros, so
    /// that everything else stays where it is.
    /// - Returns: nil if it is too confused to tell what is a picture.
    func describingMaskedPicture(width: Int, height: Int) -> [UInt8]? {
        var block = self
        for range in EmbeddedJPEG.ranges(in: bytes) { for index in range { block.bytes[index] = 0 } }
        let first = block.directory(at: block.firstDirectory)
        let exif = first.flatMap { block.directory(at: block.number($0[Tag.exifDirectory])) }
        block.setNumber(Orientation.upright.rawValue, first?[Tag.orientation])
        block.setNumber(width, first?[Tag.imageWidth])
        block.setNumber(height, first?[Tag.imageLength])
        block.setNumber(width, exif?[Tag.pixelXDimension])
        block.setNumber(height, exif?[Tag.pixelYDimension])
        do {
            try block.removeOtherPictures()
        } catch {
            return nil
        }
        return block.bytes
    }

    // MARK: Removing pictures

    /// Overwrites the directories behind the first one, the first of which is the thumbnail's, with their values and the bytes
    /// of their pictures.
    private mutating func removeOtherPictures() throws(Overlap) {
        var budget = bytes.count
        guard let first = try directory(at: firstDirectory, &budget) else { return }
        let exif = try directory(at: number(first[Tag.exifDirectory]), &budget)
        let kept = [
            first, exif, try directory(at: number(first[Tag.gpsDirectory]), &budget),
            try directory(at: number(exif?[Tag.interoperabilityDirectory]), &budget),
        ].compactMap(\.self)
        var (tables, pictures): ([Range<Int>], [Range<Int>]) = ([], [])
        var (seen, waiting): (Set<Int>, [Int]) = ([], try others(of: first, &budget))
        while let offset = waiting.popLast() {
            guard seen.insert(offset).inserted, let directory = try directory(at: offset, &budget) else { continue }
            tables += [directory.range] + directory.entries.map(\.range)
            pictures += try self.pictures(of: directory, &budget)
            waiting += try others(of: directory, &budget)
        }
        // A value may be that of two directories. What is of no known kind, as the maker's note, may hold a picture.
        let keptTables = [0..<8] + kept.map(\.range)
        let keptValues = kept.flatMap(\.entries)
        overwrite(tables, except: keptTables + keptValues.map(\.range))
        overwrite(pictures, except: keptTables + keptValues.filter { $0.type != .undefined }.map(\.range))
        if let link = first.link { write32(0, at: link) }
    }

    private func directory(at offset: Int?, _ budget: inout Int) throws(Overlap) -> Directory? {
        guard let directory = directory(at: offset) else { return nil }
        budget -= 12 * directory.entries.count
        guard budget >= 0 else { throw Overlap() }
        return directory
    }

    /// Where the directory behind another one and those beneath it lie.
    private func others(of directory: Directory, _ budget: inout Int) throws(Overlap) -> [Int] {
        let next = directory.link.flatMap { read32(at: $0) } ?? 0
        return (next == 0 ? [] : [next]) + (try numbers(Tag.subDirectories, in: directory, &budget))
    }

    /// Where the parts of a directory's pictures lie. One without a length may reach to the block's end.
    private func pictures(of directory: Directory, _ budget: inout Int) throws(Overlap) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for tags in Tag.pictures {
            let lengths = try numbers(tags.lengths, in: directory, &budget)
            for (index, offset) in try numbers(tags.offsets, in: directory, &budget).enumerated() where offset >= 8 {
                ranges.append(offset..<(index < lengths.count ? offset + lengths[index] : max(offset, bytes.count)))
            }
        }
        return ranges
    }

    /// All numbers of a tag that lie in the block, also where it is there twice.
    private func numbers(
        _ tag: Int, in directory: Directory, _ budget: inout Int
    ) throws(Overlap) -> [Int] {
        var numbers: [Int] = []
        for entry in directory.entries where entry.tag == tag {
            for index in 0..<entry.count {
                guard let number = number(of: entry, at: entry.place + index * entry.type.size) else { break }
                budget -= entry.type.size
                guard budget >= 0 else { throw Overlap() }
                numbers.append(number)
            }
        }
        return numbers
    }

    /// Overwrites bytes with zeros. Ranges may overlap, and reach beyond the block's end.
    private mutating func overwrite(_ ranges: [Range<Int>], except kept: [Range<Int>]) {
        var isKept = [Bool](repeating: false, count: bytes.count)
        func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
            var result: [Range<Int>] = []
            for range in ranges.map({ $0.clamped(to: bytes.indices) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if let last = result.last, range.lowerBound <= last.upperBound {
                    result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
                } else {
                    result.append(range)
                }
            }
            return result
        }
        for range in merged(kept) { for index in range { isKept[index] = true } }
        for range in merged(ranges) { for index in range where !isKept[index] { bytes[index] = 0 } }
    }

    // MARK: Directories

    private var firstDirectory: Int? { read32(at: 4) }

    /// As much of a directory as there is before the block's end; nil: nothing.
    private func directory(at offset: Int?) -> Directory? {
        guard let offset, let count = read16(at: offset) else { return nil }
        var entries: [Entry] = []
        for index in 0..<count {
            let start = offset + 2 + 12 * index
            guard let tag = read16(at: start), let number = read16(at: start + 2), let count = read32(at: start + 4),
                let place = read32(at: start + 8)
            else { break }
            guard let type = TIFFType(rawValue: number) else { continue }
            // Viewers read a count of 0 as 1.
            let known = max(1, count)
            entries.append(
                Entry(tag: tag, type: type, count: known, place: known * type.size <= 4 ? start + 8 : place))
        }
        let end = offset + 2 + 12 * count
        return Directory(
            range: offset..<end + 4, entries: entries, link: end + 4 <= bytes.count ? end : nil)
    }

    // MARK: Values

    private func number(_ entry: Entry?) -> Int? { entry.flatMap { number(of: $0, at: $0.place) } }

    private func number(of entry: Entry, at place: Int) -> Int? {
        switch entry.type {
        case .short: read16(at: place)
        case .long, .directory: read32(at: place)
        default: nil
        }
    }

    /// Changes the first number of an existing value; adds none.
    private mutating func setNumber(_ value: Int, _ entry: Entry?) {
        guard let entry, entry.place >= 8, entry.place + entry.type.size <= bytes.count else { return }
        switch entry.type {
        case .short where value <= 0xFFFF: write16(UInt16(value), at: entry.place)
        case .long: write32(value, at: entry.place)
        default: break
        }
    }

    // MARK: Numbers

    private func read16(at offset: Int) -> Int? { bytes.number(2, at: offset, isBigEndian: isBigEndian) }
    private func read32(at offset: Int) -> Int? { bytes.number(4, at: offset, isBigEndian: isBigEndian) }

    private mutating func write16(_ value: UInt16, at offset: Int) {
        bytes[offset + (isBigEndian ? 0 : 1)] = UInt8(value >> 8)
        bytes[offset + (isBigEndian ? 1 : 0)] = UInt8(value & 0xFF)
    }

    private mutating func write32(_ value: Int, at offset: Int) {
        write16(UInt16((value >> 16) & 0xFFFF), at: offset + (isBigEndian ? 0 : 2))
        write16(UInt16(value & 0xFFFF), at: offset + (isBigEndian ? 2 : 0))
    }
}
