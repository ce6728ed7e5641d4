import FaceGeometry
import Graphics
import MaskComposition
import Pixels
import SoftwareRendering

/// The backend that executes draw lists.
protocol RendererBackend: AnyObject {
    /// Of the last picture.
    var times: MaskRenderer.Times { get }
    /// For reports.
    var description: String { get }

    /// Draws a list into the picture that it was composed for.
    /// - Parameter picture: `rgba8` or `rgba16`, straight alpha.
    func execute(_ list: DrawList, in picture: inout PixelBuffer, encoding: ColorEncoding) throws(GraphicsError)
}

/// The renderer of masks.
package enum RendererChoice: String, CaseIterable, Sendable {
    /// OpenGL where a window is drawn by a graphics card, software elsewhere.
    case auto
    case software
    case opengl
}

/// Executes the draw lists of masks, with OpenGL or in software. It knows no mask, and keeps nothing of a stream of pictures.
/// It belongs to one thread: with OpenGL, to the one on which its context is current.
package final class MaskRenderer {
    /// The duration of the parts of the last picture, in seconds. Drivers defer work, so the limits are not sharp.
    package struct Times: Sendable {
        /// Copying what is drawn on or from.
        package var upload = 0.0
        package var draw = 0.0
        /// Only with OpenGL.
        package var download = 0.0

        package init() {}
    }

    package private(set) var times = Times()
    /// A description of the renderer, for reports: "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 …" or "software, AVX2,
    /// 4 threads".
    package var rendererDescription: String { backend.description }
    /// A description of the software renderer on this processor: "software, AVX2".
    package static var softwareDescription: String { "software, \(ProcessorGeneration.newest)" }
    private let backend: any RendererBackend
    private let threads: DrawingThreads
    private let blur: DrawnBlur

    /// Draws with OpenGL.
    /// - Parameter context: the current context, which the renderer retains.
    package init(
        context: any GraphicsContext, shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh
    ) throws(GraphicsError) {
        backend = try OpenGLRenderer(context: context, shaders: shaders, reference: reference, mesh: mesh)
        threads = DrawingThreads()
        blur = DrawnBlur(threads: threads)
    }

    /// Draws in software.
    /// - Parameters:
    ///   - threads: that draw, with the caller's; nil: as many as there are processors.
    ///   - generation: of processors; nil: this one's.
    package init(
        softwareFor reference: ReferenceFace, mesh: FaceMesh, threads: Int? = nil,
        generation: ProcessorGeneration? = nil
    ) {
        let shared = DrawingThreads(count: threads)
        self.threads = shared
        backend = SoftwareRenderer(mesh: mesh, reference: reference, threads: shared, generation: generation)
        blur = DrawnBlur(threads: shared, generation: generation)
    }

    /// Draws a list into the picture that it was composed for.
    /// - Parameter picture: `rgba8` or `rgba16`, straight alpha.
    package func execute(
        _ list: DrawList, in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(GraphicsError) {
        defer { times = backend.times }
        threads.beginPicture()
        blur.prepare(for: list, in: picture, encoding: encoding)
        try backend.execute(list, in: &picture, encoding: encoding)
        blur.blur(&picture)
    }
}

extension SoftwareRenderer: RendererBackend {
    var times: MaskRenderer.Times {
        var times = MaskRenderer.Times()
        (times.upload, times.draw) = (seconds.captures, seconds.drawing)
        return times
    }

    func execute(_ list: DrawList, in picture: inout PixelBuffer, encoding: ColorEncoding) throws(GraphicsError) {
        do {
            try draw(list, in: &picture, encoding: encoding)
        } catch {
            throw GraphicsError(.outOfMemory, "\(error)")
        }
    }
}
