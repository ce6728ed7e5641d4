import CGraphics
import FaceGeometry
import Graphics
import MaskComposition
import Masks
import Occlusion
import Pixels
import Threads

/// Executes draw lists with OpenGL. Only the rectangles of the faces travel to the GPU and back; pixels that no mask
/// covers keep their value to the bit. It belongs to the thread on which its context is current.
final class OpenGLRenderer: RendererBackend {
    private let owner = OwningThread()
    private(set) var times = MaskRenderer.Times()
    let description: String

    private let buffers = VertexBuffers()
    private let baking: SoftEdgeBaking
    private let propShaders: ShaderSources
    /// Made for the first prop.
    private var props: PropPainter?
    private var programs: LayerPrograms
    private var targets: [PixelFormat: TileTarget] = [:]
    private var textures = TextureCache<LayerTexture>()
    private var colorTables = ColorTableTextures()
    /// By track ID.
    private var captures: [Int: Texture2D] = [:]
    /// The occluders of the faces, by track ID.
    private var mattes: [Int: Texture2D] = [:]
    private var matteBuffer = MatteBuffer()
    /// Of a texture, in pixels.
    private let largestSide: Int
    /// The last property, because what is released before it needs it.
    private let context: any GraphicsContext

    /// - Parameter context: the current context, which the renderer retains.
    init(
        context: any GraphicsContext, shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh
    ) throws(GraphicsError) {
        self.context = context
        description = context.rendererDescription
        largestSide = context.largestTextureSide
        propShaders = shaders.propSurface
        baking = try SoftEdgeBaking(shaders.layerTexture, buffers: buffers, mesh: mesh, reference: reference)
        programs = try LayerPrograms(shaders.warpLayer)
    }

    // MARK: Executing

    func execute(
        _ list: DrawList, in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(GraphicsError) {
        owner.check()
        times = MaskRenderer.Times()
        textures.beginPicture()
        props?.beginPicture()
        setUp()
        let start = ContinuousClock.now
        upload(list.captures, of: picture)
        times.upload += (ContinuousClock.now - start) / .seconds(1)
        for face in list.faces { try draw(face, in: &picture, encoding: encoding) }
        try GraphicsError.check(while: "drawing")
    }

    /// Sets the state that drawing relies on: others may draw in the same context between two pictures.
    private func setUp() {
        glDisable(GLenum(GL_SCISSOR_TEST))
        glDisable(GLenum(GL_DEPTH_TEST))
        // Triangles that face away are not drawn. Clockwise in the picture is counter-clockwise for OpenGL, whose y axis
        // points up; here y points down in both.
        glCullFace(GLenum(GL_BACK))
        glFrontFace(GLenum(GL_CCW))
        glDisable(GLenum(GL_DITHER))
    }

    private func upload(_ needed: [Capture], of picture: borrowing PixelBuffer) {
        if captures.count > 0 { captures = captures.filter { known in needed.contains { $0.trackID == known.key } } }
        if mattes.count > 0 { mattes = mattes.filter { known in needed.contains { $0.trackID == known.key } } }
        for capture in needed {
            // Such a picture of a face cannot be sampled; the layer is left out.
            guard max(capture.rectangle.width, capture.rectangle.height) <= largestSide else {
                captures[capture.trackID] = nil
                continue
            }
            let texture = captures[capture.trackID] ?? Texture2D()
            texture.upload(picture, capture.rectangle)
            captures[capture.trackID] = texture
        }
    }

    private func draw(
        _ face: FaceDrawList, in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(GraphicsError) {
        let isFixed =
            encoding.isOpaque && !encoding.isGrey && encoding.matrixFromSRGB == nil && picture.format == .rgba8
        var prepared: [PreparedCall] = []
        // Before the target is bound, because baking a texture draws.
        for call in face.calls {
            let call = try prepare(call, isFixed: isFixed, restores: encoding.restoresAlpha && !encoding.isOpaque)
            if let call { prepared.append(call) }
        }
        let target = try target(for: picture.format)
        for tile in face.rectangle.tiles(side: TileTarget.side) {
            let start = ContinuousClock.now
            target.upload(picture, tile)
            let uploaded = ContinuousClock.now
            target.begin()
            glViewport(0, 0, GLsizei(tile.width), GLsizei(tile.height))
            for call in prepared { try draw(call, in: tile, target: target, encoding: encoding) }
            let finished = ContinuousClock.now
            target.download(tile, into: &picture)
            times.upload += (uploaded - start) / .seconds(1)
            times.draw += (finished - uploaded) / .seconds(1)
            times.download += (ContinuousClock.now - finished) / .seconds(1)
        }
    }

    private func draw(
        _ prepared: PreparedCall, in tile: PixelRectangle, target: TileTarget, encoding: ColorEncoding
    ) throws(GraphicsError) {
        let (call, program) = (prepared.call, prepared.program)
        var scene: (texture: Texture2D, geometry: LayerGeometry)?
        if case .scene(let described) = prepared.colors {
            let area = call.bounds.intersection(tile)
            guard !area.isEmpty, let texture = try props?.paint(described, area: area) else { return }
            scene = (texture, call.geometry.onCorner(of: texture, in: area))
            target.begin()
            glViewport(0, 0, GLsizei(tile.width), GLsizei(tile.height))
        }
        glUseProgram(program.name)
        glEnable(GLenum(GL_CULL_FACE))
        glUniform2f(program.uniform("tileOrigin"), Float(tile.x), Float(tile.y))
        glUniform2f(program.uniform("tileSize"), Float(tile.width), Float(tile.height))
        glUniform1f(program.uniform("opacity"), call.opacity)
        glUniform1f(program.uniform("transmission"), call.haze.transmission)
        glUniform3f(program.uniform("haze"), call.haze.light.x, call.haze.light.y, call.haze.light.z)
        if prepared.blendsInShader {
            glDisable(GLenum(GL_BLEND))
            set(encoding, of: program)
            let area = call.bounds.intersection(tile)
            guard !area.isEmpty else { return }
            target.copyBelow(
                PixelRectangle(x: area.x - tile.x, y: area.y - tile.y, width: area.width, height: area.height))
            target.below.bind(unit: LayerPrograms.Unit.below)
        } else {
            glEnable(GLenum(GL_BLEND))
            call.blendMode.setFixedFunction()
        }
        if let match = call.colorMatch {
            colorTables.bind(match.table, unit: LayerPrograms.Unit.colorTable)
            glUniform1f(program.uniform("colorWeight"), match.weight)
        }
        if let detail = call.detail {
            glUniform1f(program.uniform("detailWeight"), detail.weight)
            glUniform1f(program.uniform("meanLuminance"), detail.meanLuminance)
        }
        prepared.edge?.bind(unit: LayerPrograms.Unit.edge, level: 0)
        switch prepared.colors {
        case .layer(let texture, let texelsPerPixel): texture.bind(texelsPerPixel: texelsPerPixel)
        case .capture(let texture): texture.bind(unit: LayerPrograms.Unit.layer)
        case .scene: scene?.texture.bind(unit: LayerPrograms.Unit.layer)
        }
        buffers.draw(scene?.geometry ?? call.geometry)
    }

    private func set(_ encoding: ColorEncoding, of program: ShaderProgram) {
        glUniform1i(program.uniform("isGrey"), encoding.isGrey ? 1 : 0)
        glUniform1i(program.uniform("isSRGB"), encoding.matrixFromSRGB == nil ? 1 : 0)
        let identity: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
        // Row by row: OpenGL's default is column by column.
        glUniformMatrix3fv(program.uniform("sRGBToPicture"), 1, GLboolean(GL_TRUE), encoding.matrixFromSRGB ?? identity)
    }

    // MARK: Preparing

    /// A draw call with the OpenGL objects that execute it.
    private struct PreparedCall {
        enum Colors {
            case layer(LayerTexture, texelsPerPixel: Float)
            case capture(Texture2D)
            case scene(PropScene)
        }

        let call: DrawCall
        let program: ShaderProgram
        let blendsInShader: Bool
        let colors: Colors
        let edge: Texture2D?
    }

    /// Nil if the call's capture is missing.
    /// - Parameters:
    ///   - isFixed: whether fixed-function blending is exact on the picture.
    ///   - restores: whether occluders get their alpha back.
    private func prepare(_ call: DrawCall, isFixed: Bool, restores: Bool) throws(GraphicsError) -> PreparedCall? {
        var isOffset = false
        if case .retouched = call.source { isOffset = true }
        let blendsInShader =
            !isFixed || !call.blendMode.isFixedFunction || call.detail != nil || call.recolors || isOffset
        var key = LayerPrograms.Key(blendMode: blendsInShader ? call.blendMode : nil)
        key.matchesColor = call.colorMatch != nil && !call.recolors
        key.recolors = call.recolors
        key.isOffset = isOffset
        key.showsDetail = call.detail != nil
        let colors: PreparedCall.Colors
        var edge: Texture2D?
        switch call.source {
        case .texture(let reference):
            let texture = try texture(reference)
            colors = .layer(
                texture,
                texelsPerPixel: call.geometry.texelsPerPixel(
                    width: texture.texture.width, height: texture.texture.height))
        case .capture(let trackID, let softEdge):
            guard let capture = captures[trackID] else { return nil }
            colors = .capture(capture)
            key.isLive = true
            key.hasEdge = softEdge != nil
            switch softEdge {
            case .texture(let reference): edge = try texture(reference).texture
            case .map(let map):
                let texture = Texture2D()
                texture.upload(map.pixels)
                edge = texture
            case nil: break
            }
        case .retouched(let map):
            let texture = Texture2D()
            texture.upload(map.pixels)
            colors = .capture(texture)
        case .scene(let scene):
            if props == nil { props = try PropPainter(propShaders) }
            colors = .scene(scene)
        case .uncovered(let trackID, let matte):
            guard let capture = captures[trackID] else { return nil }
            colors = .capture(capture)
            key.isLive = true
            key.hasEdge = true
            key.restores = restores
            edge = try upload(matte, trackID: trackID)
        }
        return PreparedCall(
            call: call, program: try programs.program(key), blendsInShader: blendsInShader, colors: colors, edge: edge)
    }

    private func upload(_ matte: OcclusionMatte, trackID: Int) throws(GraphicsError) -> Texture2D {
        do {
            let texture = mattes[trackID] ?? Texture2D()
            try matteBuffer.withPixels(of: matte) { texture.upload($0, $1) }
            mattes[trackID] = texture
            return texture
        } catch {
            throw GraphicsError(.outOfMemory, "\(error)")
        }
    }

    private func texture(_ reference: TextureReference) throws(GraphicsError) -> LayerTexture {
        try textures.value(for: reference) { (layer, changed) throws(GraphicsError) in
            try layer.update(reference, changed: changed, baking: baking)
            return layer
        } make: { () throws(GraphicsError) in
            let pixels = (reference.texture.pixels.width, reference.texture.pixels.height)
            guard max(pixels.0, pixels.1) <= largestSide else {
                throw GraphicsError(
                    .failed,
                    "\(reference.texture.path): this OpenGL is limited to textures of \(largestSide) pixels per side")
            }
            return try LayerTexture(reference, baking: baking)
        }
    }

    private func target(for format: PixelFormat) throws(GraphicsError) -> TileTarget {
        if let target = targets[format] { return target }
        let target = try TileTarget(format: format)
        targets[format] = target
        return target
    }
}

extension LayerGeometry {
    /// The geometry of a scene that was drawn on the top left corner of a texture, for an area of the picture of the same size in
    /// pixels.
    fileprivate func onCorner(of texture: Texture2D, in area: PixelRectangle) -> LayerGeometry {
        let size = Point(Float(area.width), Float(area.height))
        let origin = Point(Float(area.x), Float(area.y))
        let whole = Point(Float(texture.width), Float(texture.height))
        guard triangles.count > 2 else {
            var geometry = Self.rectangle(
                Self.rectangleCorners.map { origin + $0 * size }, canonicalUV: Self.rectangleCorners)
            geometry.textureCoordinates = Self.rectangleCorners.map { $0 * size / whole }
            return geometry
        }
        var geometry = self
        geometry.textureCoordinates = positions.map { ($0 - origin) / whole }
        return geometry
    }
}
