import CGraphics
import Pixels

/// A frame buffer object that draws into textures.
package final class FrameBuffer {
    private let name: GLuint

    package init() {
        var name: GLuint = 0
        glGenFramebuffers(1, &name)
        self.name = name
    }

    deinit {
        var name = name
        glDeleteFramebuffers(1, &name)
    }

    /// Binds the frame buffer for drawing and reading.
    package func bind() { glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name) }

    /// Binds the frame buffer and makes it draw into a texture.
    /// - Throws: `GraphicsError` of kind `failed` if the driver cannot draw into such a texture.
    package func attach(_ texture: Texture2D) throws(GraphicsError) {
        bind()
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture.name, 0)
        guard glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            throw GraphicsError(
                .failed, "this OpenGL cannot draw into textures of \(texture.width) × \(texture.height) pixels")
        }
    }

    package func detach() {
        bind()
        glFramebufferTexture2D(GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), 0, 0)
    }

    /// Copies an area of what has been drawn to the same place of a texture.
    package func copy(_ area: PixelRectangle, into texture: Texture2D) {
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        texture.bind()
        glCopyTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, GLint(area.x), GLint(area.y), GLint(area.x), GLint(area.y), GLsizei(area.width),
            GLsizei(area.height))
        bind()
    }

    /// Reads the top left corner of what has been drawn into a rectangle of a picture.
    package func read(into picture: inout PixelBuffer, _ rectangle: PixelRectangle) {
        let (format, bytesPerRow) = (picture.format, picture.bytesPerRow)
        let pixelBytes = format.bytesPerPixel
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(bytesPerRow / pixelBytes))
        picture.withUnsafeMutableBytes { bytes in
            glReadPixels(
                0, 0, GLsizei(rectangle.width), GLsizei(rectangle.height), format.components, format.componentType,
                bytes.baseAddress.map { $0 + rectangle.y * bytesPerRow + rectangle.x * pixelBytes })
        }
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
    }
}
