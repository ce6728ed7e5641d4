import Files

/// The directories of a TIFF structure (TIFF 6.0, section 2), which EXIF blocks have, too. Every access is checked against
/// the end: what lies outside reads as nil.
struct TIFFDirectories<Source: ByteSource> {
    /// A value of a directory.
    struct Entry: Equatable {
        let type: TIFFType
        /// How many numbers, or bytes of text, it has.
        let count: Int
        /// Where the first of them lies.
        let offset: Int
    }

    struct Directory {
        fileprivate(set) var entries: [Int: Entry] = [:]
        /// The offset of the next directory; nil: none.
        fileprivate(set) var next: Int?
    }

    private var source: Source
    let isBigEndian: Bool
    /// The offset of the first directory.
    let first: Int

    /// - Returns: nil when it is no TIFF structure.
    init?(_ source: Source) {
        let start = (0..<2).map { source.byte(at: $0) }
        guard start == [0x49, 0x49] || start == [0x4D, 0x4D] else { return nil }
        let isBigEndian = start == [0x4D, 0x4D]
        guard (isBigEndian ? source.big16(at: 2) : source.little16(at: 2)) == 42,
            let first = isBigEndian ? source.big32(at: 4) : source.little32(at: 4)
        else { return nil }
        (self.isBigEndian, self.first) = (isBigEndian, first)
        self.source = source
    }

    /// - Returns: nil when no directory begins at the offset.
    func directory(at offset: Int) -> Directory? {
        guard offset >= 8, let count = number16(at: offset), number32(at: offset + 2 + 12 * count - 4) != nil
        else { return nil }
        var directory = Directory()
        for index in 0..<count {
            let start = offset + 2 + 12 * index
            guard let tag = number16(at: start), let type = number16(at: start + 2).flatMap(TIFFType.init(rawValue:)),
                let count = number32(at: start + 4), directory.entries[tag] == nil
            else { continue }
            let place = count * type.size <= 4 ? start + 8 : number32(at: start + 8)
            if let place { directory.entries[tag] = Entry(type: type, count: count, offset: place) }
        }
        if let next = number32(at: offset + 2 + 12 * count), next != 0 { directory.next = next }
        return directory
    }

    /// The whole numbers of a value, at most 64; empty when there are none.
    func numbers(_ tag: Int, in directory: Directory) -> [Int] {
        guard let entry = directory.entries[tag] else { return [] }
        return (0..<min(entry.count, 64)).compactMap { index in
            let place = entry.offset + index * entry.type.size
            return switch entry.type {
            case .byte, .undefined: source.byte(at: place).map(Int.init)
            case .short: number16(at: place)
            case .long, .directory: number32(at: place)
            default: nil
            }
        }
    }

    func number(_ tag: Int, in directory: Directory) -> Int? { numbers(tag, in: directory).first }

    /// The bytes of a value, its numbers in little-endian order.
    /// - Returns: nil when it lies outside, or has more bytes than `limit`.
    func value(_ tag: Int, in directory: Directory, limit: Int) -> TIFFValue? {
        guard let entry = directory.entries[tag], case let size = entry.count * entry.type.size, size <= limit,
            size > 0, source.byte(at: entry.offset + size - 1) != nil
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for index in 0..<size { bytes.append(source.byte(at: entry.offset + index) ?? 0) }
        if isBigEndian, entry.type.numberSize > 1 {
            for start in stride(from: 0, to: size, by: entry.type.numberSize) {
                bytes[start..<(start + entry.type.numberSize)].reverse()
            }
        }
        return TIFFValue(type: entry.type, count: entry.count, bytes: bytes)
    }

    private func number16(at offset: Int) -> Int? {
        isBigEndian ? source.big16(at: offset) : source.little16(at: offset)
    }

    private func number32(at offset: Int) -> Int? {
        isBigEndian ? source.big32(at: offset) : source.little32(at: offset)
    }
}

/// The types of values in a directory.
enum TIFFType: Int {
    case byte = 1
    case text = 2
    case short = 3
    case long = 4
    case rational = 5
    case signedByte = 6
    case undefined = 7
    case signedShort = 8
    case signedLong = 9
    case signedRational = 10
    case float = 11
    case double = 12
    /// The offset of another directory.
    case directory = 13

    /// In bytes.
    var size: Int { self == .rational || self == .signedRational ? 8 : numberSize }

    /// Of the numbers whose bytes stand in the file's order.
    var numberSize: Int {
        switch self {
        case .byte, .text, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .rational, .signedLong, .signedRational, .float, .directory: 4
        case .double: 8
        }
    }
}

/// A value to write, its numbers in little-endian order.
struct TIFFValue: Equatable {
    var type: TIFFType
    var count: Int
    var bytes: [UInt8]

    init(type: TIFFType, count: Int, bytes: [UInt8]) {
        (self.type, self.count, self.bytes) = (type, count, bytes)
    }

    static func shorts(_ numbers: [Int]) -> TIFFValue {
        TIFFValue(type: .short, count: numbers.count, bytes: numbers.flatMap { bytes($0, 2) })
    }

    static func longs(_ numbers: [Int]) -> TIFFValue {
        TIFFValue(type: .long, count: numbers.count, bytes: numbers.flatMap { bytes($0, 4) })
    }

    static func rational(_ numerator: Int, _ denominator: Int) -> TIFFValue {
        TIFFValue(type: .rational, count: 1, bytes: bytes(numerator, 4) + bytes(denominator, 4))
    }

    static func bytes(_ bytes: [UInt8], type: TIFFType = .byte) -> TIFFValue {
        TIFFValue(type: type, count: bytes.count, bytes: bytes)
    }

    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
