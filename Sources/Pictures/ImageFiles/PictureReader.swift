import CCodecs
import Files
import Pixels

/// Reads files of still pictures, recognised by their content: those of `PictureFormat`.
package enum PictureReader {
    /// Larger pictures are refused before memory is allocated: 400 megapixels, twice the largest of phones.
    package static let maximumPixelCount = 400_000_000
    /// In pixels: the longest side that a JPEG can have.
    package static let maximumSide = 65_500

    /// The purpose of a picture, which decides about the formats.
    package enum Purpose: Sendable {
        /// Every format that can be read.
        case photograph
        /// A texture of a mask, which every installation must be able to read.
        case texture

        fileprivate var formats: [PictureFormat] { self == .photograph ? PictureFormat.allCases : [.jpeg, .png] }
        /// For sentences.
        fileprivate var formatNames: String {
            self == .photograph ? PictureFormat.readableNames : PictureFormat.list(formats)
        }
    }

    /// Decodes a picture and rotates it upright.
    /// - Throws: `PictureError`, also for files that are cut off or damaged.
    package static func read(
        _ path: some FilePathConvertible, for purpose: Purpose = .photograph, maximumSide: Int = maximumSide
    ) throws(PictureError) -> Picture {
        let file: RegularFile
        do throws(FileError) {
            file = try RegularFile(path.filePath)
        } catch {
            throw PictureError(error)
        }
        return try read(file, for: purpose, maximumSide: maximumSide)
    }

    /// Decodes the picture in an open file.
    package static func read(
        _ file: borrowing RegularFile, for purpose: Purpose = .photograph, maximumSide: Int = maximumSide
    ) throws(PictureError) -> Picture {
        let bytes: FileBytes
        do throws(FileError) {
            bytes = try FileBytes(file)
        } catch {
            throw PictureError(error)
        }
        return try read(bytes, for: purpose, path: file.path.description, maximumSide: maximumSide)
    }

    /// Decodes the picture in a file that was read.
    /// - Parameter path: its name in messages.
    package static func read(
        _ file: borrowing FileBytes, for purpose: Purpose = .photograph, path: String, maximumSide: Int = maximumSide
    ) throws(PictureError) -> Picture {
        try file.withUnsafeBytes { (bytes) throws(PictureError) -> Picture in
            try read(bytes, for: purpose, path: path, maximumSide: maximumSide)
        }
    }

    /// Decodes a picture that is in memory.
    /// - Parameter path: its name in messages.
    package static func read(
        _ bytes: [UInt8], for purpose: Purpose = .photograph, path: String, maximumSide: Int = maximumSide
    ) throws(PictureError) -> Picture {
        var picture: Picture?
        var failure: PictureError?
        bytes.withUnsafeBytes { bytes in
            do throws(PictureError) {
                picture = try read(bytes, for: purpose, path: path, maximumSide: maximumSide)
            } catch {
                failure = error
            }
        }
        if let picture = picture.take() { return picture }
        throw failure ?? PictureError(.notAPicture, path: path, "is not a picture")
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, for purpose: Purpose, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        switch FileSignature(bytes) {
        case .picture(let format):
            guard purpose.formats.contains(format) else { throw unusable(format.name, path: path) }
            return try read(bytes, as: format, path: path, maximumSide: maximumSide)
        case .readOnly(let format):
            guard purpose == .photograph else { throw unusable(format.name, path: path) }
            return switch format {
            case .gif: try readGIF(bytes, path: path, maximumSide: maximumSide)
            case .bmp: try readBMP(bytes, path: path, maximumSide: maximumSide)
            case .netpbm: try readNetpbm(bytes, path: path, maximumSide: maximumSide)
            }
        case .raw(let name):
            throw rawError(name, path: path)
        case .other(let name):
            throw PictureError(
                .unsupported, path: path,
                "is \(name), which Bauta does not read; convert it to JPEG or PNG first")
        case .video:
            throw PictureError(.video, path: path, "is a video, not a picture")
        case .cutOff:
            throw PictureError(.damaged, path: path, "is cut off: it ends before its type is known")
        case .noPicture(let name):
            throw PictureError(.notAPicture, path: path, "is \(name), not a \(purpose.formatNames) picture")
        case .unknown:
            throw PictureError(.notAPicture, path: path, "is not a \(purpose.formatNames) picture")
        }
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, as format: PictureFormat, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        switch format {
        case .jpeg: try readJPEG(bytes, path: path, maximumSide: maximumSide)
        case .png: try readPNG(bytes, path: path, maximumSide: maximumSide)
        case .webp: try readWebP(bytes, path: path, maximumSide: maximumSide)
        case .tiff: try readTIFF(bytes, path: path, maximumSide: maximumSide)
        case .heic, .avif: try readHEIF(bytes, as: format, path: path, maximumSide: maximumSide)
        }
    }

    /// Whether a file is a still picture. Its format need not be one that can be read. The name decides where there is no
    /// file.
    package static func isPhotograph(_ path: FilePath) -> Bool {
        let isPicture =
            PictureFormat.isPictureName(path)
            // A video of JPEGs begins as one does.
            || (PictureHeader(path: path) != nil && !["mjpeg", "mjpg"].contains(path.fileExtension))
        return isPicture && !isAnimation(path)
    }

    /// Whether a file is an animated GIF or PNG, and so a clip.
    package static func isAnimation(_ path: FilePath) -> Bool {
        guard let header = PictureHeader(path: path), header.format == nil || header.format == .png else {
            return false
        }
        do {
            let bytes = try FileBytes(RegularFile(path))
            return bytes.withUnsafeBytes { bytes in
                switch FileSignature(bytes) {
                case .readOnly(.gif): GIFPicture(bytes).map { $0.imageCount > 1 } ?? false
                case .picture(.png): (try? PNGChunks(bytes, path: ""))?.isAnimated ?? false
                default: false
                }
            }
        } catch {
            return false
        }
    }

    private static func unusable(_ format: String, path: String) -> PictureError {
        PictureError(
            .unsupported, path: path, "is a \(format), which cannot be used here; convert it to JPEG or PNG first")
    }

    static func checkSize(width: Int, height: Int, maximumSide: Int, path: String) throws(PictureError) {
        guard width > 0, height > 0, width <= maximumSide, height <= maximumSide, width * height <= maximumPixelCount
        else {
            throw PictureError(
                .tooLarge, path: path,
                "claims to be \(width) × \(height) pixels; up to \(maximumPixelCount / 1_000_000) megapixels and "
                    + "\(maximumSide) a side are read")
        }
    }

    /// Runs `decode` into a new buffer.
    static func decodedPixels(
        width: Int, height: Int, format: PixelFormat, path: String,
        decode: (UnsafeMutablePointer<UInt8>, Int) -> Bool, reason: () -> String
    ) throws(PictureError) -> PixelBuffer {
        var pixels: PixelBuffer
        do {
            pixels = try PixelBuffer(width: width, height: height, format: format)
        } catch {
            throw PictureError(.outOfMemory, path: path, "\(error)")
        }
        let bytesPerRow = pixels.bytesPerRow
        let decoded = pixels.withUnsafeMutableBytes { target in
            target.withMemoryRebound(to: UInt8.self) { bytes in
                bytes.baseAddress.map { decode($0, bytesPerRow) } ?? false
            }
        }
        guard decoded else { throw PictureError(.damaged, path: path, "is damaged or cut off: \(reason())") }
        return pixels
    }

    static func upright(
        _ pixels: consuming PixelBuffer, metadata: PictureMetadata, path: String
    ) throws(PictureError) -> PixelBuffer {
        let orientation = metadata.exif.flatMap { ExifBlock($0)?.orientation } ?? .upright
        do {
            return try pixels.turnedUpright(from: orientation)
        } catch {
            throw PictureError(.outOfMemory, path: path, "\(error)")
        }
    }
}

extension ccodecs_error {
    var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
