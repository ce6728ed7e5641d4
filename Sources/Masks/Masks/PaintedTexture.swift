import Files
import ImageFiles
import Pixels

/// Reads textures from the file formats of painting programs.
package enum PaintedTexture {
    /// Whether the format of a file, by its name, has layers.
    package static func hasLayers(_ path: FilePath) -> Bool { ["ora", "svg"].contains(path.fileExtension) }

    /// Whether a file can be a texture, by its name.
    package static func canBe(_ path: FilePath) -> Bool {
        hasLayers(path) || ["png", "jpg", "jpeg"].contains(path.fileExtension)
    }

    /// What the texture of a file shows, in eight bits, for a small view of it.
    /// - Throws: `PictureError`, also for a file of which too much is asked.
    package static func preview(_ path: FilePath) throws(PictureError) -> PixelBuffer {
        let file: RegularFile
        do throws(FileError) {
            file = try RegularFile(path)
        } catch {
            throw PictureError(error)
        }
        let picture = try picture(file, layer: nil, seconds: 3)
        do {
            return try picture.pixels.withEightBits()
        } catch {
            throw PictureError(.outOfMemory, path: path.description, "\(error)")
        }
    }

    /// - Parameters:
    ///   - layer: the layer to read, in formats with layers; nil: "paint", or else the whole picture.
    ///   - seconds: the most processor time that drawing it may take.
    /// - Throws: `PictureError`; textures wider or higher than `MaskLoader.maximumTextureSide` are refused.
    static func read(
        _ reading: MaskReading, _ path: FilePath, layer: String?, seconds: Int
    ) throws(PictureError) -> Texture {
        let file: RegularFile
        do throws(FileError) {
            file = try reading.open(path)
        } catch {
            throw PictureError(error)
        }
        let picture = try picture(file, layer: layer, seconds: seconds)
        let kind: Texture.FileKind =
            switch picture.format {
            case _ where hasLayers(path): .layered
            case .png: picture.pixels.format == .rgba16 ? .deepPNG : .png
            default: .jpeg
            }
        do {
            return Texture(path: path, pixels: try picture.pixels.withEightBits(), fileKind: kind)
        } catch {
            throw PictureError(.outOfMemory, path: path.description, "\(error)")
        }
    }

    private static func picture(
        _ file: borrowing RegularFile, layer: String?, seconds: Int
    ) throws(PictureError) -> Picture {
        let (name, side) = (file.path.description, MaskLoader.maximumTextureSide)
        switch file.path.fileExtension {
        case "ora":
            let bytes = try contents(file, limit: MaskArchive.maximumArchiveSize)
            return try OpenRaster.painting(bytes, layer: layer, path: name, maximumSide: side)
        case "svg":
            let bytes = try contents(file, limit: VectorPicture.maximumFileSize)
            var limits = VectorPicture.Limits()
            limits.seconds = min(limits.seconds, seconds)
            return try VectorPicture.painting(bytes, element: layer, path: name, maximumSide: side, limits: limits)
        default: return try PictureReader.read(file, for: .texture, maximumSide: side)
        }
    }

    private static func contents(_ file: borrowing RegularFile, limit: Int) throws(PictureError) -> [UInt8] {
        do throws(FileError) {
            return try FileContents.read(file, limit: limit)
        } catch {
            throw PictureError(error)
        }
    }
}
