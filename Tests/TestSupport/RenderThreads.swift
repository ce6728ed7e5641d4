import FaceGeometry
import Graphics
import MaskRendering
import SoftwareRendering
import Threads

extension ThreadConfined where Value == MaskRenderer {
    /// Draws with OpenGL.
    package convenience init(shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh) {
        self.init {
            try MaskRenderer(context: OffscreenContext(), shaders: shaders, reference: reference, mesh: mesh)
        }
    }

    /// Draws in software.
    package convenience init(
        softwareFor reference: ReferenceFace, mesh: FaceMesh, threads: Int? = nil,
        generation: ProcessorGeneration? = nil
    ) {
        self.init {
            MaskRenderer(softwareFor: reference, mesh: mesh, threads: threads, generation: generation)
        }
    }
}
