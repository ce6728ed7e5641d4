import CGraphics
import FaceGeometry
import Masks
import Pixels

/// A layer's texture on the GPU as it is drawn from: sRGB's encoded numbers, premultiplied, with the mesh's soft edge in
/// its alpha and with mipmaps.
final class LayerTexture {
    let name: GLuint
    let width: Int
    let height: Int
    private let levels: Int
    private static let leastSide = 1024

    /// A texture without content, to draw into.
    private init(width: Int, height: Int) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        self.width = width
        self.height = height
        levels = Int.bitWidth - max(width, height).leadingZeroBitCount
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
    }

    deinit {
        var name = name
        glDeleteTextures(1, &name)
    }

    /// - Parameter edges: draws the soft edge.
    convenience init(_ layer: WarpLayer, edges: EdgeBaking) throws(RenderingError) {
        let source = LayerTexture(width: layer.texture.pixels.width, height: layer.texture.pixels.height)
        do {
            try Self.premultiplied(layer.texture.pixels).upload(internalFormat: GL_RGBA8)
        } catch {
            throw RenderingError(.outOfMemory, "\(layer.texture.path): \(error)")
        }
        // However small the texture, the soft edge is drawn finely.
        let scale = max(1, (Self.leastSide + max(source.width, source.height) - 1) / max(source.width, source.height))
        self.init(width: scale * source.width, height: scale * source.height)
        glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, GL_RGBA8, GLsizei(width), GLsizei(height), 0, GLenum(GL_RGBA),
            GLenum(GL_UNSIGNED_BYTE), nil)
        try edges.draw(layer, picture: source.name, into: name, width: width, height: height)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glGenerateMipmap(GLenum(GL_TEXTURE_2D))
    }

    /// Binds it with the level that suits a face, chosen once for the whole face: looking for it at every pixel costs
    /// as much again as the rest of a lookup.
    /// - Parameter texelsPerPixel: on the face as it is to be drawn.
    func bind(texelsPerPixel: Float) {
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        // Up to one and a half texels a pixel, interpolation between four neighbours misses none.
        var (level, rest) = (0, texelsPerPixel)
        while rest > 1.5, level < levels - 1 {
            rest /= 2
            level += 1
        }
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_BASE_LEVEL), GLint(level))
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAX_LEVEL), GLint(level))
    }

    private static func premultiplied(_ pixels: borrowing PixelBuffer) throws(OutOfMemory) -> PixelBuffer {
        var result = try pixels.copy()
        for y in 0..<result.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    let pixel = row[x]
                    guard pixel.w < 255 else { continue }
                    let alpha = UInt16(pixel.w)
                    func times(_ component: UInt8) -> UInt8 { UInt8((UInt16(component) * alpha + 127) / 255) }
                    row[x] = SIMD4(times(pixel.x), times(pixel.y), times(pixel.z), pixel.w)
                }
            }
        }
        return result
    }
}

/// Draws the mesh's soft edge into textures. It never lies outside the mesh, and its width is a share of the face's.
final class EdgeBaking {
    private let program: ShaderProgram
    private let buffers: VertexBuffers
    private let mesh: FaceMesh
    private let reference: ReferenceFace
    private var frameBuffer: GLuint = 0
    private var maps: [Set<FaceMesh.Opening>: GLuint] = [:]

    init(
        _ shaders: ShaderSources, buffers: VertexBuffers, mesh: FaceMesh, reference: ReferenceFace, feather: Float
    ) throws(RenderingError) {
        program = try ShaderProgram(shaders)
        self.buffers = buffers
        self.mesh = mesh
        self.reference = reference
        glGenFramebuffers(1, &frameBuffer)
        glUseProgram(program.name)
        glUniform1i(program.uniform("picture"), 0)
        glUniform1i(program.uniform("edgeDistance"), 1)
        glUniform1f(program.uniform("edgeRange"), EdgeDistanceMap.range)
        glUniform1f(program.uniform("feather"), feather)
    }

    deinit {
        glDeleteFramebuffers(1, [frameBuffer])
        for name in maps.values { glDeleteTextures(1, [name]) }
    }

    /// Changes the program, the frame buffer and what is bound.
    func draw(
        _ layer: WarpLayer, picture: GLuint, into target: GLuint, width: Int, height: Int
    ) throws(RenderingError) {
        let map = map(openings: layer.openings)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), frameBuffer)
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), target, 0)
        guard glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            throw RenderingError(.failed, "this OpenGL cannot draw into textures of \(width) × \(height)")
        }
        glUseProgram(program.name)
        glDisable(GLenum(GL_BLEND))
        // A texture may be painted the other way round.
        glDisable(GLenum(GL_CULL_FACE))
        glViewport(0, 0, GLsizei(width), GLsizei(height))
        glClearColor(0, 0, 0, 0)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        glActiveTexture(GLenum(GL_TEXTURE1))
        glBindTexture(GLenum(GL_TEXTURE_2D), map)
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), picture)
        let vertices = reference.vertices
        buffers.draw(
            triangles: mesh.triangles(openings: layer.openings), positions: vertices,
            textureCoordinates: layer.textureCoordinates, referenceCoordinates: vertices,
            presence: vertices.map { _ in 1 })
        glFramebufferTexture2D(GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), 0, 0)
    }

    private func map(openings: Set<FaceMesh.Opening>) -> GLuint {
        if let known = maps[openings] { return known }
        let map = EdgeDistanceMap(triangles: mesh.triangles(openings: openings), vertices: reference.vertices)
        var name: GLuint = 0
        glGenTextures(1, &name)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        let side = GLsizei(EdgeDistanceMap.side)
        glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, GL_R8, side, side, 0, GLenum(GL_RED), GLenum(GL_UNSIGNED_BYTE), map.texels)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        maps[openings] = name
        return name
    }
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
