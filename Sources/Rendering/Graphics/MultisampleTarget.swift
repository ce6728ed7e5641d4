import CGraphics
import Pixels

/// A frame buffer with four samples per pixel and a depth buffer.
package final class MultisampleTarget {
    private let frameBuffer: GLuint
    private let color: GLuint
    private let depth: GLuint
    /// In pixels.
    private var width = 0
    private var height = 0
    private let resolving = FrameBuffer()

    package init() {
        var names: [GLuint] = [0, 0]
        glGenRenderbuffers(2, &names)
        (color, depth) = (names[0], names[1])
        glGenFramebuffers(1, &names)
        frameBuffer = names[0]
    }

    deinit {
        glDeleteFramebuffers(1, [frameBuffer])
        glDeleteRenderbuffers(2, [color, depth])
    }

    /// Binds it for drawing into its top left corner, which becomes transparent and infinitely far.
    /// - Throws: `GraphicsError` of kind `failed` if the driver has no such frame buffers.
    package func begin(width: Int, height: Int) throws(GraphicsError) {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), frameBuffer)
        if width > self.width || height > self.height {
            // In steps, so that a growing face does not allocate in every picture.
            self.width = (max(width, self.width) + 127) / 128 * 128
            self.height = (max(height, self.height) + 127) / 128 * 128
            try allocate()
        }
        glViewport(0, 0, GLsizei(width), GLsizei(height))
        glClearColor(0, 0, 0, 0)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT) | GLbitfield(GL_DEPTH_BUFFER_BIT))
    }

    private func allocate() throws(GraphicsError) {
        let parts = [
            (color, GL_RGBA8, GL_COLOR_ATTACHMENT0), (depth, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT),
        ]
        for (buffer, format, attachment) in parts {
            glBindRenderbuffer(GLenum(GL_RENDERBUFFER), buffer)
            glRenderbufferStorageMultisample(
                GLenum(GL_RENDERBUFFER), 4, GLenum(format), GLsizei(width), GLsizei(height))
            glFramebufferRenderbuffer(
                GLenum(GL_FRAMEBUFFER), GLenum(attachment), GLenum(GL_RENDERBUFFER), buffer)
        }
        guard glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            (width, height) = (0, 0)
            throw GraphicsError(
                .failed, "this OpenGL cannot draw with four samples per pixel and depth; use --renderer software")
        }
    }

    /// Writes the means of the samples into the top left corner of a texture, which becomes at least as large.
    package func resolve(into texture: Texture2D, width: Int, height: Int) throws(GraphicsError) {
        if texture.width < width || texture.height < height {
            texture.allocate(width: self.width, height: self.height, format: .rgba8)
        }
        try resolving.attach(texture)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), frameBuffer)
        glBlitFramebuffer(
            0, 0, GLint(width), GLint(height), 0, 0, GLint(width), GLint(height), GLbitfield(GL_COLOR_BUFFER_BIT),
            GLenum(GL_NEAREST))
    }
}
