import Display
import Files
import FrameProcessing

/// Keys, dropped files, and the choices in the panel.
extension LiveSession {
    static let help = """
        Left, Right, 1-9\tAnother mask
        0\tMask off and on
        C, F12\tCover everything
        Tab\tMasks and settings
        Ctrl+F\tSearch a mask, Enter wears it
        Space\tPause
        R\tStart or stop recording
        S\tSnapshot
        M\tMirror
        L\tMesh and landmarks
        F\tFull screen
        Esc\tLeave full screen, close panels
        H\tThis help
        Q\tQuit
        """

    func handleEvents() {
        guard let window else { return }
        let showedPanel = showsPanel
        for event in window.events() { handle(event) }
        // The panel does not wait until a mask has been drawn on the next frame.
        if showsPanel, !showedPanel { show() }
    }

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed: isRunning = false
        case .dropped(let path): load(dropped: FilePath(path).withoutFinalSlashes)
        case .key(let key): press(key)
        }
    }

    private func press(_ key: WindowEvent.Key) {
        let wasAskedToQuit = asksToQuit
        // Any other key answers no.
        asksToQuit = false
        if let command = commandForKey {
            commandForKey = nil
            return bind(key, to: command)
        }
        if let command = preferences.keys[key] { return perform(command, asksBeforeQuitting: !wasAskedToQuit) }
        switch key {
        case .left: choose(masks.index(behind: -1))
        case .right: choose(masks.index(behind: 1))
        case .digit(0): setMaskOff(!isMaskOff)
        case .letter("c"), .function(12): setCovered(!isCovered)
        case .digit(let number): if number <= masks.entries.count { choose(masks.order[number - 1]) }
        case .space: source.pause(!source.isPaused)
        case .tab: if showsPanel { showsPanel = false } else { openPanel() }
        case .control("f", _):
            openPanel()
            panel.focusesSearch = true
        case .enter: if showsPanel { panel.chooseFirstFound() }
        case .escape: if !takeBackGesture(), !wasAskedToQuit { closeFrontmost() }
        case .letter("q"): perform(.quit, asksBeforeQuitting: !wasAskedToQuit)
        case .letter("l"): showsMesh.toggle()
        case .letter("m"): setMirrored(!isMirrored)
        case .letter("f"): window?.toggleFullScreen()
        case .letter("s"): takeSnapshot()
        case .letter("r"): toggleRecording()
        case .letter("h"): toggleHelp()
        case .letter, .bracket, .up, .down, .delete, .control, .function: break
        }
    }

    func openPanel() { showsPanel = true }

    /// In a small window the help takes the place of the panel.
    func toggleHelp() {
        if showsPanel, !panel.hasRoom {
            showsPanel = false
            if messages.helpOpacity > 0 { return }
        }
        messages.toggleHelp()
    }

    /// Closes a list of the panel, or what covers the desktop, full screen, or what covers the picture: help and panel.
    private func closeFrontmost() {
        if window?.closeLists() == true { return }
        if let window, window.isFullScreen {
            window.toggleFullScreen()
        } else {
            if messages.helpOpacity > 0 { messages.toggleHelp() }
            showsPanel = false
        }
    }

    /// Chooses a mask.
    func choose(_ index: Int) {
        masks.choose(index)
        showMaskName()
    }

    /// Takes the mask off every face, or puts it on again. Everything else goes on.
    func setMaskOff(_ isMaskOff: Bool) {
        self.isMaskOff = isMaskOff
        messages.say(isMaskOff ? "The mask is off" : masks.current.name)
    }

    /// Saves the next frame as a picture.
    func takeSnapshot() {
        wantsSnapshot = true
        sayIfNothingIsShown()
    }

    private func sayIfNothingIsShown() {
        if frameCount == 0 { messages.say("There is no picture yet. It begins with the first one.") }
    }

    /// Stops the recording, or starts one with the next frame.
    func toggleRecording() {
        guard !outputs.isRecording else { return outputs.stopRecording() }
        wantsRecording = true
        sayIfNothingIsShown()
    }

    func showMaskName() {
        window?.title = "Bauta – \(masks.current.name)"
        messages.say(masks.current.name)
    }
}
