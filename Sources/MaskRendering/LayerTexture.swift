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
    private static let leastSide = 256

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

    /// - Parameters:
    ///   - edge: nil: the texture is no part of the mesh and gets no soft edge.
    ///   - coordinates: where the mesh's vertices lie on the texture.
    ///   - edges: draws the soft edge.
    convenience init(
        _ texture: Texture, edge: SoftEdge?, coordinates: [Point], edges: EdgeBaking
    ) throws(RenderingError) {
        let source = LayerTexture(width: texture.pixels.width, height: texture.pixels.height)
        do {
            try Self.premultiplied(texture.pixels).upload(internalFormat: GL_RGBA8)
        } catch {
            throw RenderingError(.outOfMemory, "\(texture.path): \(error)")
        }
        // However small the texture, the soft edge is drawn finely.
        let longer = max(source.width, source.height)
        let scale = edge == nil ? 1 : max(1, (Self.leastSide + longer - 1) / longer)
        self.init(width: scale * source.width, height: scale * source.height)
        glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, GL_RGBA8, GLsizei(width), GLsizei(height), 0, GLenum(GL_RGBA),
            GLenum(GL_UNSIGNED_BYTE), nil)
        try edges.draw(
            picture: source.name, edge: edge, coordinates: coordinates, into: name, width: width,
            height: height)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glGenerateMipmap(GLenum(GL_TEXTURE_2D))
    }

    /// The triangles that show anything of it: a mask for the eyes need not be drawn on the chin.
    private(set) var visibleTriangles: [Triangle] = []

    /// - Parameters:
    ///   - triangles: those that may be drawn.
    ///   - coordinates: where their vertices lie on the texture, 0…1.
    func findVisibleTriangles(of texture: Texture, among triangles: [Triangle], coordinates: [Point]) {
        let side = 128
        let (width, height) = (texture.pixels.width, texture.pixels.height)
        // Whether there is anything in a cell of the texture.
        var isPainted = [Bool](repeating: false, count: side * side)
        for y in 0..<side {
            let rows = (y * height / side)..<max(y * height / side + 1, ((y + 1) * height + side - 1) / side)
            for x in 0..<side {
                let columns = (x * width / side)..<max(x * width / side + 1, ((x + 1) * width + side - 1) / side)
                isPainted[y * side + x] = rows.contains { line in
                    texture.pixels.withRow(min(height - 1, line)) { row in
                        columns.contains { row[min(width - 1, $0)].w > 0 }
                    }
                }
            }
        }
        func cells(_ low: Float, _ high: Float) -> ClosedRange<Int> {
            // Wider by what smaller copies of the texture mix in from beside.
            let first = max(0, min(side - 1, Int(max(-1e3, low) * Float(side)) - 3))
            return first...max(first, min(side - 1, Int(min(1e3, high) * Float(side)) + 3))
        }
        visibleTriangles = triangles.filter { triangle in
            let bounds = FaceBox(around: triangle.indices.map { coordinates[$0] })
            let columns = cells(bounds.x, bounds.x + bounds.width)
            return cells(bounds.y, bounds.y + bounds.height).contains { y in
                columns.contains { isPainted[y * side + $0] }
            }
        }
    }

    /// The source's colours where the skin is, or, for pictures that cover little of it, all of them.
    private(set) var colors: ColorStatistics?

    /// - Parameter places: where the skin lies on the texture, 0…1.
    func measureColors(of texture: Texture, at places: [Point]) {
        let (width, height) = (texture.pixels.width, texture.pixels.height)
        func lab(_ x: Int, _ y: Int) -> SIMD3<Float>? {
            guard x >= 0, y >= 0, x < width, y < height else { return nil }
            let pixel = texture.pixels[x, y]
            guard pixel.w > 127 else { return nil }
            return OklabColor.lab(SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) / 255)
        }
        let onSkin = places.compactMap { place in
            lab(Int((place.x * Float(width)).rounded(.down)), Int((place.y * Float(height)).rounded(.down)))
        }
        if 4 * onSkin.count > places.count {
            colors = ColorStatistics(onSkin)
            return
        }
        let step = max(1, max(width, height) / 64)
        var labs: [SIMD3<Float>] = []
        for y in stride(from: 0, to: height, by: step) {
            for x in stride(from: 0, to: width, by: step) { if let lab = lab(x, y) { labs.append(lab) } }
        }
        colors = ColorStatistics(labs)
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

/// Where a layer of the mesh ends, and how softly.
struct SoftEdge: Hashable {
    let openings: Set<FaceMesh.Opening>
    /// In widths of the face.
    let feather: Float

    init(_ warp: WarpLayer) {
        openings = warp.openings
        feather = warp.feather
    }
}

/// Draws the mesh's soft edge into textures. It never lies outside the mesh, and its width is a share of the face's.
final class EdgeBaking {
    private let program: ShaderProgram
    private let buffers: VertexBuffers
    private let mesh: RefinedMesh
    private let reference: ReferenceFace
    /// Where its vertices lie on the sheet.
    private let places: [Point]
    private var frameBuffer: GLuint = 0
    private var maps: [Set<FaceMesh.Opening>: GLuint] = [:]

    init(
        _ shaders: ShaderSources, buffers: VertexBuffers, mesh: RefinedMesh, reference: ReferenceFace
    ) throws(RenderingError) {
        program = try ShaderProgram(shaders)
        self.buffers = buffers
        self.mesh = mesh
        self.reference = reference
        places = mesh.textureCoordinates(reference.vertices)
        glGenFramebuffers(1, &frameBuffer)
        glUseProgram(program.name)
        glUniform1i(program.uniform("picture"), 0)
        glUniform1i(program.uniform("edgeDistance"), 1)
        glUniform1f(program.uniform("edgeRange"), EdgeDistanceMap.range)
    }

    deinit {
        glDeleteFramebuffers(1, [frameBuffer])
        for name in maps.values { glDeleteTextures(1, [name]) }
        glDeleteTextures(1, [whole])
    }

    /// Changes the program, the frame buffer and what is bound.
    /// - Parameter edge: nil: the picture as it is, without one.
    func draw(
        picture: GLuint, edge: SoftEdge?, coordinates: [Point], into target: GLuint, width: Int,
        height: Int
    ) throws(RenderingError) {
        let map = edge.map { self.map(openings: $0.openings) } ?? whole
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), frameBuffer)
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), target, 0)
        guard glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            throw RenderingError(.failed, "this OpenGL cannot draw into textures of \(width) × \(height)")
        }
        glUseProgram(program.name)
        // A step of no width at all is undefined.
        let feather = max(0.001, edge?.feather ?? WarpLayer.defaultFeather) * reference.width
        glUniform1f(program.uniform("feather"), feather)
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
        if let edge {
            buffers.draw(
                LayerGeometry(
                    triangles: mesh.triangles(openings: edge.openings), positions: places,
                    textureCoordinates: mesh.textureCoordinates(coordinates), referenceCoordinates: places,
                    visibility: places.map { _ in 1 }))
        } else {
            let corners = [Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1)]
            buffers.draw(
                LayerGeometry(
                    triangles: [Triangle(0, 1, 2), Triangle(0, 2, 3)], positions: corners,
                    textureCoordinates: corners, referenceCoordinates: corners, visibility: [1, 1, 1, 1]))
        }
        glFramebufferTexture2D(GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), 0, 0)
    }

    /// Inside everywhere.
    private lazy var whole = Self.texture(side: 1, [255])

    private func map(openings: Set<FaceMesh.Opening>) -> GLuint {
        if let known = maps[openings] { return known }
        let map = EdgeDistanceMap(
            triangles: mesh.mesh.triangles(openings: openings), vertices: reference.vertices)
        let name = Self.texture(side: EdgeDistanceMap.side, map.texels)
        maps[openings] = name
        return name
    }

    private static func texture(side: Int, _ texels: [UInt8]) -> GLuint {
        var name: GLuint = 0
        glGenTextures(1, &name)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        let side = GLsizei(side)
        glTexImage2D(GLenum(GL_TEXTURE_2D), 0, GL_R8, side, side, 0, GLenum(GL_RED), GLenum(GL_UNSIGNED_BYTE), texels)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
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
