import Compositing
import Display
import FaceTracking
import FrameProcessing
import LiveControl
import MaskRendering

/// Draws the panel with the masks and the settings, and the texts over the picture: messages, help, state. It shows a
/// `LiveState`, and what the user does goes to `send`; it changes nothing else.
final class LivePanel {
    /// Whether the panel is there. The texts are there without it.
    var isOpen = false
    let gallery: MaskGallery
    /// Whether the window shows a picture.
    var hasPicture = false
    /// The folder for recordings and snapshots while the user types it; nil: nothing has been typed.
    var folder: String?
    /// The virtual camera that was last written to, or is to be; nil: none has been chosen.
    var virtualCamera: VirtualCameraChoice?
    private var background = BackgroundSection()
    /// Whether a device that is made is to be there after every start of the system, too.
    var isDeviceKept = false
    /// For how many frames the panel has been there. The first one shows it at once; what takes time comes after that.
    private var shownFrames = 0
    /// Whether the last frame had the start page.
    private var showedStartPage = false
    /// Whether the last frame with the start page had no room for the help beside it.
    private var wasCrowded = false
    /// Whether the help is shown in place of the start page: then that takes no keys.
    private(set) var hidesStartPage = false
    /// Whether the window has room for the help beside the panel.
    private(set) var hasRoom = true
    /// Whether a dialog is in front of all.
    var isBehindDialog = false

    typealias Send = (SessionCommand) -> Void

    init(_ gallery: MaskGallery) { self.gallery = gallery }

    /// Opens the panel, with the keyboard in the field for searching.
    func search() {
        isOpen = true
        gallery.focusesSearch = true
    }

    /// The first mask that the search has found, as an index of `MaskList.entries`; nil: nothing has been searched for, or
    /// the panel is closed.
    func firstFound(in masks: MaskList, lastUsed: [String]) -> Int? {
        isOpen ? gallery.firstFound(in: masks, lastUsed: lastUsed) : nil
    }

    /// The mask so many rows further down, likewise; nil: none, or the panel is closed.
    func mask(rows: Int, in masks: MaskList, lastUsed: [String]) -> Int? {
        isOpen ? gallery.mask(rows: rows, in: masks, lastUsed: lastUsed) : nil
    }

    /// - Parameter keys: the state of key input.
    func draw(_ panels: Panels, _ state: LiveState, _ messages: WindowMessages, _ keys: KeyInput, send: Send) {
        if isOpen {
            isOpen = panels.panel("Bauta", width: 360) {
                content(panels, state, state.panel, send)
            }
        }
        showOpeningButton(panels, state.handsFree, send)
        if shownFrames > 0, !isOpen { gallery.close(send) }
        shownFrames = isOpen ? shownFrames + 1 : 0
        if shownFrames == 2 { send(.updateDevices) }
        let isAsking = state.switches.isCovered || keys.commandForKey != nil
        hasRoom = panels.windowSize.width >= Panels.smallWidth
        let hasHelp = messages.helpOpacity > 0 && !isBehindDialog && (hasRoom || (!isOpen && !isAsking))
        show(state, panels, messages, keys, hasHelp: hasHelp, send)
        if let message = messages.current {
            panels.overlay("message", message.text, x: 0.5, y: 0.97, opacity: message.opacity, isAlarm: message.isAlarm)
        }
        if let recordedSeconds = state.recordedSeconds {
            let whole = Int(max(0, recordedSeconds))
            panels.overlay(
                "recording", "Recording \(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)", x: 0.98, y: 0.03,
                isAlarm: true)
        } else if state.isTrial {
            panels.overlay("trial", "Q: back to the editor", x: 0.98, y: 0.03)
        }
        let work = [
            state.loading.map { "Loading \($0) …" }, state.completing.map { "Completing \($0) …" },
            state.saving?.text,
        ].compactMap { $0 }
        if !work.isEmpty { panels.overlay("work", work.joined(separator: "\n"), x: 0.98, y: 0.97) }
        if keys.asksToQuit,
            let question = KeyInput.quitQuestion(
                isRecording: state.switches.isRecording, isMakingGIF: state.isMakingGIF)
        {
            panels.overlay("quit", question, x: 0.5, y: 0.5, isAlarm: true)
        }
        if let command = keys.commandForKey {
            panels.banner(
                "key", "Press a key",
                "The key for: \(command.line). Esc cancels. Delete removes its key.")
        }
        let isMaskOff = !state.switches.isMaskOn && !state.coversFaces
        let isLonely = state.lack.needsAnotherFace && !state.switches.isCovered
        let lack = isLonely ? "\(state.panel.masks.current.name) needs two faces that suit each other" : nil
        let states = [state.isPaused ? "Paused" : nil, isMaskOff ? "Mask off (0)" : nil, lack, Self.bare(state)]
            .compactMap { $0 }
        if !states.isEmpty {
            panels.overlay("state", states.joined(separator: " · "), x: 0.5, y: 0.03, isAlarm: isMaskOff)
        }
        if hasHelp {
            // At the side, so that the face stays visible; in a small window, in front of what has no other place.
            panels.overlay("help", KeyMeaning.help(state.keys), x: 0.98, y: 0.5, opacity: messages.helpOpacity)
        }
        showGesture(panels, state)
        if state.switches.isCovered {
            let keys = Self.coverKeys(state.keys).joined(separator: " or ")
            let sound =
                state.switches.isRecording && state.recordsMicrophone ? " Sound is still recorded." : ""
            let text = "The window and all outputs show only this.\(sound) \(keys) shows the picture again."
            if state.startPage == nil {
                panels.banner("cover", "Covered", text)
            } else {
                panels.overlay("cover", "Covered. \(text)", x: 0.5, y: 0.03, isAlarm: true)
            }
        }
        showState(panels, state)
        if state.hidesFrame, !state.switches.isCovered, state.status.waiting == nil, state.startPage == nil {
            let reason =
                state.coversFaces
                ? "Everything is covered until it has been searched for faces"
                : state.panel.faces.whenLost == .blur
                    ? "Blurred until faces wear their masks (Faces: when a face is lost)"
                    : "Blurred until it has been searched for faces"
            panels.overlay("hidden", reason, x: 0.5, y: 0.5)
        }
        if let error = state.maskError {
            panels.overlay("mask", error, x: 0.02, y: 0.97, isAlarm: true)
        }
    }

    /// Says why faces, or people, are not seen as they are to be; nil: they are, as far as is known.
    private static func bare(_ state: LiveState) -> String? {
        guard !state.switches.isCovered, state.startPage?.canPlayAgain ?? true else { return nil }
        if state.lack.hidesEverybody {
            return "Nobody is near enough to be seen in front of the background (Tab, Background)"
        }
        // The end of a clip says it itself.
        guard state.startPage == nil else { return nil }
        guard state.lack.smallerFaces > 0 else { return state.lack.showsNoFace ? "No face is found" : nil }
        let who = state.lack.smallerFaces == 1 ? "1 face is" : "\(state.lack.smallerFaces) faces are"
        return "At least \(who) too small for a mask: Tab, Faces, smallest face"
    }

    /// - Parameter hasHelp: whether the help is shown. In a window without room for both it takes the page's place, unless
    ///   it is there only because the session has just begun.
    private func show(
        _ state: LiveState, _ panels: Panels, _ messages: WindowMessages, _ keys: KeyInput, hasHelp: Bool, _ send: Send
    ) {
        let page = state.startPage
        defer { showedStartPage = page != nil }
        hidesStartPage = false
        guard let page else { return }
        let isCrowded = panels.windowSize.width - panels.roomLeft < 1100
        if !showedStartPage { send(.updateDevices) }
        // A page without room beside it, because it is new or the panel opens, has been asked for later than the help.
        if isCrowded, !showedStartPage || !wasCrowded, messages.helpOpacity > 0 { messages.toggleHelp() }
        wasCrowded = isCrowded
        // Somebody may read it until something is chosen.
        messages.keepHelp(for: 6)
        // Beside the panel of a small window, its buttons would be cut.
        hidesStartPage = isOpen && !hasRoom || hasHelp && messages.helpOpacity > 0 && isCrowded && showedStartPage
        if hidesStartPage { return }
        showStartPage(
            panels, page, place: isOpen ? nil : keys.startPage.place,
            wearing: state.coversFaces ? nil : state.panel.masks, send)
    }

    /// Tells the user why no new frames arrive, unless the start page does.
    private func showState(_ panels: Panels, _ state: LiveState) {
        let status = state.status
        if state.startPage != nil { return }
        if let reason = status.waiting {
            panels.overlay("waiting", reason, x: 0.5, y: 0.03, isAlarm: true)
        } else if let failure = status.failure {
            panels.overlay("waiting", ErrorNotice(failure).text, x: 0.5, y: 0.03, isAlarm: true)
        } else if status.hasEnded {
            panels.overlay(
                "ended", "\(state.sourceName) has ended. Q closes the window.", x: 0.5, y: 0.03)
        } else if status.capturedFrames == 0 {
            panels.overlay("opening", "Opening \(state.sourceName) …", x: 0.5, y: 0.5)
        } else if !hasPicture {
            panels.overlay("opening", "Looking for faces …", x: 0.5, y: 0.5)
        }
    }

    private func content(_ panels: Panels, _ state: LiveState, _ settings: LiveState.Panel, _ send: Send) {
        coverAndTakeOff(panels, state, settings.drawing, send)
        takePictures(panels, isRecording: state.switches.isRecording, settings.outputs.folders, send)
        if state.coversFaces {
            panels.text("All faces are covered (--anonymise): no mask is drawn.")
        } else {
            chooseMask(panels, state, settings, send)
        }
        if let action = NetworkSection.draw(panels, settings.networks) { send(.fetchNetworks(action)) }
        background.draw(panels, settings, send)
        chooseGestures(panels, state, send)
        chooseCamera(panels, settings, send)
        choosePicture(panels, settings.drawing, drawsMasks: !state.coversFaces, send)
        chooseRecording(panels, settings.outputs, send)
        chooseSound(panels, settings, state, send)
        chooseVirtualCamera(panels, settings, send)
        steerWindow(panels, send)
        showStatistics(panels, state, settings.statistics)
    }

    private func chooseMask(_ panels: Panels, _ state: LiveState, _ settings: LiveState.Panel, _ send: Send) {
        gallery.draw(
            panels, settings.masks, lastUsed: settings.lastUsed, isList: settings.listsMasks, isFirst: shownFrames == 0,
            send)
        chooseKey(panels, settings.masks.current.name, state.keys, send)
        panels.sameLine(ifRoomFor: "open a mask …")
        if panels.button("open a mask …", icon: .folder) { send(.chooseMask) }
        panels.hint("Wears a mask from any folder: choose its mask.json, or its .bauta file.")
        let fade = settings.drawing.fade
        let fades = panels.checkbox("fade to the next mask", fade > 0)
        if fades != (fade > 0) { send(.setFade(fades ? MaskFade.defaultSeconds : 0)) }
        let opacity = panels.slider("opacity", settings.drawing.opacity, in: 0...1, format: "%.2f")
        if opacity != settings.drawing.opacity { send(.setOpacity(opacity)) }
        chooseFaces(panels, settings.faces, send)
    }

    private func chooseKey(_ panels: Panels, _ mask: String, _ keys: KeyBindings, _ send: Send) {
        let command = ControlCommand.wear(mask)
        let names = keys.keys(of: command).compactMap(\.name)
        let label = names.isEmpty ? "key for this mask" : "key for this mask: \(names.joined(separator: ", "))"
        if panels.button(label, icon: .keyboard) { send(.chooseKey(command)) }
        panels.hint("Click the button, then press the key. ~/.config/bauta/live.json sets keys for other commands.")
    }

    private func chooseFaces(_ panels: Panels, _ faces: LiveState.Panel.Faces, _ send: Send) {
        panels.heading("Faces", icon: .users)
        let chosen = panels.choice([("all faces", FaceChoice.all), ("the largest", .largest(1))], faces.chosen)
        if chosen != faces.chosen { send(.setFaces(chosen)) }
        let smoothing = panels.slider("smoothing", faces.smoothing, in: 0.2...4, format: "%.1f")
        panels.hint("1 is usual. More: the mask trembles less, and follows later. Less: the other way round.")
        if smoothing != faces.smoothing { send(.setSmoothing(smoothing)) }
        // Where the session looks for smaller ones already, there is nothing to choose.
        let (least, most): (Float, Float) = (3, 100 * faces.largestSmallest)
        if most > least {
            let smallest = 100 * faces.smallest
            let sizes = LiveSettings.smallestFaces(from: least, to: most, with: smallest)
            let wanted = panels.list("smallest face", sizes, smallest)
            panels.hint("Smaller faces wear no mask. It is counted in the picture's height. Small faces take time.")
            if wanted != smallest { send(.setSmallestFace(wanted / 100)) }
        }
        panels.text("When a face is lost:")
        let whenLost = panels.choice(
            [("keep the mask", .keep), ("show the face", .hide), ("blur the picture", .blur)], faces.whenLost,
            hints: [
                "The mask stays where it was for half a second, and longer where frames are rare; then the face is shown.",
                "The mask disappears at once: the face is seen without it.",
                "The whole picture is blurred for a second after each loss, and while no face is found.",
            ])
        if whenLost != faces.whenLost { send(.setWhenLost(whenLost)) }
        let detector = panels.list("detector", Self.detectors, faces.models.detector)
        panels.hint(
            "The face detector. Automatic: MediaPipe's network if it is installed, otherwise dlib's detector.")
        if detector != faces.models.detector { send(.setDetector(detector)) }
        let landmarks = panels.list(
            "landmarks", FaceModels.LandmarkModelChoice.allCases.map { ($0.title, $0) }, faces.models.landmarks)
        panels.hint(
            "The model that finds eyes, nose and mouth. Automatic: both together, or the one that is installed. MediaPipe's "
                + "face mesh may be used commercially; dlib's model, from Debian's libdlib-data, may not.")
        if landmarks != faces.models.landmarks { send(.setLandmarks(landmarks)) }
        if faces.models.usesDebiansCascade {
            panels.text("dlib's model may not be used commercially.")
        }
    }

    private static let detectors: [(label: String, value: FaceModels.Detector?)] =
        [("Automatic", nil)] + FaceModels.Detector.allCases.map { ($0.title, $0) }

    private func choosePicture(
        _ panels: Panels, _ drawing: LiveState.Panel.Drawing, drawsMasks: Bool, _ send: Send
    ) {
        panels.heading("Picture", icon: .picture)
        let isMirrored = panels.checkbox("mirrored (M)", drawing.isMirrored)
        if isMirrored != drawing.isMirrored { send(.mirror(.init(isOn: isMirrored))) }
        guard drawsMasks else { return }
        let showsMesh = panels.checkbox("mesh and landmarks (L)", drawing.showsMesh)
        if showsMesh != drawing.showsMesh { send(.showMesh(.init(isOn: showsMesh))) }
        let renderer = panels.list(
            "renderer", [("Automatic", .auto), ("Software", .software), ("OpenGL", .opengl)], drawing.renderer)
        panels.hint("Now: \(drawing.rendererDescription)")
        if renderer != drawing.renderer { send(.setRenderer(renderer)) }
    }

    /// The user may have given C to something else.
    private static func coverKeys(_ keys: KeyBindings) -> [String] {
        keys[.letter("c")] == nil ? ["C", "F12"] : ["F12"]
    }

    /// The most urgent controls, which nothing may hide.
    private func coverAndTakeOff(
        _ panels: Panels, _ state: LiveState, _ drawing: LiveState.Panel.Drawing, _ send: Send
    ) {
        let switches = state.switches
        let isCovered = panels.checkbox(
            "cover everything (\(Self.coverKeys(state.keys).joined(separator: ", ")))", switches.isCovered)
        panels.hint(
            "\(drawing.coverReplacesPicture ? "Replaces" : "Blurs") the whole picture, in the window and in all outputs and "
                + "recordings.")
        if isCovered != switches.isCovered { send(.control(.cover(.init(isOn: isCovered)))) }
        if state.coversFaces { return }
        let isMaskOn = panels.checkbox("mask on (0)", switches.isMaskOn)
        panels.hint(
            "A mask does not hide who somebody is. The cover does; so does 'bauta live --anonymise', face by face.")
        if isMaskOn != switches.isMaskOn { send(.control(.mask(.init(isOn: isMaskOn)))) }
    }

    /// The button that opens the panel without a key: shown while the mouse moves, and to those who point with the
    /// nose.
    private func showOpeningButton(_ panels: Panels, _ handsFree: HandsFree, _ send: Send) {
        let isPointing = handsFree.following?.pointer?.phase == .pointing
        guard panels.mouseRest < 3 || isPointing, !isOpen else { return }
        panels.floating("open the panel", x: 12, y: 12) {
            if panels.button("masks and settings", icon: .gear) { send(.showPanel(.on)) }
            panels.hint("Tab")
        }
    }

    private func steerWindow(_ panels: Panels, _ send: Send) {
        panels.heading("Window", icon: .gear)
        if panels.button("help (H)", icon: .help) { send(.toggleHelp) }
        panels.sameLine(ifRoomFor: "full screen (F)")
        if panels.button("full screen (F)", icon: .fullScreen) { send(.toggleFullScreen) }
        panels.sameLine(ifRoomFor: "quit (Q)")
        if panels.button("quit (Q)", icon: .quit) { send(.byUser(.quit)) }
    }

    private func showStatistics(_ panels: Panels, _ state: LiveState, _ second: LiveStatistics.Summary) {
        func text(_ value: Double) -> String { "\(Double(Int(value * 10)) / 10)" }
        panels.heading("Statistics", icon: .chart)
        panels.value("source", state.sourceName)
        panels.value("frames", "\(text(second.framesPerSecond)) per second\(Self.leftOut(second))")
        for (name, (median, slowest)) in zip(LiveStatistics.stages, zip(second.medians, second.slowest)) {
            panels.value(Self.stages[name] ?? name, "\(text(median)) ms, at most \(text(slowest)) ms")
        }
        // Tooltips would hide the figures.
        panels.text(
            "Median and slowest frame of the last second. Output: to the window and recordings. Delay: from the camera to the "
                + "screen. What comes faster than this machine draws is left out, so that the picture does not lag.")
    }

    /// How much of what the source gave, for the user; empty: nothing.
    private static func leftOut(_ second: LiveStatistics.Summary) -> String {
        let percent = Int(100 * second.droppedShare)
        return percent > 0 ? ", \(percent) % left out" : ""
    }

    /// The stages of `LiveStatistics`, in words.
    private static let stages = ["track": "tracking", "draw": "drawing", "show": "output", "delay": "delay"]
}
