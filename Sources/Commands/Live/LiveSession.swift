import Display
import FaceGeometry
import FaceTracking
import MaskRendering
import Masking
import Pixels

/// A run of the live window, or of the same without a window. Belongs to the process's first thread, which owns the
/// window and OpenGL.
package final class LiveSession {
    /// The result of a run.
    package struct Outcome {
        package var statistics: LiveStatistics.Summary
        package var outputs: [(target: String, frames: Int)]
        /// Why an output that the settings ask for, or the source, ended.
        package var failure: (any Error)?
    }

    let settings: LiveSettings
    let data: DataFolder
    let reference: ReferenceFace
    let mesh: FaceMesh
    let masks: LiveMasks
    let window: DisplayWindow?
    let renderer: MaskRenderer
    let outputs: LiveOutputs
    let messages: WindowMessages
    let cameras = CameraList()
    let log: @Sendable (String) -> Void
    private(set) var source: LiveSource
    private(set) var statistics = LiveStatistics()
    private lazy var panel = LivePanel(self)
    private(set) lazy var portraits = PortraitFinder(model: settings.model, reference: reference)

    // What the user can change.
    var compositor: FaceCompositor
    var isMirrored: Bool
    var showsMesh = false
    var showsPanel = false
    var wantsSnapshot = false
    var wantsRecording = false
    var isRunning = true

    /// The frame that a pause has stopped at, before anything was drawn on it.
    private var held: HeldFrame?
    private var lastWaiting: String?
    private var frameCount = 0
    private var lastSeconds = 0.0
    /// The revision of `masks` that the compositor has.
    private var maskRevision = -1

    /// Loads the mask and the model, opens the window and starts the source.
    /// - Parameters:
    ///   - echoesMessages: whether `log` gets the messages of the window too.
    ///   - log: takes sentences for the user, on any thread.
    /// - Throws: the typed errors of what cannot be loaded or opened.
    package init(
        _ settings: LiveSettings, data: DataFolder, echoesMessages: Bool, log: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        self.data = data
        self.log = log
        reference = try data.referenceFace()
        mesh = try data.mesh()
        masks = try LiveMasks(data: data, reference: reference, first: settings.mask)
        let opened = try LiveSource(settings, reference: reference, log: log)
        let messages = WindowMessages()
        self.messages = messages
        outputs = try LiveOutputs(
            settings.outputs, frameRate: opened.description.frameRate ?? 30,
            keepsEvery: !opened.description.isLive, say: { messages.say($0) }, log: log)
        window =
            settings.isHeadless
            ? nil
            : try DisplayWindow(
                title: "Bauta", width: 1280, height: 720, shaders: try data.shaders("FramePresenter"))
        renderer = try MaskRenderer(
            context: try window ?? OffscreenContext(), shaders: try data.maskShaders(), reference: reference, mesh: mesh
        )
        compositor = FaceCompositor(mask: nil, faces: settings.faces, whenLost: settings.whenLost)
        isMirrored = settings.isMirrored ?? opened.description.isMirrored
        source = opened
        source.start()
        if settings.isFullScreen { window?.toggleFullScreen() }
        if echoesMessages { messages.echo = log }
    }

    /// Runs until the user ends it, the frame limit is reached, or a source without a window has ended.
    /// - Parameters:
    ///   - isCancelled: asked before each frame.
    ///   - everySecond: takes the statistics of each second.
    package func run(
        isCancelled: () -> Bool, everySecond: (LiveStatistics.Summary) -> Void
    ) throws -> Outcome {
        defer { source.stop() }
        window?.title = "Bauta – \(masks.current.name)"
        messages.showHelp(for: 6)
        try warmUp()
        while isRunning && !isCancelled() {
            for event in window?.events() ?? [] { handle(event) }
            masks.takeUpChanges()
            if let frame = source.next(waiting: window == nil ? 0.2 : 0.008) {
                try take(frame)
            } else if held != nil {
                try redrawHeld()
            } else {
                if source.isFinished, window == nil || settings.frameLimit != nil || source.status.failure != nil {
                    break
                }
                logWaiting()
                show()
            }
            if let second = statistics.endSecond(droppedFrames: source.status.droppedFrames) { everySecond(second) }
            if let limit = settings.frameLimit, frameCount >= limit { break }
        }
        return finish()
    }

    /// Drivers compile shaders at the first use, which takes as long as several frames.
    private func warmUp() throws {
        guard let mask = masks.current.mask else { return }
        let landmarks = reference.landmarks.mapped { 64 * $0 }
        let face = Face(landmarks: landmarks, reference: reference)
        var frame = Frame(try PixelBuffer(width: 64, height: 64, format: .rgba8), seconds: nil)
        frame.faces = [FaceInstance(face: face, trackID: 1)]
        var compositor = FaceCompositor(mask: mask)
        try compositor.compose(&frame, with: renderer)
    }

    /// Logs why there are no frames, once for each reason.
    private func logWaiting() {
        let reason = source.status.waiting
        guard reason != lastWaiting else { return }
        lastWaiting = reason
        if let reason { log(reason) }
    }

    private func finish() -> Outcome {
        let status = source.status
        source.stop()
        cameras.stop()
        outputs.finish()
        return Outcome(
            statistics: statistics.summary(droppedFrames: status.droppedFrames), outputs: outputs.writtenFrames,
            failure: outputs.failure ?? status.failure)
    }

    // MARK: Frames

    /// During a pause the last frame is kept without its mask, so that other masks can be tried on it.
    private func take(_ frame: consuming Frame) throws {
        let canPause = source.description.canPause
        if source.isPaused, !canPause, held != nil {
            // A camera goes on.
            source.reuse(frame.reusedPixels())
            return try redrawHeld()
        }
        let old = held
        held = nil
        // A frame that was on its way when the source paused belongs into a recording.
        if let old, canPause { try process(old.frame.copy()) }
        guard source.isPaused else { return try process(frame) }
        held = HeldFrame(frame)
        try redrawHeld()
    }

    private func redrawHeld() throws {
        let wanted = HeldFrame.Look(
            revision: masks.revision, opacity: compositor.opacity, faces: compositor.faces, showsMesh: showsMesh,
            takesSnapshot: wantsSnapshot)
        guard let held, held.look != wanted else { return show() }
        held.look = wanted
        held.look?.takesSnapshot = false
        try process(try held.frame.copy(), isAgain: true)
    }

    /// Draws on a frame and gives it to the outputs and the window.
    /// - Parameter isAgain: whether the frame has been counted and recorded before.
    private func process(_ frame: consuming Frame, isAgain: Bool = false) throws {
        if maskRevision != masks.revision {
            maskRevision = masks.revision
            compositor.mask = masks.current.mask
        }
        let seconds = frame.seconds ?? 0
        try compositor.compose(&frame, with: renderer)
        let drawn = ContinuousClock.now
        if !isAgain { outputs.take(frame.pixels, at: seconds, isFirst: frameCount == 0) }
        if wantsRecording {
            outputs.toggleRecording(frame.pixels, at: seconds)
            wantsRecording = false
        }
        if wantsSnapshot {
            outputs.saveSnapshot(frame.pixels)
            wantsSnapshot = false
        }
        if showsMesh, window != nil {
            for face in frame.faces {
                FaceOverlay(face: face.face, mesh: mesh).draw([.mesh, .landmarks], in: &frame.pixels)
            }
        }
        let (captured, count, timings) = (frame.captured, frame.faces.count, frame.timings)
        let pixels = frame.reusedPixels()
        window?.upload(pixels)
        source.reuse(pixels)
        lastSeconds = seconds
        show()
        guard !isAgain else { return }
        frameCount += 1
        let shown = ContinuousClock.now
        let tracking = timings.tracking
        statistics.note(
            milliseconds: [
                1000 * (tracking.follow + tracking.smooth + tracking.scene + tracking.search),
                timings.composing.milliseconds, (shown - drawn).milliseconds, (shown - captured).milliseconds,
            ], faces: count)
    }

    private func show() {
        window?.show(isMirrored: isMirrored) { panels in
            panel.draw(
                panels, status: source.status, recordedSeconds: outputs.recordedSeconds(at: lastSeconds))
        }
    }

    /// Changes to a camera.
    func use(_ camera: CameraList.Entry) {
        source.stop()
        var settings = settings
        settings.source.input = .camera(camera.path)
        do {
            source = try LiveSource(
                settings, reference: reference, controls: source.controls, secondsBefore: lastSeconds,
                isPaused: source.isPaused, log: log)
        } catch {
            return messages.say("\(error)", isAlarm: true)
        }
        isMirrored = settings.isMirrored ?? source.description.isMirrored
        compositor.lostFaces = LostFaces(policy: compositor.lostFaces.policy)
        held = nil
        source.start()
        messages.say(camera.name)
    }
}
