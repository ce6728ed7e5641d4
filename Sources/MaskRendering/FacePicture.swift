import CGraphics
import FaceGeometry
import Pixels

/// A piece of the picture around a face as it was before anything was drawn, on the GPU: what distortions and traded
/// faces are made of.
final class FacePicture {
    let name: GLuint
    private var size = (width: 0, height: 0)
    private(set) var rectangle = PixelRectangle(x: 0, y: 0, width: 0, height: 0)

    init() {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        for (parameter, value) in [
            (GL_TEXTURE_MIN_FILTER, GL_LINEAR), (GL_TEXTURE_MAG_FILTER, GL_LINEAR),
            (GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE), (GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE),
        ] { glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(parameter), value) }
    }

    deinit { glDeleteTextures(1, [name]) }

    func take(_ picture: borrowing PixelBuffer, _ rectangle: PixelRectangle) {
        self.rectangle = rectangle
        let (pixelBytes, bytesPerRow) = (picture.format.bytesPerPixel, picture.bytesPerRow)
        let isWide = picture.format == .rgba16
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(bytesPerRow / pixelBytes))
        picture.withUnsafeBytes { bytes in
            glTexImage2D(
                GLenum(GL_TEXTURE_2D), 0, isWide ? GL_RGBA16 : GL_RGBA8, GLsizei(rectangle.width),
                GLsizei(rectangle.height), 0, GLenum(GL_RGBA),
                GLenum(isWide ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE),
                bytes.baseAddress.map { $0 + rectangle.y * bytesPerRow + rectangle.x * pixelBytes })
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    }

    /// Places of the picture on this texture.
    func textureCoordinates(_ places: [Point]) -> [Point] {
        let origin = Point(Float(rectangle.x), Float(rectangle.y))
        let size = Point(Float(max(1, rectangle.width)), Float(max(1, rectangle.height)))
        return places.map { ($0 - origin) / size }
    }
}
