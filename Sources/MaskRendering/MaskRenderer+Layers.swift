import FaceGeometry
import Masks
import Pixels

/// What is to be drawn: which layers somebody wears now, and the triangles, textures and programs that makes.
extension MaskRenderer {
    /// A layer that somebody wears now.
    struct VisibleLayer {
        let layer: Layer
        let opacity: Float
    }

    func visibleLayers(_ mask: Mask, _ instance: FaceInstance, isLargest: Bool) -> [VisibleLayer] {
        let layers = mask.layers.compactMap { layer -> VisibleLayer? in
            let visibility = layer.visibility(on: instance, isLargest: isLargest)
            return visibility > 0 ? VisibleLayer(layer: layer, opacity: visibility) : nil
        }
        let showsSomething = layers.contains { if case .deform = $0.layer.content { false } else { true } }
        return showsSomething ? layers : []
    }

    /// Whose face somebody wears who trades faces: the next in the order of their coming; nil: there is nobody else.
    private static func other(of instance: FaceInstance, among instances: [FaceInstance]) -> FaceInstance? {
        let others = instances.filter { $0.trackID != instance.trackID }.sorted { $0.trackID < $1.trackID }
        return others.first { $0.trackID > instance.trackID } ?? others.first
    }

    /// Keeps the faces that distortions and trades need, before anything is drawn over them.
    func takeFacePictures(
        _ everybody: [(instance: FaceInstance, layers: [VisibleLayer])], _ instances: [FaceInstance],
        in picture: borrowing PixelBuffer
    ) {
        var needed: [Int: FaceInstance] = [:]
        for (instance, layers) in everybody {
            for present in layers {
                guard case .warp(let warp) = present.layer.content else { continue }
                switch warp.picture {
                case .ownFace: needed[instance.trackID] = instance
                case .otherFace:
                    if let other = Self.other(of: instance, among: instances) { needed[other.trackID] = other }
                case .texture, .animation: break
                }
            }
        }
        facePictures = facePictures.filter { needed[$0.key] != nil }
        for (number, instance) in needed {
            let ring = Self.ring(around: instance.face.vertices, outline: instance.face.vertices)
            let rectangle = Self.rectangle(around: instance.face.vertices + ring).intersection(picture.bounds)
            guard !rectangle.isEmpty else { continue }
            let kept = facePictures[number] ?? FacePicture()
            kept.take(picture, rectangle)
            facePictures[number] = kept
        }
    }

    func measureLight(
        _ everybody: [(instance: FaceInstance, layers: [VisibleLayer])], _ instances: [FaceInstance],
        in picture: borrowing PixelBuffer,
        at seconds: Double?
    ) {
        var needed: [Int: FaceInstance] = [:]
        for (instance, layers) in everybody where layers.contains(where: { !$0.layer.light.isNone }) {
            needed[instance.trackID] = instance
            // Whose face somebody else wears gives colours too.
            let trades = layers.contains {
                if case .warp(let warp) = $0.layer.content, case .otherFace = warp.picture { true } else { false }
            }
            if trades, let other = Self.other(of: instance, among: instances) { needed[other.trackID] = other }
        }
        // Of whoever has gone nothing is kept. A picture by itself, as of a gallery, is no part of what is going on.
        let kept = seconds == nil ? [:] : followedLights.filter { needed[$0.key] != nil }
        lights = kept
        for (number, instance) in needed {
            let light = lights[number] ?? FaceLight()
            light.measure(picture, vertices: instance.face.vertices, samples: skinSamples, at: seconds)
            lights[number] = light
        }
        if seconds != nil { followedLights = lights }
    }

    /// One layer on one face, ready to be drawn.
    struct DrawCall {
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

    func drawCalls(
        _ layers: [VisibleLayer], on instance: FaceInstance, among instances: [FaceInstance], at seconds: Double,
        isFixed: Bool
    ) throws(RenderingError) -> [DrawCall] {
        let vertices = instance.face.vertices
        let camera = instance.face.camera
        var displacements: [Point]?
        var bent = DeformedMesh(vertices, offsets: nil, mesh: mesh, refined: refined)
        let plain = bent
        var visibility = refined.interpolated(
            MeshVisibility.values(vertices: vertices, reference: reference, triangles: mesh.triangles))
        var result: [DrawCall] = []
        for present in layers {
            let layer = present.layer
            let needsShader = !isFixed || !layer.blendMode.isFixedFunction || layer.light.detail > 0
            var drawn: DrawCall
            switch layer.content {
            case .deform(let deformation):
                let more = deformation.displacements(of: reference, signals: instance.signals)
                let sum = displacements.map { zip($0, more).map { $0 + $1 } } ?? more
                displacements = sum
                bent = DeformedMesh(vertices, offsets: sum.map { camera.direction($0) }, mesh: mesh, refined: refined)
                visibility = refined.interpolated(
                    MeshVisibility.values(vertices: bent.coarse, reference: reference, triangles: mesh.triangles))
                continue
            case .warp(let warp):
                var geometry = LayerGeometry(
                    triangles: triangles(warp.openings), positions: bent.vertices,
                    textureCoordinates: [], referenceCoordinates: referencePlaces, visibility: visibility)
                switch warp.picture {
                case .texture(let texture):
                    drawn = try textured(texture, warp, &geometry, bent)
                case .animation(let animation):
                    drawn = try textured(
                        animation.frame(at: seconds, signals: instance.signals), warp, &geometry, bent)
                case .ownFace:
                    guard let face = facePictures[instance.trackID] else { continue }
                    addRing(to: &geometry, plain: plain, face: face)
                    drawn = DrawCall(
                        geometry: geometry, key: ProgramKey(isLive: true), opacity: 1, blendMode: .normal,
                        light: LightMatching(), texture: .face(face), colors: (-instance.trackID, nil))
                case .otherFace:
                    guard let other = Self.other(of: instance, among: instances), let face = facePictures[other.trackID]
                    else { continue }
                    geometry.textureCoordinates = face.textureCoordinates(
                        refined.vertices(other.face.vertices))
                    let seen = refined.interpolated(
                        MeshVisibility.values(
                            vertices: other.face.vertices, reference: reference, triangles: skinTriangles,
                            isSource: true))
                    geometry.visibility = zip(geometry.visibility, seen).map { $0 * $1 }
                    drawn = DrawCall(
                        geometry: geometry, key: ProgramKey(isLive: true, hasEdge: true), opacity: 1,
                        blendMode: .normal, light: LightMatching(), texture: .face(face),
                        colors: (-other.trackID, lights[other.trackID]?.skin),
                        edge: try texture(white, edge: SoftEdge(warp), coordinates: reference.vertices))
                }
            case .sticker(let sticker):
                let texture: Texture
                switch sticker.picture {
                case .texture(let still): texture = still
                case .animation(let animation): texture = animation.frame(at: seconds, signals: instance.signals)
                case .ownFace, .otherFace: continue
                }
                let loaded = try self.texture(texture, edge: nil, coordinates: [])
                let geometry = LayerGeometry.sticker(
                    sticker, vertices: bent.coarse, camera: camera, reference: reference,
                    aspectRatio: Float(texture.pixels.height) / Float(texture.pixels.width))
                drawn = DrawCall(
                    geometry: geometry, key: ProgramKey(), opacity: 1, blendMode: .normal, light: LightMatching(),
                    texture: .layer(loaded, texelsPerPixel: Self.texelsPerPixel(geometry, loaded)),
                    colors: (0, nil))
            }
            drawn.opacity = present.opacity
            drawn.blendMode = layer.blendMode
            drawn.light = layer.light
            if !layer.light.isNone, let light = lights[instance.trackID], light.skin != nil {
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
        _ texture: Texture, _ warp: WarpLayer, _ geometry: inout LayerGeometry, _ bent: DeformedMesh
    ) throws(RenderingError) -> DrawCall {
        let loaded = try self.texture(texture, edge: SoftEdge(warp), coordinates: warp.textureCoordinates)
        geometry.textureCoordinates = refined.textureCoordinates(warp.textureCoordinates)
        geometry.triangles = loaded.visibleTriangles
        return DrawCall(
            geometry: geometry, key: ProgramKey(), opacity: 1, blendMode: .normal, light: LightMatching(),
            texture: .layer(loaded, texelsPerPixel: Self.texelsPerPixel(geometry, loaded)),
            colors: (ObjectIdentifier(texture).hashValue, loaded.colors))
    }

    /// A belt around the face takes up what its outline moves, so that a distortion ends in the untouched picture.
    private func addRing(to geometry: inout LayerGeometry, plain: DeformedMesh, face: FacePicture) {
        let places = outline.map { plain.vertices[$0] }
        let ring = Self.ring(around: plain.vertices, outline: places)
        let first = plain.vertices.count
        geometry.textureCoordinates = face.textureCoordinates(plain.vertices + ring)
        geometry.positions += ring
        geometry.referenceCoordinates += outline.map { referencePlaces[$0] }
        geometry.visibility = geometry.positions.map { _ in 1 }
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
