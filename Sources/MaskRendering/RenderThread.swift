import FaceGeometry
import Graphics
import Threads

/// A renderer on a thread of its own, for several threads: OpenGL's contexts belong to threads, and a driver must not be
/// at work while the process exits.
package typealias RenderThread = ThreadConfined<MaskRenderer>

extension ThreadConfined where Value == MaskRenderer {
    /// Starts the thread. The context is opened with the first piece of work.
    package convenience init(shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh) {
        self.init {
            try MaskRenderer(context: OffscreenContext(), shaders: shaders, reference: reference, mesh: mesh)
        }
    }
}
