/// PNG files of any kind, honest or not, written without libpng so that the two do not share their mistakes.
package struct PNGBuilder {
    package var width: Int
    package var height: Int
    package var bitDepth: UInt8 = 8
    /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
    package var colorType: UInt8 = 2
    /// The rows' bytes, without filter bytes.
    package var rows: [[UInt8]]
    /// Chunks before the picture.
    package var chunks: [(type: String, data: [UInt8])] = []

    package init(width: Int, height: Int, colorType: UInt8, bitDepth: UInt8 = 8, rows: [[UInt8]]) {
        self.width = width
        self.height = height
        self.colorType = colorType
        self.bitDepth = bitDepth
        self.rows = rows
    }

    package var bytes: [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", Self.big(width) + Self.big(height) + [bitDepth, colorType, 0, 0, 0])
        for chunk in chunks { file += Self.chunk(chunk.type, chunk.data) }
        file += Self.chunk("IDAT", Self.zlib(rows.flatMap { [0] + $0 }))
        return file + Self.chunk("IEND", [])
    }

    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(data.count) + body + big(Int(crc(body)))
    }

    package static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
    package static func zlib(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var position = 0
        repeat {
            let count = min(65535, data.count - position)
            let isLast: UInt8 = position + count == data.count ? 1 : 0
            stream += [isLast, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
            stream += data[position..<(position + count)]
            position += count
        } while position < data.count
        var (a, b) = (1, 0)
        for byte in data {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + big(b << 16 | a)
    }

    package static func crc(_ data: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
