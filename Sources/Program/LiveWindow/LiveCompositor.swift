import Compositing
import FaceGeometry
import FaceTracking
import Gaze
import MaskRendering
import Masks
import NeuralNetworks
import People
import Pixels

/// The masks of a live session: the chosen mask, or none while it is off, and the mask before it while it fades. A
/// chosen mask that cannot be loaded does not take off the one before.
final class LiveCompositor {
    let masks: LiveMasks
    /// Opacity, faces, people and lost faces are its own. Its mask is set here.
    private var compositor: FaceCompositor
    private(set) var renderer: MaskRenderer
    private let makeRenderer: (RendererChoice) throws -> MaskRenderer
    /// How all faces are covered, in place of wearing masks; nil: they wear masks.
    let cover: FaceCover.Style?
    /// The people whose faces are covered each in their own way.
    private let people: PeopleSettings?
    /// Where what finds faces without landmarks is installed, or will be.
    private let networks: NetworkFolder
    /// Frames that were covered as a whole, because they had not been searched for faces in time.
    private(set) var hiddenFrames = 0
    /// Whether the last frame was covered or blurred as a whole, because a face might have been bare.
    private(set) var hidesFrame = false
    /// The frames in a row in which a face stayed bare for want of another one.
    private var bareFrames = 0
    /// How long a mask takes to fade over to the next, in seconds.
    var fade: Double
    /// Whether faces are shown without a mask.
    var isOff = false
    /// The mask that frames are drawn with unless it is off, and its index in `MaskList.entries`; nil: none has been loaded.
    private var worn: (mask: Mask, index: Int)?
    /// Nil: no mask fades.
    private var fading: MaskFade?
    /// How far that had got in the last frame that was drawn, 0 to 1.
    private(set) var drawnFade = 1.0
    /// The value of `masks.revision` for which `worn` was set.
    private var revision = -1

    /// - Parameters:
    ///   - compositor: without a mask.
    ///   - cover: how all faces are covered, in place of wearing masks; nil: they wear masks.
    ///   - people: those whose coverings the compositor has; nil: it has none.
    ///   - models: that find faces.
    ///   - fade: in seconds.
    ///   - makeRenderer: whose errors `init` and `draw` throw.
    init(
        _ masks: LiveMasks, _ compositor: FaceCompositor, cover: FaceCover.Style?, people: PeopleSettings?,
        models: FaceModels, fade: Double, renderer: RendererChoice,
        makeRenderer: @escaping (RendererChoice) throws -> MaskRenderer
    ) throws {
        (self.masks, self.compositor, self.cover, self.people, self.fade) = (masks, compositor, cover, people, fade)
        networks = models.networks
        self.makeRenderer = makeRenderer
        self.renderer = try makeRenderer(renderer)
    }

    var opacity: Float {
        get { compositor.opacity }
        set { compositor.opacity = newValue }
    }
    var faces: FaceChoice {
        get { compositor.faces }
        set { compositor.faces = newValue }
    }
    var whenLost: LostFaces.Policy {
        get { compositor.lostFaces.policy }
        set { compositor.lostFaces.policy = newValue }
    }

    /// Whether faces without landmarks, such as profiles, are to be blurred.
    var findsUntrackedFaces: Bool { cover == nil && (whenLost == .blur || people?.coversUnrecognised == true) }

    /// The next frame has another background. Nil: its own, or what the mask shows in its place.
    func replaceBackground(with effect: (any FrameEffect)?) { compositor.effects.chosen = effect }

    /// Whether the background has hidden everybody in the last frame.
    var hidesEverybody: Bool { compositor.hidesEverybody }

    /// Draws with another renderer. If that cannot be had, the one before goes on.
    func draw(with choice: RendererChoice) throws { renderer = try makeRenderer(choice) }

    /// The next frame comes from another source: nothing of the faces before it holds.
    /// - Parameter isLive: as `FrameSourceDescription.isLive`.
    func changeSource(isLive: Bool) { compositor.changeSource(isLive: isLive) }

    /// Whether a face stays bare because the mask needs a second face.
    var lacksAnotherFace: Bool { bareFrames >= Self.patience }
    /// In frames: another face may have been lost for a moment.
    private static let patience = 10

    /// The columns of the mask on a face of the last frame; nil: it wears none.
    func columnsOfMask(onTrack trackID: Int) -> Range<Int>? {
        compositor.maskAreas[trackID].map { $0.x..<($0.x + $0.width) }
    }

    /// Whether a mask that is worn follows sound, also while it is off.
    var followsSound: Bool { worn?.mask.followsSound == true || compositor.followsSound }

    /// Sets what the next frame is drawn with. To be called before `compose`.
    /// - Returns: the mask that is put on with it; nil: the one before is kept.
    func chooseMask() -> Mask? {
        guard cover == nil else { return nil }
        var putOn: Mask?
        if revision != masks.revision {
            revision = masks.revision
            if let mask = masks.current.mask {
                // A mask that has been edited changes at once.
                let old = isOff || worn?.index == masks.index ? nil : worn?.mask
                fading = old.flatMap { MaskFade(from: $0, to: mask, seconds: fade) }
                worn = (mask, masks.index)
                putOn = mask
            }
            compositor.mask = nil
        }
        let progress = fadeProgress
        if progress == 1, fading != nil { (fading, compositor.mask) = (nil, nil) }
        compositor.isOff = isOff
        if isOff {
            (fading, compositor.mask) = (nil, nil)
        } else if let fading {
            compositor.mask = fading.mask(at: progress)
        } else if compositor.mask == nil {
            compositor.mask = worn?.mask
        }
        drawnFade = fading == nil ? 1 : progress
        return putOn
    }

    /// 0 to 1; 1: no mask fades.
    private var fadeProgress: Double { fading?.progress(at: .now) ?? 1 }

    /// Draws the mask on a frame, or covers all faces.
    /// - Parameter isAgain: whether the frame was drawn before.
    /// - Throws: as `FaceCompositor.compose`.
    func compose(_ frame: inout Frame, isAgain: Bool) throws {
        guard let cover else {
            try compositor.compose(&frame, with: renderer)
            bareFrames = !compositor.leftFaceBare ? 0 : bareFrames + (isAgain ? Self.patience : 1)
            defer { hidesFrame = frame.isBlurred }
            guard isOff ? people?.blursAnybody == true : findsUntrackedFaces else { return }
            // A held frame of a time at which they were not sought: they may be anywhere.
            if isAgain, frame.facePlaces == .notSought, networks.hasCenterFace { frame.facePlaces = .unknown }
            return try frame.blurUntrackedFaces()
        }
        try compositor.applyEffect(to: &frame)
        try frame.coverFaces(cover, but: compositor.people)
        hidesFrame = frame.isBlurred
        hiddenFrames += hidesFrame && !isAgain ? 1 : 0
    }

    /// How a held frame is drawn now. What the session shows besides the mask is not set.
    var look: HeldLook {
        var look = HeldLook(compositor, renderer)
        (look.revision, look.isMaskOff, look.fade) = (masks.revision, isOff, fadeProgress)
        return look
    }

    /// Draws the mask once: with the first drawing, textures are made and drivers compile shaders, which takes as long as
    /// several frames.
    func warmUp() throws {
        guard cover == nil, let mask = masks.current.mask else { return }
        let landmarks = masks.reference.landmarks.mapped { 64 * $0 }
        let face = Face(landmarks: landmarks, reference: masks.reference)
        var frame = Frame(try PixelBuffer(width: 64, height: 64, format: .rgba8), seconds: nil)
        frame.faces = [FaceInstance(face: face, trackID: 1)]
        self.compositor.prepare()
        var compositor = compositor
        // There is one pupil finder, which the copy would take away.
        compositor.usePupils(of: SuppliedPupilFinder())
        (compositor.occluders.search, compositor.effects) = (.none, FrameEffects())
        compositor.mask = mask
        (compositor.people, compositor.opacity, compositor.isOff, compositor.faces) = (nil, 1, false, .all)
        try compositor.compose(&frame, with: renderer)
        try self.compositor.prepareHands(for: mask)
    }
}
