/// JPEG files whose markers lie.
enum BrokenJPEG {
    /// A file as its segments up to the first scan, and what follows.
    private struct Parts {
        var segments: [(code: UInt8, data: [UInt8])] = []
        var rest: [UInt8] = []

        init(_ file: [UInt8]) {
            var position = 2
            while file[position + 1] != 0xDA {
                let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
                segments.append((file[position + 1], Array(file[(position + 4)..<(position + 2 + length)])))
                position += 2 + length
            }
            rest = Array(file[position...])
        }

        var bytes: [UInt8] { PictureBuilders.jpeg([0xFF, 0xD8] + rest, inserting: segments) }

        /// The index of the frame header: SOF0 to SOF2.
        var frame: Int { segments.firstIndex { (0xC0...0xC2).contains($0.code) } ?? 0 }
    }

    private static func parts(_ round: Int) -> Parts {
        Parts(WholePictures.jpeg(WholePictures.jpegKinds[round % WholePictures.jpegKinds.count]))
    }

    private static func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, code, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)] + data
    }

    @Sendable static func size(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var parts = parts(round)
        let sizes = [0, 1, 7, 255, 4000, 12_000, 50_000, 65_500, 65_535]
        let (width, height) = (numbers.pick(sizes), numbers.pick(sizes))
        parts.segments[parts.frame].data.replaceSubrange(
            1..<5, with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
        return BrokenPicture("forged size \(width) x \(height)", "jpg", parts.bytes)
    }

    @Sendable static func missingSegment(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var parts = parts(round)
        let needed = parts.segments.indices.filter { parts.segments[$0].code < 0xE0 }
        let code = parts.segments.remove(at: numbers.pick(Array(needed))).code
        return BrokenPicture("without marker \(String(code, radix: 16))", "jpg", parts.bytes)
    }

    /// Quantisation steps that are 0, or 0 in 13 bits.
    @Sendable static func quantisers(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var parts = parts(round)
        let step = [0, 8192, 16_384, 57_344, 65_535, 8193][round % 6]
        let isEverywhere = numbers.below(2) == 0
        let place = numbers.below(64)
        let table = (0..<64).flatMap { index -> [UInt8] in
            isEverywhere || index == place ? [UInt8(step >> 8), UInt8(step & 0xFF)] : [0, 16]
        }
        parts.segments.removeAll { $0.code == 0xDB }
        parts.segments.append((0xDB, [0x10] + table + [0x11] + table))
        return BrokenPicture("quantiser \(step)", "jpg", parts.bytes)
    }

    @Sendable static func shuffledSegments(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var parts = parts(round)
        if round % 2 == 0 { parts.segments += parts.segments }
        parts.segments.shuffle(using: &numbers)
        return BrokenPicture("shuffled markers", "jpg", parts.bytes)
    }

    /// Up to a hundred thousand markers; every tenth has a million.
    @Sendable static func manyMarkers(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let file = WholePictures.jpeg(WholePictures.jpegKinds[round % WholePictures.jpegKinds.count])
        let count = round % 10 == 9 ? 1_000_000 : 1000 + numbers.below(100_000)
        let marker: [UInt8] = numbers.pick([
            [0xFF, 0xFE, 0, 2], [0xFF, 0xE1, 0, 2], [0xFF, 0xED, 0, 2], [0xFF, 0xFF, 0xFF], [0xFF, 0xD0], [0xFF, 0],
            segment(0xED, Array("Photoshop 3.0\0".utf8)), segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9]),
            segment(0xFE, Array("comment".utf8)),
        ])
        var bytes = Array(file[..<2])
        bytes.reserveCapacity(file.count + count * marker.count)
        for _ in 0..<count { bytes += marker }
        return BrokenPicture("\(count) markers", "jpg", bytes + file[2...])
    }

    /// A progressive picture whose last scan comes again and again.
    @Sendable static func manyScans(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        let file = WholePictures.jpeg(WholePictures.JPEGKind(isProgressive: true), metadata: false)
        let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        let scan = file[numbers.pick(scans)..<(file.count - 2)]
        let again = (0..<(10 + numbers.below(3000))).flatMap { _ in scan }
        return BrokenPicture("scans", "jpg", file.dropLast(2) + again + [0xFF, 0xD9])
    }

    /// CMYK, two components, twelve bits, lossless, arithmetic, impossible sampling.
    @Sendable static func strangeFrame(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var parts = parts(round)
        let frame = parts.frame
        switch round % 6 {
        case 0: parts.segments[frame].code = numbers.pick([0xC3, 0xC5, 0xC7, 0xC9, 0xCA, 0xCB, 0xCF, 0xC1])
        case 1: parts.segments[frame].data[0] = UInt8(numbers.pick([0, 2, 12, 16, 255]))
        case 2:
            let count = numbers.pick([0, 2, 4, 5, 255])
            parts.segments[frame].data[5] = UInt8(count)
            parts.segments[frame].data = Array(parts.segments[frame].data[..<6])
            for index in 0..<count { parts.segments[frame].data += [UInt8(index), 0x11, UInt8(index % 4)] }
        case 3: parts.segments[frame].data[7] = UInt8(numbers.below(256))
        case 4: parts.segments[frame].data[8] = UInt8(numbers.below(256))
        default: parts.segments.insert(parts.segments[frame], at: frame)
        }
        return BrokenPicture("strange frame", "jpg", parts.bytes)
    }

    /// A segment's length points anywhere.
    @Sendable static func strangeLength(_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture {
        var file = WholePictures.jpeg(WholePictures.jpegKinds[round % WholePictures.jpegKinds.count])
        let markers = file.indices.dropLast(3).filter { file[$0] == 0xFF && (0xC0...0xFE).contains(file[$0 + 1]) }
        let place = numbers.pick(Array(markers.prefix(14))) + 2
        file.replaceSubrange(
            place..<(place + 2), with: numbers.pick([[0, 0], [0, 1], [0, 3], [0xFF, 0xFF], [0x7F, 0]]))
        return BrokenPicture("strange length", "jpg", file)
    }
}
