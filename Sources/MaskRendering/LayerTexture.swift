import CGraphics
import Glibc
import Masks
import Pixels

/// A mask's texture on the GPU: sRGB, premultiplied in linear light, with mipmaps.
final class LayerTexture {
    let name: GLuint

    init(_ texture: Texture) throws(RenderingError) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        do {
            let premultiplied = try Self.premultiplied(texture.pixels)
            premultiplied.upload(internalFormat: GL_SRGB8_ALPHA8)
        } catch {
            throw RenderingError(.outOfMemory, "\(texture.path): \(error)")
        }
        glGenerateMipmap(GLenum(GL_TEXTURE_2D))
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR_MIPMAP_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
    }

    deinit {
        var name = name
        glDeleteTextures(1, &name)
    }

    /// Colours times alpha in linear light, encoded again: what the GPU decodes and filters is then linear and
    /// premultiplied.
    private static func premultiplied(_ pixels: borrowing PixelBuffer) throws(OutOfMemory) -> PixelBuffer {
        var result = try pixels.copy()
        let linear = (0...255).map { decoded(Float($0) / 255) }
        for y in 0..<result.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    let pixel = row[x]
                    guard pixel.w < 255 else { continue }
                    let alpha = Float(pixel.w) / 255
                    func times(_ component: UInt8) -> UInt8 {
                        UInt8((encoded(linear[Int(component)] * alpha) * 255).rounded())
                    }
                    row[x] = pixel.w == 0 ? .zero : SIMD4(times(pixel.x), times(pixel.y), times(pixel.z), pixel.w)
                }
            }
        }
        return result
    }

    // The sRGB transfer functions, IEC 61966-2-1.
    private static func decoded(_ v: Float) -> Float { v <= 0.04045 ? v / 12.92 : powf((v + 0.055) / 1.055, 2.4) }
    private static func encoded(_ v: Float) -> Float { v <= 0.0031308 ? 12.92 * v : 1.055 * powf(v, 1 / 2.4) - 0.055 }
}

extension PixelBuffer {
    /// Fills the bound two-dimensional texture with the whole picture.
    borrowing func upload(internalFormat: GLint) {
        let (width, height, bytesPerRow) = (GLsizei(width), GLsizei(height), bytesPerRow)
        let type = GLenum(format == .rgba16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(bytesPerRow / format.bytesPerPixel))
        withUnsafeBytes { bytes in
            glTexImage2D(
                GLenum(GL_TEXTURE_2D), 0, internalFormat, width, height, 0, GLenum(GL_RGBA), type, bytes.baseAddress)
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    }
}
