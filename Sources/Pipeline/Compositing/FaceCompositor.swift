import FaceGeometry
import Gaze
import MaskComposition
import MaskRendering
import Masks
import People
import Pixels

/// Draws a mask on the faces of frames: decides which faces get it, in which order, with which opacity, and what
/// happens to faces that the analyzer has lost. The one place where masks meet faces: for photographs, videos, the live
/// window, the editor and the benchmarks. It belongs to one stream of frames, of which it keeps what faces looked like.
package struct FaceCompositor {
    /// Made when a mask is drawn first: it takes milliseconds, and photographs that are anonymised need none.
    private lazy var composer = MaskComposer(reference: reference, mesh: mesh)
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    /// Nil: no mask is drawn.
    package var mask: Mask? { didSet { fadedMask = nil } }
    /// Several masks in place of `mask`, as they are, whatever `opacity` says; nil: all faces wear `mask`.
    package var turns: MaskTurns?
    /// Come before masks.
    package var effects = FrameEffects()
    /// Of the whole mask, 0 to 1.
    package var opacity: Float = 1 { didSet { if opacity != oldValue { fadedMask = nil } } }
    /// Whether faces are to be seen without a mask: then a lost face is no reason to blur the picture.
    package var isOff = false
    /// What stays in front of masks.
    package var occluders: OccluderFinder
    /// Is told once why something is left out from then on, because a network is missing or damaged. Nil: drawing fails
    /// instead.
    package var warn: ((FrameWarning) -> Void)?
    package var faces: FaceChoice
    /// The covering of each person's face; nil: the mask covers all chosen faces. Blurred faces stay so while the mask
    /// is off.
    package var people: PeopleCoverings?
    package var lostFaces: LostFaces
    private var fadedMask: Mask?
    private var isNewSource = false
    /// Whether a face of the last frame stayed bare: its mask shows another face, and there was none to show.
    package private(set) var leftFaceBare = false
    /// Whether a face of the last frame was masked by itself alone, or not at all: it is recognised.
    package private(set) var leftFaceRecognisable = false
    /// Whether all faces of the last frame that wear masks stayed bare.
    package private(set) var leftAllBare = false
    /// What the masks of the last frame may have changed, by the tracks of their faces.
    package private(set) var maskAreas: [Int: PixelRectangle] = [:]
    private var gaze = GazeFollower()

    /// - Parameter whenLost: by default a mask disappears with its face, which is right where no face is lost by
    ///   mistake: photographs, and videos whose frames have been analyzed with a look ahead.
    package init(
        mask: Mask?, reference: ReferenceFace, mesh: FaceMesh, faces: FaceChoice = .all,
        whenLost: LostFaces.Policy = .hide
    ) {
        self.reference = reference
        self.mesh = mesh
        self.mask = mask
        self.faces = faces
        occluders = OccluderFinder(reference: reference, mesh: mesh)
        lostFaces = LostFaces(policy: whenLost)
    }

    /// Makes what the first drawing needs. Copies that are made later share it.
    package mutating func prepare() { _ = composer }

    /// Begins to load the networks that see hands, on their own thread, before there is a face.
    /// - Parameter mask: the one that is worn first.
    /// - Throws: `OutOfMemory` or `NoThread`.
    package mutating func prepareHands(for mask: Mask) throws {
        try occluders.prepareHands(for: mask, warn: warn)
    }

    /// Draws the mask on the frame's chosen faces and sets `chosenFaces`.
    ///
    /// The farthest face is drawn first (`DrawingOrder`); before it, faces that were lost a moment ago, as they were last seen.
    ///
    /// - Throws: `GraphicsError`; for masks whose eyes move, `VisionError` with the path of a damaged network; `OutOfMemory`.
    package mutating func compose(_ frame: inout Frame, with renderer: MaskRenderer) throws {
        try compose(&frame, with: renderer) { list, _, pixels, encoding in
            try renderer.execute(list, in: &pixels, encoding: encoding)
        }
    }

    /// Draws as `compose` does, on a frame with 8 bits per component.
    /// - Returns: what was drawn, in layers that make the result of the frame as it was, from the bottom up. Nothing is said of
    ///   what is covered otherwise than by masks.
    package mutating func composeInLayers(
        _ frame: inout Frame, with renderer: MaskRenderer
    ) throws -> [PictureLayer] {
        let before = try frame.pixels.copy()
        func background(_ pixels: borrowing PixelBuffer) throws -> [PictureLayer] {
            try PictureLayer.difference(named: "Background", from: before, to: pixels, coverage: pixels).map { [$0] }
                ?? []
        }
        var (masks, below) = (MaskLayers(), [PictureLayer]?.none)
        try compose(&frame, with: renderer) { list, worn, pixels, encoding in
            below = try background(pixels)
            try masks.draw(list, of: worn, in: &pixels, encoding: encoding, with: renderer)
        }
        // Nobody may wear a mask.
        return try (below ?? background(frame.pixels)) + masks.layers
    }

    /// - Parameter draw: executes a list for the faces that wear masks.
    private mutating func compose(
        _ frame: inout Frame, with renderer: MaskRenderer,
        draw: (DrawList, [WornMask], inout PixelBuffer, ColorEncoding) throws -> Void
    ) throws {
        let start = ContinuousClock.now
        if frame.isCut || isNewSource {
            composer.interrupt()
            gaze.forget()
            occluders.interrupt()
            for retouch in effects.retouches { retouch.interrupt() }
        }
        if isNewSource { occluders.forget() }
        choose(&frame)
        if followsGaze { try followGaze(&frame) }
        let chosen = frame.chosenFaces
        let decision = lostFaces.update(
            frame.faces, chosen: chosen, at: frame.seconds ?? 0, isCut: frame.isCut, isMixture: frame.isMixture)
        var faces = decision.kept + chosen.reversed()
        if let sound = frame.sound { for index in faces.indices { faces[index].signals.hear(sound) } }
        var worn = worn(by: faces)
        let startOfMattes = ContinuousClock.now
        let mattes = try occluders.find(before: &worn, in: frame, warn: warn)
        frame.timings.occluders = .now - startOfMattes
        let effect = try effect()
        try begin(effect, on: &frame)
        if let effect {
            try retouch(&frame, before: DrawList(), worn) { $0.precedesEffect }
            try apply(effect, to: &frame)
        }
        if people != nil { try blur(faces, in: &frame.pixels) }
        maskAreas.removeAll(keepingCapacity: true)
        if !worn.isEmpty {
            let startOfList = ContinuousClock.now
            let list = composer.drawList(worn, occluders: mattes, at: frame.seconds, in: frame.pixels)
            frame.timings.drawList = .now - startOfList
            leftFaceBare = worn.contains { worn in
                worn.mask.needsAnotherFace && !list.faces.contains { $0.trackID == worn.instance.trackID }
            }
            leftFaceRecognisable =
                leftFaceBare
                || worn.contains { $0.mask.isRecognisableAlone && !composer.isSwapped($0.instance.trackID) }
            leftAllBare = list.faces.isEmpty && worn.allSatisfy(\.mask.needsAnotherFace)
            try retouch(&frame, before: list, worn) { effect == nil || !$0.precedesEffect }
            for face in list.faces { maskAreas[face.trackID] = face.rectangle }
            try draw(list, worn, &frame.pixels, frame.encoding)
            composer.recycle(list)
            frame.timings.drawing = renderer.times
        } else if frame.seconds != nil {
            // What was drawn on the whole picture may fade.
            try retouch(&frame, before: DrawList(), []) { effect == nil || !$0.precedesEffect }
        }
        frame.keptFaces = decision.kept
        frame.isBlurred = decision.mustBlur && !isOff
        if frame.isBlurred { frame.pixels.makeUnrecognisable() }
        effect?.finish(&frame.pixels)
        frame.timings.composing = .now - start
    }

    /// For frames on which no masks are drawn.
    package mutating func applyEffect(to frame: inout Frame) throws {
        let effect = try effect()
        try begin(effect, on: &frame)
        if let effect { try apply(effect, to: &frame) }
        effect?.finish(&frame.pixels)
    }

    /// Whether the background, chosen or the mask's, has hidden everybody in the last frame.
    package var hidesEverybody: Bool { effects.made(for: isOff ? nil : mask)?.hidesEverybody == true }

    private mutating func effect() throws -> (any FrameEffect)? {
        try effects.effect(of: isOff ? nil : mask, warn: warn)
    }

    /// The effect, which may be none, looks at the frame as it was captured.
    private mutating func begin(_ effect: (any FrameEffect)?, on frame: inout Frame) throws {
        defer { isNewSource = false }
        guard let effect else { return }
        // Photographs are no stream.
        if frame.isCut || isNewSource || frame.seconds == nil { effect.interrupt() }
        if frame.pixels.format != .rgba8 { frame.pixels = try frame.pixels.withEightBits() }
        try effect.look(at: frame.pixels)
    }

    /// What has been applied is to be finished once masks have been drawn.
    private func apply(_ effect: any FrameEffect, to frame: inout Frame) throws {
        try effect.apply(to: &frame.pixels)
        if !effect.keepsAlpha { frame.becomeTransparent() }
    }

    /// - Parameter isDone: whether a retouch is done now.
    private mutating func retouch(
        _ frame: inout Frame, before list: DrawList, _ worn: [WornMask], where isDone: (any FrameRetouch) -> Bool
    ) throws {
        guard effects.chosen?.showsPeople != false else { return }
        for retouch in effects.retouches where isDone(retouch) {
            do {
                try retouch.retouch(&frame.pixels, before: list, on: worn, at: frame.seconds)
            } catch  where !(error is OutOfMemory) {
                guard let warn else { throw error }
                effects.retouches.removeAll { $0 === retouch }
                warn(FrameWarning(error, retouch.loss))
            }
        }
    }

    /// Draws the mask on faces in a picture.
    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, straight alpha.
    ///   - seconds: the picture's time, for animations; nil: it has none.
    package mutating func masked(
        _ picture: consuming PixelBuffer, on faces: [FaceInstance], at seconds: Double? = nil, encoding: ColorEncoding,
        with renderer: MaskRenderer
    ) throws -> PixelBuffer {
        var frame = Frame(picture, seconds: seconds, encoding: encoding)
        frame.faces = faces
        try compose(&frame, with: renderer)
        return frame.reusedPixels()
    }

    /// The next frame comes from another source: nothing of the faces before it holds.
    /// - Parameter isLive: whether pictures of that one do not wait for hands; nil: as before.
    package mutating func changeSource(isLive: Bool? = nil) {
        if let isLive, occluders.search.isInBackground != isLive {
            occluders.search = occluders.search.inBackground(isLive)
        }
        lostFaces = LostFaces(policy: lostFaces.policy)
        isNewSource = true
    }

    /// Never loads the network of pupils by itself. Call it before the first frame.
    package mutating func usePupils(of supply: SuppliedPupilFinder) { gaze = GazeFollower(supply) }

    /// Sets `chosenFaces` without drawing. No face counts as left bare by the drawing before.
    package mutating func choose(_ frame: inout Frame) {
        // The largest of one scene is not that of the other.
        let choice = frame.isMixture ? .all : faces
        let chosen = choice.chosen(among: frame.faces)
        (leftFaceBare, leftFaceRecognisable, leftAllBare) = (false, false, false)
        frame.chosenFaces = people?.covered(chosen) ?? chosen
    }

    /// Whether nothing was drawn on any of these chosen faces, which are those of the last frame: none wears a mask, or all
    /// stayed bare.
    package mutating func leavesBare(_ chosen: [FaceInstance]) -> Bool {
        guard people == nil, !chosen.isEmpty else { return false }
        return leftAllBare || worn(by: chosen).isEmpty
    }

    // MARK: Which mask on which face

    private var followsGaze: Bool {
        mask?.followsGaze == true || turns?.followsGaze == true || people?.masks.contains(where: \.followsGaze) == true
    }

    /// Whether a mask that may be worn follows sound.
    package var followsSound: Bool {
        mask?.followsSound == true || people?.masks.contains(where: \.followsSound) == true
    }

    /// The faces that wear a mask, in the same order.
    private mutating func worn(by faces: [FaceInstance]) -> [WornMask] {
        if isOff { return [] }
        let standard: [Mask?]? = maskWithOpacity().map {
            turns?.masks(of: faces) ?? Array(repeating: $0, count: faces.count)
        }
        return faces.indices.compactMap { index in
            switch people?.covering(of: faces[index].identity) ?? .standard {
            case .unmasked, .blur: nil
            case .standard: standard?[index].map { WornMask($0, on: faces[index]) }
            case .mask(let mask): WornMask(mask, on: faces[index])
            }
        }
    }

    /// Before masks are drawn: those that show other faces must show them blurred, too.
    private func blur(_ faces: [FaceInstance], in picture: inout PixelBuffer) throws(OutOfMemory) {
        for face in faces {
            if case .blur? = people?.covering(of: face.identity) { try FaceCover(face.face).blur(in: &picture) }
        }
    }

    private mutating func followGaze(_ frame: inout Frame) throws {
        var chosen = frame.chosenFaces
        try gaze.follow(&chosen, in: frame.pixels, at: frame.seconds, reference: reference)
        frame.chosenFaces = chosen
        // Should a face be lost, its mask goes on looking where the face looked.
        for index in frame.faces.indices {
            if let face = chosen.first(where: { $0.trackID == frame.faces[index].trackID }) {
                frame.faces[index] = face
            }
        }
    }

    private mutating func maskWithOpacity() -> Mask? {
        guard let mask, opacity < 1 else { return mask }
        if fadedMask == nil { fadedMask = mask.faded(to: opacity) }
        return fadedMask
    }
}
