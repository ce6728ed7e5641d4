import ImageFiles
import Pixels

/// Reads the files that artists paint textures in.
enum PaintedTexture {
    /// - Throws: `PictureError`; more than `MaskLoader.maximumTextureSide` pixels a side are one.
    static func read(_ path: String) throws(PictureError) -> Texture {
        let side = MaskLoader.maximumTextureSide
        let picture: Picture
        switch path.split(separator: ".").last?.lowercased() {
        case "ora":
            let bytes = try FileContents.read(path, limit: MaskArchive.maximumArchiveSize)
            picture = try OpenRaster.painting(bytes, path: path, maximumSide: side)
        case "svg":
            let bytes = try FileContents.read(path, limit: VectorPicture.maximumFileSize)
            picture = try VectorPicture.painting(bytes, path: path, maximumSide: side)
        default:
            picture = try PictureReader.read(path, maximumSide: side)
        }
        do {
            return Texture(path: path, pixels: try picture.pixels.withEightBits())
        } catch {
            throw PictureError(.outOfMemory, path: path, "\(error)")
        }
    }
}
