import Files

/// What the first bytes of a picture file say about it, before anything is decoded. The file may lie.
package struct PictureHeader: Equatable, Sendable {
    /// In pixels, as stored.
    package let width: Int
    package let height: Int
    /// 8 or 16.
    package let bitsPerComponent: Int
    /// The file's size in bytes.
    package let fileSize: Int

    /// Reads the header of a JPEG or PNG file. What else the file holds is skipped.
    /// - Returns: nil when it cannot be read, or is no such file: `PictureReader` says why.
    package init?(path: FilePath) {
        guard var file = FilePieces(path: path) else { return nil }
        fileSize = file.count
        let signature = (0..<8).compactMap { file.byte(at: $0) }
        switch signature.withUnsafeBytes({ FileSignature($0) }) {
        case .picture(.jpeg):
            var segments = JPEGSegments(file)
            guard let size = segments.frameSize() else { return nil }
            (width, height, bitsPerComponent) = (size.width, size.height, 8)
        case .picture(.png):
            guard let width = file.big32(at: 16), let height = file.big32(at: 20), let bits = file.byte(at: 24) else {
                return nil
            }
            (self.width, self.height, bitsPerComponent) = (width, height, bits == 16 ? 16 : 8)
        default:
            return nil
        }
    }

    /// The most memory that reading, searching and writing the picture take together, in bytes: measured for JPEG
    /// baseline and progressive, and for PNG with 8 and 16 bits, upright and rotated.
    ///
    /// Per pixel these are the decoded picture (4 or 8), and at the same time either the coefficients of a progressive
    /// JPEG or of the result (6), the picture before it was rotated (4 or 8), or one with 8 bits (4); and the
    /// compressed result, which is larger than the input only for a picture of noise.
    /// - Parameter searchesRotated: whether rotated copies are searched for faces, which take 8 a pixel.
    package func memoryNeeded(searchesRotated: Bool) -> Int {
        let perPixel = (bitsPerComponent == 16 ? 20 : 12) + (searchesRotated ? 4 : 0)
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        // What is larger is refused without decoding.
        guard !overflow, pixels <= PictureReader.maximumPixelCount else { return fileSize }
        return Self.constantPart + 2 * fileSize + perPixel * pixels
    }

    /// The search for faces, at 4 megapixels whatever the picture's size.
    private static let constantPart = 64 << 20
}

extension JPEGSegments where Source: ~Copyable {
    /// The size in pixels that the frame header states.
    /// - Returns: nil when there is no frame header before the first scan.
    mutating func frameSize() -> (width: Int, height: Int)? {
        while let segment = next() {
            guard (0xC0...0xCF).contains(segment.code), ![0xC4, 0xC8, 0xCC].contains(segment.code) else { continue }
            let start = segment.data.lowerBound
            guard let height = source.big16(at: start + 1), let width = source.big16(at: start + 3) else { return nil }
            return (width, height)
        }
        return nil
    }
}
