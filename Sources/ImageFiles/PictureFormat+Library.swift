import CHEIF
import CTIFF
import CWebP

/// Libraries that are loaded when the first picture needs them.
extension PictureFormat {
    private var library: (name: String, package: String, isAvailable: () -> Bool)? {
        switch self {
        case .jpeg, .png: nil
        case .webp: ("libwebp", "libwebp7", cwebp_is_available)
        case .tiff: ("libtiff", "libtiff6", ctiff_is_available)
        case .heic, .avif: ("libheif", "libheif1", cheif_is_available)
        }
    }

    /// The Debian package without which pictures of this format cannot be read; nil if it is there.
    package var missingPackage: String? { library.flatMap { $0.isAvailable() ? nil : $0.package } }

    /// - Throws: `PictureError` when a library is missing.
    func requireLibrary(path: String) throws(PictureError) {
        guard let library, !library.isAvailable() else { return }
        throw PictureError(
            .unsupported, path: path,
            "needs \(library.name) for \(name), which is not installed: sudo apt-get install \(library.package)")
    }
}
