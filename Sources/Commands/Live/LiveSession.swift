import CommandLine
import Display
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import JSON
import MaskRendering
import Masking
import Masks
import Media
import Pixels
import Threads

/// A run of `bauta live`, from the first frame to the last. Lives on the process's first thread, which owns the window
/// and OpenGL.
final class LiveSession {
    let options: LiveOptions
    let data: DataFolder
    let reference: ReferenceFace
    let mesh: FaceMesh
    let masks: LiveMasks
    let window: DisplayWindow?
    let renderer: MaskRenderer
    let outputs: LiveOutputs
    private(set) var source: FrameSourceDescription
    private var pipeline: LivePipeline
    private let makePipeline: (FrameSourceDescription) -> LivePipeline
    let cameras = CameraList()
    private let controls: TrackerControls
    private var report: LiveReport?
    private var finder: PhotographFaces?

    // What the user may change.
    var isMirrored: Bool
    var showsMesh = false
    var opacity: Float = 1
    var smoothing: Float = 1 { didSet { controls.smoothing = smoothing } }
    var faces: FaceChoice
    var showsPanel = false
    var showsStatistics = false
    var lost: LostFaces
    private(set) var isPaused = false
    /// The bare frame that a pause has stopped at, and what it was last drawn with.
    private var held: HeldFrame?
    private var isRunning = true
    private var wantsSnapshot = false
    private var lastWaiting: String?
    private var wantsRecording = false

    private(set) var statistics = LiveStatistics()
    private(set) var messages = LiveMessages()
    private var frameCount = 0
    private var drawn: (mask: Mask, revision: Int, opacity: Float)?
    private lazy var panel = LivePanel(self)

    init(options: LiveOptions, data: DataFolder) throws {
        self.options = options
        self.data = data
        reference = try data.referenceFace()
        mesh = try data.mesh()
        masks = try LiveMasks(data: data, reference: reference, first: options.mask)
        source = try LiveCommand.source(options, reference: reference)
        let cascade = try LandmarkCascade(modelPath: options.model)
        let keepsEvery = !options.isPaced && !source.isMirrored
        let messages = messages
        outputs = try LiveOutputs(options, frameRate: source.frameRate ?? 30, keepsEvery: keepsEvery) { text in
            messages.say(text)
        }
        report = try options.statistics.map { try LiveReport($0) }
        window =
            options.isHeadless
            ? nil
            : try DisplayWindow(
                title: "Bauta", width: 1280, height: 720, shaders: try data.shaders("FramePresenter"))
        renderer = try MaskRenderer(
            context: try window ?? OffscreenContext(), shaders: try data.maskShaders(), reference: reference, mesh: mesh
        )
        isMirrored = options.isMirrored ?? source.isMirrored
        faces = options.faces
        lost = LostFaces(policy: options.whenLost)
        let controls = TrackerControls()
        self.controls = controls
        var settings = FaceTracker.Settings()
        settings.smallestFace = options.smallestFace
        // Where no frame is left out, the same input is to give the same output.
        settings.searchesInBackground = !keepsEvery
        let reference = reference
        makePipeline = { [settings] source in
            LivePipeline(source, keepsEvery: keepsEvery && !source.isMirrored) {
                let tracker = try FaceTracker(model: cascade, reference: reference, settings: settings)
                return controls.attached(tracker)
            }
        }
        pipeline = makePipeline(source)
        if options.isFullScreen { window?.toggleFullScreen() }
        messages.echoes = options.isHeadless || !Console.errorIsTerminal
    }

    func run() throws -> ExitCode {
        defer { pipeline.stop() }
        window?.title = "Bauta – \(masks.current.name)"
        messages.showHelp(for: 6)
        try warmUp()
        while isRunning && !Interrupt.isRequested {
            for event in window?.events() ?? [] { handle(event) }
            masks.takeUpChanges()
            if let frame = pipeline.next(waiting: window == nil ? 0.2 : 0.008) {
                try take(frame)
            } else if held != nil {
                try redrawHeld()
            } else {
                if pipeline.isFinished && (window == nil || options.frames != nil || pipeline.status.failure != nil) {
                    break
                }
                logWaiting()
                show(nil)
            }
            if let second = statistics.endSecond(droppedFrames: pipeline.status.droppedFrames) {
                report?.write(second, kind: "second")
            }
            if let limit = options.frames, frameCount >= limit { break }
        }
        return try finish()
    }

    /// Drivers compile shaders at the first use, which takes as long as some frames.
    private func warmUp() throws {
        guard let mask = masks.current.mask else { return }
        var picture = try PixelBuffer(width: 64, height: 64, format: .rgba8)
        let landmarks = reference.landmarks.mapped { 64 * $0 }
        let face = Face(landmarks: landmarks, reference: reference)
        try renderer.draw(mask, on: [face], in: &picture, encoding: .video)
    }

    /// Says why there are no pictures, once for each reason.
    private func logWaiting() {
        let reason = pipeline.status.waiting
        guard reason != lastWaiting else { return }
        lastWaiting = reason
        if let reason { Console.error("bauta: \(reason)\n") }
    }

    private func finish() throws -> ExitCode {
        let status = pipeline.status
        pipeline.stop()
        cameras.stop()
        outputs.finish()
        report?.write(
            statistics.summary(droppedFrames: status.droppedFrames), kind: "summary", outputs: outputs.writtenFrames)
        if let failure = outputs.failure { throw failure }
        if let failure = report?.failure { throw failure }
        if let failure = status.failure { throw failure }
        // Whoever asked for an end by a signal has got one that is in order.
        return .success
    }

    // MARK: A frame

    /// During a pause the last frame that came stays, bare, so that other masks can be tried on it.
    private func take(_ frame: consuming LiveFrame) throws {
        if isPaused, !source.canPause, held != nil {
            // A camera goes on.
            pipeline.reuse(frame.reusedPixels())
            return try redrawHeld()
        }
        let old = held
        held = nil
        // What was on its way when the source stopped is not to be missing in a recording.
        if let old, source.canPause { try process(old.frame.copy()) }
        guard isPaused else { return try process(frame) }
        held = HeldFrame(frame)
        try redrawHeld()
    }

    private func redrawHeld() throws {
        let wanted = HeldFrame.Look(
            revision: masks.revision, opacity: opacity, faces: faces, showsMesh: showsMesh, takesSnapshot: wantsSnapshot
        )
        guard let held, held.look != wanted else { return show(nil) }
        held.look = wanted
        held.look?.takesSnapshot = false
        try process(try held.frame.copy(), isAgain: true)
    }

    /// - Parameter isAgain: the frame has been counted and written before.
    private func process(_ frame: consuming LiveFrame, isAgain: Bool = false) throws {
        let start = ContinuousClock.now
        let tracking = frame.tracking
        let instances = instances(frame.faces)
        let seconds = secondsBefore + frame.source.seconds
        let decision = lost.update(frame.faces.map { ($0.trackID, $0.face) }, at: seconds, isCut: frame.isCut)
        if let mask = wornMask() {
            // The smallest first: those are farther away.
            let kept = decision.kept.map { FaceInstance(face: $0.face, trackID: $0.trackID) }
            try renderer.draw(mask, on: kept + instances, at: seconds, in: &frame.source.pixels, encoding: .video)
        }
        if decision.mustBlur { frame.source.pixels.makeUnrecognisable() }
        let drawn = ContinuousClock.now
        if !isAgain { outputs.take(frame.source.pixels, at: seconds, isFirst: frameCount == 0) }
        if wantsRecording {
            outputs.toggleRecording(frame.source.pixels, at: seconds)
            wantsRecording = false
        }
        if wantsSnapshot {
            outputs.saveSnapshot(frame.source.pixels)
            wantsSnapshot = false
        }
        if showsMesh, window != nil {
            for face in frame.faces {
                FaceOverlay(face: face.face, mesh: mesh).draw([.mesh, .landmarks], in: &frame.source.pixels)
            }
        }
        let (captured, count) = (frame.source.captured, frame.faces.count)
        let pixels = frame.reusedPixels()
        window?.upload(pixels)
        pipeline.reuse(pixels)
        lastSeconds = seconds
        show(count)
        guard !isAgain else { return }
        frameCount += 1
        let shown = ContinuousClock.now
        statistics.note(
            milliseconds: [
                1000 * (tracking.follow + tracking.smooth + tracking.scene + tracking.search),
                (drawn - start).milliseconds, (shown - drawn).milliseconds, (shown - captured).milliseconds,
            ], faces: count)
    }

    private var lastSeconds = 0.0
    /// What the sources before this one have taken, so that times only grow.
    private var secondsBefore = 0.0

    /// Goes over to a camera, whatever the source has been.
    func use(_ camera: CameraList.Entry) {
        pipeline.stop()
        let size = options.size ?? (1280, 720)
        let wishes = CameraSource.Wishes(
            camera: camera.path, width: size.width, height: size.height, rate: Double(options.rate),
            controls: options.controls)
        source = CameraSource.description(wishes) { Console.error("bauta: \($0)\n") }
        isMirrored = options.isMirrored ?? source.isMirrored
        lost = LostFaces(policy: lost.policy)
        secondsBefore = lastSeconds
        held = nil
        pipeline = makePipeline(source)
        pipeline.pause(isPaused)
        messages.say(camera.name)
    }

    private func instances(_ tracked: [TrackedFace]) -> [FaceInstance] {
        let sorted = tracked.map(\.instance).sorted { $0.face.box.area < $1.face.box.area }
        switch faces {
        case .all: return sorted
        case .largest(let count): return Array(sorted.suffix(count))
        }
    }

    /// The mask as it is to be drawn; nil while it cannot be loaded.
    private func wornMask() -> Mask? {
        guard let mask = masks.current.mask else { return nil }
        guard opacity < 1 else { return mask }
        if let drawn, drawn.revision == masks.revision, drawn.opacity == opacity { return drawn.mask }
        let faded = mask.faded(to: opacity)
        drawn = (faded, masks.revision, opacity)
        return faded
    }

    private func show(_ faceCount: Int?) {
        window?.show(isMirrored: isMirrored) { panels in
            let status = pipeline.status
            panel.draw(
                panels, status: status, recordedSeconds: outputs.recordedSeconds(at: lastSeconds))
        }
    }

    // MARK: What the user does

    func handle(_ event: WindowEvent) {
        switch event {
        case .closed: isRunning = false
        case .dropped(let path): wear(path)
        case .key(let key): press(key)
        }
    }

    private func press(_ key: WindowEvent.Key) {
        switch key {
        case .left: choose(masks.index - 1)
        case .right: choose(masks.index + 1)
        case .digit(let number): if number <= masks.entries.count { choose(number - 1) }
        case .space:
            isPaused.toggle()
            pipeline.pause(isPaused)
        case .tab:
            showsPanel.toggle()
            if showsPanel { cameras.lookAgain() }
        case .escape, .letter("q"): isRunning = false
        case .letter("l"): showsMesh.toggle()
        case .letter("m"): isMirrored.toggle()
        case .letter("f"): window?.toggleFullScreen()
        case .letter("s"): takeSnapshot()
        case .letter("r"): toggleRecording()
        case .letter("h"): messages.toggleHelp()
        case .letter, .up, .down, .delete, .control: break
        }
    }

    func choose(_ index: Int) {
        masks.choose((index + masks.entries.count) % masks.entries.count)
        window?.title = "Bauta – \(masks.current.name)"
        messages.say(masks.current.name)
    }

    func takeSnapshot() { wantsSnapshot = true }
    func toggleRecording() { if outputs.isRecording { outputs.stopRecording() } else { wantsRecording = true } }

    private func wear(_ path: String) {
        do {
            if Folder.exists(path) {
                try masks.wear(folder: path)
            } else {
                if finder == nil {
                    let model = options.model
                    finder = try PhotographFaces(
                        reference: reference, model: { try LandmarkCascade(modelPath: model) })
                }
                if let finder { try masks.wear(portrait: path, finder: finder) }
            }
            window?.title = "Bauta – \(masks.current.name)"
            messages.say(masks.current.name)
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }
}

/// A frame that stays for a while.
private final class HeldFrame {
    struct Look: Equatable {
        var revision: Int
        var opacity: Float
        var faces: FaceChoice
        var showsMesh: Bool
        var takesSnapshot: Bool
    }

    let frame: LiveFrame
    /// What it was last drawn with.
    var look: Look?

    init(_ frame: consuming LiveFrame) { self.frame = frame }
}
