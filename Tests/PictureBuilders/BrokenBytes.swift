/// Damage that knows nothing of formats.
package enum BrokenBytes {
    /// A file with bits flipped, a part overwritten, repeated or cut off: the same for the same seed.
    package static func damaged(_ file: [UInt8], seed: Int) -> [UInt8] {
        var numbers = SeededNumbers(seed: seed)
        var file = file
        let start = numbers.below(file.count)
        let end = min(file.count, start + 1 + numbers.below(40))
        switch seed % 4 {
        case 0: for _ in 0...numbers.below(8) { file[numbers.below(file.count)] ^= 1 << UInt8(numbers.below(8)) }
        case 1: for index in start..<end { file[index] = numbers.pick([0, 0xFF, UInt8(numbers.below(256))]) }
        case 2: file.insert(contentsOf: (0..<(1 + numbers.below(50))).flatMap { _ in file[start..<end] }, at: start)
        default: file.removeSubrange(start...)
        }
        return file
    }

    private static func whole(_ round: Int, _ numbers: inout SeededNumbers) -> (bytes: [UInt8], format: String) {
        let kinds = WholePictures.jpegKinds.count + WholePictures.pngKinds.count
        let index = round % (kinds + 3)
        switch index - kinds {
        case 0: return (numbers.pick(WholePictures.tiffs()), "tif")
        case 1: return (numbers.pick(WholePictures.gifs()), "gif")
        case 2: return (numbers.pick(WholePictures.webps()), "webp")
        default: break
        }
        let hasMetadata = numbers.below(2) == 0
        if index < WholePictures.jpegKinds.count {
            return (WholePictures.jpeg(WholePictures.jpegKinds[index], metadata: hasMetadata), "jpg")
        }
        let kind = WholePictures.pngKinds[index - WholePictures.jpegKinds.count]
        return (WholePictures.png(kind, metadata: hasMetadata), "png")
    }

    @Sendable static func cut(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let file = whole(round, &numbers)
        return BrokenPicture("cut", file.format, Array(file.bytes[..<(9 + numbers.below(file.bytes.count - 9))]))
    }

    @Sendable static func flipped(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var file = whole(round, &numbers)
        for _ in 0...numbers.below(32) {
            file.bytes[8 + numbers.below(file.bytes.count - 8)] ^= 1 << UInt8(numbers.below(8))
        }
        return BrokenPicture("flipped bits", file.format, file.bytes)
    }

    @Sendable static func overwritten(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var file = whole(round, &numbers)
        let start = 8 + numbers.below(file.bytes.count - 8)
        let value: UInt8? = numbers.pick([0, 0xFF, nil])
        for index in start..<min(file.bytes.count, start + 1 + numbers.below(300)) {
            file.bytes[index] = value ?? UInt8(numbers.below(256))
        }
        return BrokenPicture("overwritten", file.format, file.bytes)
    }

    /// The beginning of one file and the end of another.
    @Sendable static func spliced(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let first = whole(round, &numbers)
        let second = whole(round + 1 + numbers.below(10), &numbers)
        let start = first.bytes.prefix(9 + numbers.below(first.bytes.count))
        return BrokenPicture("spliced", first.format, start + second.bytes.suffix(numbers.below(second.bytes.count)))
    }

    /// A part of the file stands there many times.
    @Sendable static func repeated(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let file = whole(round, &numbers)
        let start = 2 + numbers.below(file.bytes.count - 2)
        let end = min(file.bytes.count, start + 1 + numbers.below(200))
        let part = (0..<(1 + numbers.below(500))).flatMap { _ in file.bytes[start..<end] }
        return BrokenPicture("repeated", file.format, file.bytes[..<start] + part + file.bytes[start...])
    }
}
