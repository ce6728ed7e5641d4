/// Whole pictures with metadata that lies.
enum BrokenMetadata {
    /// The metadata in a JPEG or a PNG, by turns.
    private static func picture(
        _ name: String, _ round: Int, jpeg segment: (code: UInt8, data: [UInt8]),
        png chunk: (type: String, data: [UInt8])
    ) -> BrokenPicture {
        if round % 2 == 0 {
            let kind = WholePictures.jpegKinds[round / 2 % WholePictures.jpegKinds.count]
            let file = WholePictures.jpeg(kind, metadata: false)
            return BrokenPicture(name, "jpg", PictureBuilders.jpeg(file, inserting: [segment]))
        }
        let file = WholePictures.png(WholePictures.pngKinds[round / 2 % WholePictures.pngKinds.count], metadata: false)
        let bytes = Array(file[..<33]) + PNGBuilder.chunk(chunk.type, chunk.data) + file[33...]
        return BrokenPicture(name, "png", bytes)
    }

    /// Random bytes in a random place, or a cut.
    private static func damaged(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return bytes }
        for _ in 0...numbers.below(12) { bytes[numbers.below(bytes.count)] = numbers.pick([0, 1, 0x7F, 0x80, 0xFF]) }
        if numbers.below(4) == 0 { bytes.removeLast(numbers.below(bytes.count)) }
        return bytes
    }

    @Sendable static func profile(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let profile =
            switch round % 4 {
            case 0: damaged(ICCBuilder.profile(), &numbers)
            case 1: ICCBuilder.profile(columns: [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
            case 2: ICCBuilder.profile(columns: (0..<3).map { _ in (0..<3).map { _ in Int(Int32.max) } })
            default: numbers.bytes(numbers.below(3000))
            }
        return picture(
            "profile", round, jpeg: (0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(numbers.below(3)), 1] + profile),
            png: ("iCCP", Array("icc".utf8) + [0, 0] + PNGBuilder.zlib(profile)))
    }

    @Sendable static func exif(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let whole = ExifBuilder.block(
            orientation: UInt16(numbers.pick([0, 1, 5, 8, 9, 65535])), width: .max, height: 0)
        var block = damaged(whole, &numbers)
        // A directory that is its own next one, or has 65,535 entries.
        if round % 3 == 0 { block = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF] + numbers.bytes(4000) }
        if round % 3 == 1 { block = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 8] }
        return picture("exif", round, jpeg: (0xE1, Array("Exif\0\0".utf8) + block), png: ("eXIf", block))
    }

    @Sendable static func xmp(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let packet: [UInt8] =
            switch round % 5 {
            case 0: damaged(XMPBuilder.packet(), &numbers)
            case 1: (0..<5000).flatMap { _ in Array("<a>".utf8) }
            case 2:
                Array(
                    """
                    <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c \
                    "&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><x>&c;&c;&c;&c;&c;&c;&c;&c;</x>
                    """.utf8)
            case 3: Array("<x \((0..<4000).map { "a\($0)='1'" }.joined(separator: " "))/>".utf8)
            default: numbers.bytes(2000)
            }
        return picture(
            "xmp", round, jpeg: (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet),
            png: ("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + packet))
    }

    @Sendable static func resources(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let records = damaged(IPTCBuilder.dataSet(5, "title") + IPTCBuilder.dataSet(120, "caption"), &numbers)
        var resources = damaged(IPTCBuilder.resource(4, records) + IPTCBuilder.resource(0x0A, [1]), &numbers)
        if round % 3 == 0 { resources = Array("8BIM".utf8) + [4, 4, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1] }
        let digits = resources.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let count = numbers.pick([resources.count, 0, -1, 1 << 62])
        return picture(
            "resources", round, jpeg: (0xED, Array("Photoshop 3.0\0".utf8) + resources),
            png: ("tEXt", Array("Raw profile type 8bim\0\n8bim\n\(count)\n\(digits)\n".utf8)))
    }
}
