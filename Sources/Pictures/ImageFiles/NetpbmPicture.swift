import Files

/// A PBM, PGM or PPM picture, as text (P1, P2, P3) or bytes (P4, P5, P6), read without a library. Source: the manual pages
/// pbm(5), pgm(5) and ppm(5) of Netpbm.
struct NetpbmPicture {
    /// In pixels.
    let width: Int
    let height: Int
    var isColor: Bool { samples == 3 }
    /// Whether samples have more than 8 bits.
    var isDeep: Bool { largest > 255 }

    /// 1 or 3 for each pixel.
    private let samples: Int
    /// Whether a pixel is one bit, and 1 is black.
    private let isBitmap: Bool
    private let isText: Bool
    /// The sample that is white; 1…65535.
    private let largest: Int
    /// Where the first sample lies in the file.
    private let start: Int

    /// In bytes: comments may make a header long.
    private static let longestHeader = 1 << 16

    /// Reads the header.
    /// - Returns: nil when it is damaged, or longer than 64 KiB.
    init?(_ file: some ByteSource) {
        guard file.byte(at: 0) == UInt8(ascii: "P"), let digit = file.byte(at: 1), (0x31...0x36).contains(digit) else {
            return nil
        }
        let kind = Int(digit) - 0x30
        isText = kind <= 3
        isBitmap = kind == 1 || kind == 4
        samples = kind % 3 == 0 ? 3 : 1
        var reader = NumberReader(file: file, position: 2, end: Self.longestHeader)
        guard let width = reader.next(), let height = reader.next() else { return nil }
        (self.width, self.height) = (width, height)
        if isBitmap {
            largest = 1
        } else {
            guard let largest = reader.next(), (1...65_535).contains(largest) else { return nil }
            self.largest = largest
        }
        // A single space, tab or line break is between the header and bytes.
        guard let space = file.byte(at: reader.position), Self.isSpace(space) else { return nil }
        start = reader.position + 1
    }

    /// Whether the file is long enough for the pixels, so that nobody allocates what a few bytes claim.
    /// - Parameter length: of the file, in bytes.
    func fits(length: Int) -> Bool { start <= length && smallestLength <= length - start }

    /// Of the pixels in the file, in bytes.
    private var smallestLength: Int {
        if isText { return isBitmap ? width * height : 2 * width * height * samples - 1 }
        return height * rowLength
    }

    private var rowLength: Int { isBitmap ? (width + 7) / 8 : width * samples * (isDeep ? 2 : 1) }

    /// Draws the picture into rows of RGBA with 8 bits, or 16 if `isDeep`.
    /// - Parameter bytes: the file that was given at first.
    /// - Returns: false when it is damaged, cut off, or followed by another picture.
    func draw(_ bytes: UnsafeRawBufferPointer, into rgba: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) -> Bool {
        guard fits(length: bytes.count) else { return false }
        var text = NumberReader(file: bytes, position: start, end: bytes.count)
        for y in 0..<height {
            let row = UnsafeMutableRawPointer(rgba + y * bytesPerRow)
            for x in 0..<width {
                var color = SIMD4<Int>(repeating: largest)
                for index in 0..<samples {
                    guard let sample = isText ? text.next(isDigit: isBitmap) : sample(bytes, x, y, index),
                        sample <= largest
                    else { return false }
                    color[index] = isBitmap ? 1 - sample : sample
                }
                if samples == 1 { (color.y, color.z) = (color.x, color.x) }
                let white = isDeep ? 65_535 : 255
                if white != largest { color = (color &* white &+ largest / 2) / largest }
                if isDeep {
                    row.assumingMemoryBound(to: SIMD4<UInt16>.self)[x] = SIMD4(truncatingIfNeeded: color)
                } else {
                    row.assumingMemoryBound(to: SIMD4<UInt8>.self)[x] = SIMD4(truncatingIfNeeded: color)
                }
            }
        }
        return !isFollowed(bytes, at: isText ? text.position : start + smallestLength)
    }

    private func sample(_ bytes: UnsafeRawBufferPointer, _ x: Int, _ y: Int, _ index: Int) -> Int? {
        let row = start + y * rowLength
        if isBitmap { return Int(bytes[row + x / 8]) >> (7 - x % 8) & 1 }
        let place = samples * x + index
        return isDeep ? bytes.big16(at: row + 2 * place) : Int(bytes[row + place])
    }

    /// Whether another picture begins: files of several pictures may be joined to one.
    private func isFollowed(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard let next = bytes.byte(at: place) else { return false }
        let second = bytes.byte(at: place + 1) ?? 0
        return next == UInt8(ascii: "P") && (0x31...0x37).contains(second)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// Reads the decimal numbers of a Netpbm file, and skips spaces and comments.
private struct NumberReader<Source: ByteSource> {
    let file: Source
    var position: Int
    /// Where reading ends, whatever follows.
    let end: Int

    /// - Parameter isDigit: whether a digit is a number, even without a space behind it.
    /// - Returns: nil where no number follows, and beyond 9,999,999.
    mutating func next(isDigit: Bool = false) -> Int? {
        var isComment = false
        while let byte = byte(), isComment || NetpbmPicture.isSpace(byte) || byte == UInt8(ascii: "#") {
            if byte == 0x0A || byte == 0x0D { isComment = false } else if byte == UInt8(ascii: "#") { isComment = true }
            position += 1
        }
        var number: Int?
        while let byte = byte(), (0x30...0x39).contains(byte), number ?? 0 < 1_000_000 {
            number = 10 * (number ?? 0) + Int(byte) - 0x30
            position += 1
            if isDigit { return number }
        }
        if let byte = byte(), (0x30...0x39).contains(byte) { return nil }
        return number
    }

    private func byte() -> UInt8? { position < end ? file.byte(at: position) : nil }
}
