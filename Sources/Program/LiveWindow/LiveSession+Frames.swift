import Compositing
import Display
import FaceGeometry
import Pixels

/// The path of a frame from the source to the window, and the pause.
extension LiveSession {
    /// Processes an analyzed frame. During a pause the frame is kept without its mask, so that the user can try
    /// other masks on it.
    func take(_ frame: consuming Frame) throws {
        let canPause = source.description.canPause
        if source.isPaused, !canPause, held != nil {
            // A source that cannot pause, such as a camera, continues; its frames are discarded.
            source.reuse(frame.reusedPixels())
            return try redrawHeld()
        }
        let old = held
        held = nil
        // Frames that were between the stages when the source paused belong in a recording.
        if let old, canPause { try process(old.frame.copy()) }
        guard source.isPaused else { return try process(frame) }
        held = HeldFrame(frame)
        try redrawHeld()
    }

    /// Draws the held frame again if a setting has changed since the last time, and shows the window.
    func redrawHeld() throws {
        var wanted = HeldLook(compositor, renderer)
        (wanted.revision, wanted.showsMesh, wanted.takesSnapshot) = (masks.revision, showsMesh, takesSnapshots)
        (wanted.isMaskOff, wanted.isCovered, wanted.fade) = (isMaskOff, isCovered, fadeProgress)
        guard let held, held.look != wanted else { return show() }
        held.look = wanted
        held.look?.takesSnapshot = false
        try process(try held.frame.copy(), isAgain: true)
        // A mask that has just been chosen is drawn at the start of its fade, which may be over before the next drawing.
        held.look?.fade = drawnFade
    }

    /// Draws the mask on a frame, gives the result to the outputs, and shows it.
    /// - Parameter isAgain: whether the frame was processed before. Then running outputs get it only to cover the one before,
    ///   and it is not counted.
    private func process(_ frame: consuming Frame, isAgain: Bool = false) throws {
        if !isAgain {
            frame.sound = sound.heard(by: frame)
            // What is covered shows in no other program either.
            let (faces, heard) = isCovered ? ([], frame.sound.map { _ in .silence }) : (frame.faces, frame.sound)
            signals?.send(
                faces, in: (frame.pixels.width, frame.pixels.height), at: frame.seconds ?? 0, sound: heard)
            if handsFree != nil { followGestures(of: frame.faces, isCut: frame.isCut, at: frame.seconds ?? 0) }
        }
        chooseMask()
        listen()
        try compositor.compose(&frame, with: renderer)
        if isCovered { try cover(&frame.pixels) }
        let drawn = ContinuousClock.now
        // A repeated frame replaces what the outputs show only if that must be covered.
        let isForOutputs = !isAgain || coverSince != nil
        let given = frame.seconds ?? 0
        let seconds = !isAgain ? given : coverSince == nil ? max(lastSeconds, given) : secondsNow
        giveToOutputs(frame.pixels, at: seconds, isNew: isForOutputs, isFirst: !isAgain && frameCount == 0)
        if showsMesh, window != nil, !isCovered {
            for face in frame.faces {
                FaceOverlay(face: face.face, mesh: mesh).draw([.mesh, .landmarks], in: &frame.pixels)
            }
        }
        let (captured, count, timings) = (frame.captured, frame.faces.count, frame.timings)
        let pixels = frame.reusedPixels()
        if isForOutputs { last = (drawn, pixels.width, pixels.height) }
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

    /// Whether the next frame is saved as a snapshot.
    private var takesSnapshots: Bool { wantsSnapshot || waitingCommands.contains { $0.event == .snapshot } }

    /// Gives the compositor the mask for the next frame. A chosen mask that cannot be loaded does not take off the one
    /// before.
    private func chooseMask() {
        if maskRevision != masks.revision {
            maskRevision = masks.revision
            if let mask = masks.current.mask {
                // A mask that has been edited changes at once.
                let old = isMaskOff || worn?.index == masks.index ? nil : worn?.mask
                fading = old.flatMap { MaskFade(from: $0, to: mask, seconds: fade) }
                worn = (mask, masks.index)
                sayIfMaskHearsNothing()
                if mask.dependsOnPeople { source.controls.identifyFaces() }
            }
            compositor.mask = nil
        }
        let progress = fadeProgress
        if progress == 1, fading != nil { (fading, compositor.mask) = (nil, nil) }
        compositor.isOff = isMaskOff
        if isMaskOff {
            (fading, compositor.mask) = (nil, nil)
        } else if let fading {
            compositor.mask = fading.mask(at: progress)
        } else if compositor.mask == nil {
            compositor.mask = worn?.mask
        }
        drawnFade = fading == nil ? 1 : progress
    }

    /// 0 to 1; 1: no mask fades.
    private var fadeProgress: Double { fading?.progress(at: .now) ?? 1 }

    /// - Parameter isNew: whether running outputs get the frame; otherwise only a recording that starts with it.
    private func giveToOutputs(_ pixels: borrowing PixelBuffer, at seconds: Double, isNew: Bool, isFirst: Bool) {
        let startsRecording = wantsRecording
        wantsRecording = false
        if startsRecording { outputs.startRecording(pixels, at: seconds) }
        if isNew {
            outputs.take(pixels, at: seconds, isFirst: isFirst)
            coverSince = nil
        } else if startsRecording {
            outputs.take(pixels, at: seconds, isFirst: false, isForRecording: true)
        }
        saveSnapshots(pixels)
    }

    /// One for the keys, and one for each command that waits for it: whoever asks gets a file of their own.
    private func saveSnapshots(_ pixels: borrowing PixelBuffer) {
        if wantsSnapshot { outputs.saveSnapshot(pixels) }
        wantsSnapshot = false
        let waiting = waitingCommands.filter { $0.event == .snapshot }
        waitingCommands.removeAll { $0.event == .snapshot }
        for waiting in waiting {
            outputs.saveSnapshot(pixels) { [control] result in
                switch result {
                case .success(let path): control?.reply(.done(path.description), to: waiting.request)
                case .failure(let error): control?.reply(.refused("\(error)"), to: waiting.request)
                }
            }
        }
    }

    /// Shows the last uploaded frame with the panel.
    func show() {
        window?.show(isMirrored: isMirrored, pointer: handsFree?.takePointer()) { panels in
            panel.draw(
                panels, status: source.status, recordedSeconds: outputs.recordedSeconds(at: lastSeconds))
        }
    }

    /// Draws the mask once: with the first drawing, textures are made and drivers compile shaders, which takes as long as
    /// several frames.
    func warmUp() throws {
        guard let mask = masks.current.mask else { return }
        let landmarks = reference.landmarks.mapped { 64 * $0 }
        let face = Face(landmarks: landmarks, reference: reference)
        var frame = Frame(try PixelBuffer(width: 64, height: 64, format: .rgba8), seconds: nil)
        frame.faces = [FaceInstance(face: face, trackID: 1)]
        var compositor = FaceCompositor(mask: mask)
        try compositor.compose(&frame, with: renderer)
    }
}
