import CGraphics

/// A cube of 8-bit RGBA values on the GPU, with trilinear interpolation: a colour look-up table.
package final class Texture3D {
    private let name: GLuint

    package init() {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        glBindTexture(GLenum(GL_TEXTURE_3D), name)
        for (parameter, value) in [
            (GL_TEXTURE_MIN_FILTER, GL_LINEAR), (GL_TEXTURE_MAG_FILTER, GL_LINEAR),
            (GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE), (GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE),
            (GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE),
        ] { glTexParameteri(GLenum(GL_TEXTURE_3D), GLenum(parameter), value) }
    }

    deinit {
        var name = name
        glDeleteTextures(1, &name)
    }

    /// - Parameter bytes: `side`³ × RGBA, x fastest.
    package func upload(_ bytes: [UInt8], side: Int) {
        precondition(bytes.count == 4 * side * side * side)
        glBindTexture(GLenum(GL_TEXTURE_3D), name)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        let side = GLsizei(side)
        glTexImage3D(
            GLenum(GL_TEXTURE_3D), 0, GL_RGBA8, side, side, side, 0, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), bytes)
    }

    package func bind(unit: Int) {
        glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
        glBindTexture(GLenum(GL_TEXTURE_3D), name)
        glActiveTexture(GLenum(GL_TEXTURE0))
    }
}
