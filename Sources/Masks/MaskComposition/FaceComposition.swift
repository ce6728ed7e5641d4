import FaceGeometry
import Masks
import Occlusion
import Pixels

/// Composes the draw calls of one face, layer after layer. Deformations change the state for the layers above them.
struct FaceComposition {
    let face: MaskedFace
    /// The face that layers with another face's picture show.
    let partner: MaskedFace?
    let captures: [Capture]
    /// The occluders of the face; nil: none that the mask lies under.
    let matte: OcclusionMatte?
    /// The same of the partner.
    let partnerMatte: OcclusionMatte?
    let composer: MaskComposer
    /// Of the picture; nil: a single one.
    let seconds: Double?

    /// The mesh as it is in the picture, and after the deformations so far.
    private let plain: DeformedMesh
    private(set) var deformed: DeformedMesh
    /// The sum of the deformations so far, in canonical UV.
    private var displacements: [Point]?
    /// Of the refined mesh's vertices.
    private(set) var visibility: [Float]
    /// Of props; nil where there are none.
    private let head: (camera: HeadCamera, light: PropLight)?
    /// How many props, layers of make-up and, below, of other faces were met.
    private var (propCount, makeupCount) = (0, 0)
    var swapCount = 0
    /// How often the face itself was drawn large.
    var largeCount = 0

    init(
        _ face: MaskedFace, partner: MaskedFace?, captures: [Capture], mattes: [Int: OcclusionMatte],
        composer: MaskComposer, seconds: Double?, head: (camera: HeadCamera, light: PropLight)?
    ) {
        self.head = head
        self.face = face
        self.partner = partner
        self.captures = captures
        matte = mattes[face.trackID]
        partnerMatte = partner.flatMap { mattes[$0.trackID] }
        self.composer = composer
        self.seconds = seconds
        plain = DeformedMesh(face.vertices, offsets: nil, composer)
        deformed = plain
        visibility = composer.visibility(composer.surface.meshVisibility, face.vertices)
    }

    /// - Parameter calls: gets those that draw the face; empty before.
    /// - Returns: the area that they may change; nil if no layer touches the picture.
    mutating func addCalls(in bounds: PixelRectangle, to calls: inout [DrawCall]) -> PixelRectangle? {
        var extent: Extent?
        func add(_ call: DrawCall, to calls: inout [DrawCall]) {
            guard let callExtent = call.geometry.extent else { return }
            calls.append(call)
            calls[calls.count - 1].bounds = PixelRectangle(covering: callExtent.box).intersection(bounds)
            if extent == nil { extent = callExtent } else { extent?.formUnion(callExtent) }
        }
        for visible in face.layers {
            if case .prop(let prop) = visible.layer.content, let call = shadow(of: prop, visible) {
                add(call, to: &calls)
            }
            if let makeup = visible.layer.makeup, case .warp(let warp) = visible.layer.content {
                addMakeup(makeup, warp, visible) { add($0, to: &calls) }
            } else if case .warp(let warp) = visible.layer.content, case .otherFace = warp.picture {
                addOtherFace(warp, visible) { add($0, to: &calls) }
            } else if let content = content(of: visible.layer.content, in: bounds) {
                add(drawCall(content, visible), to: &calls)
            }
        }
        guard let extent else { return nil }
        let rectangle = PixelRectangle(covering: extent.box).intersection(bounds)
        guard !rectangle.isEmpty else { return nil }
        // What is in front of a large face has been drawn larger with it, but not what is in front of other layers.
        if calls.count > largeCount, let call = uncovering(rectangle) { calls.append(call) }
        return rectangle
    }

    // MARK: Layers

    /// The colours of a layer, before opacity, blending and light.
    struct Content {
        var geometry: LayerGeometry
        var source: ColorSource
        /// The statistics of the source's colours; nil: those of the face's own skin.
        var colors: ColorStatistics?
        /// The light on the face that is shown in place of this one, and whether it is mirrored; nil: none is.
        var giver: (light: FaceLight, isMirrored: Bool)?
        var tableKey = ColorTableCache.Source.other

        /// What is not, shows the picture, in which the haze is already.
        var isPaint: Bool { if case .texture = source { true } else { false } }
    }

    /// Nil for layers that draw nothing.
    /// - Parameter bounds: of the picture.
    private mutating func content(of layer: Layer.Content, in bounds: PixelRectangle) -> Content? {
        switch layer {
        case .deform(let deformation):
            deform(by: deformation)
            return nil
        case .hair, .comic: return nil
        case .warp(let warp):
            switch warp.picture {
            case .texture(let texture): return textured(texture, warp)
            case .animation(let animation):
                return textured(animation.frame(at: seconds ?? 0, signals: face.instance.signals), warp)
            case .ownFace: return ownFace(warp)
            case .otherFace: return nil
            }
        case .prop(let prop):
            return self.prop(prop)
        case .sticker(let sticker):
            switch sticker.picture {
            case .texture(let texture): return self.sticker(sticker, texture, in: bounds)
            case .animation(let animation):
                let frame = animation.frame(at: seconds ?? 0, signals: face.instance.signals)
                return self.sticker(sticker, frame, in: bounds)
            case .ownFace, .otherFace: return nil
            }
        }
    }

    private mutating func deform(by deformation: Deformation) {
        let (reference, signals) = (composer.reference, face.instance.signals)
        let added = composer.points.make {
            deformation.displacements(of: reference, signals: signals, into: &$0)
        }
        let before = displacements
        let sum = composer.points.make { sum in
            for index in added.indices { sum.append((before?[index] ?? .zero) + added[index]) }
        }
        displacements = sum
        let camera = face.instance.face.camera
        let offsets = composer.points.make { offsets in
            for displacement in sum { offsets.append(camera.direction(displacement)) }
        }
        deformed = DeformedMesh(face.vertices, offsets: offsets, composer)
        visibility = composer.visibility(composer.surface.meshVisibility, deformed.coarse)
    }

    /// Smooths the skin, then changes its colours.
    private mutating func addMakeup(
        _ makeup: Makeup, _ warp: WarpLayer, _ visible: MaskedFace.VisibleLayer, _ add: (DrawCall) -> Void
    ) {
        makeupCount += 1
        guard case .texture(let texture) = warp.picture, let followed = composer.lights[face.trackID],
            let colors = followed.colors, let skin = followed.light.skin
        else { return }
        let content = textured(texture, warp)
        let info = composer.info(
            TextureReference(texture, softEdge: SoftEdge(warp), coordinates: warp.textureCoordinates),
            openings: warp.openings)
        let coverage = info.coverage(texture, at: composer.surface.faceTexels)
        if makeup.smoothing > 0, let map = colors.map(makeup, layer: makeupCount, coverage: coverage) {
            var call = drawCall(content, visible)
            call.geometry.textureCoordinates = composer.surface.faceTexelCoordinates
            call.source = .retouched(map)
            add(call)
        }
        if makeup.recolors,
            let table = colors.table(
                makeup, layer: makeupCount, coverage: coverage, skin: skin, haze: followed.light.haze, at: seconds)
        {
            var call = drawCall(content, visible)
            call.colorMatch = ColorMatch(table: table, weight: 1)
            call.recolors = true
            add(call)
        }
    }

    private func textured(_ texture: Texture, _ warp: WarpLayer) -> Content {
        let reference = TextureReference(
            texture, softEdge: SoftEdge(warp), coordinates: warp.textureCoordinates)
        let info = composer.info(reference, openings: warp.openings)
        let geometry = LayerGeometry(
            triangles: info.visibleTriangles, positions: deformed.vertices, textureCoordinates: info.coordinates,
            canonicalUV: composer.surface.canonicalUV, visibility: visibility)
        return Content(
            geometry: geometry, source: .texture(reference), colors: info.colors,
            tableKey: .texture(ObjectIdentifier(info)))
    }

    /// The face itself, deformed, with a ring around it.
    private func ownFace(_ warp: WarpLayer) -> Content? {
        guard let capture = captures.first(where: { $0.trackID == face.trackID }) else { return nil }
        return Content(
            geometry: withRing(warp.openings, capture), source: .capture(trackID: face.trackID, edge: nil), colors: nil,
            tableKey: .face(trackID: face.trackID))
    }

    private mutating func prop(_ prop: PropLayer) -> Content? {
        propCount += 1
        guard let head else { return nil }
        let pose = composer.poses.pose(
            of: prop, at: PropPoses.Place(trackID: face.trackID, number: propCount),
            modelToCamera: head.camera.headToCamera.after(prop.modelToHead(composer.reference)), seconds: seconds,
            face: face.instance)
        guard let scene = PropScene(prop, pose, head.camera, head.light, reference: composer.reference),
            let box = scene.box
        else { return nil }
        let corners = corners { box.low + $0 * (box.high - box.low) }
        let geometry = LayerGeometry.rectangle(corners, canonicalUV: LayerGeometry.rectangleCorners)
        let clearance = FaceClearance(of: face, among: composer.faces, in: box, reference: composer.reference)
        return Content(geometry: clearance?.cut(box) ?? geometry, source: .scene(scene), colors: nil)
    }

    /// On the skin, and on what is painted on it. Nil if the prop throws none.
    private func shadow(of prop: PropLayer, _ visible: MaskedFace.VisibleLayer) -> DrawCall? {
        guard prop.shadow > 0, head != nil, let texture = composer.shadows.texture, let warp = composer.shadows.warp
        else { return nil }
        let shadow = composer.shadows.shadow(of: prop)
        guard !shadow.triangles.isEmpty else { return nil }
        var content = textured(texture, warp)
        content.geometry.visibility = product(content.geometry.visibility, shadow.strengths)
        content.geometry.triangles = shadow.triangles
        var call = drawCall(content, visible)
        call.blendMode = .normal
        call.haze = composer.lights[face.trackID]?.light.haze ?? .none
        call.opacity *= prop.shadow
        return call
    }

    private func sticker(_ sticker: StickerLayer, _ texture: Texture, in bounds: PixelRectangle) -> Content {
        var geometry = LayerGeometry.sticker(
            sticker, vertices: deformed.coarse, undeformed: plain.coarse, pupils: face.instance.face.pupils,
            camera: face.instance.face.camera, reference: composer.reference,
            aspectRatio: texture.aspectRatio, &composer.points)
        if sticker.staysInside {
            let (positions, offset) = (geometry.positions, geometry.offset(into: bounds))
            geometry.positions = composer.points.make { moved in
                for position in positions { moved.append(position + offset) }
            }
        }
        return Content(
            geometry: geometry, source: .texture(TextureReference(texture, softEdge: nil, coordinates: [])),
            colors: nil)
    }

    func drawCall(_ content: Content, _ visible: MaskedFace.VisibleLayer) -> DrawCall {
        let light = visible.layer.light
        // Models have a light of their own.
        var call = DrawCall(
            geometry: content.geometry, source: content.source, blendMode: visible.layer.blendMode,
            opacity: visible.opacity, bounds: PixelRectangle(x: 0, y: 0, width: 0, height: 0))
        if light.shading > 0, case .texture(let reference) = content.source, reference.softEdge != nil {
            soften(&call, MaskSurface.outlineFade(faceWidth: Landmarks.topology.faceWidth(face.vertices)))
        }
        guard let measured = composer.lights[face.trackID]?.light, let skin = measured.skin else { return call }
        if case .scene = content.source, visible.layer.blendMode == .normal { call.haze = measured.haze }
        guard !light.isNone else { return call }
        if light.shading > 0, content.isPaint, visible.layer.blendMode == .normal { call.haze = measured.haze }
        var exposure: Float = 1
        if light.shading > 0, visible.layer.blendMode == .normal, let paint = content.colors?.mean.x {
            exposure = measured.exposure.factor(paint: paint, skin: skin.mean.x, share: light.color)
        }
        let places = call.geometry.canonicalUV
        call.geometry.light = composer.points.make {
            measured.vertexLight(
                at: places, weight: light.shading, exposure: exposure, inPlaceOf: content.giver?.light,
                isMirrored: content.giver?.isMirrored ?? false, into: &$0)
        }
        // Of faces, the same part is compared.
        let colors =
            content.giver.map { ($0.light.middle ?? skin, measured.middle ?? skin) } ?? (content.colors ?? skin, skin)
        if light.color > 0,
            let table = composer.lights[face.trackID]?.tables.table(
                for: content.tableKey, from: colors.0, to: colors.1)
        {
            call.colorMatch = ColorMatch(table: table, weight: light.color)
        }
        if light.detail > 0 {
            call.detail = DetailMatch(weight: light.detail, meanLuminance: measured.meanLuminance)
        }
        return call
    }

    /// Widens the soft edge at the outline of the mesh.
    /// - Parameter share: 0: not at all … 1.
    private func soften(_ call: inout DrawCall, _ share: Float) {
        guard share > 0 else { return }
        let (visibility, inside) = (call.geometry.visibility, composer.surface.insideOutline)
        call.geometry.visibility = composer.numbers.make { result in
            for index in visibility.indices { result.append(visibility[index] * (1 - share * (1 - inside[index]))) }
        }
    }

    // MARK: Occluders

    /// Restores the picture where something occludes the face: after all layers, so that all kinds of layers and blend
    /// modes lie under it.
    private func uncovering(_ rectangle: PixelRectangle) -> DrawCall? {
        guard let matte, let capture = captures.first(where: { $0.trackID == face.trackID }) else { return nil }
        let bounds = PixelRectangle(covering: matte.box).intersection(rectangle).intersection(capture.rectangle)
        guard !bounds.isEmpty,
            var geometry = composer.uncovered.geometry(of: matte, &composer.points, &composer.numbers)
        else { return nil }
        geometry.textureCoordinates = textureCoordinates(geometry.positions, on: capture)
        return DrawCall(
            geometry: geometry, source: .uncovered(trackID: face.trackID, matte: matte), blendMode: .normal, opacity: 1,
            bounds: bounds)
    }

    // MARK: The ring around a face

    /// The face, with a ring around it that takes up the motion of its outline, so that a deformation ends in the untouched
    /// picture.
    private func withRing(_ openings: Set<FaceMesh.Opening>, _ capture: Capture) -> LayerGeometry {
        let (outline, vertices) = (composer.surface.outline, plain.vertices)
        let center = FaceBox(around: vertices).center
        func extended(_ positions: [Point]) -> [Point] {
            composer.points.make { result in
                result.append(contentsOf: positions)
                for index in outline { result.append(Self.ring(vertices[index], around: center)) }
            }
        }
        return LayerGeometry(
            triangles: composer.surface.ringTriangles(openings), positions: extended(deformed.vertices),
            textureCoordinates: textureCoordinates(extended(vertices), on: capture),
            canonicalUV: composer.surface.ringCanonicalUV, visibility: composer.surface.ringVisibility)
    }

    /// A point farther out by 40 % than one of an outline, seen from the centre of the face.
    private static func ring(_ point: Point, around center: Point) -> Point { center + 1.4 * (point - center) }

    /// The box around some vertices and a ring around them.
    static func boxWithRing(around vertices: [Point]) -> FaceBox {
        let box = FaceBox(around: vertices)
        var (low, high) = (Point(box.x, box.y), Point(box.x + box.width, box.y + box.height))
        for vertex in vertices {
            let point = ring(vertex, around: box.center)
            (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
        }
        return FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    // MARK: Arrays

    /// Places of the picture, in pixels, as texture coordinates on a capture.
    func textureCoordinates(_ places: [Point], on capture: Capture) -> [Point] {
        let rectangle = capture.rectangle
        let origin = Point(Float(rectangle.x), Float(rectangle.y))
        let size = Point(Float(max(1, rectangle.width)), Float(max(1, rectangle.height)))
        return composer.points.make { result in for place in places { result.append((place - origin) / size) } }
    }

    func product(_ a: [Float], _ b: [Float]) -> [Float] {
        composer.numbers.make { result in for index in a.indices { result.append(a[index] * b[index]) } }
    }

    /// Those of a rectangle.
    /// - Parameter place: of one that is given as in `LayerGeometry.rectangleCorners`.
    private func corners(_ place: (Point) -> Point) -> [Point] {
        composer.points.make { result in for corner in LayerGeometry.rectangleCorners { result.append(place(corner)) } }
    }
}
