import Compositing
import Display
import FaceGeometry
import FaceTracking
import Files
import FrameProcessing
import Gaze
import Installation
import LiveControl
import MaskRendering
import Masks
import OpenSoundControl
import Pixels
import SourceSelection
import Threads
import TrackOutput

/// The main loop of `bauta live`, with or without a window: takes analyzed frames from the source, draws the mask on
/// them, gives copies to the outputs, and shows them. It must be created and used on the process's main thread, which
/// owns the window and OpenGL.
package final class LiveSession {
    let settings: LiveSettings
    let data: DataFolder
    let reference: ReferenceFace
    let mesh: FaceMesh
    let masks: LiveMasks
    let window: DisplayWindow?
    var renderer: MaskRenderer
    let outputs: LiveOutputs
    let control: ControlServer?
    /// Nil: nothing is sent, or its receiver has not been found yet.
    var signals: FaceSignalSender?
    /// Why the receiver of signals cannot be found; nil: it can, or is being looked for.
    var signalFailure: OSCError?
    /// Looks up where signals go. Not even the end of the session waits for it.
    let lookUp = BackgroundWork()
    /// Hands over statistics, which may go to a slow disk.
    private let reporting = BackgroundWork()
    let sound: LiveSound
    /// What the face steers the session with; nil: it does not.
    var handsFree: HandsFree?
    /// Whether the nose points while the face steers.
    var isPointing = false
    /// Nil: what is covered is blurred.
    let coverPicture: CoverPicture?
    let messages: WindowMessages
    let devices = DeviceList()
    let loader = LiveLoader()
    /// For a renderer that is chosen later; why they cannot be read is said then.
    let shaders: Result<MaskShaders, any Error>
    /// What the user has chosen, now and in earlier sessions.
    var preferences: LivePreferences
    /// The preferences as they were last written, and since when the mask is worn.
    var kept: (preferences: LivePreferences, mask: Int, since: ContinuousClock.Instant)
    let log: @Sendable (String) -> Void
    var source: LiveSource
    var statistics = LiveStatistics()
    private(set) lazy var panel = LivePanel(self)

    // What the user changes with keys and in the panel.
    var compositor: FaceCompositor
    private(set) var isMirrored: Bool
    /// How long a mask takes to fade over to the next, in seconds.
    var fade: Double
    var showsMesh = false
    var showsPanel = false
    /// Whether faces are shown without a mask.
    var isMaskOff = false
    /// Whether the whole picture is blurred or replaced, in the window and for all outputs.
    var isCovered: Bool { didSet { if isCovered, !oldValue { coverSince = .now } } }
    /// When the picture has been covered; nil: it is not, or the outputs have had a covered picture.
    var coverSince: ContinuousClock.Instant?
    /// Whether the next frame is saved as a snapshot.
    var wantsSnapshot = false
    /// Whether a recording starts with the next frame.
    var wantsRecording = false
    /// What the next key that is pressed will do from then on; nil: keys do what they do.
    var commandForKey: ControlCommand?
    /// Whether the window asks if a running recording is to be ended.
    var asksToQuit = false
    var isRunning = true

    /// What frames come from, and what a camera is asked for.
    var input: (source: SourceOptions.Input, mode: LiveDevices.CameraMode?)

    // The state of the loop.
    /// The frame that is shown during a pause; nil: there is no pause, or its first frame has not come yet.
    var held: HeldFrame?
    /// Frames that were processed, without repetitions during a pause.
    var frameCount = 0
    /// The time of the last processed frame.
    var lastSeconds = 0.0
    /// When that frame was processed, and its size in pixels; nil: there has been none.
    var last: (time: ContinuousClock.Instant, width: Int, height: Int)?
    /// Commands from outside that are answered with the next frame.
    var waitingCommands: [WaitingCommand] = []
    /// The value of `masks.revision` for which the compositor's mask was set.
    var maskRevision = -1
    /// The mask that frames are drawn with unless it is off, and its index in `masks`; nil: none has been loaded.
    var worn: (mask: Mask, index: Int)?
    /// Nil: no mask fades.
    var fading: MaskFade?
    /// How far that had got in the last frame that was drawn, 0 to 1.
    var drawnFade = 1.0
    /// Dropped frames of the sources before this one.
    var droppedBefore = 0
    private var lastWaiting: String?

    /// Loads the mask and the model, opens the window and starts the source.
    /// - Parameters:
    ///   - data: the installed masks, the reference face, its mesh, and the shaders.
    ///   - echoesMessages: whether messages that the window shows also go to `log`.
    ///   - log: receives messages for the user, without line break; may be called on any thread.
    /// - Throws: `DataFolderError`, `FileError` or `MaskProblem` for data and mask; `VisionError` for the landmark model;
    ///   `PictureError` for the picture of the cover; `ClipError` or `FileError` for the source; `FileError` for outputs
    ///   and the control socket; `GraphicsError` of kind `noOpenGL` without a display or OpenGL, if they are needed.
    package init(
        _ settings: LiveSettings, data: DataFolder, echoesMessages: Bool, log: @escaping @Sendable (String) -> Void
    ) throws {
        sound = LiveSound(settings.sound)
        let settings = settings.listening(to: sound).withLastLandmarks()
        self.settings = settings
        self.data = data
        self.log = log
        reference = try data.referenceFace()
        mesh = try data.mesh()
        preferences = settings.preferences?.preferences ?? LivePreferences()
        let messages = WindowMessages()
        self.messages = messages
        for warning in settings.preferences?.warnings ?? [] {
            log(warning)
            messages.say(warning, isAlarm: true)
        }
        let pupils = SuppliedPupilFinder()
        masks = try LiveMasks.first(
            settings, preferences, data: data, reference: reference, mesh: mesh, pupils: pupils
        ) {
            log($0)
            messages.say($0, isAlarm: true)
        }
        coverPicture = try settings.coverPicture.map { try CoverPicture($0) }
        let people = try LivePeople(
            settings, first: masks.current.mask, pupils: pupils, data: data, reference: reference)
        let (options, input) = Self.source(settings, preferences.devices)
        let opened = LiveSource(
            try LiveSource.Prepared(options, models: settings.models, reference: reference, log: log),
            smallestFace: settings.smallestFace, reference: reference,
            controls: people.controls)
        self.input = input
        outputs = try LiveOutputs(
            settings.outputs, frameRate: opened.description.frameRate ?? 30,
            keepsEvery: !opened.description.isLive, say: { messages.say($0) })
        window =
            settings.isHeadless
            ? nil
            : try DisplayWindow(
                title: "Bauta", width: 1280, height: 720, scale: settings.scale ?? preferences.scale,
                shaders: try data.shaders("FramePresenter"))
        control = try settings.control.map { try ControlServer($0) }
        shaders = Result { try data.maskShaders() }
        renderer = try data.makeRenderer(
            settings.renderer ?? .auto, window: window, shaders: shaders, reference: reference, mesh: mesh)
        compositor = FaceCompositor(
            mask: nil,
            // A choice of the session before says nothing about who has to be covered now.
            faces: settings.faces ?? (settings.people == nil ? preferences.faces : nil) ?? .all,
            whenLost: settings.whenLost ?? preferences.whenLost ?? .keep)
        (compositor.under, compositor.people) = (settings.under, people.coverings)
        compositor.usePupils(of: pupils)
        opened.controls.smoothing = preferences.smoothing ?? 1
        fade = settings.fade ?? preferences.fade ?? MaskFade.defaultSeconds
        isMirrored = Self.isMirrored(opened, settings, preferences)
        kept = (preferences, masks.index, .now)
        isCovered = settings.isCovered
        source = opened
        preferences = chosen
        kept.preferences = preferences
        try source.start()
        if echoesMessages { messages.echo = log }
        takeLastDevices()
        if settings.isFullScreen { window?.toggleFullScreen() }
        isPointing = settings.isPointing || preferences.isPointing ?? false
        if settings.isHandsFree || preferences.isHandsFree ?? false { setHandsFree(true) }
    }

    /// Whether the window shows a source's mirror image.
    private static func isMirrored(
        _ source: LiveSource, _ settings: LiveSettings, _ preferences: LivePreferences
    ) -> Bool {
        settings.isMirrored ?? (source.description.isMirrored && preferences.mirrorsCameras ?? true)
    }

    func setMirrored(_ isMirrored: Bool) {
        self.isMirrored = isMirrored
        if source.description.isMirrored { preferences.mirrorsCameras = isMirrored }
    }

    /// Another source takes the place of this one. Its frame times continue where those of this one end.
    /// - Throws: `NoThread`; this one goes on.
    func replaceSource(with new: LiveSource) throws(NoThread) {
        try new.start(after: source)
        droppedBefore += source.status.droppedFrames
        source = new
        isMirrored = Self.isMirrored(new, settings, preferences)
        compositor.changeSource()
        if handsFree != nil { setHandsFree(true) }
        held = nil
    }

    /// Runs until the user closes the window, `isCancelled` returns true, or the frame limit is reached. Without a window
    /// or with a frame limit, it also ends with the source. An error of the source ends it, too, except during a pause.
    /// - Parameters:
    ///   - isCancelled: called once per iteration of the loop, several times per frame.
    ///   - everySecond: receives the statistics of each second, on another thread.
    /// - Returns: the statistics of the run, and an error of the source or of an output that the settings ask for.
    /// - Throws: `GraphicsError` or `OutOfMemory` if a frame cannot be drawn.
    package func run(
        isCancelled: () -> Bool, everySecond: @escaping @Sendable (LiveStatistics.Summary) -> Void
    ) throws -> LiveOutcome {
        // Also after an error: recordings and snapshots are completed.
        defer {
            control?.stop()
            loader.stop()
            masks.stop()
            source.stop()
            devices.stop()
            outputs.finish()
            signals?.finish()
            sound.stop()
            reporting.stop()
        }
        window?.title = "Bauta – \(masks.current.name)"
        messages.showHelp(for: 6)
        findReceiver(unless: isCancelled)
        try warmUp()
        while isRunning && !isCancelled() {
            handleEvents()
            lookUp.handBack()
            reporting.handBack()
            outputs.report()
            loader.handBack()
            masks.takeLoaded()
            serveControl()
            if let frame = source.next(waiting: window == nil ? 0.2 : 0.008) {
                try take(frame)
            } else if held != nil {
                try redrawHeld()
            } else {
                if source.isFinished, window == nil || settings.frameLimit != nil || source.status.failure != nil {
                    break
                }
                // No frame comes in which a gesture could act.
                if source.isFinished { _ = takeBackGesture() }
                logWaiting()
                try coverLastFrame()
                show()
            }
            if let second = statistics.endSecond(droppedFrames: droppedBefore + source.status.droppedFrames) {
                reporting.add { everySecond(second) }
                noteTrackerFailure()
                keepPreferences()
            }
            if let limit = settings.frameLimit, frameCount >= limit { break }
        }
        return finish()
    }

    /// Logs why the source delivers no frames, if the reason has changed.
    private func logWaiting() {
        let reason = source.status.waiting
        guard reason != lastWaiting else { return }
        lastWaiting = reason
        if let reason { log(reason) }
    }

    /// Stops the source, completes the outputs, and waits for both.
    private func finish() -> LiveOutcome {
        let status = source.status
        // Whoever has asked for one still gets the answer.
        outputs.snapshots.finish()
        control?.stop()
        keepPreferences()
        settings.preferences?.finish()
        loader.stop()
        masks.stop()
        sound.stop()
        source.stop()
        devices.stop()
        outputs.finish()
        reporting.finish()
        return LiveOutcome(
            statistics: statistics.summary(droppedFrames: droppedBefore + status.droppedFrames),
            outputs: outputs.writtenFrames,
            failure: outputs.failure ?? signalFailure ?? status.failure,
            failureIsLogged: (outputs.failure != nil || signalFailure != nil) && messages.echo != nil)
    }
}
