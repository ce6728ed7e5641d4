import FaceGeometry
import FaceTracking
import FrameSources
import MaskComposition
import MaskRendering
import Pixels
import Sound

/// A picture on its way from a source through an analyzer and a compositor to a sink. The holder of the value owns its
/// pixels; each stage adds what it has found out.
package struct Frame: ~Copyable, Sendable {
    /// `rgba8`, or `rgba16` for photographs with 16 bits a component; straight alpha.
    package var pixels: PixelBuffer
    /// The frame's time; nil for a photograph.
    package var seconds: Double?
    /// When the source received it.
    package let captured: ContinuousClock.Instant
    /// Counts the source's frames, from 0.
    package let number: Int
    /// As `SourceFrame.scene`.
    package private(set) var scene: Int?
    package private(set) var encoding: ColorEncoding
    /// All faces found, each with its track ID: set by the analyzer.
    package var faces: [FaceInstance] = []
    /// Uncertain detections: set by the analyzer of a thorough search.
    package var unsureFaces: [UnsureFace] = []
    /// Where faces are, with landmarks or not: set by an analyzer that looks for all of them.
    package enum FacePlaces: Equatable, Sendable {
        case notSought
        /// They may be anywhere: nobody has looked for them in time.
        case unknown
        /// In pixels, in the convention of dlib's detector.
        case known([OrientedBox])
    }

    package var facePlaces = FacePlaces.notSought
    /// Whether this frame shows another scene than the one before it: set by the analyzer.
    package var isCut = false
    /// Whether it mixes two scenes, and has the faces of both: set by an analyzer that looks ahead.
    package var isMixture = false
    /// The chosen faces, largest first: set by the compositor.
    package var chosenFaces: [FaceInstance] = []
    /// Lost faces that keep their masks for a while, as they were last seen: set by the compositor.
    package var keptFaces: [FaceInstance] = []
    /// The sound at the frame's time; nil: no sound is used.
    package var sound: SoundSignals?
    /// Whether the whole picture has been made unrecognisable, because it may show an unmasked face: set by the
    /// compositor.
    package var isBlurred = false
    package var timings = FrameTimings()

    package init(
        _ pixels: consuming PixelBuffer, seconds: Double?, number: Int = 0,
        captured: ContinuousClock.Instant = .now, encoding: ColorEncoding = .video
    ) {
        self.pixels = pixels
        self.seconds = seconds
        self.number = number
        self.captured = captured
        self.encoding = encoding
    }

    package init(_ source: consuming SourceFrame, number: Int) {
        let (seconds, captured, sound, scene) = (source.seconds, source.captured, source.sound, source.scene)
        self.init(source.reusedPixels(), seconds: seconds, number: number, captured: captured)
        (self.sound, self.scene) = (sound, scene)
    }

    /// From now on, pixels may be transparent, and what is in front of masks stays so.
    package mutating func becomeTransparent() { (encoding.isOpaque, encoding.restoresAlpha) = (false, true) }

    /// - Parameter spare: memory that may be reused for it.
    package func copy(reusing spare: consuming PixelBuffer? = nil) throws(OutOfMemory) -> Frame {
        var copied = try PixelBuffer.reusing(
            spare, width: pixels.width, height: pixels.height, format: pixels.format)
        copied.overwrite(with: pixels)
        var copy = Frame(copied, seconds: seconds, number: number, captured: captured, encoding: encoding)
        copy.scene = scene
        copy.faces = faces
        copy.unsureFaces = unsureFaces
        copy.facePlaces = facePlaces
        copy.isCut = isCut
        copy.isMixture = isMixture
        copy.chosenFaces = chosenFaces
        copy.keptFaces = keptFaces
        copy.sound = sound
        copy.isBlurred = isBlurred
        copy.timings = timings
        return copy
    }

    /// Ends the frame; its memory may take another one.
    package consuming func reusedPixels() -> PixelBuffer { pixels }
}

/// How long the stages took for one frame.
package struct FrameTimings: Sendable {
    /// Finding faces in a photograph.
    package var detection = Duration.zero
    /// Finding their landmarks.
    package var landmarks = Duration.zero
    /// Tracking faces in a stream of frames.
    package var tracking = FaceTracker.Times()
    /// Finding what is in front of faces.
    package var occluders = Duration.zero
    /// Measuring light and composing the draw list.
    package var drawList = Duration.zero
    /// Executing it, by step.
    package var drawing = MaskRenderer.Times()
    /// Choosing faces and drawing, in all.
    package var composing = Duration.zero

    package init() {}
}
