import CGraphics
import CImGui
import Glibc
import Graphics
import Pixels

/// A user action in a window.
package enum WindowEvent: Equatable, Sendable {
    case key(Key)
    /// The path of a file or folder that was dropped on the window.
    case dropped(String)
    case closed
    /// The display server has ended. Nothing can be asked or shown any more; what is not finished is to be kept.
    case displayLost

    package enum Key: Equatable, Sendable {
        case left, right, space, tab, escape
        /// Tab while Shift is held.
        case backTab
        case pageUp, pageDown, home, end, comma, period
        /// "/" or "~" while a dialog is open: a path begins. It is written once the next frame has given a field the keyboard.
        case slash
        /// Also on the keypad.
        case plus, minus
        case enter
        case up, down, delete, backspace
        case letter(Character)
        /// "[" or "]".
        case bracket(isClosing: Bool)
        case digit(Int)
        /// F1 to F12.
        case function(Int)
        /// A letter, "+" or "-" while Ctrl is held.
        case control(Character, shift: Bool)

        /// Whether it is an event while the user types into a field, too. Fields take what writes, and the keys that edit text.
        package var passesFields: Bool {
            switch self {
            case .function, .enter: true
            case .control(let letter, _): !"acvxyz".contains(letter)
            default: false
            }
        }
    }
}

/// A resizable window with an OpenGL 3.3 core context, through SDL2 (X11 and Wayland), at the full resolution of
/// high-density screens. It must be created and used on the process's main thread.
package final class DisplayWindow: GraphicsContext {
    /// Exists as long as this object, also if that fails half made.
    private let opened: OpenedWindow
    private var window: OpaquePointer { opened.window }
    /// Nil only at the end: its OpenGL objects go before the context.
    private var presenter: FramePresenter?
    package private(set) var isFullScreen = false
    /// Whether the keyboard reaches all controls of the panel, or of `Panels.controls`: then Tab, Up and Down are events while the user types into a
    /// field, too.
    package var steersPanel = false
    /// Whether a dialog is open: then Escape is an event while the user types into a field, too.
    package var showsDialog = false
    /// Whether the text that is waiting has been told as `Key.slash`.
    private var hasBegunPath = false
    /// The letters that begin a search: what they write waits for the field that is to get the keyboard in the next frame.
    package var searchLetters: Set<Character> = []
    /// Whether the user types into a field.
    package var isTyping: Bool { hasPanels && cimgui_wants_text() }
    /// The letter that is held down, without Shift, Ctrl, Alt or Super; nil: none is.
    package private(set) var heldLetter: Character?
    /// The size of the window's unit in the desktop's units, 0.5 to 4. It must not be set during `show`.
    package var scale: Float = 1 {
        didSet { if hasPanels, scale != oldValue { cimgui_set_scale(scale, scale * pixelsPerPoint) } }
    }
    package static let scaleRange: ClosedRange<Float> = 0.5...4
    private var hasPanels = false
    /// Where the context of `makeContext` is current on its thread; nil: nobody has asked for it.
    private var hidden: (window: OpaquePointer, context: SDL_GLContext)?
    /// Whether the last call of `events` received any SDL event, including those that are no `WindowEvent`.
    package private(set) var isActive = false
    /// Whether that was the keyboard's, while it wrote into a field.
    package private(set) var isTypedInto = false
    /// The event that has to wait for the next frame, with all behind it; nil: none.
    private var waitingEvent: SDL_Event?
    /// Whether buffers have been swapped once.
    private var hasShown = false

    /// - Parameters:
    ///   - width: in the window's units, not in pixels of the screen. The same applies to `height`. A window is never
    ///     larger than the desktop.
    ///   - scale: the size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
    ///   - isForWork: whether the window takes 80 % of the desktop's width and height where that is more than `width` and
    ///     `height`, and at most 90 %.
    /// - Throws: `GraphicsError` of kind `noOpenGL` without a display or without OpenGL 3.3 on it.
    package init(
        title: String, width: Int, height: Int, scale: Float? = nil, isForWork: Bool = false, shaders: ShaderSources
    ) throws(GraphicsError) {
        // X11 encodes titles by the locale; without a UTF-8 locale only ASCII would be shown.
        if setlocale(LC_CTYPE, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
            setlocale(LC_CTYPE, "C.UTF-8")
        }
        opened = try OpenedWindow(
            title: title, width: width, height: height,
            flags: SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue)
        let isWayland = opened.driver == "wayland"
        // Synchronise with the screen's refresh to avoid tearing. Wayland never tears, and does not refresh what nobody
        // sees: waiting for that would slow down recordings and virtual cameras while the window is hidden.
        SDL_GL_SetSwapInterval(isWayland ? 0 : 1)
        presenter = try FramePresenter(shaders)
        let unit = scale ?? cimgui_desktop_scale(UnsafeMutableRawPointer(window))
        // X11's window managers limit the size themselves, but some forget the title's bar.
        if unit != 1 || isWayland || isForWork || isTooHigh {
            resize(width: Float(width) * unit, height: Float(height) * unit, isForWork: isForWork)
        }
        self.scale = unit
        hasPanels = cimgui_start(UnsafeMutableRawPointer(window), opened.context, unit, unit * pixelsPerPoint)
    }

    /// Pixels of the screen per unit of the desktop.
    private var pixelsPerPoint: Float {
        var (points, pixels) = (Int32(0), Int32(0))
        SDL_GetWindowSize(window, &points, nil)
        SDL_GL_GetDrawableSize(window, &pixels, nil)
        return Float(pixels) / Float(max(points, 1))
    }

    /// Below the title's bar, in the desktop's units.
    private static func heightOfRoom(_ room: SDL_Rect) -> Int32 { max(100, room.h - 36) }

    private var isTooHigh: Bool {
        var (room, height) = (SDL_Rect(), Int32(0))
        guard SDL_GetDisplayUsableBounds(max(0, SDL_GetWindowDisplayIndex(window)), &room) == 0 else { return false }
        SDL_GetWindowSize(window, nil, &height)
        return height > Self.heightOfRoom(room)
    }

    /// In the desktop's units. The window stays in the middle of the desktop.
    private func resize(width: Float, height: Float, isForWork: Bool) {
        var room = SDL_Rect()
        guard SDL_GetDisplayUsableBounds(max(0, SDL_GetWindowDisplayIndex(window)), &room) == 0 else { return }
        func side(_ wanted: Float, of room: Int32) -> Int32 {
            let room = Float(room)
            return Int32(isForWork ? min(max(wanted, 0.8 * room), 0.9 * room) : min(wanted, room))
        }
        let size = (width: side(width, of: room.w), height: min(side(height, of: room.h), Self.heightOfRoom(room)))
        var old = (width: Int32(0), height: Int32(0))
        SDL_GetWindowSize(window, &old.width, &old.height)
        guard size != old else { return }
        SDL_SetWindowSize(window, size.width, size.height)
        SDL_SetWindowPosition(window, room.x + (room.w - size.width) / 2, room.y + (room.h - size.height) / 2)
    }

    deinit {
        guard !cgraphics_display_is_lost() else { return }
        if hasPanels { cimgui_stop() }
        presenter = nil
        guard let hidden else { return }
        SDL_GL_DeleteContext(hidden.context)
        SDL_DestroyWindow(hidden.window)
    }

    /// An OpenGL context for another thread, at most one for each window. It must be gone before the window is.
    /// - Throws: `GraphicsError` of kind `noOpenGL`.
    package func makeContext() throws(GraphicsError) -> ThreadContext {
        defer { SDL_GL_MakeCurrent(window, opened.context) }
        if hidden == nil, let (window, context) = OpenedWindow.open("Bauta", 16, 16, SDL_WINDOW_HIDDEN.rawValue) {
            hidden = (window, context)
        }
        guard let hidden else { throw GraphicsError(.noOpenGL, OffscreenContext.obstacle) }
        // It is not to be current on two threads.
        SDL_GL_MakeCurrent(nil, nil)
        return ThreadContext(window: hidden.window, context: hidden.context)
    }

    /// The user's actions since the last call, oldest first. Keys that panels could not tell apart in one frame come with
    /// later calls, after `show`.
    package func events() -> [WindowEvent] {
        var result: [WindowEvent] = []
        (isActive, isTypedInto) = (false, false)
        while !cgraphics_display_is_lost(), var event = nextEvent() {
            isActive = true
            let isOfKeyboard = event.type == SDL_KEYDOWN.rawValue || event.type == SDL_TEXTINPUT.rawValue
            if hasPanels, isOfKeyboard, cimgui_wants_text() { isTypedInto = true }
            if hasPanels {
                // There is no next frame while nobody can see the window, and it may be closed.
                if isVisible, cimgui_must_wait(&event) {
                    waitingEvent = event
                    break
                }
                if !(steersPanel && Self.isTab(event)), !beginsPath(event) { cimgui_process_event(&event) }
            }
            if beginsPath(event) {
                result.append(.key(.slash))
                (waitingEvent, hasBegunPath) = (event, true)
                cimgui_hold_keys()
                break
            }
            hasBegunPath = false
            switch SDL_EventType(rawValue: event.type) {
            case SDL_WINDOWEVENT where event.window.event == UInt8(SDL_WINDOWEVENT_CLOSE.rawValue):
                result.append(.closed)
            case SDL_QUIT: cgraphics_lose_display()
            case SDL_WINDOWEVENT where event.window.event == UInt8(SDL_WINDOWEVENT_FOCUS_LOST.rawValue):
                heldLetter = nil
            case SDL_KEYUP: if Self.letter(event.key.keysym) == heldLetter { heldLetter = nil }
            case SDL_KEYDOWN where event.key.repeat == 0:
                guard let key = Self.key(event.key.keysym) else { break }
                let isForField = hasPanels && cimgui_wants_text()
                let steers = steersPanel && [.up, .down, .tab, .backTab].contains(key)
                let closes = showsDialog && key == .escape
                guard key.passesFields || steers || closes || !isForField else { break }
                result.append(.key(key))
                if case .letter(let letter) = key {
                    if hasPanels, searchLetters.contains(letter) {
                        cimgui_hold_keys()
                    } else if event.key.keysym.mod & 0x0003 == 0 {
                        heldLetter = letter
                    }
                }
                // What follows is for the field for searching, once the next frame has given it the keyboard.
                if hasPanels, case .control("f", _) = key { cimgui_hold_keys() }
                // The next key is for the control that this one leads to.
                let moves = Self.isTab(event) || hasPanels && Self.panelKey(key).map(cimgui_is_led_by) ?? false
                if steersPanel, moves || key == .function(6) { cimgui_hold_keys() }
            case SDL_DROPFILE:
                if let file = event.drop.file {
                    result.append(.dropped(String(cString: file)))
                    SDL_free(file)
                }
            default: break
            }
        }
        if cgraphics_display_is_lost() { result.append(.displayLost) }
        return result
    }

    /// Whether a path begins that no field takes yet; of each text, once.
    private func beginsPath(_ event: SDL_Event) -> Bool {
        guard showsDialog, hasPanels, !hasBegunPath, event.type == SDL_TEXTINPUT.rawValue else { return false }
        return !cimgui_wants_text() && [0x2F, 0x7E].contains(event.text.text.0)
    }

    private static func isTab(_ event: SDL_Event) -> Bool {
        let isKey = event.type == SDL_KEYDOWN.rawValue || event.type == SDL_KEYUP.rawValue
        return isKey && event.key.keysym.sym == 9
    }

    /// Gives a key to the panel: Tab goes to the next control, Shift+Tab to the one before; F6 and Shift+F6 to the first one of
    /// a section; arrows, Enter and space are for the control that has the keyboard.
    /// - Returns: false: no control takes it.
    package func steer(_ key: WindowEvent.Key) -> Bool {
        guard hasPanels else { return false }
        // As in other programs of the desktop.
        if key == .function(6) {
            return cimgui_press_key(isShiftDown ? cimgui_key_section_before : cimgui_key_next_section)
        }
        guard let pressed = Self.panelKey(key) else { return false }
        return cimgui_press_key(pressed)
    }

    /// Whether a control of the panel has the keyboard.
    package var hasControl: Bool { hasPanels && cimgui_has_control() }

    /// Whether the keyboard is in the pictures of a gallery.
    package var isInGallery: Bool { hasPanels && cimgui_is_in_gallery() }

    /// Gives a key to an open list: Up and Down go from row to row, Enter and space choose.
    /// - Returns: false: no list is open.
    package func steerList(_ key: WindowEvent.Key) -> Bool {
        guard hasPanels, let pressed = Self.panelKey(key) else { return false }
        return cimgui_press_key_of_list(pressed)
    }

    /// Scrolls the panel by so many pages; down is positive.
    package func scrollPanel(pages: Int) { if hasPanels { cimgui_scroll_panel(Int32(pages)) } }

    /// Takes the keyboard from the control of a panel that has it.
    /// - Returns: false if none has.
    package func leaveControl() -> Bool { hasPanels && cimgui_leave_control() }

    private static func panelKey(_ key: WindowEvent.Key) -> cimgui_key? {
        switch key {
        case .tab: cimgui_key_next
        case .backTab: cimgui_key_before
        case .enter, .space: cimgui_key_press
        case .left: cimgui_key_left
        case .right: cimgui_key_right
        case .up: cimgui_key_up
        case .down: cimgui_key_down
        default: nil
        }
    }

    private func nextEvent() -> SDL_Event? {
        if let waitingEvent {
            self.waitingEvent = nil
            return waitingEvent
        }
        var event = SDL_Event()
        return cgraphics_poll_event(&event) != 0 ? event : nil
    }

    private static func key(_ symbol: SDL_Keysym) -> WindowEvent.Key? {
        let (control, shift, alt, desktop) = (Int32(0x00C0), Int32(0x0003), Int32(0x0300), Int32(0x0C00))
        let held = Int32(symbol.mod)
        // Combinations with Alt or Super belong to the desktop.
        guard held & (alt | desktop) == 0 else { return nil }
        if held & control != 0 {
            let sign: Character? = isPlus(symbol) ? "+" : isMinus(symbol) ? "-" : nil
            return (sign ?? letter(symbol)).map { .control($0, shift: held & shift != 0) }
        }
        switch symbol.sym {
        case Int32(bitPattern: SDLK_LEFT.rawValue): return .left
        case Int32(bitPattern: SDLK_RIGHT.rawValue): return .right
        case Int32(bitPattern: SDLK_UP.rawValue): return .up
        case Int32(bitPattern: SDLK_DOWN.rawValue): return .down
        case 127: return .delete
        case 8: return .backspace
        case Int32(bitPattern: SDLK_PAGEUP.rawValue): return .pageUp
        case Int32(bitPattern: SDLK_PAGEDOWN.rawValue): return .pageDown
        case Int32(bitPattern: SDLK_HOME.rawValue): return .home
        case Int32(bitPattern: SDLK_END.rawValue): return .end
        case 9: return held & shift != 0 ? .backTab : .tab
        case _ where isPlus(symbol): return .plus
        case _ where isMinus(symbol): return .minus
        case 44: return .comma
        case 46: return .period
        case 13, Int32(bitPattern: SDLK_KP_ENTER.rawValue): return .enter
        case 27: return .escape
        case 32: return .space
        case Int32(bitPattern: SDLK_F1.rawValue)...Int32(bitPattern: SDLK_F12.rawValue):
            return .function(Int(symbol.sym) - Int(SDLK_F1.rawValue) + 1)
        case 48...57: return .digit(Int(symbol.sym) - 48)
        case 91, 93: return .bracket(isClosing: symbol.sym == 93)
        default: return letter(symbol).map { .letter($0) }
        }
    }

    private static func isPlus(_ symbol: SDL_Keysym) -> Bool {
        [43, 61, Int32(bitPattern: SDLK_KP_PLUS.rawValue)].contains(symbol.sym)
    }

    private static func isMinus(_ symbol: SDL_Keysym) -> Bool {
        [45, Int32(bitPattern: SDLK_KP_MINUS.rawValue)].contains(symbol.sym)
    }

    /// Whatever else is held; nil: another key.
    private static func letter(_ symbol: SDL_Keysym) -> Character? {
        (97...122).contains(symbol.sym) ? Unicode.Scalar(UInt32(symbol.sym)).map { Character($0) } : nil
    }

    /// Makes texts and controls larger by so many steps of a tenth; smaller is negative.
    /// - Returns: whether they could be made so.
    package func enlarge(steps: Int) -> Bool {
        let wanted = (100 * scale * (steps > 0 ? 1.1 : 1 / 1.1)).rounded() / 100
        let new = min(max(wanted, Self.scaleRange.lowerBound), Self.scaleRange.upperBound)
        defer { scale = new }
        return new != scale
    }

    /// Whether Shift is held.
    package var isShiftDown: Bool { SDL_GetModState().rawValue & 0x0003 != 0 }

    // MARK: Showing

    /// Whether the window is on the screen. Desktops do not say whether others cover it.
    package var isVisible: Bool {
        SDL_GetWindowFlags(window) & (SDL_WINDOW_MINIMIZED.rawValue | SDL_WINDOW_HIDDEN.rawValue) == 0
    }

    package func toggleFullScreen() {
        isFullScreen.toggle()
        SDL_SetWindowFullscreen(window, isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
    }

    /// Closes an open list of a panel.
    /// - Returns: false if none exists.
    package func closeLists() -> Bool { cimgui_close_lists() }

    package var title: String = "" {
        didSet { if title != oldValue { SDL_SetWindowTitle(window, title) } }
    }

    /// Sets the picture to show, `rgba8`.
    package func upload(_ picture: borrowing PixelBuffer) { presenter?.upload(picture) }

    /// A replacement for the mouse over the panels, while mouse and keyboard rest.
    package struct Pointer: Sendable {
        /// In the window, 0…1 from its left and its top.
        let (x, y): (Float, Float)
        /// Whether the button is down.
        package var isDown: Bool

        package init(x: Float, y: Float, isDown: Bool) { (self.x, self.y, self.isDown) = (x, y, isDown) }
    }

    /// Draws the picture and the panels over it, and swaps buffers.
    /// - Parameter pointer: nil: the mouse itself.
    package func show(isMirrored: Bool, pointer: Pointer? = nil, panels: (Panels) -> Void) {
        guard !cgraphics_display_is_lost() else { return }
        var (width, height) = (Int32(0), Int32(0))
        SDL_GL_GetDrawableSize(window, &width, &height)
        let share = hasPanels ? cimgui_panel_share() : 0
        func drawPicture() {
            presenter?.draw(
                windowWidth: Int(width), windowHeight: Int(height), left: Int(share * Float(width)),
                isMirrored: isMirrored)
        }
        drawPicture()
        // The desktop may have made the window smaller than was asked for. Without a graphics card, Mesa learns of that when
        // buffers are swapped: until then the picture would be too high.
        if !hasShown {
            hasShown = true
            SDL_GL_SwapWindow(window)
            drawPicture()
        }
        if hasPanels {
            if let pointer { cimgui_point(pointer.x, pointer.y, pointer.isDown) }
            cimgui_begin_frame()
            panels(Panels())
            cimgui_end_frame()
        }
        SDL_GL_SwapWindow(window)
    }
}
