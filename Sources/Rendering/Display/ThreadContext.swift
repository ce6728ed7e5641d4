import CGraphics
import Graphics

/// An OpenGL context beside that of a window, for one other thread. `makeCurrent` is called on that thread first, and the
/// last reference goes there.
package final class ThreadContext: GraphicsContext, @unchecked Sendable {
    private let window: OpaquePointer
    private let context: SDL_GLContext

    init(window: OpaquePointer, context: SDL_GLContext) { (self.window, self.context) = (window, context) }

    deinit { SDL_GL_MakeCurrent(nil, nil) }

    /// - Throws: `GraphicsError` of kind `noOpenGL`.
    package func makeCurrent() throws(GraphicsError) {
        guard SDL_GL_MakeCurrent(window, context) == 0 else {
            throw GraphicsError(.noOpenGL, OffscreenContext.obstacle)
        }
    }
}
