import Files

/// A Windows bitmap that is not compressed, read without a library: the format is small, and Swift checks every access.
/// Source: Microsoft, "Bitmap Storage" (BITMAPCOREHEADER to BITMAPV5HEADER).
struct BMPPicture {
    /// In pixels.
    let width: Int
    let height: Int
    /// Whether an alpha channel is declared. The unused byte of other pixels with 32 bits is none.
    var hasAlpha: Bool { channels.count == 4 && channels[3].mask != 0 }
    /// The bytes of the file that hold the ICC profile; nil if the file has none.
    let profile: Range<Int>?

    private let isTopDown: Bool
    private let bitsPerPixel: Int
    /// Where the pixels lie in the file.
    private let start: Int
    /// Of a stored row, in bytes.
    private let rowLength: Int
    private let palette: [SIMD4<UInt8>]
    /// Red, green, blue, alpha of pixels with 16 bits or more.
    private let channels: [Channel]

    /// The bits of a pixel that hold a component.
    private struct Channel {
        let mask: UInt32
        let shift: UInt32
        let largest: UInt32

        init?(_ mask: Int) {
            self.mask = UInt32(truncatingIfNeeded: mask)
            shift = mask == 0 ? 0 : UInt32(self.mask.trailingZeroBitCount)
            largest = self.mask >> shift
            // The bits are neighbours.
            guard largest & (largest &+ 1) == 0 else { return nil }
        }

        func value(_ pixel: UInt32) -> UInt8 {
            guard largest > 0 else { return 255 }
            return UInt8((UInt64((pixel & mask) >> shift) * 255 + UInt64(largest / 2)) / UInt64(largest))
        }
    }

    enum Obstacle: Error {
        case damaged
        /// Run-length coding, or a JPEG or PNG within.
        case compressed
    }

    /// Of headers that are known, in bytes: those of OS/2 1 and of Windows.
    static let headerSizes: Set<Int> = [12, 40, 52, 56, 108, 124]
    /// In bytes: a larger profile is dropped.
    private static let largestProfile = 16 << 20

    /// Reads everything but the pixels, which must all be there.
    /// - Parameter length: of the file, in bytes.
    init(_ file: some ByteSource, length: Int) throws(Obstacle) {
        guard let start = file.little32(at: 10), let size = file.little32(at: 14), Self.headerSizes.contains(size),
            let width = size == 12 ? file.little16(at: 18) : Self.signed(file.little32(at: 18)),
            let height = size == 12 ? file.little16(at: 20) : Self.signed(file.little32(at: 22)),
            let bits = file.little16(at: size == 12 ? 24 : 28), width > 0, height != 0
        else { throw .damaged }
        let compression = size == 12 ? 0 : file.little32(at: 30) ?? -1
        guard [0, 3, 6].contains(compression) else {
            throw [1, 2, 4, 5].contains(compression) ? Obstacle.compressed : Obstacle.damaged
        }
        guard [1, 4, 8, 16, 24, 32].contains(bits), compression == 0 || bits == 16 || bits == 32 else { throw .damaged }
        (self.width, self.height, isTopDown) = (width, abs(height), height < 0)
        (self.start, bitsPerPixel) = (start, bits)
        // Each row is filled up to a multiple of 4 bytes.
        rowLength = (width * bits + 31) / 32 * 4
        let (pixels, overflow) = rowLength.multipliedReportingOverflow(by: abs(height))
        guard !overflow, start <= length, pixels <= length - start else { throw .damaged }
        palette = try Self.palette(file, headerSize: size, bits: bits)
        channels = try Self.channels(file, headerSize: size, bits: bits, compression: compression)
        profile = size == 124 ? Self.profile(file, length: length) : nil
    }

    private static func signed(_ number: Int?) -> Int? { number.map { Int(Int32(truncatingIfNeeded: $0)) } }

    private static func palette(
        _ file: some ByteSource, headerSize: Int, bits: Int
    ) throws(Obstacle) -> [SIMD4<UInt8>] {
        guard bits <= 8 else { return [] }
        let stated = headerSize == 12 ? 0 : file.little32(at: 46) ?? 0
        let count = stated == 0 ? 1 << bits : min(stated, 1 << bits)
        let entryLength = headerSize == 12 ? 3 : 4
        var palette: [SIMD4<UInt8>] = []
        for index in 0..<count {
            let place = 14 + headerSize + entryLength * index
            guard let color = file.little24(at: place) else { throw .damaged }
            palette.append(
                SIMD4(UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF), 255))
        }
        return palette
    }

    private static func channels(
        _ file: some ByteSource, headerSize: Int, bits: Int, compression: Int
    ) throws(Obstacle) -> [Channel] {
        guard bits >= 16 else { return [] }
        var masks = bits == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF_0000, 0xFF00, 0xFF]
        if compression != 0 {
            // Later headers hold the masks that follow the first one, and that of alpha.
            let count = headerSize >= 56 || compression == 6 ? 4 : 3
            masks = []
            for index in 0..<count {
                guard let mask = file.little32(at: 54 + 4 * index) else { throw .damaged }
                masks.append(mask)
            }
        }
        var channels: [Channel] = []
        for mask in masks {
            guard let channel = Channel(mask) else { throw .damaged }
            channels.append(channel)
        }
        return channels
    }

    private static func profile(_ file: some ByteSource, length: Int) -> Range<Int>? {
        guard file.little32(at: 70) == 0x4D42_4544, let offset = file.little32(at: 126),
            let size = file.little32(at: 130), size > 0, size <= largestProfile, 14 + offset + size <= length
        else { return nil }
        return (14 + offset)..<(14 + offset + size)
    }

    /// Draws the picture into rows of RGBA.
    /// - Parameter bytes: the file that was given at first.
    /// - Returns: false if a pixel has no colour in the palette.
    func draw(_ bytes: UnsafeRawBufferPointer, into rgba: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) -> Bool {
        for y in 0..<height {
            let place = start + (isTopDown ? y : height - 1 - y) * rowLength
            let row = UnsafeRawBufferPointer(rebasing: bytes[place..<(place + rowLength)])
            let target = UnsafeMutableRawPointer(rgba + y * bytesPerRow).assumingMemoryBound(to: SIMD4<UInt8>.self)
            guard bitsPerPixel > 8 || drawIndices(row, into: target) else { return false }
            if bitsPerPixel > 8 { drawColors(row, into: target) }
        }
        return true
    }

    private func drawIndices(_ row: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<SIMD4<UInt8>>) -> Bool {
        for x in 0..<width {
            let place = x * bitsPerPixel
            let index = Int(row[place / 8]) >> (8 - bitsPerPixel - place % 8) & (1 << bitsPerPixel - 1)
            guard index < palette.count else { return false }
            target[x] = palette[index]
        }
        return true
    }

    private func drawColors(_ row: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<SIMD4<UInt8>>) {
        let length = bitsPerPixel / 8
        let (red, green, blue) = (channels[0], channels[1], channels[2])
        let alpha = hasAlpha ? channels[3] : nil
        for x in 0..<width {
            let place = x * length
            var pixel = UInt32(row[place]) | UInt32(row[place + 1]) << 8
            if length > 2 { pixel |= UInt32(row[place + 2]) << 16 }
            if length > 3 { pixel |= UInt32(row[place + 3]) << 24 }
            target[x] = SIMD4(
                red.value(pixel), green.value(pixel), blue.value(pixel), alpha.map { $0.value(pixel) } ?? 255)
        }
    }
}
