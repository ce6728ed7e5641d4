import CHEIF
import Machine
import Pixels

/// libheif, which is loaded when the first picture needs it.
extension PictureFormat {
    private var library: (part: SystemPart, isAvailable: () -> Bool)? {
        switch self {
        case .jpeg, .png, .webp, .tiff: nil
        case .heic, .avif: (.libheif, cheif_is_available)
        }
    }

    /// The library without which pictures of this format cannot be read; nil if it is there.
    package var missingLibrary: SystemPart? { library.flatMap { $0.isAvailable() ? nil : $0.part } }

    /// What encodes this format where its library is there; nil if that is the library itself.
    package var encoder: SystemPart? {
        switch self {
        case .jpeg, .png, .webp, .tiff: nil
        case .heic: .hevcEncoder
        case .avif: .avifEncoder
        }
    }

    /// Why pictures of this format cannot be written here: a library is missing, or it has no encoder for the format.
    /// Encodes a picture of 16 × 16 pixels to find out. Nil if they can be written.
    package var obstacleToWriting: String? {
        do {
            let picture = Picture(pixels: try PixelBuffer(width: 16, height: 16, format: .rgba8))
            _ = try PictureWriter.encode(picture, with: PictureMetadata(), options: .init(format: self), path: name)
            return nil
        } catch let error as PictureError {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    /// - Throws: `PictureError` when a library is missing.
    func requireLibrary(path: String) throws(PictureError) {
        guard let library, !library.isAvailable() else { return }
        throw PictureError(
            .unsupported, path: path,
            "needs \(library.part.name) for \(name), which is not installed: "
                + SystemRelease.current.remedy(library.part))
    }
}
