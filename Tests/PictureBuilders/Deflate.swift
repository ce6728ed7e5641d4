/// Compressed zeros (RFC 1951, fixed codes), written by hand: a thousand times smaller than what they become.
package enum Deflate {
    /// A zlib stream of `count` zeros, rounded up to a multiple of 258; its sum is wrong unless it is 0 modulo 65521.
    package static func zeros(_ count: Int) -> [UInt8] {
        var writer = BitWriter()
        writer.bits(1, 1)  // the last block
        writer.bits(1, 2)  // with fixed codes
        writer.code(0x30, 8)  // a zero
        for _ in 0..<((count - 1 + 257) / 258) {
            writer.code(0xC5, 8)  // the 258 bytes …
            writer.code(0, 5)  // … one byte before
        }
        writer.code(0, 7)
        // The sum of n zeros is (n mod 65521) · 65536 + 1.
        let total = 1 + (count - 1 + 257) / 258 * 258
        return [0x78, 0x01] + writer.bytes + PNGBuilder.big((total % 65521) << 16 | 1)
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var used = 8

        /// Numbers go in with the lowest bit first …
        mutating func bits(_ value: Int, _ count: Int) {
            for index in 0..<count {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= UInt8(value >> index & 1) << UInt8(used)
                used += 1
            }
        }

        /// … and codes with the highest bit first.
        mutating func code(_ value: Int, _ count: Int) {
            for index in (0..<count).reversed() { bits(value >> index & 1, 1) }
        }
    }
}
