import FaceGeometry
import Files
import MaskRendering
import Masks
import Threads

/// What masks photographs and is shared by all threads that do so.
package final class PhotoStudio: Sendable {
    let reference: ReferenceFace
    let mesh: FaceMesh
    let mask: Mask
    let renderThread: RenderThread
    let model: SharedModel
    /// Of the photographs that are masked at the same time.
    let memory: MemoryBudget

    /// Loads the mask and opens OpenGL. The landmark model goes on loading afterwards.
    /// - Throws: `DataFolderError`, `FileError`, what is wrong with the mask, or `GraphicsError`.
    package init(options: PhotoOptions, data: DataFolder) throws {
        memory = MemoryBudget(bytes: options.memory ?? MachineMemory.size / 2)
        reference = try data.referenceFace()
        mesh = try data.mesh()
        mask = try data.mask(options.mask, reference: reference)
        renderThread = RenderThread(shaders: try data.maskShaders(), reference: reference, mesh: mesh)
        try renderThread.perform { _ in }
        model = SharedModel(options.models)
    }
}
