import FaceGeometry
import Masks
import Pixels

/// What is to be drawn: which layers somebody wears now, and the triangles, textures and programs that makes.
extension MaskRenderer {
    /// A layer that somebody wears now.
    struct PresentLayer {
        let layer: Layer
        let opacity: Float
    }

    func presentLayers(_ mask: Mask, _ wearer: Wearer, isLargest: Bool) -> [PresentLayer] {
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
    func takeFacePictures(
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

    func measureLight(
        _ everybody: [(wearer: Wearer, layers: [PresentLayer])], _ wearers: [Wearer], in picture: borrowing PixelBuffer,
        at seconds: Double?
    ) {
        var needed: [Int: Wearer] = [:]
        for (wearer, layers) in everybody where layers.contains(where: { !$0.layer.light.isNone }) {
            needed[wearer.number] = wearer
            // Whose face somebody else wears gives colours too.
            let trades = layers.contains {
                if case .warp(let warp) = $0.layer.content, case .otherFace = warp.picture { true } else { false }
            }
            if trades, let other = Self.other(of: wearer, among: wearers) { needed[other.number] = other }
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
    struct DrawnLayer {
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

    enum BoundTexture {
        case layer(LayerTexture, texelsPerPixel: Float)
        case face(FacePicture)
    }

    func drawnLayers(
        _ layers: [PresentLayer], on wearer: Wearer, among wearers: [Wearer], at seconds: Double, isFixed: Bool
    ) throws(RenderingError) -> [DrawnLayer] {
        let vertices = wearer.face.vertices
        // Only stickers and distortions ask for it.
        lazy var camera = AffineCamera(fitting: wearer.face.landmarks, to: reference)
        var displacements: [Point]?
        var bent = BentFace(vertices, offsets: nil, mesh: mesh, refined: refined)
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
                bent = BentFace(vertices, offsets: sum.map { camera.direction($0) }, mesh: mesh, refined: refined)
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
                        edge: try texture(white, edge: SoftEdge(warp), coordinates: reference.vertices))
                }
            case .sticker(let sticker):
                let texture: Texture
                switch sticker.picture {
                case .texture(let still): texture = still
                case .animation(let animation): texture = animation.frame(at: seconds, signals: wearer.signals)
                case .ownFace, .otherFace: continue
                }
                let loaded = try self.texture(texture, edge: nil, coordinates: [])
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
        let loaded = try self.texture(texture, edge: SoftEdge(warp), coordinates: warp.textureCoordinates)
        geometry.textureCoordinates = refined.textureCoordinates(warp.textureCoordinates)
        geometry.triangles = loaded.visibleTriangles
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
}
