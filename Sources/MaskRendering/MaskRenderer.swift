import CGraphics
import FaceGeometry
import Masks
import Pixels

/// Draws masks on faces with OpenGL. Only the rectangles of the faces travel to the GPU and back; pixels that no mask
/// covers keep their value to the bit. It belongs to the thread on which its context is current.
package final class MaskRenderer {
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

        package init() {}
    }

    package private(set) var times = Times()
    package var contextDescription: String { context.rendererDescription }

    let reference: ReferenceFace
    let mesh: FaceMesh
    let refined: RefinedMesh
    /// The refined mesh's vertices on the reference sheet, and its outline.
    let referencePlaces: [Point]
    let outline: [Int]
    /// Those of the plain mesh without the openings: closed lids and lips have no area.
    let skinTriangles: [Triangle]
    var openTriangles: [Set<FaceMesh.Opening>: [Triangle]] = [:]
    let skinSamples: SkinSamples
    private let shaders: ShaderSources
    private var programs: [ProgramKey: ShaderProgram] = [:]
    let white: Texture
    var facePictures: [Int: FacePicture] = [:]
    /// Of the picture that is being drawn on, and of the one before in a stream of pictures.
    var lights: [Int: FaceLight] = [:]
    var followedLights: [Int: FaceLight] = [:]
    let buffers: VertexBuffers
    private let edges: EdgeBaking
    private var targets: [PixelFormat: TileTarget] = [:]
    private var textures: [TextureKey: KnownTexture] = [:]
    private var drawings = 0

    /// - Parameter context: the current context; the renderer keeps it alive.
    package init(
        context: any GraphicsContext, shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh
    ) throws(RenderingError) {
        self.context = context
        self.reference = reference
        self.mesh = mesh
        refined = RefinedMesh(mesh, reference: reference)
        referencePlaces = refined.textureCoordinates(reference.vertices)
        outline = refined.outline()
        skinTriangles = mesh.triangles(openings: Set(FaceMesh.Opening.allCases))
        skinSamples = SkinSamples(mesh, reference: reference)
        self.shaders = shaders.warpLayer
        do {
            var pixels = try PixelBuffer(width: 8, height: 8, format: .rgba8)
            pixels.fill(SIMD4(repeating: 255))
            white = Texture(path: "", pixels: pixels)
        } catch {
            throw RenderingError(.outOfMemory, "\(error)")
        }
        buffers = VertexBuffers()
        edges = try EdgeBaking(
            shaders.layerTexture, buffers: buffers, mesh: refined, reference: reference)
        // Told at once if it is broken.
        _ = try program(ProgramKey())
    }

    /// What a shader program is for.
    struct ProgramKey: Hashable {
        /// Blended by the shader itself; nil: by fixed function.
        var blendMode: BlendMode?
        var isLive = false
        var hasEdge = false
        var matchesColor = false
        var showsDetail = false

        var definitions: [String] {
            var names: [String] = []
            if let blendMode {
                names += ["BLENDS", "BLEND_MODE \(BlendMode.allCases.firstIndex(of: blendMode) ?? 0)"]
            }
            if isLive { names.append("LIVE") }
            if hasEdge { names.append("EDGE") }
            if matchesColor { names.append("COLOR") }
            if showsDetail { names.append("DETAIL") }
            return names
        }
    }

    private func program(_ key: ProgramKey) throws(RenderingError) -> ShaderProgram {
        if let known = programs[key] { return known }
        let program = try ShaderProgram(shaders.defining(key.definitions))
        glUseProgram(program.name)
        for (unit, name) in ["layerTexture", "picture", "colorMap", "edge"].enumerated() {
            glUniform1i(program.uniform(name), GLint(unit))
        }
        programs[key] = program
        return program
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
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
    }

    private let context: any GraphicsContext

    /// Draws a mask on faces, in the order given.
    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`, straight alpha.
    ///   - seconds: the picture's time, for animations and for light that is held still; nil for a picture by itself.
    package func draw(
        _ mask: Mask, on instances: [FaceInstance], at seconds: Double? = nil, in picture: inout PixelBuffer,
        encoding: ColorEncoding = ColorEncoding()
    ) throws(RenderingError) {
        times = Times()
        drawings += 1
        guard !instances.isEmpty else { return }
        prepare()
        let start = ContinuousClock.now
        let largest = instances.max { $0.face.box.area < $1.face.box.area }?.trackID
        var everybody: [(instance: FaceInstance, layers: [VisibleLayer])] = []
        for instance in instances {
            let layers = visibleLayers(mask, instance, isLargest: instance.trackID == largest)
            if !layers.isEmpty { everybody.append((instance, layers)) }
        }
        takeFacePictures(everybody, instances, in: picture)
        measureLight(everybody, instances, in: picture, at: seconds)
        times.upload += (ContinuousClock.now - start) / .seconds(1)
        for (instance, layers) in everybody {
            try draw(layers, on: instance, among: instances, at: seconds ?? 0, in: &picture, encoding: encoding)
        }
        try Self.checkErrors()
    }

    /// Draws a mask on faces of which only this picture is known.
    package func draw(
        _ mask: Mask, on faces: [Face], in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(RenderingError) {
        let instances = faces.enumerated().map { FaceInstance(face: $1, trackID: $0 + 1) }
        try draw(mask, on: instances, in: &picture, encoding: encoding)
    }

    // MARK: Drawing

    private func draw(
        _ layers: [VisibleLayer], on instance: FaceInstance, among instances: [FaceInstance], at seconds: Double,
        in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(RenderingError) {
        let isFixed =
            encoding.isOpaque && !encoding.isGrey && encoding.matrixFromSRGB == nil && picture.format == .rgba8
        // Made before anything is set up for drawing: making textures draws.
        let drawn = try drawCalls(layers, on: instance, among: instances, at: seconds, isFixed: isFixed)
        let corners = drawn.flatMap(\.geometry.corners)
        let rectangle = Self.rectangle(around: corners).intersection(picture.bounds)
        guard !corners.isEmpty, !rectangle.isEmpty else { return }
        let target = try target(for: picture.format)
        for tile in rectangle.tiles(side: TileTarget.side) {
            let start = ContinuousClock.now
            target.upload(picture, tile)
            let uploaded = ContinuousClock.now
            target.begin()
            glViewport(0, 0, GLsizei(tile.width), GLsizei(tile.height))
            for layer in drawn {
                try draw(layer, in: tile, target: target, light: lights[instance.trackID], encoding: encoding)
            }
            let finished = ContinuousClock.now
            target.download(tile, into: &picture)
            times.upload += (uploaded - start) / .seconds(1)
            times.draw += (finished - uploaded) / .seconds(1)
            times.download += (ContinuousClock.now - finished) / .seconds(1)
        }
    }

    private func draw(
        _ layer: DrawCall, in tile: PixelRectangle, target: TileTarget, light: FaceLight?, encoding: ColorEncoding
    ) throws(RenderingError) {
        let program = try program(layer.key)
        glUseProgram(program.name)
        glEnable(GLenum(GL_CULL_FACE))
        glUniform2f(program.uniform("tileOrigin"), Float(tile.x), Float(tile.y))
        glUniform2f(program.uniform("tileSize"), Float(tile.width), Float(tile.height))
        glUniform1f(program.uniform("opacity"), layer.opacity)
        if layer.key.blendMode != nil {
            glDisable(GLenum(GL_BLEND))
            set(encoding, of: program)
            let bounds = Self.rectangle(around: layer.geometry.corners).intersection(tile)
            guard !bounds.isEmpty else { return }
            target.beginLayer(
                area: PixelRectangle(
                    x: bounds.x - tile.x, y: bounds.y - tile.y, width: bounds.width, height: bounds.height))
            bind(target.picture, unit: 1)
        } else {
            glEnable(GLenum(GL_BLEND))
            layer.blendMode.setFixedFunction()
        }
        if layer.key.matchesColor, let light {
            light.bindColors(from: layer.colors.statistics, key: layer.colors.key, unit: 2)
            glUniform1f(program.uniform("colorShare"), layer.light.color)
        }
        if layer.key.showsDetail, let light {
            glUniform1f(program.uniform("detailShare"), layer.light.detail)
            glUniform1f(program.uniform("meanLuminance"), light.meanLuminance)
        }
        if let edge = layer.edge {
            glActiveTexture(GLenum(GL_TEXTURE0 + 3))
            edge.bind(texelsPerPixel: 1)
            glActiveTexture(GLenum(GL_TEXTURE0))
        }
        switch layer.texture {
        case .layer(let texture, let texelsPerPixel): texture.bind(texelsPerPixel: texelsPerPixel)
        case .face(let face): bind(face.name, unit: 0)
        }
        buffers.draw(layer.geometry)
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
    static func rectangle(around vertices: [Point]) -> PixelRectangle {
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
        /// Nil: without the mesh's soft edge.
        let edge: SoftEdge?
        let textureCoordinates: [Point]
    }

    private final class KnownTexture {
        weak var source: Texture?
        let layer: LayerTexture
        /// The last drawing that it was used in.
        var lastUse: Int

        init(source: Texture, layer: LayerTexture, lastUse: Int) {
            self.source = source
            self.layer = layer
            self.lastUse = lastUse
        }
    }

    private func target(for format: PixelFormat) throws(RenderingError) -> TileTarget {
        if let target = targets[format] { return target }
        let target = try TileTarget(format: format)
        targets[format] = target
        return target
    }

    func texture(
        _ texture: Texture, edge: SoftEdge?, coordinates: [Point]
    ) throws(RenderingError) -> LayerTexture {
        let key = TextureKey(texture: ObjectIdentifier(texture), edge: edge, textureCoordinates: coordinates)
        if let known = textures[key], known.source === texture {
            known.lastUse = drawings
            return known.layer
        }
        // Textures whose mask is gone; another may live at the same address by now. And those whose landmarks are being
        // moved: of each of their places one would be kept.
        textures = textures.filter {
            $0.value.source != nil && ($0.value.source !== texture || $0.value.lastUse >= drawings - 2)
        }
        var limit: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        guard max(texture.pixels.width, texture.pixels.height) <= Int(limit) else {
            throw RenderingError(.failed, "\(texture.path): this OpenGL takes textures of up to \(limit) pixels a side")
        }
        let loaded = try LayerTexture(texture, edge: edge, coordinates: coordinates, edges: edges)
        loaded.measureColors(of: texture, at: coordinates.isEmpty ? [] : skinSamples.places(among: coordinates))
        if let edge {
            loaded.findVisibleTriangles(
                of: texture, among: refined.triangles(openings: edge.openings),
                coordinates: refined.textureCoordinates(coordinates))
        }
        textures[key] = KnownTexture(source: texture, layer: loaded, lastUse: drawings)
        return loaded
    }

    private static func checkErrors() throws(RenderingError) {
        let error = glGetError()
        guard error != GLenum(GL_NO_ERROR) else { return }
        let kind: RenderingError.Kind = error == GLenum(GL_OUT_OF_MEMORY) ? .outOfMemory : .failed
        throw RenderingError(kind, "OpenGL reports error 0x\(String(error, radix: 16)) while drawing")
    }
}

extension BlendMode {
    /// Whether OpenGL itself can blend so, on an opaque picture.
    var isFixedFunction: Bool { self == .normal || self == .multiply || self == .screen }

    /// For colours premultiplied by alpha.
    func setFixedFunction() {
        switch self {
        case .multiply: glBlendFunc(GLenum(GL_DST_COLOR), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        case .screen: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_COLOR))
        default: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        }
    }
}
