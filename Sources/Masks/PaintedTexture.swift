import Files
import ImageFiles
import Pixels

/// Reads textures from the file formats of painting programs.
package enum PaintedTexture {
    /// Whether the format of a file, by its name, has layers.
    package static func hasLayers(_ path: String) -> Bool { ["ora", "svg"].contains(ending(path)) }

    /// Whether a file can be a texture, by its name.
    package static func canBe(_ path: String) -> Bool {
        hasLayers(path) || ["png", "jpg", "jpeg"].contains(ending(path))
    }

    private static func ending(_ path: String) -> String { path.split(separator: ".").last?.lowercased() ?? "" }

    private static func contents(_ path: String, limit: Int) throws(PictureError) -> [UInt8] {
        do throws(FileError) {
            return try FileContents.read(path, limit: limit)
        } catch {
            throw PictureError(error)
        }
    }

    /// - Parameter layer: the layer to read, in formats with layers; nil: "paint", or else the whole picture.
    /// - Throws: `PictureError`; textures wider or higher than `MaskLoader.maximumTextureSide` are refused.
    static func read(_ path: String, layer: String?) throws(PictureError) -> Texture {
        let side = MaskLoader.maximumTextureSide
        let picture: Picture
        switch ending(path) {
        case "ora":
            let bytes = try contents(path, limit: MaskArchive.maximumArchiveSize)
            picture = try OpenRaster.painting(bytes, layer: layer, path: path, maximumSide: side)
        case "svg":
            let bytes = try contents(path, limit: VectorPicture.maximumFileSize)
            picture = try VectorPicture.painting(bytes, element: layer, path: path, maximumSide: side)
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
