import Files
import GLTF
import Masks

/// A model that the user has chosen for a prop.
enum ModelFile {
    /// - Throws: `FileError`; `MaskProblem` if it cannot be read as a model.
    static func read(_ path: FilePath) throws -> (bytes: [UInt8], model: Model) {
        let bytes = try FileContents.read(path, limit: ModelLimits.maximumFileSize)
        do throws(ModelError) {
            return (bytes, try GLTFReader.read(bytes, path: path).model)
        } catch {
            throw MaskProblem(error, path: path)
        }
    }
}
