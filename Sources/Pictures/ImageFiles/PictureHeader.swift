import Files

/// The properties that the first bytes of a picture file state, before decoding. The file may lie.
package struct PictureHeader: Equatable, Sendable {
    /// In pixels, as stored.
    package let width: Int
    package let height: Int
    /// 8 or 16.
    package let bitsPerComponent: Int
    /// The file's size in bytes.
    package let fileSize: Int
    /// Nil: one that is not written.
    package let format: PictureFormat?
    /// Whether a result without loss is likely, in formats where that takes more memory.
    private var mayBeLossless: Bool

    /// Reads the header of a file of `PictureFormat`. What else the file holds is skipped.
    /// - Returns: nil when it cannot be read, or is no such file: `PictureReader` says why.
    package init?(path: FilePath) {
        guard let file = FilePieces(path: path) else { return nil }
        self.init(file)
    }

    package init?(_ file: FilePieces) {
        fileSize = file.count
        let signature = (0..<FileSignature.length).compactMap { file.byte(at: $0) }
        switch signature.withUnsafeBytes({ FileSignature($0) }) {
        case .picture(let known): format = known
        case .readOnly(let known):
            guard let (width, height, isDeep) = Self.size(of: known, file) else { return nil }
            (format, mayBeLossless) = (nil, true)
            (self.width, self.height, bitsPerComponent) = (width, height, isDeep ? 16 : 8)
            return
        default: return nil
        }
        mayBeLossless = format != .jpeg
        switch format {
        case nil: return nil
        case .jpeg:
            var segments = JPEGSegments(file)
            guard let size = segments.frameSize() else { return nil }
            (width, height, bitsPerComponent) = (size.width, size.height, 8)
        case .png:
            guard let width = file.big32(at: 16), let height = file.big32(at: 20), let bits = file.byte(at: 24) else {
                return nil
            }
            (self.width, self.height, bitsPerComponent) = (width, height, bits == 16 ? 16 : 8)
        case .webp:
            guard let size = WebPChunks(file).pictureSize() else { return nil }
            mayBeLossless = !size.isLossy
            (width, height, bitsPerComponent) = (size.width, size.height, 8)
        case .tiff:
            guard let directories = TIFFDirectories(file), let first = directories.directory(at: directories.first),
                let page = TIFFPage(first, directories)
            else { return nil }
            (width, height, bitsPerComponent) = (page.width, page.height, page.isDeep ? 16 : 8)
        case .heic, .avif:
            guard let header = HEIFHeader(file) else { return nil }
            (width, height, bitsPerComponent) = (header.width, header.height, header.bits > 8 ? 16 : 8)
        }
    }

    private static func size(
        of format: ReadOnlyFormat, _ file: FilePieces
    ) -> (width: Int, height: Int, isDeep: Bool)? {
        switch format {
        case .gif:
            guard let width = file.little16(at: 6), let height = file.little16(at: 8) else { return nil }
            return (width, height, false)
        case .bmp:
            return (try? BMPPicture(file, length: file.count)).map { ($0.width, $0.height, false) }
        case .netpbm:
            return NetpbmPicture(file).map { ($0.width, $0.height, $0.isDeep) }
        }
    }

    /// The most memory that reading, searching and writing the picture take together, in bytes: measured for JPEG
    /// baseline and progressive, for PNG and TIFF with 8 and 16 bits, upright and rotated, and for WebP, HEIC and AVIF.
    ///
    /// Per pixel these are the decoded picture (4 or 8), and at the same time either the coefficients of a progressive
    /// JPEG or of the result (6), the picture before it was rotated (4 or 8), or one with 8 bits (4); and the
    /// compressed result, which is larger than the input only for a picture of noise. The encoders of lossless WebP and of
    /// HEIC and AVIF take more.
    /// - Parameters:
    ///   - searchesRotated: whether rotated copies are searched for faces, which take 8 a pixel.
    ///   - result: the format that is written; nil: that of the file.
    package func memoryNeeded(searchesRotated: Bool, result: PictureFormat? = nil) -> Int {
        let encoding = max(bytesPerPixel(of: format), bytesPerPixel(of: result ?? format))
        let perPixel = encoding + (searchesRotated ? 4 : 0)
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        // What is larger is refused without decoding.
        guard !overflow, pixels <= PictureReader.maximumPixelCount else { return fileSize }
        return Self.constantPart + 2 * fileSize + perPixel * pixels
    }

    private func bytesPerPixel(of format: PictureFormat?) -> Int {
        let isDeep = bitsPerComponent == 16
        return switch format {
        case .heic, .avif: isDeep ? 40 : 26
        case .webp: mayBeLossless ? (isDeep ? 40 : 34) : isDeep ? 20 : 12
        case .jpeg, .png, .tiff, nil: isDeep ? 20 : 12
        }
    }

    /// The search for faces, at 4 megapixels whatever the picture's size.
    private static let constantPart = 64 << 20
}

extension JPEGSegments {
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
