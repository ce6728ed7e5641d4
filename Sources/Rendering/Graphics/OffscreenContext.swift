import CGraphics
import Machine
import Synchronization

/// An OpenGL 3.3 core context without a window or a display, through SDL's `offscreen` video driver (EGL). It is
/// current on the thread that created it and belongs to that thread.
package final class OffscreenContext: GraphicsContext {
    private let window: OpaquePointer
    private let context: SDL_GLContext

    /// SDL has one video system per process, which is not thread-safe.
    private static let videoSystem = Mutex(())

    /// - Throws: `GraphicsError` of kind `noOpenGL` that names the packages to install.
    package init() throws(GraphicsError) {
        let opened = Self.videoSystem.withLock { _ in Self.open() }
        guard let opened else { throw Self.noOpenGL() }
        window = opened.window
        context = opened.context
    }

    deinit {
        Self.videoSystem.withLock { _ in
            SDL_GL_DeleteContext(context)
            SDL_DestroyWindow(window)
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
        }
    }

    /// Nil on failure; `SDL_GetError` then has the reason.
    private static func open() -> (window: OpaquePointer, context: SDL_GLContext)? {
        SDL_SetMainReady()
        // The program handles interrupts itself.
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE)
        // Reference-counted: with SDL_VideoInit, a second context would close the video system of the first.
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { return nil }
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, Int32(SDL_GL_CONTEXT_PROFILE_CORE.rawValue))
        let flags = SDL_WINDOW_OPENGL.rawValue | SDL_WINDOW_HIDDEN.rawValue
        if let window = SDL_CreateWindow("bauta", 0, 0, 16, 16, flags) {
            if let context = SDL_GL_CreateContext(window) { return (window, context) }
            SDL_DestroyWindow(window)
        }
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
        return nil
    }

    package static func noOpenGL() -> GraphicsError {
        GraphicsError(
            .noOpenGL, "\(obstacle). For OpenGL in software: \(SystemRelease.current.remedy(.openGL))")
    }

    /// Why no context could be made, if the last attempt failed: `noOpenGL` without its remedy.
    package static var obstacle: String {
        "OpenGL 3.3 is not available (SDL: \(String(cString: SDL_GetError())))"
    }
}
