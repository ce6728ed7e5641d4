import Compositing
import FaceGeometry
import FrameProcessing
import Gaze
import Installation
import MaskRendering
import Masks
import Pixels

/// How a picture is to be masked.
struct FrameLook: Sendable {
    /// Nil: the models have not been loaded.
    var source: AnalyzerSource?
    /// Nil: none is worn.
    var mask: Mask?
    /// Increases with each mask.
    var maskRevision = 0
    /// Whether faces are to be seen without a mask.
    var isOff = false
    /// Increases when the pictures that follow come from another source.
    var sourceRevision = 0
    var cover: FaceCover.Style?
    var whenLost = LostFaces.Policy.keep
    var faces = FaceChoice.all
    var occluders = OccluderPolicy.mask
    /// 0 to 1.
    var opacity: Float = 1

    /// Whether a picture with this look may be shown where another look is wanted: it hides as much.
    func hides(asMuchAs wanted: FrameLook) -> Bool {
        sourceRevision == wanted.sourceRevision
            && (wanted.cover == nil || cover == wanted.cover || cover == .solid)
            && (wanted.whenLost != .blur || wanted.isOff || whenLost == .blur && !isOff || cover != nil)
    }

    /// Whether faces must not be seen although nobody has looked for them, or they wear no mask.
    var mustHide: Bool { cover != nil ? source == nil : whenLost == .blur && !isOff && (source == nil || mask == nil) }
}

/// A picture on its way to be masked.
struct FrameJob: Sendable {
    /// Counts the pictures of the engine, from 1.
    let number: Int
    let picture: HeldPicture
    let seconds: Double
    let look: FrameLook
}

/// A picture that has been masked, as far as it could be.
struct FrameResult: Sendable {
    /// That of the job.
    let number: Int
    /// Perhaps of an earlier job.
    var picture: HeldPicture
    let look: FrameLook
    /// Largest first.
    var faces: [FaceInstance] = []
    /// Why it could not be masked.
    var failure: (any Error)?
}

/// Masks pictures one after another: finds the faces, and draws. It belongs to one thread.
final class FramePainter {
    private let data: DataFolder
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    private var compositor: FaceCompositor
    private var renderer: MaskRenderer?
    private var analyzer: (any FaceAnalyzer)?
    /// Where the analyzer comes from, and a picture like those that it sees.
    private var origin: (source: AnalyzerSource, revision: Int, picture: HeldPicture)?
    private var maskRevision = 0
    /// Whether hands in front of faces may be looked for: until that fails.
    private var findsHands = true
    /// The pictures of frames that the analyzer holds, by the frames' numbers.
    private var waiting: [Int: HeldPicture] = [:]
    private var spare: PixelBuffer?

    init(data: DataFolder, reference: ReferenceFace, mesh: FaceMesh, pupils: SuppliedPupilFinder) {
        (self.data, self.reference, self.mesh) = (data, reference, mesh)
        compositor = FaceCompositor(mask: nil, reference: reference, mesh: mesh, whenLost: .keep)
        compositor.usePupils(of: pupils)
    }

    /// Masks a picture, or blurs it as a whole where its look demands that.
    func process(_ job: FrameJob) -> FrameResult {
        var result = FrameResult(number: job.number, picture: job.picture, look: job.look)
        do {
            try begin(job)
            guard let analyzer else {
                if job.look.mustHide { try blur(job.picture) }
                return result
            }
            waiting[job.number] = job.picture
            var pixels = try takePixels(of: job.picture)
            job.picture.convert(to: &pixels)
            try analyzer.add(Frame(pixels, seconds: job.seconds, number: job.number))
            var isDone = false
            while var frame = try analyzer.next(isEnding: false) {
                guard let picture = waiting.removeValue(forKey: frame.number) else { continue }
                try paint(&frame, with: job.look)
                picture.update(from: frame.pixels, all: frame.isBlurred || job.look.cover?.keepsColors == true)
                (result.picture, result.faces) = (picture, FaceChoice.all.chosen(among: frame.faces))
                isDone = true
                spare = frame.reusedPixels()
            }
            // Nothing has come out yet. The analyzer still needs the picture.
            if !isDone {
                result.picture = try job.picture.copy()
                try blur(result.picture)
            }
        } catch {
            // What the analyzer still knows is uncertain.
            forgetPictures()
            result.failure = error
            result.picture = job.picture
            // A mask needs no search for hands: without it, the next picture gets one.
            let mayBeHands = compositor.occluders.endSearch()
            if mayBeHands { findsHands = false }
            if mayBeHands || job.look.cover != nil || job.look.whenLost == .blur && !job.look.isOff {
                hide(job.picture)
            }
        }
        return result
    }

    /// Prepares for a picture's look, and for another source of pictures.
    private func begin(_ job: FrameJob) throws {
        let look = job.look
        (compositor.faces, compositor.occluders.policy, compositor.opacity) = (look.faces, look.occluders, look.opacity)
        (compositor.lostFaces.policy, compositor.isOff) = (look.whenLost, look.isOff)
        if maskRevision != look.maskRevision { (compositor.mask, maskRevision) = (look.mask, look.maskRevision) }
        let isSame = origin.map { $0.revision == look.sourceRevision && $0.picture.fits(job.picture) } ?? false
        // Pictures that are held back belong to one source, and have one format. Without models, none is given away.
        if !isSame || look.cover != nil && look.source == nil || waiting.count >= mostWaiting(job.picture) {
            forgetPictures()
        }
        guard let source = look.source, origin?.source !== source else { return }
        forgetPictures()
        analyzer = try source.analyzer()
        compositor.occluders.search = !findsHands ? .none : source.waits ? .waiting(.standard) : .background(.standard)
        origin = (source, look.sourceRevision, job.picture)
    }

    private func forgetPictures() {
        (analyzer, origin, waiting) = (nil, nil, [:])
        compositor.changeSource()
    }

    /// How many pictures may be held back. Where times hardly advance, the analyzer would hold all of them.
    private func mostWaiting(_ picture: HeldPicture) -> Int {
        max(32, min(256, (1 << 30) / (4 * picture.width * picture.height)))
    }

    private func paint(_ frame: inout Frame, with look: FrameLook) throws {
        if let cover = look.cover { return try frame.coverFaces(cover, but: nil) }
        let renderer = try renderer ?? data.makeRenderer(.software, reference: reference, mesh: mesh)
        self.renderer = renderer
        try compositor.compose(&frame, with: renderer)
        // Some masks show only other faces, and nothing or itself on a lone face, or where the other one is hardly seen.
        let isBare = look.whenLost == .blur && !look.isOff && compositor.leftFaceRecognisable
        guard look.mustHide || isBare, !frame.isBlurred else { return }
        frame.isBlurred = true
        frame.pixels.makeUnrecognisable()
    }

    private func takePixels(of picture: HeldPicture) throws(OutOfMemory) -> PixelBuffer {
        try PixelBuffer.reusing(spare.take(), width: picture.width, height: picture.height, format: .rgba8)
    }

    /// Blurs a picture as a whole.
    private func blur(_ picture: HeldPicture) throws(OutOfMemory) {
        var pixels = try takePixels(of: picture)
        picture.convert(to: &pixels)
        pixels.makeUnrecognisable()
        picture.update(from: pixels, all: true)
        spare = consume pixels
    }

    /// The same, also without memory for it.
    private func hide(_ picture: HeldPicture) {
        do throws(OutOfMemory) { try blur(picture) } catch { picture.hide() }
    }
}

extension FaceCover.Style {
    /// Whether colours of the face remain. Where YUV has values that RGB cannot tell apart, the face's own would remain, too.
    fileprivate var keepsColors: Bool { self == .mosaic || self == .blur }
}
