import FaceGeometry
import Graphics
import MaskComposition
import MaskRendering
import Masks
import Occlusion
import Pixels

/// Draws a mask on the faces of frames: decides which faces get it, in which order, with which opacity, and what
/// happens to faces that the analyzer has lost. The one place where masks meet faces: for photographs, videos, the live
/// window, the editor and the benchmarks. It belongs to one stream of frames.
package struct FaceCompositor {
    /// Nil: no mask is drawn.
    package var mask: Mask? { didSet { fadedMask = nil } }
    /// Of the whole mask, 0 to 1.
    package var opacity: Float = 1 { didSet { if opacity != oldValue { fadedMask = nil } } }
    /// Whether faces are to be seen without a mask: then a lost face is no reason to blur the picture.
    package var isOff = false
    package var under = UnderPolicy.mask
    package var faces: FaceChoice
    package var lostFaces: LostFaces
    private var fadedMask: Mask?
    private var isNewSource = false
    private var gaze = GazeFollower()
    /// Nil until a mask has asked for it.
    private var occlusion: OcclusionFollower?

    /// - Parameter whenLost: by default a mask disappears with its face, which is right where no face is lost by
    ///   mistake: photographs, and videos whose frames have been analyzed with a look ahead.
    package init(mask: Mask?, faces: FaceChoice = .all, whenLost: LostFaces.Policy = .hide) {
        self.mask = mask
        self.faces = faces
        lostFaces = LostFaces(policy: whenLost)
    }

    /// Draws the mask on the frame's chosen faces and sets `chosenFaces`.
    ///
    /// The smallest face is drawn first, because it is farther away; before it, faces that were lost a moment ago, as
    /// they were last seen.
    ///
    /// - Throws: `GraphicsError`; for masks whose eyes move, `VisionError` with the path of a damaged network; `OutOfMemory`.
    package mutating func compose(_ frame: inout Frame, with renderer: MaskRenderer) throws {
        let start = ContinuousClock.now
        if frame.isCut || isNewSource {
            renderer.composer.forgetLight()
            gaze.forget()
            occlusion?.interrupt()
        }
        if isNewSource { occlusion?.forget() }
        isNewSource = false
        choose(&frame)
        if mask?.followsGaze == true { try followGaze(&frame, reference: renderer.composer.reference) }
        let chosen = frame.chosenFaces
        let decision = lostFaces.update(
            frame.faces, chosen: chosen, at: frame.seconds ?? 0, isCut: frame.isCut)
        if !isOff, let mask = maskWithOpacity() {
            let mattes = mattes(mask, frame, composer: renderer.composer)
            try renderer.draw(
                mask, on: decision.kept + chosen.reversed(), under: mattes, at: frame.seconds, in: &frame.pixels,
                encoding: frame.encoding)
            frame.timings.drawing = renderer.times
        }
        frame.keptFaces = decision.kept
        frame.isBlurred = decision.mustBlur && !isOff
        if frame.isBlurred { frame.pixels.makeUnrecognisable() }
        frame.timings.composing = .now - start
    }

    /// Draws a mask on faces in a single picture.
    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, straight alpha.
    ///   - seconds: the picture's time, for animations; nil: it has none.
    package static func masked(
        _ picture: consuming PixelBuffer, with mask: Mask, on faces: [FaceInstance], at seconds: Double? = nil,
        encoding: ColorEncoding, renderer: MaskRenderer
    ) throws -> PixelBuffer {
        var frame = Frame(picture, seconds: seconds, encoding: encoding)
        frame.faces = faces
        var compositor = FaceCompositor(mask: mask)
        try compositor.compose(&frame, with: renderer)
        return frame.reusedPixels()
    }

    /// The next frame comes from another source: nothing of the faces before it holds.
    package mutating func changeSource() {
        lostFaces = LostFaces(policy: lostFaces.policy)
        isNewSource = true
    }

    /// Sets `chosenFaces` without drawing.
    package func choose(_ frame: inout Frame) { frame.chosenFaces = faces.chosen(among: frame.faces) }

    private mutating func followGaze(_ frame: inout Frame, reference: ReferenceFace) throws {
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

    /// What is before the chosen faces. Single pictures do not show what a face looks like without it.
    private mutating func mattes(
        _ mask: Mask, _ frame: borrowing Frame, composer: MaskComposer
    ) -> [Int: OcclusionMatte] {
        guard under.includesHands(mask), let seconds = frame.seconds, !frame.chosenFaces.isEmpty else {
            return [:]
        }
        var follower = occlusion ?? OcclusionFollower(reference: composer.reference, mesh: composer.mesh)
        // Not kept here meanwhile: two owners would copy what it holds.
        occlusion = nil
        defer { occlusion = follower }
        return follower.follow(frame.chosenFaces, in: frame.pixels, at: seconds)
    }

    private mutating func maskWithOpacity() -> Mask? {
        guard let mask, opacity < 1 else { return mask }
        if fadedMask == nil { fadedMask = mask.faded(to: opacity) }
        return fadedMask
    }
}
