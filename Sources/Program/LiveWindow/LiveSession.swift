import Clips
import Compositing
import Display
import FaceGeometry
import FaceTracking
import Files
import FrameProcessing
import Gaze
import Installation
import LiveControl
import Masks
import People
import Pixels
import SourceSelection
import Threads

/// The loop of `bauta live`, with or without a window: takes analyzed frames from the source, draws the mask on them, gives
/// copies to the outputs, and shows them. With a window it has a thread of its own, so that the outputs do not wait for the
/// screen.
package final class LiveSession {
    let settings: LiveSettings
    let view: LiveView
    /// The masks on faces.
    let compositor: LiveCompositor
    let playback: LivePlayback
    let outputs: LiveOutputs
    let pending: PendingRequests
    let signals = SignalOutput()
    let sound: LiveSound
    var handsFree: HandsFree
    var cover: Cover
    let choices: UserChoices
    let devices = DeviceList()
    /// Loads what the user asks for.
    let loader: LiveLoader
    let chooser: FileChooser
    /// Whether `chooser` asks for a source, and not for a mask.
    var choosesSource = false
    let background: LiveBackground
    /// Hands over statistics, which may go to a slow disk.
    private let reporting = BackgroundWork()
    private(set) var statistics = LiveStatistics()
    var isRunning = true
    let log: @Sendable (String) -> Void

    /// Opens a session and does something with it. To be called on the process's main thread, which owns the window until this
    /// returns.
    /// - Parameters:
    ///   - body: runs the session, on its thread, to which that belongs.
    /// - Throws: what `body` throws, and:
    ///   `DataFolderError`, `FileError` or `MaskProblem` for data and mask; `VisionError` for the landmark model;
    ///   `PictureError` for the picture of the cover; `ClipError` or `FileError` for the source; `FileError` for outputs
    ///   and the control socket; `GraphicsError` of kind `noOpenGL` without a display or OpenGL, if they are needed;
    ///   `NoThread`.
    package static func open<Value: Sendable>(
        _ settings: LiveSettings, data: DataFolder, echoesMessages: Bool, log: @escaping @Sendable (String) -> Void,
        body: @escaping @Sendable (LiveSession) throws -> Value
    ) throws -> Value {
        if settings.window.isHeadless {
            return try body(LiveSession(settings, nil, data: data, echoesMessages: echoesMessages, log: log))
        }
        let (exchange, outcome) = (WindowExchange(), Mailbox<Result<Value, any Error>>())
        let handed = Handed(settings: settings)
        let thread = try DedicatedThread.start {
            let result = Result {
                try body(LiveSession(handed.settings, exchange, data: data, echoesMessages: echoesMessages, log: log))
            }
            _ = outcome.replace(result)
            exchange.end()
        }
        SessionWindow.serve(exchange)
        thread.join()
        guard let result = outcome.take(waiting: nil) else { preconditionFailure() }
        return try result.get()
    }

    /// Unchecked: the caller waits, and only the session's thread uses it from then on.
    private struct Handed: @unchecked Sendable { let settings: LiveSettings }

    /// Loads the mask and the model, opens the window and starts the source.
    /// - Parameters:
    ///   - exchange: with the window; nil: the session has no window.
    ///   - data: the installed masks, the reference face, its mesh, and the shaders.
    ///   - echoesMessages: whether messages that the window shows also go to `log`.
    ///   - log: receives messages for the user, without line break; may be called on any thread.
    /// - Throws: as `open`.
    private init(
        _ settings: LiveSettings, _ exchange: WindowExchange?, data: DataFolder, echoesMessages: Bool,
        log: @escaping @Sendable (String) -> Void
    ) throws {
        sound = LiveSound(settings.sound)
        let settings = settings.listening(to: sound).withLastLandmarks()
        self.settings = settings
        self.log = log
        chooser = FileChooser(remembering: settings.lastFolder(of: .sources))
        loader = LiveLoader(NetworkFetch(data, networks: settings.models.networks))
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        let preferences = settings.preferences?.preferences ?? LivePreferences()
        let messages = WindowMessages()
        for warning in settings.preferences?.warnings ?? [] {
            log(warning)
            messages.say(warning, isAlarm: true)
        }
        let pupils = SuppliedPupilFinder()
        let masks = try LiveMasks.first(
            settings, preferences, data: data, reference: reference, mesh: mesh, pupils: pupils
        ) {
            log($0)
            messages.say($0, isAlarm: true)
        }
        cover = Cover(isOn: settings.isCovered, picture: try settings.coverPicture.map { try CoverPicture($0) })
        let people = try LivePeople(
            settings, first: masks.current.mask, pupils: pupils, data: data, reference: reference)
        let (options, input) = LivePlayback.start(settings, preferences.devices)
        let source = LiveSource(
            try LiveSource.Prepared(options, models: settings.models, reference: reference, log: log),
            smallestFace: settings.smallestFace, reference: reference,
            controls: people.controls, covering: settings.covering)
        playback = LivePlayback(source, input: input)
        outputs = try LiveOutputs(
            settings.outputs, frameRate: source.description.frameRate ?? 30,
            keepsEvery: !source.description.isLive, keepsRecent: !settings.window.isHeadless,
            say: { messages.say($0) })
        let view = LiveView(exchange, messages)
        try view.open(
            .init(
                shaders: try data.shaders("FramePresenter"), scale: settings.window.scale ?? preferences.scale,
                isFullScreen: settings.window.isFullScreen, messages: messages,
                thumbnails: ThumbnailThread(
                    data: data, reference: reference, mesh: mesh, side: 2 * MaskThumbnails.side),
                folders: (settings.lastFolder(of: .sources), settings.lastFolder(of: .backgrounds))))
        self.view = view
        pending = PendingRequests(try settings.control.map { try ControlServer($0) })
        // For a renderer that is chosen later, too; why they cannot be read is said then.
        let shaders = Result { try data.maskShaders() }
        var faces = FaceCompositor(
            mask: nil, reference: reference, mesh: mesh,
            // A choice of the session before says nothing about who has to be covered now.
            faces: settings.worn.faces ?? (settings.worn.people == nil ? preferences.faces : nil) ?? .all,
            whenLost: settings.worn.whenLost ?? preferences.whenLost ?? .keep)
        (faces.occluders.policy, faces.people) = (settings.worn.occluders, people.coverings)
        let networks = settings.models.networks
        (background, faces.effects) = try LiveBackground.first(settings, preferences) {
            log($0)
            messages.say($0, isAlarm: true)
        }
        faces.usePupils(of: pupils)
        // Where no frame may be dropped, the same input gives the same output.
        faces.occluders.search = source.description.isLive ? .background(networks) : .waiting(networks)
        faces.warn = { messages.say("\($0)", isAlarm: true) }
        compositor = try LiveCompositor(
            masks, faces, cover: settings.worn.cover, people: settings.worn.people,
            models: settings.models, fade: settings.worn.fade ?? preferences.fade ?? MaskFade.defaultSeconds,
            renderer: settings.worn.renderer ?? .auto
        ) { choice in
            let context = try view.context(for: choice)
            return try data.makeRenderer(choice, window: context, shaders: shaders, reference: reference, mesh: mesh)
        }
        source.controls.smoothing = preferences.smoothing ?? 1
        source.controls.findsUntrackedFaces = compositor.findsUntrackedFaces
        handsFree = HandsFree(
            delay: preferences.gestureDelay, wantsPointer: settings.isPointing || preferences.isPointing ?? false)
        choices = UserChoices(preferences, in: settings.preferences, mask: masks.index)
        choices.begin(with: current(preferences))
        view.isMirrored = isSourceMirrored
        if echoesMessages { messages.echo = log }
        if let failure = outputs.failure {
            let text = "\(failure)"
            messages.say(text.prefix(1).uppercased() + text.dropFirst(), isAlarm: true, printing: text)
        }
        // Before the first frame, which is not to be searched for larger faces only.
        takeLastDevices()
        try source.start()
        handsFree.set(isOn: settings.isHandsFree(after: preferences))
    }

    /// Runs until the user closes the window, `isCancelled` returns true, or the frame limit is reached. Without a window
    /// or with a frame limit, it also ends with the source; otherwise the start page then offers other sources.
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
            pending.stop()
            stopWorking()
            signals.finish()
            reporting.stop()
        }
        view.showTitle(settings.worn.cover == nil ? compositor.masks.current.name : nil)
        view.messages.showHelp(for: 6)
        findReceiver(unless: isCancelled)
        try compositor.warmUp()
        while isRunning && !isCancelled() {
            view.takeCommands { perform($0) }
            for shown in view.takeShown() { statistics.noteShown(milliseconds: shown) }
            signals.handBack()
            reporting.handBack()
            outputs.report()
            loader.handBack()
            takeChosenFile()
            takeChosenBackground()
            if compositor.masks.takeLoaded() { showMaskName() }
            serveRequests()
            if let reason = playback.takeWaiting() { log(reason) }
            if !endsWithFailure, let failure = playback.takeFailure() { log("\(failure)") }
            let source = playback.source
            if let frame = source.next(waiting: view.hasWindow ? 0.008 : 0.2) {
                try take(frame)
            } else {
                if source.isFinished, playback.held == nil || !source.isPaused {
                    if endsWithSource { break }
                    if playback.held == nil { playback.holdLast() }
                }
                if hasNoNewFrames { restGestures() }
                if playback.held == nil { try coverLastFrame() }
                try redrawHeld()
            }
            if let second = statistics.endSecond(droppedFrames: playback.droppedFrames) {
                reporting.add { everySecond(second) }
                noteTrackerFailure()
                background.update()
                keepPreferences()
            }
            if let limit = settings.frameLimit, playback.frameCount >= limit { break }
        }
        return finish()
    }

    /// Whether a picture stays: in a pause, after the end of a clip, or where a camera does not answer.
    private var hasNoNewFrames: Bool {
        playback.held != nil || playback.source.isFinished || playback.secondsWithoutFrame ?? 0 > StartPage.patience
    }

    /// Whether the end of the source ends the session.
    private var endsWithSource: Bool { !view.hasWindow || settings.frameLimit != nil }

    /// Whether the outcome has the error of a source.
    private var endsWithFailure: Bool { endsWithSource || settings.outputs.writesFromStart }

    /// Stops what works on other threads and completes the outputs. It waits for all of them.
    private func stopWorking() {
        chooser.stop()
        background.chooser.stop()
        loader.stop()
        compositor.masks.stop()
        sound.stop()
        playback.source.stop()
        devices.stop()
        outputs.finish()
    }

    /// Stops the source, completes the outputs, and waits for both.
    private func finish() -> LiveOutcome {
        let (status, droppedFrames) = (playback.source.status, playback.droppedFrames)
        let leavesOutGIF = outputs.isMakingGIF
        outputs.recent?.last.endSoon()
        if outputs.isBusy {
            view.say("Completing what has been saved\(leavesOutGIF ? ", without the GIF" : "") …")
            show()
        }
        // Whoever has asked for one still gets the answer.
        outputs.snapshots.finish()
        pending.stop()
        keepPreferences()
        choices.finish()
        if compositor.hiddenFrames > 0 {
            log(
                "\(compositor.hiddenFrames) of \(playback.frameCount) frames were covered as a whole, because they had not been "
                    + "searched for faces in time")
        }
        stopWorking()
        reporting.finish()
        return LiveOutcome(
            statistics: statistics.summary(droppedFrames: droppedFrames),
            outputs: outputs.writtenFrames,
            failure: outputs.failure ?? signals.failure
                ?? (endsWithFailure ? status.failure : nil),
            failureIsLogged: (outputs.failure != nil || signals.failure != nil) && view.messages.echo != nil)
    }

    /// Begins to look up the receiver of `--osc`. Where every frame of the source counts, it is waited for.
    private func findReceiver(unless isCancelled: () -> Bool) {
        guard let wanted = settings.signals else { return }
        signals.find(wanted.address, expressions: wanted.expressions, log: log) { [unowned self] error in
            view.say("\(error)", isAlarm: true)
            // Nobody sees the message in time.
            if !view.hasWindow { isRunning = false }
        }
        if !playback.source.description.isLive { signals.waitForReceiver(unless: isCancelled) }
    }

    // MARK: The path of a frame, and the pause

    /// Processes an analyzed frame. During a pause the frame is kept without its mask, so that the user can try
    /// other masks on it.
    private func take(_ frame: consuming Frame) throws {
        let source = playback.source
        let canPause = source.description.canPause
        if source.isPaused, !canPause, playback.held != nil {
            // A source that cannot pause, such as a camera, continues; its frames are discarded.
            source.reuse(frame.reusedPixels())
            return try redrawHeld()
        }
        let old = playback.held
        playback.held = nil
        // Frames that were between the stages when the source paused belong in a recording.
        if let old, canPause { try process(old.frame.copy()) }
        guard source.isPaused else {
            if playback.isClip, !endsWithSource { playback.keep(frame) }
            return try process(frame)
        }
        playback.held = HeldFrame(frame)
        try redrawHeld()
    }

    /// How a held frame is to be drawn now.
    private var wantedLook: HeldLook {
        var wanted = compositor.look
        (wanted.showsMesh, wanted.takesSnapshot, wanted.isCovered) = (view.showsMesh, pending.takesSnapshot, cover.isOn)
        wanted.isVertical = outputs.crop != nil
        wanted.isAwaited = outputs.awaitsPicture
        return wanted
    }

    /// Draws the held frame again if a setting has changed since the last time, and shows the window.
    private func redrawHeld() throws {
        let wanted = wantedLook
        guard let held = playback.held, held.look != wanted else { return show() }
        held.look = wanted
        held.look?.takesSnapshot = false
        held.look?.isAwaited = false
        try process(try held.frame.copy(), isAgain: true)
        // A mask that has just been chosen is drawn at the start of its fade, which may be over before the next drawing.
        held.look?.fade = compositor.drawnFade
    }

    /// Draws the mask on a frame, gives the result to the outputs, and shows it.
    /// - Parameter isAgain: whether the frame was processed before. Then running outputs get it only to cover the one before,
    ///   and it is not counted.
    private func process(_ frame: consuming Frame, isAgain: Bool = false) throws {
        if !isAgain {
            frame.sound = sound.heard(by: frame)
            // What is covered shows in no other program either.
            let (faces, heard) = cover.isOn ? ([], frame.sound.map { _ in .silence }) : (frame.faces, frame.sound)
            signals.send(faces, in: (frame.pixels.width, frame.pixels.height), at: frame.seconds ?? 0, sound: heard)
            followGestures(of: frame.faces, isCut: frame.isCut, at: frame.seconds ?? 0)
            playback.source.controls.countsSmallerFaces = tellsOfSmallerFaces
        }
        // Nobody else is to see what the user only looks at.
        let areOutputsWanted = outputs.areWanted || pending.wantsRecording
        if areOutputsWanted { compositor.masks.tryOn(nil) }
        if areOutputsWanted || pending.takesSnapshot { restoreBackground() }
        outputs.recent?.isTrial = compositor.masks.isTrial || background.isLeftOut
        if let mask = compositor.chooseMask(), !compositor.masks.isTrial { notePutOn(mask) }
        listen()
        try compositor.compose(&frame, isAgain: isAgain)
        background.emptiness.note(compositor.hidesEverybody, at: frame.seconds ?? 0, stays: isAgain)
        if !isAgain {
            outputs.crop?.follow(
                frame.middleOfLargestFace,
                mask: frame.trackOfLargestFace.flatMap { compositor.columnsOfMask(onTrack: $0) },
                in: (frame.pixels.width, frame.pixels.height), isCut: frame.isCut, at: frame.seconds ?? 0)
        }
        try cover.apply(to: &frame.pixels)
        let drawn = ContinuousClock.now
        // A repeated frame replaces what the outputs show only if that must be covered.
        let isForOutputs = !isAgain || cover.isAwaited
        let given = frame.seconds ?? 0
        let seconds = !isAgain ? given : cover.isAwaited ? playback.secondsNow : max(playback.lastSeconds, given)
        giveToOutputs(frame.pixels, at: seconds, isNew: isForOutputs, isFirst: !isAgain && playback.frameCount == 0)
        if settings.outputs.hasAlpha, view.hasWindow {
            frame.pixels.flatten(on: Self.checkers.0, and: Self.checkers.1)
        }
        if let crop = outputs.crop, view.hasWindow {
            let size = (frame.pixels.width, frame.pixels.height)
            frame.pixels.darken(outside: crop.columns(of: size, isMirrored: false))
        }
        if view.showsMesh, view.hasWindow, !cover.isOn {
            for face in frame.faces {
                FaceOverlay(face: face.face, mesh: compositor.masks.mesh).draw([.mesh, .landmarks], in: &frame.pixels)
            }
        }
        let (captured, count, timings) = (frame.captured, frame.faces.count, frame.timings)
        let pixels = frame.reusedPixels()
        if isForOutputs { playback.noteOutput(at: drawn, width: pixels.width, height: pixels.height) }
        let spare = view.show(pixels, times: isAgain ? nil : (captured, drawn))
        if let spare { playback.source.reuse(spare) }
        playback.noteShown(at: seconds)
        show()
        guard !isAgain else { return }
        playback.count(faces: count)
        let tracking = timings.tracking
        statistics.note(
            milliseconds: [
                1000 * (tracking.follow + tracking.smooth + tracking.scene + tracking.search),
                timings.composing.milliseconds,
            ], faces: count)
        if view.hasWindow { return }
        let now = ContinuousClock.now
        statistics.noteShown(milliseconds: [(now - drawn).milliseconds, (now - captured).milliseconds])
    }

    /// The window shows them where frames are transparent.
    private static let checkers = (SIMD4<UInt8>(96, 96, 96, 255), SIMD4<UInt8>(128, 128, 128, 255))

    /// - Parameter isNew: whether running outputs get the frame; otherwise only a recording that starts with it, and a program
    ///   that has begun to show the virtual camera.
    private func giveToOutputs(_ pixels: borrowing PixelBuffer, at seconds: Double, isNew: Bool, isFirst: Bool) {
        let startsRecording = pending.takeRecording()
        if startsRecording { outputs.startRecording(pixels, at: seconds) }
        if isNew {
            outputs.take(pixels, at: seconds, isFirst: isFirst)
            cover.noteOutput()
        } else if startsRecording {
            outputs.take(pixels, at: seconds, isFirst: false, isForRecording: true)
        }
        // A new frame is offered to it, too.
        if !isNew, outputs.awaitsPicture { outputs.showAwaited(pixels) }
        pending.saveSnapshots(pixels, with: outputs)
    }

    /// Covers what the window and the outputs show if the source gives no frame: a camera that does not answer, or a clip
    /// that has ended.
    private func coverLastFrame() throws {
        guard cover.isOverdue, let last = playback.last else { return }
        let pixels = try cover.blank(width: last.width, height: last.height)
        let seconds = playback.secondsNow
        playback.noteShown(at: seconds)
        playback.noteOutput(at: .now, width: last.width, height: last.height)
        outputs.take(pixels, at: seconds, isFirst: false)
        cover.noteOutput()
        if let spare = view.show(pixels) { playback.source.reuse(spare) }
    }

    /// Opens what is to be listened to, and says it if nothing can be heard.
    private func listen() {
        sound.isLevelShown = view.isPanelOpen && outputs.recordsMicrophone
        let trouble = sound.update(
            microphone: outputs.microphone, maskFollowsSound: compositor.followsSound, isClip: playback.isClip)
        if let trouble { view.say(trouble.text, isAlarm: trouble.isAlarm) }
    }

    /// Sees to it that a mask that is put on gets what it follows, or says how.
    private func notePutOn(_ mask: Mask) {
        if mask.dependsOnPeople { playback.source.controls.identifyFaces() }
        if let notice = mask.notice { view.say(notice, isAlarm: true) }
        let hears = sound.input == .microphone || (playback.isClip && sound.input != SoundInput.none)
        guard mask.followsSound, !hears else { return }
        let name = compositor.masks.current.name
        view.say(
            view.hasWindow
                ? "\(name) follows sound: choose a sound in the panel (Tab, Sound)"
                : "\(name) follows sound; to turn sound on, use --sound microphone")
    }

    /// Does what the wearer's gestures ask for. To be called for each new frame, before it is drawn: what covers, covers
    /// this frame.
    private func followGestures(of faces: [FaceInstance], isCut: Bool, at seconds: Double) {
        let (switches, gestures) = (switches, choices.preferences.gestures)
        let step = handsFree.update(faces, isCut: isCut, at: seconds) { gesture in
            gestures[gesture].map(switches.resolved).map { ($0, switches.hides($0)) }
        }
        switch step {
        case .nothing: break
        case .waits(let gesture, let command):
            // A window shows it all the time.
            if !view.hasWindow { view.say("\(gesture.title): \(switches.title(of: command)) follows") }
        case .acts(let gesture, let command):
            view.say("\(gesture.title): \(switches.title(of: command))")
            perform(.byUser(command))
        case .takenBack(_, let command): view.say("Cancelled: \(switches.title(of: command))")
        }
    }

    /// Shows the state beside the picture.
    private func show() { if view.hasWindow { view.show(state, pointer: handsFree.takePointer()) } }

    // MARK: What is kept from session to session

    /// Takes what the last session had and the command line does not name. What is missing is said, and is tried again only
    /// by the next session.
    private func takeLastDevices() {
        let kept = choices.preferences.devices
        if settings.worn.renderer == nil, let renderer = kept.renderer, renderer != .auto {
            perform(.setRenderer(renderer))
        }
        if settings.models.detector == nil, let detector = kept.detector { perform(.setDetector(detector)) }
        if settings.outputs.virtualCamera == nil, let device = settings.virtualCamera(after: kept) {
            perform(.setVirtualCamera(device))
        }
        if settings.outputs.microphone == nil { outputs.microphone = kept.microphone }
        if !settings.outputs.recordsMicrophone { outputs.recordsMicrophone = kept.recordsMicrophone ?? false }
        outputs.recent?.savesGIF = kept.savesGIF ?? false
        if outputs.crop == nil, settings.isVertical(after: kept) { outputs.crop = VerticalCrop() }
        if let smallest = settings.smallestFace(after: choices.preferences, ofHeight: pictureHeight) {
            playback.setSmallestFace(.share(smallest))
        }
        if settings.outputs.folder == nil {
            outputs.folders = folders(chosen: kept.folder)
        }
    }

    /// Where recordings and snapshots are saved. Who opens a window from the desktop does not know which folder is the current
    /// one.
    /// - Parameter folder: as the user has typed it; nil: none was.
    func folders(chosen folder: String?) -> LiveFolders {
        if let folder { return LiveFolders(FilePath(typed: folder)) }
        guard view.hasWindow else { return LiveFolders(".") }
        let recordings = UserFolders.recordings ?? "."
        return LiveFolders(recordings: recordings, snapshots: UserFolders.pictures ?? recordings)
    }

    /// Whether the window shows the source's mirror image unless the user has changed that since the source began.
    var isSourceMirrored: Bool {
        settings.mirrors(asCamera: playback.source.description.isMirrored, after: choices.preferences)
    }

    /// Preferences with what the session has now. Of what does not outlive the session, such as the mask of a portrait, what
    /// was chosen before it.
    private func current(_ preferences: LivePreferences) -> LivePreferences {
        let masks = compositor.masks
        var current = preferences
        current.mask = masks.chosen.current.key ?? preferences.mask
        current.favourites = masks.list.favourites
        current.faces = compositor.faces
        current.whenLost = compositor.whenLost
        current.smoothing = playback.source.controls.smoothing
        current.fade = compositor.fade
        return current
    }

    private func keepPreferences() {
        if let error = choices.keep(compositor.masks.chosen, current: current) {
            view.say("Your choices cannot be saved: \(error)", isAlarm: true)
        }
    }

    /// Says what the face tracker could not load. To be called every second.
    private func noteTrackerFailure() {
        let controls = playback.source.controls
        switch controls.takeFailure() {
        case nil: break
        case .models(let models, let reason):
            let used = controls.models
            choices.preferences.devices.detector = used.detector
            choices.preferences.devices.landmarks = used.landmarks == .auto ? nil : used.landmarks
            let name =
                models.landmarks == used.landmarks ? models.detector?.title ?? "The detector" : models.landmarks.title
            view.say("\(name) cannot be used: \(reason)", isAlarm: true)
        case .untrackedFaces(let reason):
            view.say(
                TrackerControls.notice(ofUntrackedFaces: reason, blurs: compositor.whenLost == .blur), isAlarm: true)
        case .people(let reason):
            view.say("People cannot be recognised: \(reason)", isAlarm: true)
        }
    }
}
