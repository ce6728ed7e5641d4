import Display
import Masking

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
        let wanted = HeldFrame.Look(
            revision: masks.revision, opacity: compositor.opacity, faces: compositor.faces, showsMesh: showsMesh,
            takesSnapshot: wantsSnapshot)
        guard let held, held.look != wanted else { return show() }
        held.look = wanted
        held.look?.takesSnapshot = false
        try process(try held.frame.copy(), isAgain: true)
    }

    /// Draws the mask on a frame, gives the result to the outputs, and shows it.
    /// - Parameter isAgain: whether the frame was processed before. Then running outputs do not get it and it is not counted.
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

    /// Shows the last uploaded frame with the panel.
    func show() {
        window?.show(isMirrored: isMirrored) { panels in
            panel.draw(
                panels, status: source.status, recordedSeconds: outputs.recordedSeconds(at: lastSeconds))
        }
    }
}
