import CGraphics
import FaceGeometry
import Masks
import Pixels

/// Draws masks on faces with OpenGL. Only the rectangles of the faces travel to the GPU and back; pixels that no mask
/// covers keep their value to the bit. It belongs to the thread on which its context is current.
package final class MaskRenderer {
    /// Width of a mask's soft edge, as a share of the face's width.
    package static let featherWidth: Float = 0.025

    /// What the picture's numbers mean.
    package struct ColorEncoding: Sendable {
        /// A grey picture stays grey: it takes the mask's luminance.
        package var isGrey: Bool
        /// Linear sRGB to the picture's linear RGB, row by row; nil: the picture is sRGB.
        package var matrixFromSRGB: [Float]?

        package init(isGrey: Bool = false, matrixFromSRGB: [Float]? = nil) {
            self.isGrey = isGrey
            self.matrixFromSRGB = matrixFromSRGB
        }
    }

    private let reference: ReferenceFace
    private let mesh: FaceMesh
    private let program: ShaderProgram
    private let buffers: VertexBuffers
    private var targets: [PixelFormat: TileTarget] = [:]
    private var textures: [ObjectIdentifier: KnownTexture] = [:]
    private var edgeMaps: [Set<FaceMesh.Opening>: GLuint] = [:]

    /// - Parameter context: the current context; the renderer keeps it alive.
    package init(
        context: OffscreenContext, shaders: ShaderSources, reference: ReferenceFace, mesh: FaceMesh
    ) throws(RenderingError) {
        self.context = context
        self.reference = reference
        self.mesh = mesh
        program = try ShaderProgram(shaders)
        buffers = VertexBuffers()
        glUseProgram(program.name)
        glUniform1i(program.uniform("layerTexture"), 0)
        glUniform1i(program.uniform("edgeDistance"), 1)
        glUniform1i(program.uniform("picture"), 2)
        glUniform1f(program.uniform("edgeRange"), EdgeDistanceMap.range)
        glUniform1f(program.uniform("feather"), Self.featherWidth * reference.width)
        // Triangles that have turned away are not drawn. Clockwise in the picture is counter-clockwise for OpenGL
        // only where y points up; here it points down in both.
        glEnable(GLenum(GL_CULL_FACE))
        glCullFace(GLenum(GL_BACK))
        glFrontFace(GLenum(GL_CCW))
        glDisable(GLenum(GL_DITHER))
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
    }

    private let context: OffscreenContext

    deinit {
        for name in edgeMaps.values { glDeleteTextures(1, [name]) }
    }

    /// Draws a mask on faces, in the order given.
    /// - Parameter picture: `rgba8` or `rgba16`, straight alpha.
    package func draw(
        _ mask: Mask, on faces: [Face], in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(RenderingError) {
        for face in faces { try draw(mask, on: face, in: &picture, encoding: encoding) }
        try Self.checkErrors()
    }

    private func draw(
        _ mask: Mask, on face: Face, in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(RenderingError) {
        let vertices = face.vertices
        let rectangle = Self.rectangle(around: vertices).intersection(picture.bounds)
        guard !rectangle.isEmpty else { return }
        let target = try target(for: picture.format)
        setEncoding(encoding)
        let presence = MeshPresence.values(vertices: vertices, reference: reference, triangles: mesh.triangles)
        for tile in rectangle.tiles(side: TileTarget.side) {
            target.upload(picture, tile)
            let area = PixelRectangle(x: 0, y: 0, width: tile.width, height: tile.height)
            glViewport(0, 0, GLsizei(tile.width), GLsizei(tile.height))
            glUniform2f(program.uniform("tileOrigin"), Float(tile.x), Float(tile.y))
            glUniform2f(program.uniform("tileSize"), Float(tile.width), Float(tile.height))
            for layer in mask.layers {
                target.beginLayer(area: area)
                try draw(layer, vertices: vertices, presence: presence, target: target)
            }
            target.download(tile, into: &picture)
        }
    }

    private func draw(
        _ layer: WarpLayer, vertices: [Point], presence: [Float], target: TileTarget
    ) throws(RenderingError) {
        let triangles = mesh.triangles(openings: layer.openings)
        // Made before any is bound: making one binds it where it pleases.
        let layerTexture = try texture(layer.texture)
        let edgeDistance = edgeMap(openings: layer.openings, triangles: triangles)
        bind(layerTexture, unit: 0)
        bind(edgeDistance, unit: 1)
        bind(target.picture, unit: 2)
        glUniform1f(program.uniform("opacity"), layer.opacity)
        buffers.draw(
            triangles: triangles, positions: vertices, textureCoordinates: layer.textureCoordinates,
            referenceCoordinates: reference.vertices, presence: presence)
    }

    private func setEncoding(_ encoding: ColorEncoding) {
        glUniform1i(program.uniform("isGrey"), encoding.isGrey ? 1 : 0)
        let identity: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
        // OpenGL takes matrices column by column unless told otherwise.
        glUniformMatrix3fv(program.uniform("sRGBToPicture"), 1, GLboolean(GL_TRUE), encoding.matrixFromSRGB ?? identity)
    }

    private func bind(_ texture: GLuint, unit: Int32) {
        glActiveTexture(GLenum(GL_TEXTURE0 + unit))
        glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        glActiveTexture(GLenum(GL_TEXTURE0))
    }

    /// The pixels that a mask can touch.
    private static func rectangle(around vertices: [Point]) -> PixelRectangle {
        let bounds = FaceBox(around: vertices)
        // Far outside any picture whole numbers would overflow.
        func clamped(_ value: Float) -> Int { Int(max(-1e6, min(1e6, value))) }
        let left = clamped(bounds.x.rounded(.down)) - 1
        let top = clamped(bounds.y.rounded(.down)) - 1
        return PixelRectangle(
            x: left, y: top, width: clamped((bounds.x + bounds.width).rounded(.up)) + 1 - left,
            height: clamped((bounds.y + bounds.height).rounded(.up)) + 1 - top)
    }

    // MARK: What is kept between faces

    private struct KnownTexture {
        weak var source: Texture?
        let layer: LayerTexture
    }

    private func target(for format: PixelFormat) throws(RenderingError) -> TileTarget {
        if let target = targets[format] { return target }
        let target = try TileTarget(format: format)
        targets[format] = target
        return target
    }

    private func texture(_ texture: Texture) throws(RenderingError) -> GLuint {
        if let known = textures[ObjectIdentifier(texture)], known.source === texture { return known.layer.name }
        // Textures whose mask is gone; another may live at the same address by now.
        textures = textures.filter { $0.value.source != nil }
        var limit: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        guard max(texture.pixels.width, texture.pixels.height) <= Int(limit) else {
            throw RenderingError(.failed, "\(texture.path): this OpenGL takes textures of up to \(limit) pixels a side")
        }
        let loaded = try LayerTexture(texture)
        textures[ObjectIdentifier(texture)] = KnownTexture(source: texture, layer: loaded)
        return loaded.name
    }

    private func edgeMap(openings: Set<FaceMesh.Opening>, triangles: [Triangle]) -> GLuint {
        if let known = edgeMaps[openings] { return known }
        let map = EdgeDistanceMap(triangles: triangles, vertices: reference.vertices)
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
        edgeMaps[openings] = name
        return name
    }

    private static func checkErrors() throws(RenderingError) {
        let error = glGetError()
        guard error != GLenum(GL_NO_ERROR) else { return }
        let kind: RenderingError.Kind = error == GLenum(GL_OUT_OF_MEMORY) ? .outOfMemory : .failed
        throw RenderingError(kind, "OpenGL reports error 0x\(String(error, radix: 16)) while drawing")
    }
}
