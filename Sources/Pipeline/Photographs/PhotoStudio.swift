import Compositing
import FaceGeometry
import FaceRecognition
import Files
import Gaze
import Installation
import Machine
import MaskRendering
import Masks
import People
import Pixels
import Threads

/// The resources that all threads share that mask photographs.
package final class PhotoStudio: Sendable {
    let reference: ReferenceFace
    let mesh: FaceMesh
    let mask: Mask
    let renderThread: RenderThread
    let model: SharedModel
    /// The covering of each person's face; nil: everybody wears the mask.
    let people: PeopleCoverings?
    /// Nil: nobody is looked for.
    let identifier: FaceIdentifier?
    /// The memory limit for all photographs that are masked at the same time, in bytes.
    let memory: Int
    /// Of the folder of results, if there is one.
    let journal: PhotoJournal?

    /// Loads the mask. The renderer and the landmark model go on loading afterwards, while the first photographs are decoded and
    /// searched.
    /// - Throws: `DataFolderError`, `FileError`, or what is wrong with the mask.
    package init(options: PhotoOptions, data: DataFolder, journal: PhotoJournal? = nil) throws {
        self.journal = journal
        memory = options.memory ?? MachineMemory.size / 2
        // A wrong name is told at once.
        let maskFolder = try data.maskFolder(options.mask)
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        (self.reference, self.mesh) = (reference, mesh)
        let renderThread = RenderThread { [choice = options.renderer] in
            try data.makeRenderer(choice, reference: reference, mesh: mesh)
        }
        self.renderThread = renderThread
        if options.drawsMask { renderThread.prepare() }
        model = SharedModel(options.models)
        mask = try data.maskLoader(reference).load(folder: maskFolder)
        people = try options.people.map { settings in
            try PeopleCoverings(settings) { try data.maskLoader(reference).load(folder: data.maskFolder($0)) }
        }
        let masks = options.drawsMask ? [mask] + (people?.masks ?? []) : []
        for mask in masks { try GazeFollower.check(mask) }
        identifier = try PeopleSettings.identifier(options.people, masks, options.models)
        if options.drawsMask {
            renderThread.prepare { [mask, reference, mesh] in try Self.draw(mask, reference, mesh, with: $0) }
        }
    }

    /// Draws the mask on a small picture that nobody sees: drivers compile shaders, and textures are made, with the first
    /// drawing.
    private static func draw(
        _ mask: Mask, _ reference: ReferenceFace, _ mesh: FaceMesh, with renderer: MaskRenderer
    ) throws {
        let side = 96
        var picture = try PixelBuffer(width: side, height: side, format: .rgba8)
        picture.fill(SIMD4(150, 120, 100, 255))
        let face = Face(landmarks: reference.landmarks.mapped { Float(side) * $0 }, reference: reference)
        var compositor = FaceCompositor(mask: mask, reference: reference, mesh: mesh)
        _ = try compositor.masked(
            picture, on: [FaceInstance(face: face, trackID: 1)], encoding: .video, with: renderer)
    }
}
