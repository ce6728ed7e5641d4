import Glibc

/// The quality of a lossy WebP picture, from the quantiser in its frame header (RFC 6386, sections 7, 9 and 19.2).
enum VP8Quality {
    /// - Parameter data: a key frame.
    /// - Returns: the quality, 1…100, for which libwebp chooses this quantiser; nil when the header cannot be read.
    static func estimate(_ data: UnsafeRawBufferPointer) -> Int? {
        guard data.count > 10, data[3...].starts(with: [0x9D, 0x01, 0x2A]) else { return nil }
        var decoder = BooleanDecoder(data[10...])
        guard let index = leastQuantizer(&decoder) else { return nil }
        // libwebp: index = 127 (1 − ∛c), and c is the quality in two straight pieces that meet at (0.75, 0.5).
        let compression = pow(1 - Double(index) / 127, 3)
        let quality = compression < 0.5 ? compression * 1.5 : (compression + 1) / 2
        return min(100, max(1, Int((100 * quality).rounded())))
    }

    /// The smallest quantiser index, 0…127, that any part of the picture is compressed with.
    private static func leastQuantizer(_ decoder: inout BooleanDecoder) -> Int? {
        _ = decoder.number(bits: 2)  // colour space, clamping
        var (isAbsolute, ofSegments): (Bool, [Int]) = (false, [])
        if decoder.flag() {
            let (updatesMap, updatesData) = (decoder.flag(), decoder.flag())
            if updatesData {
                isAbsolute = decoder.flag()
                ofSegments = (0..<4).map { _ in decoder.optionalSigned(bits: 7) }
                for _ in 0..<4 { _ = decoder.optionalSigned(bits: 6) }
            }
            if updatesMap { for _ in 0..<3 where decoder.flag() { _ = decoder.number(bits: 8) } }
        }
        _ = decoder.number(bits: 1 + 6 + 3)  // the loop filter's type, level and sharpness
        if decoder.flag(), decoder.flag() { for _ in 0..<8 { _ = decoder.optionalSigned(bits: 6) } }
        _ = decoder.number(bits: 2)  // partitions
        let base = decoder.number(bits: 7)
        guard !decoder.isBeyondEnd else { return nil }
        guard let least = ofSegments.min() else { return base }
        return min(127, max(0, isAbsolute ? least : base + least))
    }
}

/// The arithmetic decoder of VP8 (RFC 6386, section 7), for bits that are 0 and 1 with equal probability.
private struct BooleanDecoder {
    private let data: Slice<UnsafeRawBufferPointer>
    private var position: Int
    private var value: UInt32
    private var range: UInt32 = 255
    private var bitCount = 0
    private(set) var isBeyondEnd = false

    init(_ data: Slice<UnsafeRawBufferPointer>) {
        self.data = data
        position = data.startIndex
        value = 0
        value = UInt32(nextByte()) << 8 | UInt32(nextByte())
    }

    private mutating func nextByte() -> UInt8 {
        guard position < data.endIndex else {
            isBeyondEnd = true
            return 0
        }
        position += 1
        return data[position - 1]
    }

    mutating func flag() -> Bool {
        let split = 1 + ((range - 1) * 128) >> 8
        let isSet = value >= split << 8
        if isSet {
            range -= split
            value -= split << 8
        } else {
            range = split
        }
        while range < 128 {
            value <<= 1
            range <<= 1
            bitCount += 1
            if bitCount == 8 {
                bitCount = 0
                value |= UInt32(nextByte())
            }
        }
        return isSet
    }

    /// An unsigned number, most significant bit first.
    mutating func number(bits: Int) -> Int { (0..<bits).reduce(0) { result, _ in result << 1 | (flag() ? 1 : 0) } }

    /// A flag; if it is set, a magnitude and a sign. 0 if it is not.
    mutating func optionalSigned(bits: Int) -> Int {
        guard flag() else { return 0 }
        let magnitude = number(bits: bits)
        return flag() ? -magnitude : magnitude
    }
}
