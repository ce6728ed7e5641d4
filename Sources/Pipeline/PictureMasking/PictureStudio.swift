import Compositing
import FaceGeometry
import FaceTracking
import Installation
import MaskRendering
import People
import Pixels
import Synchronization

/// The resources that all threads share that mask pictures.
package final class PictureStudio: Sendable {
    let reference: ReferenceFace
    let mesh: FaceMesh
    package let masks: WornMasks
    package let renderThread: RenderThread
    let model: SharedModel
    private let warn: (@Sendable (String) -> Void)?
    /// What that has been told.
    private let warnings = Mutex<Set<String>>([])

    /// Loads the mask. The renderer and the landmark model go on loading afterwards, while the first pictures are decoded and
    /// searched.
    /// - Throws: `DataFolderError`, `FileError`, or what is wrong with the mask.
    package init(options: PhotoOptions, data: DataFolder) throws {
        // A wrong name is told at once.
        for name in options.masks { _ = try data.maskFolder(name) }
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        (self.reference, self.mesh) = (reference, mesh)
        let renderThread = RenderThread { [choice = options.renderer] in
            try data.makeRenderer(choice, reference: reference, mesh: mesh)
        }
        self.renderThread = renderThread
        if options.drawsMask { renderThread.prepare() }
        model = SharedModel(options.models)
        warn = options.warn
        masks = try WornMasks(
            options.masks, people: options.people, areDrawn: options.drawsMask, models: options.models
        ) { try data.mask($0, reference: reference) }
        if options.drawsMask {
            renderThread.prepare { [masks, reference, mesh] in try Self.draw(masks, reference, mesh, with: $0) }
        }
    }

    /// Tells what masks go without, unless another thread has.
    func warnOnce(_ text: String) {
        if warnings.withLock({ $0.insert(text).inserted }) { warn?(text) }
    }

    /// Draws the mask on a small picture that nobody sees: drivers compile shaders, and textures are made, with the first
    /// drawing.
    private static func draw(
        _ masks: WornMasks, _ reference: ReferenceFace, _ mesh: FaceMesh, with renderer: MaskRenderer
    ) throws {
        let side = 96
        var picture = try PixelBuffer(width: side, height: side, format: .rgba8)
        picture.fill(SIMD4(150, 120, 100, 255))
        let face = Face(landmarks: reference.landmarks.mapped { Float(side) * $0 }, reference: reference)
        var compositor = FaceCompositor(mask: masks.standard, reference: reference, mesh: mesh)
        _ = try compositor.masked(
            picture, on: [FaceInstance(face: face, trackID: 1)], encoding: .video, with: renderer)
    }
}
