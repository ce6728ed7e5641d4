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
    private let refined: RefinedMesh
    /// The refined mesh's vertices on the reference sheet, and its outline.
    private let referencePlaces: [Point]
    private let outline: [Int]
    /// Those of the plain mesh without the openings: closed lids and lips have no area.
    private let skinTriangles: [Triangle]
    private var openTriangles: [Set<FaceMesh.Opening>: [Triangle]] = [:]
    private let skinSamples: SkinSamples
    private let shaders: ShaderSources
    private var programs: [ProgramKey: ShaderProgram] = [:]
    private let white: Texture
    private var facePictures: [Int: FacePicture] = [:]
    /// Of the picture that is being drawn on, and of the one before in a stream of pictures.
    private var lights: [Int: FaceLight] = [:]
    private var followedLights: [Int: FaceLight] = [:]
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
        refined = RefinedMesh(mesh, reference: reference)
        referencePlaces = refined.textureCoordinates(reference.vertices)
        outline = refined.outline()
        skinTriangles = mesh.triangles(openings: Set(FaceMesh.Opening.allCases))
        skinSamples = SkinSamples(mesh, reference: reference)
        self.shaders = shaders.warpLayer
        do {
            var pixels = try PixelBuffer(width: 8, height: 8, format: .rgba8)
            for y in 0..<8 { pixels.withMutableRow(y) { for x in $0.indices { $0[x] = SIMD4(repeating: 255) } } }
            white = Texture(path: "", pixels: pixels)
        } catch {
            throw RenderingError(.outOfMemory, "\(error)")
        }
        buffers = VertexBuffers()
        edges = try EdgeBaking(
            shaders.layerTexture, buffers: buffers, mesh: refined, reference: reference,
            feather: Self.featherWidth * reference.width)
        // Told at once if it is broken.
        _ = try program(ProgramKey())
    }

    /// What a shader program is for.
    private struct ProgramKey: Hashable {
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
        _ mask: Mask, on wearers: [Wearer], at seconds: Double? = nil, in picture: inout PixelBuffer,
        encoding: ColorEncoding = ColorEncoding()
    ) throws(RenderingError) {
        times = Times()
        guard !wearers.isEmpty else { return }
        prepare()
        let start = ContinuousClock.now
        let largest = wearers.max { $0.face.box.area < $1.face.box.area }?.number
        var everybody: [(wearer: Wearer, layers: [PresentLayer])] = []
        for wearer in wearers {
            let layers = presentLayers(mask, wearer, isLargest: wearer.number == largest)
            if !layers.isEmpty { everybody.append((wearer, layers)) }
        }
        takeFacePictures(everybody, wearers, in: picture)
        measureLight(everybody, wearers, in: picture, at: seconds)
        times.upload += (ContinuousClock.now - start) / .seconds(1)
        for (wearer, layers) in everybody {
            try draw(layers, on: wearer, among: wearers, at: seconds ?? 0, in: &picture, encoding: encoding)
        }
        try Self.checkErrors()
    }

    /// Draws a mask on faces of which only this picture is known.
    package func draw(
        _ mask: Mask, on faces: [Face], in picture: inout PixelBuffer, encoding: ColorEncoding = ColorEncoding()
    ) throws(RenderingError) {
        let wearers = faces.enumerated().map { Wearer(face: $1, number: $0 + 1) }
        try draw(mask, on: wearers, in: &picture, encoding: encoding)
    }

    // MARK: What is to be drawn

    /// A layer that somebody wears now.
    private struct PresentLayer {
        let layer: Layer
        let opacity: Float
    }

    private func presentLayers(_ mask: Mask, _ wearer: Wearer, isLargest: Bool) -> [PresentLayer] {
        let layers = mask.layers.compactMap { layer -> PresentLayer? in
            let presence = layer.presence(on: wearer, isLargest: isLargest)
            return presence > 0 ? PresentLayer(layer: layer, opacity: presence) : nil
        }
        let showsSomething = layers.contains { if case .deform = $0.layer.content { false } else { true } }
        return showsSomething ? layers : []
    }

    /// Whose face somebody wears who trades faces: the next in the order of their coming; nil: there is nobody else.
    private static func other(of wearer: Wearer, among wearers: [Wearer]) -> Wearer? {
        let others = wearers.filter { $0.number != wearer.number }.sorted { $0.number < $1.number }
        return others.first { $0.number > wearer.number } ?? others.first
    }

    /// Keeps the faces that distortions and trades need, before anything is drawn over them.
    private func takeFacePictures(
        _ everybody: [(wearer: Wearer, layers: [PresentLayer])], _ wearers: [Wearer], in picture: borrowing PixelBuffer
    ) {
        var needed: [Int: Wearer] = [:]
        for (wearer, layers) in everybody {
            for present in layers {
                guard case .warp(let warp) = present.layer.content else { continue }
                switch warp.picture {
                case .ownFace: needed[wearer.number] = wearer
                case .otherFace:
                    if let other = Self.other(of: wearer, among: wearers) { needed[other.number] = other }
                case .texture, .animation: break
                }
            }
        }
        facePictures = facePictures.filter { needed[$0.key] != nil }
        for (number, wearer) in needed {
            let ring = Self.ring(around: wearer.face.vertices, outline: wearer.face.vertices)
            let rectangle = Self.rectangle(around: wearer.face.vertices + ring).intersection(picture.bounds)
            guard !rectangle.isEmpty else { continue }
            let kept = facePictures[number] ?? FacePicture()
            kept.take(picture, rectangle)
            facePictures[number] = kept
        }
    }

    private func measureLight(
        _ everybody: [(wearer: Wearer, layers: [PresentLayer])], _ wearers: [Wearer], in picture: borrowing PixelBuffer,
        at seconds: Double?
    ) {
        var needed: [Int: Wearer] = [:]
        for (wearer, layers) in everybody where layers.contains(where: { !$0.layer.light.isNone }) {
            needed[wearer.number] = wearer
            if let other = Self.other(of: wearer, among: wearers) { needed[other.number] = other }
        }
        // Of whoever has gone nothing is kept. A picture by itself, as of a gallery, is no part of what is going on.
        let kept = seconds == nil ? [:] : followedLights.filter { needed[$0.key] != nil }
        lights = kept
        for (number, wearer) in needed {
            let light = lights[number] ?? FaceLight()
            light.measure(picture, vertices: wearer.face.vertices, samples: skinSamples, at: seconds)
            lights[number] = light
        }
        if seconds != nil { followedLights = lights }
    }

    /// One layer on one face, ready to be drawn.
    private struct DrawnLayer {
        var geometry: LayerGeometry
        var key: ProgramKey
        var opacity: Float
        var blendMode: BlendMode
        var light: LightMatching
        var texture: BoundTexture
        /// Tells sources of colours apart, and what is known of theirs.
        var colors: (key: Int, statistics: ColorStatistics?)
        var edge: LayerTexture?
    }

    private enum BoundTexture {
        case layer(LayerTexture, texelsPerPixel: Float)
        case face(FacePicture)
    }

    private func drawnLayers(
        _ layers: [PresentLayer], on wearer: Wearer, among wearers: [Wearer], at seconds: Double, isFixed: Bool
    ) throws(RenderingError) -> [DrawnLayer] {
        let vertices = wearer.face.vertices
        let camera = AffineCamera(fitting: wearer.face.landmarks, to: reference)
        var displacements: [Point]?
        var bent = BentFace(vertices, displacements: nil, camera: camera, mesh: mesh, refined: refined)
        let plain = bent
        var presence = refined.interpolated(
            MeshPresence.values(vertices: vertices, reference: reference, triangles: mesh.triangles))
        var result: [DrawnLayer] = []
        for present in layers {
            let layer = present.layer
            let needsShader = !isFixed || !layer.blendMode.isFixedFunction || layer.light.detail > 0
            var drawn: DrawnLayer
            switch layer.content {
            case .deform(let deformation):
                let more = deformation.displacements(of: reference, signals: wearer.signals)
                let sum = displacements.map { zip($0, more).map { $0 + $1 } } ?? more
                displacements = sum
                bent = BentFace(vertices, displacements: sum, camera: camera, mesh: mesh, refined: refined)
                presence = refined.interpolated(
                    MeshPresence.values(vertices: bent.coarse, reference: reference, triangles: mesh.triangles))
                continue
            case .warp(let warp):
                var geometry = LayerGeometry(
                    triangles: triangles(warp.openings), positions: bent.vertices,
                    textureCoordinates: [], referenceCoordinates: referencePlaces, presence: presence)
                switch warp.picture {
                case .texture(let texture):
                    drawn = try textured(texture, warp, &geometry, bent)
                case .animation(let animation):
                    drawn = try textured(
                        animation.frame(at: seconds, signals: wearer.signals), warp, &geometry, bent)
                case .ownFace:
                    guard let face = facePictures[wearer.number] else { continue }
                    addRing(to: &geometry, plain: plain, face: face)
                    drawn = DrawnLayer(
                        geometry: geometry, key: ProgramKey(isLive: true), opacity: 1, blendMode: .normal,
                        light: LightMatching(), texture: .face(face), colors: (-wearer.number, nil))
                case .otherFace:
                    guard let other = Self.other(of: wearer, among: wearers), let face = facePictures[other.number]
                    else { continue }
                    geometry.textureCoordinates = face.textureCoordinates(
                        refined.vertices(other.face.vertices))
                    let seen = refined.interpolated(
                        MeshPresence.values(
                            vertices: other.face.vertices, reference: reference, triangles: skinTriangles,
                            isSource: true))
                    geometry.presence = zip(geometry.presence, seen).map { $0 * $1 }
                    drawn = DrawnLayer(
                        geometry: geometry, key: ProgramKey(isLive: true, hasEdge: true), opacity: 1,
                        blendMode: .normal, light: LightMatching(), texture: .face(face),
                        colors: (-other.number, lights[other.number]?.skin),
                        edge: try texture(white, openings: warp.openings, coordinates: reference.vertices))
                }
            case .sticker(let sticker):
                let texture: Texture
                switch sticker.picture {
                case .texture(let still): texture = still
                case .animation(let animation): texture = animation.frame(at: seconds, signals: wearer.signals)
                case .ownFace, .otherFace: continue
                }
                let loaded = try self.texture(texture, openings: nil, coordinates: [])
                let geometry = LayerGeometry.sticker(
                    sticker, vertices: bent.coarse, camera: camera, reference: reference,
                    aspectRatio: Float(texture.pixels.height) / Float(texture.pixels.width))
                drawn = DrawnLayer(
                    geometry: geometry, key: ProgramKey(), opacity: 1, blendMode: .normal, light: LightMatching(),
                    texture: .layer(loaded, texelsPerPixel: Self.texelsPerPixel(geometry, loaded)),
                    colors: (0, nil))
            }
            drawn.opacity = present.opacity
            drawn.blendMode = layer.blendMode
            drawn.light = layer.light
            if !layer.light.isNone, let light = lights[wearer.number], light.skin != nil {
                drawn.key.matchesColor = layer.light.color > 0
                drawn.key.showsDetail = layer.light.detail > 0
                let shading = layer.light.shading
                drawn.geometry.light = light.brightness(at: drawn.geometry.referenceCoordinates)
                    .map { Point(1 + shading * ($0 - 1), $0) }
            }
            drawn.key.blendMode = needsShader ? layer.blendMode : nil
            result.append(drawn)
        }
        return result
    }

    private func triangles(_ openings: Set<FaceMesh.Opening>) -> [Triangle] {
        if let known = openTriangles[openings] { return known }
        let triangles = refined.triangles(openings: openings)
        openTriangles[openings] = triangles
        return triangles
    }

    private func textured(
        _ texture: Texture, _ warp: WarpLayer, _ geometry: inout LayerGeometry, _ bent: BentFace
    ) throws(RenderingError) -> DrawnLayer {
        let loaded = try self.texture(texture, openings: warp.openings, coordinates: warp.textureCoordinates)
        geometry.textureCoordinates = refined.textureCoordinates(warp.textureCoordinates)
        return DrawnLayer(
            geometry: geometry, key: ProgramKey(), opacity: 1, blendMode: .normal, light: LightMatching(),
            texture: .layer(loaded, texelsPerPixel: Self.texelsPerPixel(geometry, loaded)),
            colors: (ObjectIdentifier(texture).hashValue, loaded.colors))
    }

    /// A belt around the face takes up what its outline moves, so that a distortion ends in the untouched picture.
    private func addRing(to geometry: inout LayerGeometry, plain: BentFace, face: FacePicture) {
        let places = outline.map { plain.vertices[$0] }
        let ring = Self.ring(around: plain.vertices, outline: places)
        let first = plain.vertices.count
        geometry.textureCoordinates = face.textureCoordinates(plain.vertices + ring)
        geometry.positions += ring
        geometry.referenceCoordinates += outline.map { referencePlaces[$0] }
        geometry.presence = geometry.positions.map { _ in 1 }
        for index in outline.indices {
            let next = (index + 1) % outline.count
            geometry.triangles.append(Triangle(outline[index], first + index, outline[next]))
            geometry.triangles.append(Triangle(outline[next], first + index, first + next))
        }
    }

    /// Places half as far again from the face's middle as those of an outline.
    private static func ring(around vertices: [Point], outline: [Point]) -> [Point] {
        let center = FaceBox(around: vertices).center
        return outline.map { center + 1.4 * ($0 - center) }
    }

    // MARK: Drawing

    private func draw(
        _ layers: [PresentLayer], on wearer: Wearer, among wearers: [Wearer], at seconds: Double,
        in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(RenderingError) {
        let isFixed =
            encoding.isOpaque && !encoding.isGrey && encoding.matrixFromSRGB == nil && picture.format == .rgba8
        // Made before anything is set up for drawing: making textures draws.
        let drawn = try drawnLayers(layers, on: wearer, among: wearers, at: seconds, isFixed: isFixed)
        let rectangle = Self.rectangle(around: drawn.flatMap(\.geometry.positions)).intersection(picture.bounds)
        guard !rectangle.isEmpty else { return }
        let target = try target(for: picture.format)
        for tile in rectangle.tiles(side: TileTarget.side) {
            let start = ContinuousClock.now
            target.upload(picture, tile)
            let uploaded = ContinuousClock.now
            target.begin()
            glViewport(0, 0, GLsizei(tile.width), GLsizei(tile.height))
            for layer in drawn {
                try draw(layer, in: tile, target: target, light: lights[wearer.number], encoding: encoding)
            }
            let finished = ContinuousClock.now
            target.download(tile, into: &picture)
            times.upload += (uploaded - start) / .seconds(1)
            times.draw += (finished - uploaded) / .seconds(1)
            times.download += (ContinuousClock.now - finished) / .seconds(1)
        }
    }

    private func draw(
        _ layer: DrawnLayer, in tile: PixelRectangle, target: TileTarget, light: FaceLight?, encoding: ColorEncoding
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
            let bounds = Self.rectangle(around: layer.geometry.positions).intersection(tile)
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

    /// On the mean over the layer.
    private static func texelsPerPixel(_ geometry: LayerGeometry, _ texture: LayerTexture) -> Float {
        var (onTexture, inPicture): (Float, Float) = (0, 0)
        for triangle in geometry.triangles {
            onTexture += abs(triangle.doubleArea(geometry.textureCoordinates))
            inPicture += abs(triangle.doubleArea(geometry.positions))
        }
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
        /// Nil: without the mesh's soft edge.
        let openings: Set<FaceMesh.Opening>?
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

    private func texture(
        _ texture: Texture, openings: Set<FaceMesh.Opening>?, coordinates: [Point]
    ) throws(RenderingError) -> LayerTexture {
        let key = TextureKey(
            texture: ObjectIdentifier(texture), openings: openings, textureCoordinates: coordinates)
        if let known = textures[key], known.source === texture { return known.layer }
        // Textures whose mask is gone; another may live at the same address by now.
        textures = textures.filter { $0.value.source != nil }
        var limit: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        guard max(texture.pixels.width, texture.pixels.height) <= Int(limit) else {
            throw RenderingError(.failed, "\(texture.path): this OpenGL takes textures of up to \(limit) pixels a side")
        }
        let loaded = try LayerTexture(texture, openings: openings, coordinates: coordinates, edges: edges)
        loaded.measureColors(of: texture, at: coordinates.isEmpty ? [] : skinSamples.places(among: coordinates))
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
