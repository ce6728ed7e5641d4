import Files
import ImageFiles
import MaskRendering
import Masks

/// The picture of the mask in its package.
extension EditedPackage {
    /// The package's thumbnail as the mask looks now, as a PNG; nil: none that `bauta mask new` could have made, or
    /// the mask has errors.
    func renewedThumbnail() -> [UInt8]? {
        _ = reread()
        guard let mask = reading.mask, let old = try? PictureReader.read(folder / MaskLoader.thumbnailName),
            old.pixels.width == MaskThumbnail.side, old.pixels.height == MaskThumbnail.side,
            let new = try? MaskThumbnail.picture(
                of: mask, renderer: MaskRenderer(softwareFor: reference, mesh: mesh), reference: reference, mesh: mesh)
        else { return nil }
        let picture = Picture(pixels: new, hasAlpha: true)
        return try? PictureWriter.encode(
            picture, options: .init(format: .png), path: MaskLoader.thumbnailName.description
        ).bytes()
    }
}
