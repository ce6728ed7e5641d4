import CGraphics
import Pixels

/// A two-dimensional texture on the GPU. Row 0 of the picture is row 0 of the texture; coordinates outside 0…1 are
/// clamped to the edge.
package final class Texture2D {
    package enum Filter: Sendable {
        case nearest, linear
        /// Linear when minified, nearest when magnified: for pixels that are shown at their own size or larger.
        case crisp
        /// Trilinear when minified, nearest when magnified: for looking at pixels from near and far.
        case closeUp
        /// Trilinear when minified, linear when magnified: for photographs from near and far.
        case smooth
        /// Linear, from the nearest mipmap level: for surfaces in space.
        case mipmapped
    }

    /// The treatment of coordinates outside 0…1.
    package enum Wrapping: Sendable { case `repeat`, clamp, mirror }

    package let name: GLuint
    /// In pixels; 0 before the first upload.
    package private(set) var width = 0
    package private(set) var height = 0
    private var format: PixelFormat?
    private let filter: Filter

    package init(filter: Filter = .linear) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        self.filter = filter
        bind()
        setFilter(filter)
        set(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE)
        set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE)
    }

    deinit {
        var name = name
        glDeleteTextures(1, &name)
    }

    /// Makes it the texture of a unit. Unit 0 stays the active one.
    /// - Parameter level: the only mipmap level to sample; nil: as before.
    package func bind(unit: Int = 0, level: Int? = nil) {
        glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        if let level {
            set(GL_TEXTURE_BASE_LEVEL, GLint(level))
            set(GL_TEXTURE_MAX_LEVEL, GLint(level))
        }
        if unit != 0 { glActiveTexture(GLenum(GL_TEXTURE0)) }
    }

    // MARK: Parameters

    /// Changes the filter of a bound texture.
    package func setFilter(_ filter: Filter) {
        switch filter {
        case .nearest:
            set(GL_TEXTURE_MIN_FILTER, GL_NEAREST)
            set(GL_TEXTURE_MAG_FILTER, GL_NEAREST)
        case .linear:
            set(GL_TEXTURE_MIN_FILTER, GL_LINEAR)
            set(GL_TEXTURE_MAG_FILTER, GL_LINEAR)
        case .crisp:
            set(GL_TEXTURE_MIN_FILTER, GL_LINEAR)
            set(GL_TEXTURE_MAG_FILTER, GL_NEAREST)
        case .closeUp:
            set(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR)
            set(GL_TEXTURE_MAG_FILTER, GL_NEAREST)
        case .smooth:
            set(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR)
            set(GL_TEXTURE_MAG_FILTER, GL_LINEAR)
        case .mipmapped:
            set(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST)
            set(GL_TEXTURE_MAG_FILTER, GL_LINEAR)
        }
    }

    /// Makes all mipmap levels ones to sample and to draw into, after `bind` has chosen one.
    package func useAllLevels() {
        bind()
        set(GL_TEXTURE_BASE_LEVEL, 0)
        set(GL_TEXTURE_MAX_LEVEL, 1000)
    }

    /// Changes what lies outside, for a texture that is bound to a unit.
    package func setWrapping(horizontal: Wrapping, vertical: Wrapping, unit: Int) {
        func code(_ wrapping: Wrapping) -> GLint {
            switch wrapping {
            case .repeat: GL_REPEAT
            case .clamp: GL_CLAMP_TO_EDGE
            case .mirror: GL_MIRRORED_REPEAT
            }
        }
        glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
        set(GL_TEXTURE_WRAP_S, code(horizontal))
        set(GL_TEXTURE_WRAP_T, code(vertical))
        glActiveTexture(GLenum(GL_TEXTURE0))
    }

    package func generateMipmap() {
        bind()
        glGenerateMipmap(GLenum(GL_TEXTURE_2D))
    }

    private func set(_ parameter: Int32, _ value: GLint) {
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(parameter), value)
    }

    // MARK: Uploads

    /// Allocates storage with undefined content, to be drawn into.
    package func allocate(width: Int, height: Int, format: PixelFormat) {
        bind()
        store(nil, width: width, height: height, format: format)
    }

    /// Replaces the content with a picture or a part of it; the texture takes its size.
    /// - Parameter rectangle: must lie inside the picture; nil: all of it.
    package func upload(_ picture: borrowing PixelBuffer, _ rectangle: PixelRectangle? = nil) {
        let rectangle = rectangle ?? picture.bounds
        if width == rectangle.width, height == rectangle.height, format == picture.format {
            uploadCorner(picture, rectangle)
        } else {
            let format = picture.format
            picture.withRows(of: rectangle) { start in
                store(start, width: rectangle.width, height: rectangle.height, format: format)
            }
        }
        if [.closeUp, .smooth, .mipmapped].contains(filter) { generateMipmap() }
    }

    /// Copies a rectangle of the picture to the top left corner of the texture, which must be large enough and have the
    /// picture's format.
    package func uploadCorner(_ picture: borrowing PixelBuffer, _ rectangle: PixelRectangle) {
        copy(picture, rectangle, to: (0, 0))
    }

    /// Copies a picture to a place of the texture, which must be large enough and have the picture's format.
    package func replace(_ picture: borrowing PixelBuffer, at corner: (x: Int, y: Int)) {
        copy(picture, picture.bounds, to: corner)
        if [.closeUp, .smooth].contains(filter) { generateMipmap() }
    }

    private func copy(_ picture: borrowing PixelBuffer, _ rectangle: PixelRectangle, to corner: (x: Int, y: Int)) {
        bind()
        let (components, type) = (picture.format.components, picture.format.componentType)
        picture.withRows(of: rectangle) { start in
            glTexSubImage2D(
                GLenum(GL_TEXTURE_2D), 0, GLint(corner.x), GLint(corner.y), GLsizei(rectangle.width),
                GLsizei(rectangle.height), components, type, start)
        }
    }

    /// Replaces the content with 8-bit values, row by row without padding.
    package func upload(grey values: [UInt8], width: Int, height: Int) {
        precondition(values.count == width * height)
        bind()
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        values.withUnsafeBytes { store($0.baseAddress, width: width, height: height, format: .grey8) }
    }

    private func store(_ bytes: UnsafeRawPointer?, width: Int, height: Int, format: PixelFormat) {
        bind()
        glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, format.internalFormat, GLsizei(width), GLsizei(height), 0, format.components,
            format.componentType, bytes)
        (self.width, self.height, self.format) = (width, height, format)
    }
}

extension PixelBuffer {
    /// Calls `body` with the first pixel of a rectangle while OpenGL's unpacking follows the picture's rows.
    fileprivate borrowing func withRows(of rectangle: PixelRectangle, _ body: (UnsafeRawPointer?) -> Void) {
        let (pixelBytes, bytesPerRow) = (format.bytesPerPixel, bytesPerRow)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(bytesPerRow / pixelBytes))
        withUnsafeBytes { bytes in
            body(bytes.baseAddress.map { $0 + rectangle.y * bytesPerRow + rectangle.x * pixelBytes })
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    }
}

extension PixelFormat {
    var internalFormat: GLint {
        switch self {
        case .grey8: GL_R8
        case .rgba8: GL_RGBA8
        case .rgba16: GL_RGBA16
        }
    }

    var components: GLenum { GLenum(self == .grey8 ? GL_RED : GL_RGBA) }
    var componentType: GLenum { GLenum(self == .rgba16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE) }
}
