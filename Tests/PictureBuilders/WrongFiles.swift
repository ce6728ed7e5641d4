/// Files that are no pictures, or other ones than their names say.
enum WrongFiles {
    @Sendable static func otherFormat(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let others: [(name: String, bytes: [UInt8])] = [
            ("text", Array("not a picture\n".utf8)), ("gif", Array("GIF89a".utf8) + numbers.bytes(100)),
            ("web page", Array("<!DOCTYPE html><title>404</title>".utf8)), ("zip", Array("PK\u{3}\u{4}".utf8)),
            ("vector picture", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
            ("tiff", Array("II*\0".utf8) + numbers.bytes(100)), ("pdf", Array("%PDF-1.7".utf8)),
            ("video", [0, 0, 0, 24] + Array("ftypisom".utf8) + numbers.bytes(50)),
            ("heic", [0, 0, 0, 24] + Array("ftypheic".utf8) + numbers.bytes(50)),
            ("webp", Array("RIFF....WEBPVP8 ".utf8)), ("bmp", Array("BM".utf8) + numbers.bytes(60)),
            ("zeros", [UInt8](repeating: 0, count: 100_000)),
            ("concat script", Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8)),
        ]
        let other = others[round % others.count]
        return BrokenPicture(other.name, numbers.pick(["jpg", "png"]), other.bytes)
    }

    /// Noise, by turns behind the signature of a format.
    @Sendable static func noise(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let noise = numbers.bytes(numbers.below(20_000))
        switch round % 3 {
        case 0: return BrokenPicture("noise", "jpg", noise)
        case 1: return BrokenPicture("noise", "jpg", [0xFF, 0xD8, 0xFF] + noise)
        default: return BrokenPicture("noise", "png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + noise)
        }
    }

    @Sendable static func almostNothing(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let signatures: [[UInt8]] = [
            [], [0], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xE0],
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        ]
        return BrokenPicture("almost nothing", numbers.pick(["jpg", "png"]), signatures[round % signatures.count])
    }
}
