import Compositing
import FaceGeometry
import FaceTracking
import Files
import Installation
import Machine
import MaskRendering
import People
import Pixels
import Records
import Threads

/// The resources that all threads share that mask photographs.
package final class PhotoStudio: Sendable {
    let reference: ReferenceFace
    let mesh: FaceMesh
    let masks: WornMasks
    let renderThread: RenderThread
    let model: SharedModel
    /// The memory limit for all photographs that are masked at the same time, in bytes.
    let memory: Int
    /// Of the folder of results, if there is one.
    let journal: PhotoJournal?
    /// What a person decided about the results; nil: nobody looks for it.
    let review: ReviewFile?

    /// Loads the mask. The renderer and the landmark model go on loading afterwards, while the first photographs are decoded and
    /// searched.
    /// - Throws: `DataFolderError`, `FileError`, or what is wrong with the mask.
    /// - Parameter review: of the folder of the result, if that is a file of its own.
    package init(
        options: PhotoOptions, data: DataFolder, journal: PhotoJournal? = nil, review: ReviewFile? = nil
    ) throws {
        self.journal = journal
        self.review = journal?.review ?? review
        memory = options.memory ?? MachineMemory.size / 2
        // A wrong name is told at once.
        _ = try data.maskFolder(options.mask)
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        (self.reference, self.mesh) = (reference, mesh)
        let renderThread = RenderThread { [choice = options.renderer] in
            try data.makeRenderer(choice, reference: reference, mesh: mesh)
        }
        self.renderThread = renderThread
        if options.drawsMask { renderThread.prepare() }
        model = SharedModel(options.models)
        masks = try WornMasks(
            options.mask, people: options.people, areDrawn: options.drawsMask, models: options.models
        ) { try data.mask($0, reference: reference) }
        if options.drawsMask {
            renderThread.prepare { [masks, reference, mesh] in try Self.draw(masks, reference, mesh, with: $0) }
        }
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
