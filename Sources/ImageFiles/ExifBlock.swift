import Pixels

/// An EXIF block (CIPA DC-008, a TIFF structure). Values are changed in place, so that unknown ones stay as they are.
/// Every access is checked against the block's end: what a damaged block refers to outside of itself reads as nil.
struct ExifBlock {
    private(set) var bytes: [UInt8]
    private let isBigEndian: Bool

    private enum Tag {
        static let imageWidth: UInt16 = 0x0100
        static let imageLength: UInt16 = 0x0101
        static let orientation: UInt16 = 0x0112
        /// Offset and length of a thumbnail: as JPEG, and uncompressed.
        static let thumbnails: [(offset: UInt16, length: UInt16)] = [(0x0201, 0x0202), (0x0111, 0x0117)]
        static let exifDirectory: UInt16 = 0x8769
        static let pixelXDimension: UInt16 = 0xA002
        static let pixelYDimension: UInt16 = 0xA003
    }

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
        value(of: Tag.orientation, in: firstDirectory).flatMap { Orientation(rawValue: $0) }
    }

    /// Adapts the block to an upright picture of the given size, in pixels, whose faces are covered: the orientation
    /// becomes "upright"; the thumbnail and all other JPEG pictures, which show the bare face, are overwritten with zeros,
    /// so that everything else stays where it is.
    mutating func describeMaskedPicture(width: Int, height: Int) {
        for range in EmbeddedJPEG.ranges(in: bytes) { for index in range { bytes[index] = 0 } }
        let exifDirectory = value(of: Tag.exifDirectory, in: firstDirectory)
        setValue(Orientation.upright.rawValue, of: Tag.orientation, in: firstDirectory)
        setValue(width, of: Tag.imageWidth, in: firstDirectory)
        setValue(height, of: Tag.imageLength, in: firstDirectory)
        setValue(width, of: Tag.pixelXDimension, in: exifDirectory)
        setValue(height, of: Tag.pixelYDimension, in: exifDirectory)
        removeThumbnail()
    }

    private mutating func removeThumbnail() {
        guard let link = linkToNextDirectory(after: firstDirectory), let directory = read32(at: link), directory != 0
        else { return }
        for tags in Tag.thumbnails {
            guard let offset = value(of: tags.offset, in: directory),
                let length = value(of: tags.length, in: directory), offset > 8, offset < bytes.count
            else { continue }
            let end = min(bytes.count, offset + length)
            for index in offset..<max(offset, end) { bytes[index] = 0 }
        }
        write32(0, at: link)
    }

    // MARK: Directories

    private var firstDirectory: Int? { read32(at: 4) }

    /// The offset of a tag's entry: tag, type, count and value, 12 bytes.
    private func entry(_ tag: UInt16, in directory: Int?) -> Int? {
        guard let directory, let count = read16(at: directory) else { return nil }
        for index in 0..<Int(count) {
            let offset = directory + 2 + 12 * index
            guard let found = read16(at: offset) else { return nil }
            if found == tag { return offset }
        }
        return nil
    }

    private func linkToNextDirectory(after directory: Int?) -> Int? {
        guard let directory, let count = read16(at: directory) else { return nil }
        let link = directory + 2 + 12 * Int(count)
        return link + 4 <= bytes.count ? link : nil
    }

    private func value(of tag: UInt16, in directory: Int?) -> Int? {
        guard let entry = entry(tag, in: directory) else { return nil }
        switch read16(at: entry + 2) {
        case 3: return read16(at: entry + 8).map(Int.init)  // SHORT
        case 4: return read32(at: entry + 8)  // LONG
        default: return nil
        }
    }

    /// Changes an existing value; adds none.
    private mutating func setValue(_ value: Int, of tag: UInt16, in directory: Int?) {
        guard let entry = entry(tag, in: directory), entry + 12 <= bytes.count else { return }
        switch read16(at: entry + 2) {
        case 3 where value <= 0xFFFF: write16(UInt16(value), at: entry + 8)
        case 4: write32(value, at: entry + 8)
        default: break
        }
    }

    // MARK: Numbers

    private func read16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    private func read32(at offset: Int) -> Int? {
        guard let first = read16(at: offset), let second = read16(at: offset + 2) else { return nil }
        return isBigEndian ? Int(first) << 16 | Int(second) : Int(second) << 16 | Int(first)
    }

    private mutating func write16(_ value: UInt16, at offset: Int) {
        bytes[offset + (isBigEndian ? 0 : 1)] = UInt8(value >> 8)
        bytes[offset + (isBigEndian ? 1 : 0)] = UInt8(value & 0xFF)
    }

    private mutating func write32(_ value: Int, at offset: Int) {
        write16(UInt16((value >> 16) & 0xFFFF), at: offset + (isBigEndian ? 0 : 2))
        write16(UInt16(value & 0xFFFF), at: offset + (isBigEndian ? 2 : 0))
    }
}
