import Clips
import Compositing
import Display
import FaceTracking
import Files
import FrameProcessing
import MaskRendering

/// Draws the panel with the masks and the settings, and the texts over the picture: messages, help, state.
final class LivePanel {
    unowned let session: LiveSession
    let thumbnails: MaskThumbnails
    /// Which masks the gallery shows, and what their names contain.
    var gallery = Gallery.all
    var search = ""
    /// Whether the field for searching takes the keyboard in the next frame.
    var focusesSearch = false
    /// The folder for recordings and snapshots while the user types it; nil: nothing has been typed.
    var folder: String?
    /// The device that the virtual camera was last written to, or is to be; nil: none has been chosen.
    var virtualCamera: String?
    /// For how many frames the panel has been there. The first one shows it at once; what takes time comes after that.
    private(set) var shownFrames = 0
    /// Whether the window has room for the help beside the panel.
    private(set) var hasRoom = true

    init(_ session: LiveSession) {
        self.session = session
        thumbnails = MaskThumbnails(session.masks)
    }

    /// - Parameters:
    ///   - status: the state of the source.
    ///   - recordedSeconds: the length of the running recording; nil: nothing is being recorded.
    func draw(_ panels: Panels, status: FramePipeline.Status, recordedSeconds: Double?) {
        if session.showsPanel {
            session.showsPanel = panels.panel("Bauta", width: 360, height: 640) { content(panels, status) }
        }
        showOpeningButton(panels)
        if shownFrames > 0, !session.showsPanel { thumbnails.rest() }
        shownFrames = session.showsPanel ? shownFrames + 1 : 0
        if shownFrames == 2 { session.devices.update() }
        session.sound.isLevelShown = session.showsPanel && session.outputs.recordsMicrophone
        if let message = session.messages.current {
            panels.overlay("message", message.text, x: 0.5, y: 0.97, opacity: message.opacity, isAlarm: message.isAlarm)
        }
        let isAsking = session.isCovered || session.commandForKey != nil
        hasRoom = panels.windowSize.width >= Panels.smallWidth
        if session.messages.helpOpacity > 0, hasRoom || (!session.showsPanel && !isAsking) {
            // At the side, so that the face stays visible.
            panels.overlay("help", session.help, x: 0.98, y: 0.5, opacity: session.messages.helpOpacity)
        }
        if let recordedSeconds {
            let whole = Int(max(0, recordedSeconds))
            panels.overlay(
                "recording", "Recording \(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)", x: 0.98, y: 0.03,
                isAlarm: true)
        }
        if let name = session.loader.current ?? session.masks.loadingName {
            panels.overlay("loading", "Loading \(name) …", x: 0.98, y: 0.97)
        } else if let name = session.outputs.completingName {
            panels.overlay("completing", "Completing \(name) …", x: 0.98, y: 0.97)
        }
        if session.asksToQuit {
            panels.overlay(
                "quit", "A recording is running. Q completes it and quits, any other key continues.", x: 0.5, y: 0.5,
                isAlarm: true)
        }
        if let command = session.commandForKey {
            panels.banner(
                "key", "Press a key",
                "From now on it will do this: \(command.line). Esc cancels. After Delete, no key does it any more.")
        }
        let states = [session.source.isPaused ? "Paused" : nil, session.isMaskOff ? "Mask off (0)" : nil].compactMap {
            $0
        }
        if !states.isEmpty {
            panels.overlay("state", states.joined(separator: " · "), x: 0.5, y: 0.03, isAlarm: session.isMaskOff)
        }
        showGesture(panels)
        if session.isCovered {
            let keys = session.preferences.keys[.letter("c")] == nil ? "C or F12" : "F12"
            let sound =
                session.outputs.isRecording && session.outputs.recordsMicrophone ? " Sound is still recorded." : ""
            panels.banner(
                "cover", "Covered",
                "The window and all outputs show only this.\(sound) \(keys) shows the picture again.")
        }
        showState(panels, status)
        if let error = session.masks.current.error {
            panels.overlay("mask", error, x: 0.02, y: 0.97, isAlarm: true)
        }
    }

    /// Tells the user why no new frames arrive.
    private func showState(_ panels: Panels, _ status: FramePipeline.Status) {
        if let reason = status.waiting {
            panels.overlay("waiting", reason, x: 0.5, y: 0.5, isAlarm: true)
        } else if let failure = status.failure {
            panels.overlay("waiting", "\(failure)", x: 0.5, y: 0.5, isAlarm: true)
        } else if status.hasEnded {
            panels.overlay(
                "ended", "\(session.source.description.name) has ended. Q closes the window.", x: 0.5, y: 0.03)
        } else if status.capturedFrames == 0 {
            panels.overlay("opening", "Opening \(session.source.description.name) ...", x: 0.5, y: 0.5)
        }
    }

    /// For texts.
    var outputFolder: String { session.outputs.wholeFolder.description }

    private func content(_ panels: Panels, _ status: FramePipeline.Status) {
        coverAndTakeOff(panels)
        takePictures(panels)
        chooseMask(panels)
        session.compositor.opacity = panels.slider("opacity", session.compositor.opacity, in: 0...1, format: "%.2f")
        chooseFaces(panels)
        chooseGestures(panels)
        chooseCamera(panels)
        choosePicture(panels)
        chooseRecording(panels)
        chooseSound(panels)
        chooseVirtualCamera(panels)
        steerWindow(panels)
        showStatistics(panels, status)
    }

    private func chooseFaces(_ panels: Panels) {
        panels.heading("Faces", icon: .users)
        session.compositor.faces = panels.choice(
            [("all", FaceChoice.all), ("the largest", .largest(1))], session.compositor.faces)
        session.source.controls.smoothing = panels.slider(
            "smoothing", session.source.controls.smoothing, in: 0.2...4, format: "%.1f")
        panels.text("When a face is lost:")
        session.compositor.lostFaces.policy = panels.choice(
            [("keep", .keep), ("hide", .hide), ("blur", .blur)], session.compositor.lostFaces.policy)
        let current = session.source.controls.models.detector
        let detector = panels.list("found by", Self.detectors(session.settings.models), current)
        panels.hint(
            "What finds faces. Automatic: MediaPipe's network where it is installed, otherwise dlib's detector.")
        if detector != current { session.find(with: detector) }
        let choice = session.source.controls.models.landmarks
        let landmarks = panels.list(
            "landmarks", FaceModels.LandmarkModelChoice.allCases.map { ($0.title, $0) }, choice)
        panels.hint(
            "What finds eyes, nose and mouth. Automatic: both models together, or the one that is installed. MediaPipe's "
                + "mesh may be used commercially; dlib's model, from Debian's libdlib-data, may not.")
        if landmarks != choice { session.findLandmarks(with: landmarks) }
        if session.source.controls.models.usesDebiansCascade {
            panels.text("This uses dlib's model, which is not for commercial use.")
        }
    }

    private static func detectors(_ models: FaceModels) -> [(label: String, value: FaceModels.Detector?)] {
        // YuNet needs a file, which only the command line names.
        let all = FaceModels.Detector.allCases.filter { $0 != .yunet || models.yunet != nil }
        return [("Automatic", nil)] + all.map { ($0.title, $0) }
    }

    private func choosePicture(_ panels: Panels) {
        panels.heading("Picture", icon: .picture)
        let isMirrored = panels.checkbox("mirrored (M)", session.isMirrored)
        if isMirrored != session.isMirrored { session.setMirrored(isMirrored) }
        session.showsMesh = panels.checkbox("mesh and landmarks (L)", session.showsMesh)
        let current = session.chosenRenderer
        let renderer = panels.list(
            "drawn by", [("Automatic", .auto), ("Software", .software), ("OpenGL", .opengl)], current)
        panels.hint("Now: \(session.renderer.rendererDescription)")
        if renderer != current { session.draw(with: renderer) }
    }

    /// What everything else must not be in the way of.
    private func coverAndTakeOff(_ panels: Panels) {
        let isCovered = panels.checkbox("cover everything (C, F12)", session.isCovered)
        panels.hint(
            "\(session.coverPicture == nil ? "Blurs" : "Replaces") the whole picture, here and for everyone who sees or "
                + "records it.")
        if isCovered != session.isCovered { session.setCovered(isCovered) }
        let isMaskOn = panels.checkbox("mask on (0)", !session.isMaskOff)
        if isMaskOn == session.isMaskOff { session.setMaskOff(!isMaskOn) }
    }

    /// What opens the panel without a key: shown while the mouse moves, and to those who point with the nose.
    private func showOpeningButton(_ panels: Panels) {
        let isPointing = session.handsFree?.pointer?.phase == .pointing
        guard panels.mouseRest < 3 || isPointing, !session.showsPanel else { return }
        panels.area("open the panel", x: 12, y: 12, width: 190, height: 52) {
            if panels.button("masks and settings", icon: .gear) { session.openPanel() }
            panels.hint("Tab")
        }
    }

    private func steerWindow(_ panels: Panels) {
        panels.heading("Window", icon: .gear)
        if panels.button("help (H)", icon: .help) { session.toggleHelp() }
        panels.sameLine(ifRoomFor: "full screen (F)")
        if panels.button("full screen (F)", icon: .fullScreen) { session.window?.toggleFullScreen() }
        panels.sameLine(ifRoomFor: "quit (Q)")
        if panels.button("quit (Q)", icon: .quit) { session.perform(.quit, asksBeforeQuitting: true) }
    }

    private func showStatistics(_ panels: Panels, _ status: FramePipeline.Status) {
        func text(_ value: Double) -> String { "\(Double(Int(value * 10)) / 10)" }
        panels.heading("Statistics", icon: .chart)
        let second = session.statistics.last
        panels.value("source", session.source.description.name)
        panels.value("frames", "\(text(second.framesPerSecond)) per second, \(status.droppedFrames) dropped")
        panels.hint("In the last second, and how many have been left out since the start because the machine is slow.")
        for (name, (median, slowest)) in zip(LiveStatistics.stages, zip(second.medians, second.slowest)) {
            let (label, hint) = Self.stages[name] ?? (name, "")
            panels.value(label, "\(text(median)) ms, at most \(text(slowest)) ms")
            panels.hint("\(hint) In the last second: the median, and the slowest frame.")
        }
    }

    /// The stages of `LiveStatistics`, in words.
    private static let stages = [
        "track": ("following", "Finding and following the faces."),
        "draw": ("drawing", "Drawing the masks."),
        "show": ("showing", "Giving the picture to recordings and to the window."),
        "delay": ("delay", "From the camera to the screen."),
    ]
}
