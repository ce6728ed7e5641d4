import CGraphics
import MaskRendering
import Pixels

/// Shows whole pictures in a window: as large as they fit, with bars beside them.
final class FramePresenter {
    private let program: ShaderProgram
    private let array: GLuint
    private var texture: GLuint = 0
    private var size = (width: 0, height: 0)

    init(_ shaders: ShaderSources) throws(RenderingError) {
        program = try ShaderProgram(shaders)
        var name: GLuint = 0
        glGenVertexArrays(1, &name)
        array = name
        glGenTextures(1, &texture)
    }

    deinit {
        glDeleteVertexArrays(1, [array])
        glDeleteTextures(1, [texture])
    }

    /// - Parameter picture: `rgba8`.
    func upload(_ picture: borrowing PixelBuffer) {
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        let (width, height) = (picture.width, picture.height)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(picture.bytesPerRow / 4))
        let isNew = size != (width, height)
        picture.withUnsafeBytes { bytes in
            if isNew {
                glTexImage2D(
                    GLenum(GL_TEXTURE_2D), 0, GL_RGBA8, GLsizei(width), GLsizei(height), 0, GLenum(GL_RGBA),
                    GLenum(GL_UNSIGNED_BYTE), bytes.baseAddress)
            } else {
                glTexSubImage2D(
                    GLenum(GL_TEXTURE_2D), 0, 0, 0, GLsizei(width), GLsizei(height), GLenum(GL_RGBA),
                    GLenum(GL_UNSIGNED_BYTE), bytes.baseAddress)
            }
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
        if isNew {
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        }
        size = (width, height)
    }

    /// Draws what was uploaded last into a window of that many pixels.
    func draw(windowWidth: Int, windowHeight: Int, isMirrored: Bool) {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), 0)
        glViewport(0, 0, GLsizei(windowWidth), GLsizei(windowHeight))
        glClearColor(0.06, 0.06, 0.07, 1)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        guard size.width > 0, windowWidth > 0, windowHeight > 0 else { return }
        glDisable(GLenum(GL_CULL_FACE))
        glDisable(GLenum(GL_BLEND))
        glDisable(GLenum(GL_SCISSOR_TEST))
        glUseProgram(program.name)
        let scale = min(Float(windowWidth) / Float(size.width), Float(windowHeight) / Float(size.height))
        // Pixel for pixel nothing needs filtering.
        let filter = scale == 1 ? GL_NEAREST : GL_LINEAR
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), filter)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), filter)
        glUniform1i(program.uniform("picture"), 0)
        glUniform1i(program.uniform("isMirrored"), isMirrored ? 1 : 0)
        glUniform2f(
            program.uniform("extent"), scale * Float(size.width) / Float(windowWidth),
            scale * Float(size.height) / Float(windowHeight))
        glBindVertexArray(array)
        glDrawArrays(GLenum(GL_TRIANGLE_STRIP), 0, 4)
    }
}
