import Display
import Files
import Glibc
import Graphics
import Threads

/// The window of a live session with its keys and panel, on the process's main thread. It shows the newest picture and state
/// that the session's thread has given, and makes commands of what the user does; what changes nothing but itself, it does by
/// itself.
final class SessionWindow {
    private let window: DisplayWindow
    private let exchange: WindowExchange
    private let messages: WindowMessages
    private let panel: LivePanel
    private let files: LiveFileDialog
    private var keys = KeyInput()
    /// What the session shows; nil: nothing yet.
    private var content: WindowExchange.Content?
    /// Whether the user has closed the start page, to see what lies behind it.
    private var isStartPageClosed = false
    /// Whether the user wants the start page, although there is a picture.
    private var wantsStartPage = false
    private var pace: DrawingPace

    /// The longest time in which events are not looked for, in seconds.
    private static let interval = 0.015

    /// Opens the window when the session wants it, and shows what the session gives, until it ends.
    static func serve(_ exchange: WindowExchange) {
        guard let opening = exchange.takeOpening() else { return }
        do throws(GraphicsError) {
            let window = try SessionWindow(opening, exchange)
            exchange.answerOpening(.success(window.window.isHardware))
            while !exchange.hasEnded { window.update() }
        } catch {
            exchange.answerOpening(.failure(error))
        }
    }

    private init(_ opening: WindowExchange.Opening, _ exchange: WindowExchange) throws(GraphicsError) {
        window = try DisplayWindow(
            title: "Bauta", width: 1280, height: 720, scale: opening.scale, shaders: opening.shaders)
        window.steersPanel = true
        (self.exchange, messages) = (exchange, opening.messages)
        pace = DrawingPace(isHardware: window.isHardware)
        panel = LivePanel(MaskGallery(MaskThumbnails(opening.thumbnails)))
        files = LiveFileDialog(sources: opening.folders.sources, backgrounds: opening.folders.backgrounds)
        if opening.isFullScreen { window.toggleFullScreen() }
    }

    private func update() {
        exchange.serveContext { () throws(GraphicsError) in try window.makeContext() }
        if exchange.takeQuestion() { keys.asksToQuit = true }
        // The newest picture waits until somebody sees the window.
        let pause = window.isVisible ? pace.pause(at: .now) : .seconds(Self.interval)
        let picture = pause == .zero ? exchange.takePicture(waiting: Self.interval) : nil
        // It belongs to the picture, and what keys mean depends on it.
        takeContent()
        takeEvents()
        if window.isActive || files.dialog.isOpen && files.dialog.isWaiting { pace.wake(at: .now) }
        guard pause == .zero else { return wait(pause) }
        let start = ContinuousClock.now
        guard picture != nil || pace.isDue(at: start) else { return }
        if let picture {
            window.upload(picture.pixels)
            panel.hasPicture = true
            show()
            exchange.giveBack(picture)
        } else {
            show()
        }
        content?.pointer?.isDown = false
        pace.drew(from: start, to: .now)
    }

    /// At most for `interval`, so that events are looked for in time.
    private func wait(_ pause: Duration) {
        usleep(UInt32(min(pause / .microseconds(1), 1e6 * Self.interval)))
    }

    private func takeContent() {
        // A click that has not been drawn yet is not lost.
        let isDown = content?.pointer?.isDown ?? false
        let source = content?.state.panel.devices.input
        content = exchange.takeContent(isPanelOpen: panel.isOpen)
        // Another source is there.
        if let source, source != content?.state.panel.devices.input { wantsStartPage = false }
        if isDown { content?.pointer?.isDown = true }
        keys.startPage.page = content.flatMap(startPage)
        // What the question was about has ended, and so it is answered.
        if keys.asksToQuit, let state = content?.state,
            KeyInput.quitQuestion(isRecording: state.switches.isRecording, isMakingGIF: state.isMakingGIF) == nil
        {
            keys.asksToQuit = false
            exchange.send(.askToQuit)
        }
    }

    /// What is seen of the start page.
    private func startPage(_ content: WindowExchange.Content) -> StartPage? {
        if content.state.startPage == nil { isStartPageClosed = false }
        keys.startPage.isBesidePanel = panel.isOpen
        return panel.hidesStartPage ? nil : shownStartPage(content)
    }

    private func shownStartPage(_ content: WindowExchange.Content) -> StartPage? {
        let found = content.state.panel.devices.found
        let another =
            wantsStartPage ? StartPage(insteadOfPicture: found.cameras, unusable: found.unusable) : nil
        return StartPage.seen(content.state.startPage, another: another, isClosed: isStartPageClosed)
    }

    private func show() {
        guard var content else {
            // Masks, networks and the source are being loaded.
            return window.show(isMirrored: false) { $0.overlay("opening", "Starting …", x: 0.5, y: 0.5) }
        }
        window.title = content.title
        keys.startPage.page = startPage(content)
        content.state.startPage = shownStartPage(content)
        var commands: [SessionCommand] = []
        panel.isBehindDialog = files.dialog.isOpen
        window.show(isMirrored: content.isMirrored, pointer: content.pointer) { panels in
            guard files.dialog.isOpen else {
                return panel.draw(panels, content.state, messages, keys) { commands.append($0) }
            }
            panels.controls {
                panels.disabled(true) { panel.draw(panels, content.state, messages, keys) { commands.append($0) } }
                files.dialog.draw(panels)
            }
        }
        commands.forEach(perform)
    }

    // MARK: What the user does

    private func takeEvents() {
        window.showsDialog = files.dialog.isOpen
        for event in window.events() {
            switch event {
            case .closed, .displayLost: perform(.control(.quit))
            case .dropped(let path):
                // Whoever looks at the page wants another source.
                let asSource = !panel.isOpen && keys.startPage.page?.hasPicture ?? false
                perform(.load(FilePath(path).withoutFinalSlashes, asSource: asSource))
            case .key(let key) where isForDialog(key):
                if files.dialog.takeLeave() { _ = window.leaveControl() }
                if !window.steerList(key), !window.steer(key) { files.dialog.press(key) }
            case .key(let key) where isForPanel(key): break
            case .key(let key):
                if let command = keys.command(for: key, content?.state.keys ?? KeyBindings()) { perform(command) }
            }
        }
    }

    /// Questions come first, and so do keys of the user's own.
    private func isFree(_ key: WindowEvent.Key) -> Bool {
        !keys.asksToQuit && keys.commandForKey == nil && content?.state.keys[key] == nil
    }

    /// Whether a control of the panel takes a key.
    private func isForPanel(_ key: WindowEvent.Key) -> Bool {
        guard panel.isOpen, isFree(key) else { return false }
        guard key == .pageUp || key == .pageDown else { return window.steer(key) }
        window.scrollPanel(pages: key == .pageUp ? -1 : 1)
        return true
    }

    /// Whether a key is for the dialog for files. That F12 covers holds always.
    private func isForDialog(_ key: WindowEvent.Key) -> Bool {
        if case .function = key { return false }
        return files.dialog.isOpen && isFree(key)
    }

    /// Does what is the window's, and passes on all else. Where faces are covered in place of wearing masks, the session
    /// refuses what needs masks.
    private func perform(_ command: SessionCommand) {
        let state = content?.state
        if let state, state.coversFaces && command.needsMasks { return exchange.send(command) }
        switch command {
        case .show, .load, .loadPictures, .useCamera: wantsStartPage = false
        default: break
        }
        if files.open(for: command, send: { [exchange] in exchange.send($0) }) { return }
        switch command {
        case .askToQuit where state?.switches.isRecording == true || state?.isMakingGIF == true: keys.asksToQuit = true
        case .wearFirstFound:
            guard let state else { return }
            let masks = state.panel.masks
            if let index = panel.firstFound(in: masks, lastUsed: state.panel.lastUsed) {
                exchange.send(.wear(index: index))
            }
        case .moveInGallery(let rows):
            guard let state else { return }
            let masks = state.panel.masks
            if let index = panel.mask(rows: rows, in: masks, lastUsed: state.panel.lastUsed) {
                exchange.send(.wear(index: index))
            }
        case .chooseKey(let command): keys.commandForKey = command
        case .showStartPage: (wantsStartPage, isStartPageClosed, panel.isOpen) = (true, false, false)
        case .showPanel(let change): panel.isOpen = change.applied(to: panel.isOpen)
        case .searchMasks: panel.search()
        case .toggleHelp: toggleHelp()
        case .toggleFullScreen: window.toggleFullScreen()
        case .enlarge(let steps): if window.enlarge(steps: steps) { exchange.send(.keepScale(window.scale)) }
        case .dismiss where state?.handsFree.following?.confirmation.pending == nil: closeFrontmost()
        default: exchange.send(command)
        }
    }

    /// In a small window the help takes the place of the panel.
    private func toggleHelp() {
        if panel.isOpen, !panel.hasRoom {
            panel.isOpen = false
            if messages.helpOpacity > 0 { return }
        }
        messages.toggleHelp()
    }

    /// Closes a list of the panel, or ends what takes the place of the mouse, or what covers the desktop, full screen, or what
    /// covers the picture: help and panel, or else the start page.
    private func closeFrontmost() {
        if window.closeLists() { return }
        if content?.state.handsFree.hasPointer == true { return exchange.send(.setPointing(false)) }
        if window.isFullScreen { return window.toggleFullScreen() }
        if messages.helpOpacity == 0 {
            // Behind the page that the user wanted is that of the source, if it has one.
            isStartPageClosed = !panel.isOpen && keys.startPage.page?.hasPicture == false
            wantsStartPage = false
        }
        if messages.helpOpacity > 0 { messages.toggleHelp() }
        panel.isOpen = false
    }
}
