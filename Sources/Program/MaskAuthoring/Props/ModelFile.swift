import FaceGeometry
import Files
import GLTF
import JSON
import Masks
import Pixels

/// A model that the user has chosen for a prop.
package enum ModelFile {
    /// - Throws: `FileError`; `MaskProblem` if it cannot be read as a model.
    static func read(_ path: FilePath) throws -> (bytes: [UInt8], model: Model) {
        let (bytes, result) = try readAll(path)
        return (bytes, result.model)
    }

    /// How many of ARKit's 52 expressions a model has as morph targets, and how many of these a face moves.
    /// - Throws: as `read`.
    package static func expressions(of path: FilePath) throws -> (known: Int, moved: Int) {
        let shapes = Set(try readAll(path).result.morphNames.compactMap { BlendShape(name: $0) })
        return (shapes.count, shapes.count(where: \.isMeasured))
    }

    /// A synthetic head that wears a model; nil: it cannot be read.
    package static func preview(of path: FilePath, _ assets: AuthoringAssets) -> PixelBuffer? {
        guard let name = path.name.string, let model = try? read(path).model else { return nil }
        let manifest = JSONValue.object([
            "format": .integer(1), "name": .string("preview"),
            "layers": .array([PropPlacement.layer(for: model, at: path, file: name)]),
        ])
        let files = PackageFiles(
            folder: path.parent, unsaved: [MaskLoader.manifestName: Array(manifest.text().utf8)])
        guard let mask = assets.loader.read(files).mask, let renderer = try? assets.makeRenderer(.software) else {
            return nil
        }
        return try? MaskThumbnail.picture(
            of: mask, renderer: renderer, reference: assets.reference, mesh: assets.mesh)
    }

    private static func readAll(_ path: FilePath) throws -> (bytes: [UInt8], result: GLTFReader.Result) {
        let bytes = try FileContents.read(path, limit: ModelLimits.maximumFileSize)
        do throws(ModelError) {
            return (bytes, try GLTFReader.read(bytes, path: path))
        } catch {
            throw MaskProblem(error, path: path)
        }
    }
}
