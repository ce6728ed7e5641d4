import CGraphics
import Pixels

/// A piece of the picture on the GPU, twice: as it was (to read) and as it becomes (to draw into).
final class TileTarget {
    /// Larger rectangles are drawn in pieces, so that memory on the GPU has a bound.
    static let side = 2048

    private let before: GLuint
    private let after: GLuint
    private let frameBuffers: [GLuint]
    private let componentType: GLenum

    init(format: PixelFormat) throws(RenderingError) {
        let internalFormat = format == .rgba16 ? GL_RGBA16 : GL_RGBA8
        componentType = GLenum(format == .rgba16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE)
        var textures: [GLuint] = [0, 0]
        glGenTextures(2, &textures)
        var frameBuffers: [GLuint] = [0, 0]
        glGenFramebuffers(2, &frameBuffers)
        before = textures[0]
        after = textures[1]
        self.frameBuffers = frameBuffers
        for (texture, frameBuffer) in zip(textures, frameBuffers) {
            glBindTexture(GLenum(GL_TEXTURE_2D), texture)
            glTexImage2D(
                GLenum(GL_TEXTURE_2D), 0, internalFormat, GLsizei(Self.side), GLsizei(Self.side), 0, GLenum(GL_RGBA),
                componentType, nil)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
            glBindFramebuffer(GLenum(GL_FRAMEBUFFER), frameBuffer)
            glFramebufferTexture2D(
                GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
            guard glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
                throw RenderingError(.failed, "this OpenGL cannot draw into pictures of \(format)")
            }
        }
    }

    deinit {
        glDeleteFramebuffers(2, frameBuffers)
        glDeleteTextures(2, [before, after])
    }

    /// Brings a piece of the picture to the GPU, into the target to draw on.
    func upload(_ picture: borrowing PixelBuffer, _ tile: PixelRectangle) {
        let (pixelBytes, bytesPerRow) = (picture.format.bytesPerPixel, picture.bytesPerRow)
        glBindTexture(GLenum(GL_TEXTURE_2D), after)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(bytesPerRow / pixelBytes))
        picture.withUnsafeBytes { bytes in
            glTexSubImage2D(
                GLenum(GL_TEXTURE_2D), 0, 0, 0, GLsizei(tile.width), GLsizei(tile.height), GLenum(GL_RGBA),
                componentType, bytes.baseAddress.map { $0 + tile.y * bytesPerRow + tile.x * pixelBytes })
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    }

    /// From now on the tile is drawn into.
    func begin() { glBindFramebuffer(GLenum(GL_FRAMEBUFFER), frameBuffers[1]) }

    /// What has been drawn so far becomes what the next layer reads; only the part inside `area` (in the tile) is
    /// copied.
    func beginLayer(area: PixelRectangle) {
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), frameBuffers[1])
        glBindTexture(GLenum(GL_TEXTURE_2D), before)
        glCopyTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, GLint(area.x), GLint(area.y), GLint(area.x), GLint(area.y), GLsizei(area.width),
            GLsizei(area.height))
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), frameBuffers[1])
    }

    /// The texture with the picture below the layer that is being drawn.
    var picture: GLuint { before }

    /// Brings the piece back.
    func download(_ tile: PixelRectangle, into picture: inout PixelBuffer) {
        let (pixelBytes, bytesPerRow) = (picture.format.bytesPerPixel, picture.bytesPerRow)
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), frameBuffers[1])
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(bytesPerRow / pixelBytes))
        picture.withUnsafeMutableBytes { bytes in
            glReadPixels(
                0, 0, GLsizei(tile.width), GLsizei(tile.height), GLenum(GL_RGBA), componentType,
                bytes.baseAddress.map { $0 + tile.y * bytesPerRow + tile.x * pixelBytes })
        }
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
    }
}
