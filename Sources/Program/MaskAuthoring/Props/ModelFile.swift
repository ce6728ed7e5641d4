import FaceGeometry
import Files
import GLTF
import Masks

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

    private static func readAll(_ path: FilePath) throws -> (bytes: [UInt8], result: GLTFReader.Result) {
        let bytes = try FileContents.read(path, limit: ModelLimits.maximumFileSize)
        do throws(ModelError) {
            return (bytes, try GLTFReader.read(bytes, path: path))
        } catch {
            throw MaskProblem(error, path: path)
        }
    }
}
