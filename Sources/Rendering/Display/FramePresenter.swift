import CGraphics
import Graphics
import Pixels

/// Shows pictures in a window, scaled to fit and centred.
final class FramePresenter {
    private let program: ShaderProgram
    private let array: GLuint
    private let texture = Texture2D()

    init(_ shaders: ShaderSources) throws(GraphicsError) {
        program = try ShaderProgram(shaders)
        var name: GLuint = 0
        glGenVertexArrays(1, &name)
        array = name
    }

    deinit {
        var array = array
        glDeleteVertexArrays(1, &array)
    }

    /// - Parameter picture: `rgba8`.
    func upload(_ picture: borrowing PixelBuffer) { texture.upload(picture) }

    /// Draws the picture that was uploaded last. The size of the window is in pixels.
    /// - Parameter left: pixels at the left that are left free.
    func draw(windowWidth: Int, windowHeight: Int, left: Int, isMirrored: Bool) {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), 0)
        glViewport(0, 0, GLsizei(windowWidth), GLsizei(windowHeight))
        glClearColor(0.06, 0.06, 0.07, 1)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        let windowWidth = windowWidth - left
        guard texture.width > 0, windowWidth > 0, windowHeight > 0 else { return }
        glDisable(GLenum(GL_CULL_FACE))
        glDisable(GLenum(GL_BLEND))
        glDisable(GLenum(GL_SCISSOR_TEST))
        glViewport(GLint(left), 0, GLsizei(windowWidth), GLsizei(windowHeight))
        glUseProgram(program.name)
        let scale = min(Float(windowWidth) / Float(texture.width), Float(windowHeight) / Float(texture.height))
        texture.bind()
        // At a scale of 1 no filtering is needed.
        texture.setFilter(scale == 1 ? .nearest : .linear)
        glUniform1i(program.uniform("picture"), 0)
        glUniform1i(program.uniform("isMirrored"), isMirrored ? 1 : 0)
        glUniform2f(
            program.uniform("extent"), scale * Float(texture.width) / Float(windowWidth),
            scale * Float(texture.height) / Float(windowHeight))
        glBindVertexArray(array)
        glDrawArrays(GLenum(GL_TRIANGLE_STRIP), 0, 4)
    }
}
