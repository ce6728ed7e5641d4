import CGraphics
import Graphics

/// A window of SDL with an OpenGL 3.3 core context, which is current. At its end it closes both, and SDL's video system.
final class OpenedWindow {
    let window: OpaquePointer
    let context: SDL_GLContext
    /// SDL's name of the display server: "wayland", "x11".
    let driver: String

    /// - Parameters:
    ///   - width: in the desktop's units. The same applies to `height`.
    ///   - flags: SDL's, besides that for OpenGL.
    /// - Throws: `GraphicsError` of kind `noOpenGL` without a display or without OpenGL 3.3 on it.
    init(title: String, width: Int, height: Int, flags: UInt32) throws(GraphicsError) {
        SDL_SetMainReady()
        // The program handles interrupts itself.
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
        SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "0")
        // Then it says so only when the display server ends.
        SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0")
        // The first server whose window fails says more than those that are not there.
        var (problem, isThere) = (Self.noDisplay(), false)
        for drivers in DisplayServers.drivers {
            SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, drivers, SDL_HINT_OVERRIDE)
            guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else {
                if !isThere, DisplayServers.hasChosenDriver || !GraphicsLibraries.hasSDL { problem = Self.noWindow() }
                continue
            }
            if let (window, context) = Self.open(title, width, height, flags) {
                (self.window, self.context) = (window, context)
                cgraphics_watch_display(window)
                driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
                return
            }
            if !isThere { (problem, isThere) = (Self.noWindow(), true) }
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
        }
        throw problem
    }

    deinit {
        // Xlib would end the process.
        guard !cgraphics_display_is_lost() else { return }
        SDL_GL_DeleteContext(context)
        SDL_DestroyWindow(window)
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
    }

    /// Nil on failure; `SDL_GetError` then has the reason.
    static func open(
        _ title: String, _ width: Int, _ height: Int, _ flags: UInt32
    ) -> (window: OpaquePointer, context: SDL_GLContext)? {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, Int32(SDL_GL_CONTEXT_PROFILE_CORE.rawValue))
        SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0)
        let center = Int32(bitPattern: 0x2FFF_0000)
        guard
            let window = SDL_CreateWindow(
                title, center, center, Int32(width), Int32(height), SDL_WINDOW_OPENGL.rawValue | flags)
        else { return nil }
        guard let context = SDL_GL_CreateContext(window) else {
            SDL_DestroyWindow(window)
            return nil
        }
        return (window, context)
    }

    private static func noDisplay() -> GraphicsError {
        GraphicsError(
            .noOpenGL,
            "no display can be opened: \(DisplayServers.description). Start the program in a desktop session; \(advice)"
        )
    }

    private static func noWindow() -> GraphicsError {
        GraphicsError(
            .noOpenGL,
            "no window can be opened (SDL: \(String(cString: SDL_GetError()))); \(advice)")
    }

    private static let advice = "'bauta live --headless' and 'bauta mask preview' need no display"
}
