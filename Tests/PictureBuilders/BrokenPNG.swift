/// PNG files whose chunks lie.
enum BrokenPNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func header(
        _ width: Int, _ height: Int, bitDepth: UInt8 = 8, colorType: UInt8 = 2, rest: [UInt8] = [0, 0, 0]
    ) -> [UInt8] {
        PNGBuilder.chunk("IHDR", PNGBuilder.big(width) + PNGBuilder.big(height) + [bitDepth, colorType] + rest)
    }

    private static func kind(_ round: Int) -> WholePictures.PNGKind {
        WholePictures.pngKinds[round % WholePictures.pngKinds.count]
    }

    /// The chunks of a file, whole.
    private static func chunks(_ file: [UInt8]) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var position = 8
        while position < file.count {
            let length = file[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
            chunks.append(Array(file[position..<(position + 12 + length)]))
            position += 12 + length
        }
        return chunks
    }

    @Sendable static func size(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let sizes = [0, 1, 31, 4000, 30_000, 65_501, 1_000_000, 0x7FFF_FFFF, 0xFFFF_FFFF]
        let (width, height) = (numbers.pick(sizes), numbers.pick(sizes))
        let rest = chunks(WholePictures.png(kind(round))).dropFirst().flatMap { $0 }
        return BrokenPicture("forged size \(width) x \(height)", "png", signature + header(width, height) + rest)
    }

    @Sendable static func missingChunk(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var chunks = chunks(WholePictures.png(kind(round)))
        let removed = chunks.remove(at: numbers.below(chunks.count))
        if round % 3 == 0 { chunks.shuffle(using: &numbers) }
        let name = String(decoding: removed[4..<8], as: UTF8.self)
        return BrokenPicture("without \(name)", "png", signature + chunks.flatMap { $0 })
    }

    @Sendable static func strangeHeader(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let odd = header(
            40, 30, bitDepth: numbers.pick([0, 1, 3, 8, 16, 32, 255]),
            colorType: numbers.pick([0, 1, 2, 3, 4, 5, 6, 7]),
            rest: [UInt8(numbers.below(2)), UInt8(numbers.below(2)), UInt8(numbers.below(3))])
        let rest = chunks(WholePictures.png(kind(round))).dropFirst().flatMap { $0 }
        return BrokenPicture("strange header", "png", signature + odd + rest)
    }

    /// Large pictures of nothing, in few bytes.
    @Sendable static func bomb(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let side = [20_000, 3000, 65_000, 16_000, 8000, 19_999][round % 6]
        let (bitDepth, colorType): (UInt8, UInt8) = numbers.pick([(1, 0), (8, 0), (8, 2), (16, 6), (1, 3)])
        let bitsPerPixel = Int(bitDepth) * (colorType == 2 ? 3 : colorType == 6 ? 4 : 1)
        // A fortieth of what the size promises is enough to find out how much is allocated before it ends.
        let count = min(side * (side * bitsPerPixel / 8 + 1), 12_000_000)
        let palette = colorType == 3 ? PNGBuilder.chunk("PLTE", [0, 0, 0, 255, 255, 255]) : []
        let file =
            signature + header(side, side, bitDepth: bitDepth, colorType: colorType) + palette
            + PNGBuilder.chunk("IDAT", Deflate.zeros(count)) + PNGBuilder.chunk("IEND", [])
        return BrokenPicture("bomb \(side) x \(side)", "png", file)
    }

    @Sendable static func manyChunks(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let chunk = numbers.pick([
            PNGBuilder.chunk("tEXt", Array("a\0b".utf8)), PNGBuilder.chunk("zTXt", Array("a\0\0b".utf8)),
            PNGBuilder.chunk("pHYs", PNGBuilder.big(1) + PNGBuilder.big(1) + [1]), PNGBuilder.chunk("tIME", []),
            PNGBuilder.chunk("ruBs", []), PNGBuilder.chunk("iCCP", Array("a\0\0b".utf8)),
            PNGBuilder.chunk("IDAT", []), PNGBuilder.chunk("eXIf", [0x49, 0x49, 42, 0]),
            PNGBuilder.chunk("sPLT", Array("a\0".utf8) + [8]), PNGBuilder.chunk("acTL", []),
        ])
        let parts = chunks(WholePictures.png(kind(round)))
        let count = 1000 + numbers.below(round % 10 == 9 ? 1_000_000 : 50_000)
        var file = signature + parts[0]
        file.reserveCapacity(count * chunk.count + 10_000)
        for _ in 0..<count { file += chunk }
        return BrokenPicture("\(count) chunks", "png", file + parts.dropFirst().flatMap { $0 })
    }

    /// Texts and profiles that become a hundred megabytes.
    @Sendable static func textBomb(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let stream = Deflate.zeros(100_000_000)
        let chunk =
            switch round % 3 {
            case 0: PNGBuilder.chunk("zTXt", Array("Comment\0\0".utf8) + stream)
            case 1: PNGBuilder.chunk("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 1, 0, 0, 0] + stream)
            default: PNGBuilder.chunk("iCCP", Array("icc\0\0".utf8) + stream)
            }
        let parts = chunks(WholePictures.png(kind(round), metadata: false))
        let bombs = (0...numbers.below(3)).flatMap { _ in chunk }
        return BrokenPicture("text bomb", "png", signature + parts[0] + bombs + parts.dropFirst().flatMap { $0 })
    }

    @Sendable static func strangeLength(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var chunks = chunks(WholePictures.png(kind(round)))
        let place = numbers.below(chunks.count)
        let length = numbers.pick([0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, 0x8000_0000, 5000])
        chunks[place].replaceSubrange(0..<4, with: PNGBuilder.big(length))
        return BrokenPicture("strange length", "png", signature + chunks.flatMap { $0 })
    }

    @Sendable static func badSums(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var chunks = chunks(WholePictures.png(kind(round)))
        let place = numbers.below(chunks.count)
        chunks[place][chunks[place].count - 1] ^= UInt8(1 + numbers.below(255))
        return BrokenPicture("bad checksum", "png", signature + chunks.flatMap { $0 })
    }

    /// The compressed picture one byte at a time, with too much or too little of it.
    @Sendable static func pieces(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let rows = (0..<30).flatMap { _ in [UInt8(numbers.below(7))] + numbers.bytes(120) }
        var stream = PNGBuilder.zlib(rows)
        if round % 3 == 1 { stream.removeLast(1 + numbers.below(1000)) }
        if round % 3 == 2 { stream += numbers.bytes(1000) }
        let pieces = stream.flatMap { PNGBuilder.chunk("IDAT", [$0]) }
        return BrokenPicture(
            "pieces", "png",
            signature + header(40, 30) + pieces + PNGBuilder.chunk("IEND", [])
                + (round % 4 == 0 ? pieces : []))
    }
}
