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
        /// Whether no pixel is transparent.
        package var isOpaque: Bool
        /// Linear sRGB to the picture's linear RGB, row by row; nil: the picture is sRGB.
        package var matrixFromSRGB: [Float]?

        /// Frames of video.
        package static let video = ColorEncoding(isOpaque: true)

        package init(isGrey: Bool = false, isOpaque: Bool = false, matrixFromSRGB: [Float]? = nil) {
            self.isGrey = isGrey
            self.isOpaque = isOpaque
            self.matrixFromSRGB = matrixFromSRGB
        }
    }

    /// What the last picture took, in seconds. Drivers put off work, so the borders between these are not sharp.
    package struct Times: Sendable {
        package var upload = 0.0
        package var draw = 0.0
        package var download = 0.0
    }

    package private(set) var times = Times()
    package var contextDescription: String { context.rendererDescription }

    private let reference: ReferenceFace
    private let mesh: FaceMesh
    /// For opaque pictures of 8 bits in sRGB, and for all others.
    private let fixedBlending: ShaderProgram
    private let shaderBlending: ShaderProgram
    private let buffers: VertexBuffers
    private let edges: EdgeBaking
    private var targets: [PixelFormat: TileTarget] = [:]
    private var textures: [TextureKey: KnownTexture] = [:]

    /// - Parameter context: the current context; the renderer keeps it alive.
    package init(
        context: any GraphicsContext, shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh
    ) throws(RenderingError) {
        self.context = context
        self.reference = reference
        self.mesh = mesh
        fixedBlending = try ShaderProgram(shaders.warpLayer)
        shaderBlending = try ShaderProgram(shaders.warpLayer.defining("BLENDS"))
        buffers = VertexBuffers()
        edges = try EdgeBaking(
            shaders.layerTexture, buffers: buffers, mesh: mesh, reference: reference,
            feather: Self.featherWidth * reference.width)
        for program in [fixedBlending, shaderBlending] {
            glUseProgram(program.name)
            glUniform1i(program.uniform("layerTexture"), 0)
            glUniform1i(program.uniform("picture"), 1)
        }
    }

    /// Others may draw in the same context between two pictures.
    private func prepare() {
        glDisable(GLenum(GL_SCISSOR_TEST))
        glDisable(GLenum(GL_DEPTH_TEST))
        // Triangles that have turned away are not drawn. Clockwise in the picture is counter-clockwise for OpenGL
        // only where y points up; here it points down in both.
        glCullFace(GLenum(GL_BACK))
        glFrontFace(GLenum(GL_CCW))
        glDisable(GLenum(GL_DITHER))
        glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
    }

    private let context: any GraphicsContext

    /// Draws a mask on faces, in the order given.
    /// - Parameter picture: `rgba8` or `rgba16`, straight alpha.
    package func draw(
        _ mask: Mask, on faces: [Face], in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(RenderingError) {
        times = Times()
        guard !faces.isEmpty else { return }
        prepare()
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
        let isFixed =
            encoding.isOpaque && !encoding.isGrey && encoding.matrixFromSRGB == nil && picture.format == .rgba8
        let program = isFixed ? fixedBlending : shaderBlending
        // Made before anything is set up for drawing: making one draws.
        let layers = try mask.layers.map { (layer) throws(RenderingError) in
            (layer: layer, texture: try texture(layer))
        }
        glUseProgram(program.name)
        glEnable(GLenum(GL_CULL_FACE))
        if isFixed {
            glEnable(GLenum(GL_BLEND))
        } else {
            glDisable(GLenum(GL_BLEND))
            set(encoding, of: program)
        }
        let presence = MeshPresence.values(vertices: vertices, reference: reference, triangles: mesh.triangles)
        for tile in rectangle.tiles(side: TileTarget.side) {
            let start = ContinuousClock.now
            target.upload(picture, tile)
            let uploaded = ContinuousClock.now
            let area = PixelRectangle(x: 0, y: 0, width: tile.width, height: tile.height)
            glViewport(0, 0, GLsizei(tile.width), GLsizei(tile.height))
            glUniform2f(program.uniform("tileOrigin"), Float(tile.x), Float(tile.y))
            glUniform2f(program.uniform("tileSize"), Float(tile.width), Float(tile.height))
            target.begin()
            for (layer, texture) in layers {
                if !isFixed {
                    target.beginLayer(area: area)
                    bind(target.picture, unit: 1)
                }
                draw(layer, texture, program: program, vertices: vertices, presence: presence)
            }
            let drawn = ContinuousClock.now
            target.download(tile, into: &picture)
            times.upload += (uploaded - start) / .seconds(1)
            times.draw += (drawn - uploaded) / .seconds(1)
            times.download += (ContinuousClock.now - drawn) / .seconds(1)
        }
    }

    private func draw(
        _ layer: WarpLayer, _ texture: LayerTexture, program: ShaderProgram, vertices: [Point], presence: [Float]
    ) {
        let triangles = mesh.triangles(openings: layer.openings)
        texture.bind(texelsPerPixel: Self.texelsPerPixel(layer, texture, triangles: triangles, vertices: vertices))
        glUniform1f(program.uniform("opacity"), layer.opacity)
        buffers.draw(
            triangles: triangles, positions: vertices, textureCoordinates: layer.textureCoordinates,
            referenceCoordinates: reference.vertices, presence: presence)
    }

    /// On the mean over the face.
    private static func texelsPerPixel(
        _ layer: WarpLayer, _ texture: LayerTexture, triangles: [Triangle], vertices: [Point]
    ) -> Float {
        let onTexture = triangles.reduce(Float(0)) { $0 + abs($1.doubleArea(layer.textureCoordinates)) }
        let inPicture = triangles.reduce(Float(0)) { $0 + abs($1.doubleArea(vertices)) }
        let texels = onTexture * Float(texture.width) * Float(texture.height)
        return (texels / max(inPicture, .leastNormalMagnitude)).squareRoot()
    }

    private func set(_ encoding: ColorEncoding, of program: ShaderProgram) {
        glUniform1i(program.uniform("isGrey"), encoding.isGrey ? 1 : 0)
        glUniform1i(program.uniform("isSRGB"), encoding.matrixFromSRGB == nil ? 1 : 0)
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

    /// The same picture may be laid on the face in several ways.
    private struct TextureKey: Hashable {
        let texture: ObjectIdentifier
        let openings: Set<FaceMesh.Opening>
        let textureCoordinates: [Point]
    }

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

    private func texture(_ layer: WarpLayer) throws(RenderingError) -> LayerTexture {
        let texture = layer.texture
        let key = TextureKey(
            texture: ObjectIdentifier(texture), openings: layer.openings, textureCoordinates: layer.textureCoordinates)
        if let known = textures[key], known.source === texture { return known.layer }
        // Textures whose mask is gone; another may live at the same address by now.
        textures = textures.filter { $0.value.source != nil }
        var limit: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        guard max(texture.pixels.width, texture.pixels.height) <= Int(limit) else {
            throw RenderingError(.failed, "\(texture.path): this OpenGL takes textures of up to \(limit) pixels a side")
        }
        let loaded = try LayerTexture(layer, edges: edges)
        textures[key] = KnownTexture(source: texture, layer: loaded)
        return loaded
    }

    private static func checkErrors() throws(RenderingError) {
        let error = glGetError()
        guard error != GLenum(GL_NO_ERROR) else { return }
        let kind: RenderingError.Kind = error == GLenum(GL_OUT_OF_MEMORY) ? .outOfMemory : .failed
        throw RenderingError(kind, "OpenGL reports error 0x\(String(error, radix: 16)) while drawing")
    }
}
