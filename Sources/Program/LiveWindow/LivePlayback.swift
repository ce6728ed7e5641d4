import Compositing
import FaceTracking
import Pixels
import SourceSelection
import Threads

/// Where the frames of a live session come from, through pauses and changes of the source, and their time, which goes on
/// through all of these.
final class LivePlayback {
    typealias CameraMode = LiveDevices.CameraMode

    private(set) var source: LiveSource
    /// The source of frames, and the requested mode of a camera; nil: the default request.
    private(set) var input: (source: SourceOptions.Input, mode: CameraMode?)
    /// The frame that is shown during a pause, or after the end of a clip; nil: there is neither, or its frame has not come
    /// yet.
    var held: HeldFrame?
    /// The last frame without its mask, which stays after the end of a clip; nil: none is kept.
    private var latest: Frame?
    /// Frames that were processed, without repetitions during a pause.
    private(set) var frameCount = 0
    /// The time of the last frame that was shown, in seconds.
    private(set) var lastSeconds = 0.0
    /// When the outputs last had a frame, and its size in pixels; nil: they have had none.
    private(set) var last: (time: ContinuousClock.Instant, width: Int, height: Int)?
    /// Whether this source has given a frame.
    private var hasFrames = false
    /// Whether this source has shown a face.
    private(set) var hasFaces = false
    private var facelessness = LastingState(patience: 3)
    /// The most faces that were too small for a mask at the same time, as far as they were counted.
    private(set) var mostSmallerFaces = 0
    /// The smallest face that wears a mask in other sources, while smaller ones do in this clip; nil: there, too.
    private var smallestElsewhere: SmallestFace?
    /// Dropped frames of the sources before this one.
    private var droppedBefore = 0
    private var lastWaiting: String?
    private var isFailureTaken = false

    init(_ source: LiveSource, input: (source: SourceOptions.Input, mode: CameraMode?)) {
        (self.source, self.input) = (source, input)
    }

    /// The source to start with, and what a camera is asked for.
    static func start(
        _ settings: LiveSettings, _ devices: LiveDevices
    ) -> (SourceOptions, (source: SourceOptions.Input, mode: CameraMode?)) {
        var options = settings.source
        guard settings.takesLastCamera, let camera = devices.camera else { return (options, (options.input, nil)) }
        options.input = .camera(camera)
        if let mode = devices.cameraMode, options.size == nil {
            options.size = (mode.width, mode.height)
            options.rate = mode.rate
        }
        return (options, (options.input, devices.cameraMode))
    }

    /// Another source takes the place of this one. Its frame times continue where those of this one end.
    /// - Parameters:
    ///   - new: whose times begin at `lastSeconds`.
    ///   - mode: the requested mode of a camera.
    /// - Throws: `NoThread`; this one goes on.
    func replaceSource(
        with new: LiveSource, from input: SourceOptions.Input, mode: CameraMode?
    ) throws(NoThread) {
        try new.start(after: source)
        droppedBefore += source.status.droppedFrames
        source = new
        held = nil
        latest = nil
        (hasFrames, hasFaces, isFailureTaken, mostSmallerFaces) = (false, false, false, 0)
        facelessness.forget()
        if input != self.input.source, let smallest = smallestElsewhere { setSmallestFace(smallest) }
        self.input = (input, mode)
    }

    /// Whether frames come from a clip, which may have sound.
    var isClip: Bool { if case .clip = input.source { true } else { false } }

    /// Keeps a copy of a clip's frame, which may be the last one. Without memory for it, the session goes on without one.
    func keep(_ frame: borrowing Frame) {
        var spare: PixelBuffer?
        if let old = latest.take() { spare = old.reusedPixels() }
        latest = try? frame.copy(reusing: spare)
    }

    /// Holds the last frame of a clip that has ended, so that the user can try other masks on it.
    func holdLast() {
        if let last = latest.take() { held = HeldFrame(last) }
    }

    /// Of all sources so far.
    var droppedFrames: Int { droppedBefore + source.status.droppedFrames }

    /// Why the source delivers no frames; once, until the reason changes.
    func takeWaiting() -> String? {
        let reason = source.status.waiting
        guard reason != lastWaiting else { return nil }
        lastWaiting = reason
        return reason
    }

    /// Why the source has ended early; once.
    func takeFailure() -> (any Error)? {
        guard !isFailureTaken, let failure = source.status.failure else { return nil }
        isFailureTaken = true
        return failure
    }

    // MARK: Time

    /// The time of a picture that the source has not given: later than the last frame, and no later than the next one.
    var secondsNow: Double {
        let interval = 1 / (source.description.frameRate ?? 30)
        // The clock of a source that can pause stands still during a pause.
        guard !source.description.canPause, let last else { return lastSeconds + interval }
        return lastSeconds + max(interval, (ContinuousClock.now - last.time) / .seconds(1))
    }

    /// The outputs have had a frame.
    /// - Parameters:
    ///   - time: when it was drawn.
    ///   - width, height: in pixels.
    func noteOutput(at time: ContinuousClock.Instant, width: Int, height: Int) { last = (time, width, height) }

    /// A picture has been shown.
    /// - Parameter seconds: its time.
    func noteShown(at seconds: Double) { lastSeconds = seconds }

    /// A frame that had not been processed before has been.
    func count(faces: Int) {
        frameCount += 1
        hasFrames = true
        if faces > 0 { hasFaces = true }
        facelessness.note(!hasFaces, at: lastSeconds)
        mostSmallerFaces = max(mostSmallerFaces, source.controls.smallerFaces)
    }

    /// The smallest face that wears a mask from now on.
    /// - Parameter elsewhere: in other sources; nil: the same.
    func setSmallestFace(_ smallest: SmallestFace, elsewhere: SmallestFace? = nil) {
        source.controls.smallestFace = smallest
        smallestElsewhere = elsewhere
    }

    /// See `setSmallestFace`.
    /// - Parameter usual: where nobody has chosen one.
    func smallestFace(elsewhereOr usual: SmallestFace) -> SmallestFace {
        smallestElsewhere ?? source.controls.smallestFace ?? usual
    }

    /// How long ago this source gave its last frame, in seconds; nil: it has given none.
    var secondsWithoutFrame: Double? {
        hasFrames ? last.map { (ContinuousClock.now - $0.time) / .seconds(1) } : nil
    }

    /// Whether this source has shown no face for so long that its viewer wonders.
    var lacksFaces: Bool { facelessness.lasts }
}
