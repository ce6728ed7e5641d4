import Display
import Files
import LiveControl
import Pixels

/// The window of a live session with its keys, panel and messages; or, without a window, only the messages. It is given what
/// it shows, and makes commands of what the user does; it changes nothing but itself.
final class LiveView {
    private let window: DisplayWindow?
    let messages: WindowMessages
    private let panel: LivePanel
    private var keys = KeyInput()
    /// Whether the user has closed the start page, to see what lies behind it.
    private var isStartPageClosed = false
    /// Whether the window shows the source's mirror image.
    var isMirrored = false
    /// Whether mesh and landmarks are drawn on what the window shows.
    var showsMesh = false

    /// - Parameter window: nil: none.
    init(_ window: DisplayWindow?, _ messages: WindowMessages, _ thumbnails: MaskThumbnails) {
        (self.window, self.messages) = (window, messages)
        panel = LivePanel(MaskGallery(thumbnails))
        window?.takesArrowsWhileTyping = true
    }

    var hasWindow: Bool { window != nil }

    // MARK: What the user does

    /// Passes on what the user has done since the last call.
    /// - Parameters:
    ///   - bindings: the commands of keys by the user's choice, which a command may change.
    ///   - send: carries a command out before the next one is made.
    func takeEvents(_ bindings: () -> KeyBindings, send: (SessionCommand) -> Void) {
        for event in window?.events() ?? [] {
            switch event {
            case .closed: send(.control(.quit))
            case .dropped(let path): send(.load(FilePath(path).withoutFinalSlashes))
            case .key(let key): if let command = keys.command(for: key, bindings()) { send(command) }
            }
        }
    }

    /// The first mask that the panel's search has found, as an index of `MaskList.entries`; nil: none.
    func firstFound(in masks: MaskList, lastUsed: [String]) -> Int? { panel.firstFound(in: masks, lastUsed: lastUsed) }

    /// The mask so many rows further down in the panel, likewise; nil: none, or the panel is closed.
    func mask(rows: Int, in masks: MaskList, lastUsed: [String]) -> Int? {
        panel.mask(rows: rows, in: masks, lastUsed: lastUsed)
    }

    /// Makes texts and controls larger by so many steps of a tenth.
    /// - Returns: their new size; nil: it cannot change any further.
    func enlarge(steps: Int) -> Float? {
        guard let window else { return nil }
        let range = LivePreferences.scaleRange
        let wanted = (100 * window.scale * (steps > 0 ? 1.1 : 1 / 1.1)).rounded() / 100
        let scale = min(max(wanted, range.lowerBound), range.upperBound)
        guard scale != window.scale else { return nil }
        window.scale = scale
        return scale
    }

    /// The next key gets a command.
    func askForKey(_ command: ControlCommand) { keys.commandForKey = command }
    /// The next key says whether a running recording is to be ended.
    func askToQuit() { keys.asksToQuit = true }

    // MARK: What it shows

    func say(_ text: String, isAlarm: Bool = false) { messages.say(text, isAlarm: isAlarm) }

    func showTitle(_ mask: String) { window?.title = "Bauta – \(mask)" }

    /// Sets the picture that `show` shows.
    func upload(_ pixels: borrowing PixelBuffer) { window?.upload(pixels) }

    /// Shows the last uploaded picture with the panel.
    /// - Returns: the commands that the user has given in the panel.
    func show(_ state: LiveState, pointer: DisplayWindow.Pointer?) -> [SessionCommand] {
        var (state, commands) = (state, [SessionCommand]())
        if state.startPage == nil { isStartPageClosed = false }
        if isStartPageClosed { state.startPage = nil }
        keys.startPage.page = panel.isOpen || panel.hidesStartPage ? nil : state.startPage
        window?.show(isMirrored: isMirrored, pointer: pointer) { panels in
            panel.draw(panels, state, messages, keys) { commands.append($0) }
        }
        return commands
    }

    var isPanelOpen: Bool {
        get { panel.isOpen }
        set { panel.isOpen = newValue }
    }

    /// Opens the panel, with the keyboard in the field for searching.
    func search() { panel.search() }

    /// In a small window the help takes the place of the panel.
    func toggleHelp() {
        if panel.isOpen, !panel.hasRoom {
            panel.isOpen = false
            if messages.helpOpacity > 0 { return }
        }
        messages.toggleHelp()
    }

    func toggleFullScreen() { window?.toggleFullScreen() }

    /// Closes a list of the panel, or what covers the desktop, full screen, or what covers the picture: help and panel, or
    /// else the start page.
    func closeFrontmost() {
        if window?.closeLists() == true { return }
        if let window, window.isFullScreen {
            window.toggleFullScreen()
        } else {
            isStartPageClosed = keys.startPage.page != nil && messages.helpOpacity == 0
            if messages.helpOpacity > 0 { messages.toggleHelp() }
            panel.isOpen = false
        }
    }
}
