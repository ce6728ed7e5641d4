/// A Matroska stream (RFC 9559) of uncompressed frames: the simplest format in which every raw frame has its own time.
enum MatroskaStream {
    /// The bytes before the first frame.
    /// - Parameter frameRate: the nominal rate; each frame has its own time nevertheless.
    static func header(width: Int, height: Int, frameRate: Double?) -> [UInt8] {
        var video = integer(0xB0, UInt64(width)) + integer(0xBA, UInt64(height))
        video += element(0x2EB524, Array("RGBA".utf8))
        var track = integer(0xD7, 1) + integer(0x73C5, 1) + integer(0x83, 1) + integer(0x9C, 0)
        if let frameRate, frameRate > 0 { track += integer(0x23E383, UInt64((1e9 / frameRate).rounded())) }
        track += element(0x86, Array("V_UNCOMPRESSED".utf8)) + element(0xE0, video)
        let information =
            integer(0x2AD7B1, 1000) + element(0x4D80, Array("bauta".utf8)) + element(0x5741, Array("bauta".utf8))
        let head =
            integer(0x4286, 1) + integer(0x42F7, 1) + integer(0x42F2, 4) + integer(0x42F3, 8)
            + element(0x4282, Array("matroska".utf8)) + integer(0x4287, 4) + integer(0x4285, 2)
        // The segment has an unknown length: it continues to the end of the stream.
        return element(0x1A45_DFA3, head) + identifier(0x1853_8067) + [0x01] + [UInt8](repeating: 0xFF, count: 7)
            + element(0x1549_A966, information) + element(0x1654_AE6B, element(0xAE, track))
    }

    /// The bytes before a frame's pixels, which follow row by row without padding.
    /// - Parameter microseconds: the frame's time.
    static func frameHeader(pixelBytes: Int, microseconds: UInt64) -> [UInt8] {
        // Track 1, time relative to the cluster 0, key frame.
        let block: [UInt8] = [0x81, 0, 0, 0x80]
        let start = identifier(0xA3) + length(block.count + pixelBytes) + block
        let time = integer(0xE7, microseconds)
        return identifier(0x1F43_B675) + length(time.count + start.count + pixelBytes) + time + start
    }

    private static func element(_ name: UInt32, _ content: [UInt8]) -> [UInt8] {
        identifier(name) + length(content.count) + content
    }

    private static func integer(_ name: UInt32, _ value: UInt64) -> [UInt8] {
        element(name, bigEndian(value))
    }

    /// Identifiers contain their own length in their first bits.
    private static func identifier(_ name: UInt32) -> [UInt8] { Array(bigEndian(UInt64(name)).drop { $0 == 0 }) }

    /// A length in eight bytes, the longest form, which fits every value.
    private static func length(_ count: Int) -> [UInt8] {
        var bytes = bigEndian(UInt64(count))
        bytes[0] = 0x01
        return bytes
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }
}
