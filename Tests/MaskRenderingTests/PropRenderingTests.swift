import AllocationCounter
import FaceGeometry
import Files
import Foundation
import GLTF
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import ModelBuilder
import Pixels
import SoftwareRendering
import TestSupport
import Testing

/// What both renderers do with the triangles and materials of props.
@Suite struct PropRenderingTests {
    let reference: ReferenceFace
    let composer: MaskComposer
    private static let sky = SIMD4<UInt8>(90, 120, 150, 255)

    init() throws {
        reference = try Repository.referenceFace()
        composer = MaskComposer(reference: reference, mesh: try Repository.mesh())
    }

    /// Squares of a width of 2 at depths, drawn in this order, that face the viewer and glow in their colours.
    private func squares(_ squares: [(depth: Float, material: ModelMaterial)]) -> Model {
        var vertices: [ModelVertex] = []
        var parts: [ModelPart] = []
        for (index, square) in squares.enumerated() {
            for (x, y) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
                vertices.append(
                    ModelVertex(
                        position: SIMD3(Float(x), Float(y), square.depth), normal: SIMD3(0, 0, 1),
                        textureCoordinate: SIMD2(Float(x), Float(y))))
            }
            parts.append(ModelPart(material: index, indices: (6 * index)..<(6 * index + 6)))
        }
        let indices = squares.indices.flatMap { square in [0, 1, 2, 0, 2, 3].map { UInt32(4 * square + $0) } }
        return Model(
            path: "squares", vertices: vertices, indices: indices, parts: parts, materials: squares.map(\.material),
            pictures: [])
    }

    private func glowing(_ color: SIMD3<Float>) -> ModelMaterial {
        var material = ModelMaterial()
        material.baseColor = SIMD4(0, 0, 0, 1)
        material.emissive = color
        material.metallic = 0
        material.roughness = 1
        return material
    }

    private func layer(_ model: Model, depth: Float, width: Float = 0.3) -> Layer {
        Layer(.prop(PropLayer(model: model, anchor: .noseBridge, position: SIMD3(0, 0, depth), width: width)))
    }

    private func mask(_ layers: [Layer]) -> Mask {
        Mask(name: "test", author: nil, license: nil, layers: layers, folder: "")
    }

    /// The reference face in a picture of 400 × 400 pixels.
    private func instance() -> FaceInstance {
        let landmarks = reference.landmarks.mapped { Point(50, 40) + 300 * $0 }
        return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
    }

    /// Looks at the pixel on the bridge of the nose, with each renderer.
    private func check(
        _ mask: Mask, on instance: FaceInstance? = nil,
        _ expectation: (_ center: SIMD4<UInt8>, _ name: String) -> Void
    ) throws {
        let instance = instance ?? self.instance()
        for (name, renderer) in [("software", try sharedSoftwareRenderer.get()), ("OpenGL", try sharedRenderer.get())] {
            var picture = try plain(400, 400, Self.sky)
            try renderer.perform { try $0.draw(mask, on: [instance], in: &picture, encoding: .video) }
            let place = HeadCameraFit(reference).camera(instance.face, picture: Point(400, 400))
                .project(HeadCamera.position(of: Landmarks.topology.noseBridge[0], reference: reference))
            expectation(SIMD4<UInt8>(truncatingIfNeeded: picture[Int(place.x), Int(place.y)]), name)
        }
    }

    /// Brass in a red room is redder than in a blue one; chalk is not.
    @Test func polishedSurfacesMirrorTheRoom() throws {
        for (metallic, roughness) in [(Float(1), Float(0.2)), (0, 1)] {
            var material = ModelMaterial()
            material.baseColor = SIMD4(0.8, 0.8, 0.8, 1)
            (material.metallic, material.roughness) = (metallic, roughness)
            let mask = mask([layer(squares([(0, material)]), depth: 0.6)])
            let instance = instance()
            let place = HeadCameraFit(reference).camera(instance.face, picture: Point(800, 400))
                .project(HeadCamera.position(of: Landmarks.topology.noseBridge[0], reference: reference))
            for (name, renderer) in [
                ("software", try sharedSoftwareRenderer.get()), ("OpenGL", try sharedRenderer.get()),
            ] {
                let differences = try [SIMD4<UInt8>(200, 90, 60, 255), SIMD4(60, 90, 200, 255)].map { room in
                    var picture = try plain(800, 400, room)
                    // The same skin.
                    for y in 40..<340 { picture.fill(50..<350, ofRow: y, with: SIMD4(150, 150, 150, 255)) }
                    try renderer.perform { try $0.draw(mask, on: [instance], in: &picture, encoding: .video) }
                    let pixel = picture[Int(place.x), Int(place.y)]
                    return Int(pixel.x) - Int(pixel.z)
                }
                if metallic > 0 {
                    #expect(differences[0] > 20 && differences[1] < -20, "\(name) \(differences)")
                } else {
                    #expect(abs(differences[0] - differences[1]) <= 2, "\(name) \(differences)")
                }
            }
        }
    }

    @Test func theHeadHidesWhatIsBehindIt() throws {
        let model = squares([(0, glowing(SIMD3(1, 0, 0)))])
        try check(mask([layer(model, depth: -1.3)])) { center, name in #expect(center == Self.sky, "\(name)") }
        try check(mask([layer(model, depth: 0.4)])) { center, name in
            #expect(center.x > 180 && center.y < 60, "\(name): \(center)")
        }
    }

    /// As an editor shows it: it fits into the picture, no head hides it, and it can be turned and moved.
    @Test func aModelByItselfHasNoHead() throws {
        let model = squares([(0, glowing(SIMD3(1, 0, 0)))])
        func draw(_ drawing: ModelDrawing, _ renderer: RenderThread) throws -> PixelBuffer {
            var picture = try plain(200, 160, Self.sky)
            let list = drawing.drawList(model, nil, in: picture.bounds)
            try renderer.perform { try $0.execute(list, in: &picture, encoding: .video) }
            return picture
        }
        for renderer in [try sharedSoftwareRenderer.get(), try sharedRenderer.get()] {
            func color(_ drawing: ModelDrawing, _ x: Int, _ y: Int) throws -> SIMD4<UInt8> {
                SIMD4<UInt8>(truncatingIfNeeded: try draw(drawing, renderer)[x, y])
            }
            var drawing = ModelDrawing()
            #expect(try color(drawing, 100, 80).x > 180)
            for (x, y) in [(100, 0), (100, 159), (0, 80), (199, 80)] { #expect(try color(drawing, x, y) == Self.sky) }
            drawing.offset = Point(-90, 0)
            #expect(try color(drawing, 10, 80).x > 180)
            #expect(try color(drawing, 100, 80) == Self.sky)
            drawing.offset = .zero
            drawing.zoom = 4
            #expect(try color(drawing, 1, 1).x > 180)
            // Of its back nothing is seen.
            drawing.turn.yaw = .pi
            #expect(try color(drawing, 100, 80) == Self.sky)
        }
    }

    /// However it is turned about its axis, a model that fills its view is not cut.
    @Test func aModelThatFillsItsViewIsWhole() throws {
        let path = FilePath(Repository.root + "/masks/horns/horns.glb")
        let model = try GLTFReader.read(FileContents.read(path, limit: 1 << 26), path: path).model
        let bounds = PixelRectangle(x: 0, y: 0, width: 400, height: 560)
        var drawing = ModelDrawing()
        drawing.zoom = ModelDrawing.zoom(fitting: model, width: 400, height: 560, part: Point(0.94, 0.8))
        var widest = 0
        for step in 0..<12 {
            drawing.turn.yaw = Float(step) * .pi / 6
            let box = try #require(drawing.drawList(model, nil, in: bounds).faces.first?.calls.first?.bounds)
            // The corners of the box around it, which is larger than the model.
            #expect(box.y >= 56 && box.y + box.height <= 504, "\(step): \(box)")
            widest = max(widest, box.width)
        }
        #expect(widest > 320 && widest < 400, "\(widest)")
    }

    @Test func theNearerSurfaceIsSeenInAnyOrder() throws {
        let (red, green) = (glowing(SIMD3(1, 0, 0)), glowing(SIMD3(0, 1, 0)))
        for model in [squares([(0.5, red), (-0.5, green)]), squares([(-0.5, green), (0.5, red)])] {
            try check(mask([layer(model, depth: 0.6)])) { center, name in
                #expect(center.x > 180 && center.y < 60, "\(name): \(center)")
            }
        }
    }

    /// More triangles than the software renderer looks at together, in all orders of depth.
    @Test(arguments: [1, 7, 17, 39]) func theNearestOfManySurfacesIsSeen(_ step: Int) throws {
        let (near, far) = (glowing(SIMD3(0, 1, 0)), glowing(SIMD3(1, 0, 0)))
        let squares = (0..<40).map { index in
            let place = (index * step + 23) % 40
            return (depth: -0.02 * Float(place), material: place == 0 ? near : far)
        }
        try check(mask([layer(self.squares(squares), depth: 0.6)])) { center, name in
            #expect(center.y > 180 && center.x < 60, "\(name): \(center)")
        }
    }

    @Test func alphaOpensMasksAndBlends() throws {
        var open = glowing(SIMD3(1, 0, 0))
        open.baseColor.w = 0.4
        open.transparency = .mask(cutoff: 0.5)
        try check(mask([layer(squares([(0, open)]), depth: 0.6)])) { center, name in
            #expect(center == Self.sky, "\(name)")
        }
        open.transparency = .mask(cutoff: 0.3)
        try check(mask([layer(squares([(0, open)]), depth: 0.6)])) { center, name in
            #expect(center.x > 180, "\(name): \(center)")
        }
        var glass = ModelMaterial()
        glass.baseColor = SIMD4(0, 0, 0, 0.5)
        glass.metallic = 0
        glass.transparency = .blend
        // Half of the light passes; of two panes, only the nearer one counts.
        for model in [squares([(0, glass)]), squares([(0, glass), (-1, glass)])] {
            try check(mask([layer(model, depth: 0.6)])) { center, name in
                #expect((45...110).contains(center.z) && center.x < 75, "\(name): \(center)")
            }
        }
    }

    @Test func facesThatTurnAwayAreDrawnOnlyIfTheyHaveTwoSides() throws {
        var material = glowing(SIMD3(1, 0, 0))
        var back = layer(squares([(0, material)]), depth: 0.6)
        func turned(_ layer: Layer) -> Layer {
            guard case .prop(var prop) = layer.content else { return layer }
            prop.rotation.yaw = .pi
            return Layer(.prop(prop))
        }
        try check(mask([turned(back)])) { center, name in #expect(center == Self.sky, "\(name)") }
        material.isDoubleSided = true
        back = layer(squares([(0, material)]), depth: 0.6)
        try check(mask([turned(back)])) { center, name in #expect(center.x > 180, "\(name)") }
    }

    /// The square faces the viewer while the mouth is shut, and turns its back while it is open; both renderers go on from
    /// one pose to the other and back, and to a mask that does not move it.
    @Test func thePoseFollowsTheFace() throws {
        let file = ModelBuilder.moving([.init(0, "rotation", .rotations)]).file
        let model = try GLTFReader.read(file, path: "square.glb").model
        func layer(_ animations: [PropAnimation]) -> Layer {
            Layer(
                .prop(
                    PropLayer(
                        model: model, anchor: .noseBridge, position: SIMD3(0, 0, 0.6), width: 0.1,
                        animations: animations)))
        }
        let following = layer([
            PropAnimation(animation: 0, position: AnimatableValue(by: .mouthOpening, from: 0...1, to: (0, 1)))
        ])
        for (opening, isThere) in [(Float(0), true), (0.9, false), (0, true)] {
            var instance = instance()
            instance.signals[.mouthOpening] = opening
            try check(mask([following]), on: instance) { center, name in
                #expect((center != Self.sky) == isThere, "\(name), \(opening): \(center)")
            }
            try check(mask([layer([])]), on: instance) { center, name in #expect(center != Self.sky, "\(name)") }
        }
    }

    /// The last list is alive while the next one is composed: two places in memory are used in turns.
    @Test func posingAPropAgainAllocatesNoVertices() throws {
        let mask = try Repository.mask("diver")
        let picture = try plain(400, 400, Self.sky)
        var last = DrawList()
        var places: [UnsafePointer<ModelVertex>?] = []
        for frame in 0..<12 {
            var instance = instance()
            instance.signals[.turn] = Float(frame) / 12
            last = composer.drawList(mask, on: [instance], at: Double(frame) / 30, in: picture)
            for case .scene(let scene) in last.faces.flatMap(\.calls).map(\.source) {
                places.append(scene.posedVertices?.withUnsafeBufferPointer { $0.baseAddress })
            }
        }
        #expect(places.count == 12 && !places.contains(nil) && Set(places).count == 2)
    }

    /// With any number of threads and on every generation of processors.
    @Test func picturesAreTheSameToTheBit() throws {
        let list = try listOfTheDiver()
        var all: [[UInt8]] = []
        let mesh = try Repository.mesh()
        for renderer in [SoftwareRenderer(mesh: mesh, reference: reference, threads: DrawingThreads(count: 3))]
            + ProcessorGeneration.supported.map({
                SoftwareRenderer(mesh: mesh, reference: reference, threads: DrawingThreads(count: 1), generation: $0)
            })
        {
            var picture = try plain(400, 400, Self.sky)
            try renderer.draw(list, in: &picture, encoding: .video)
            all.append(picture.withUnsafeBytes { Array($0) })
        }
        #expect(all.count >= 2 && all.dropFirst().allSatisfy { $0 == all[0] })
        #expect(Set(all[0]).count > 100)
    }

    private func listOfTheDiver() throws -> DrawList {
        let picture = try plain(400, 400, Self.sky)
        return composer.drawList(try Repository.mask("diver"), on: [instance()], in: picture)
    }

    @Test func drawingAgainAllocatesNothing() throws {
        let list = try listOfTheDiver()
        let renderer = SoftwareRenderer(
            mesh: try Repository.mesh(), reference: reference, threads: DrawingThreads(count: 2))
        var picture = try plain(400, 400, Self.sky)
        var counts: [UInt64] = []
        for _ in 0..<5 {
            let before = allocation_count()
            try renderer.draw(list, in: &picture, encoding: .video)
            counts.append(allocation_count() - before)
        }
        #if !DEBUG
            #expect(counts.suffix(3) == [0, 0, 0], "\(counts)")
        #endif
    }

    /// All kinds of textures, at an angle: components differ by at most 2.5 of 255 in the mean: mipmap
    /// levels are chosen for each triangle here, for each pixel there.
    @Test func bothRenderersAgreeOnTextures() throws {
        // Smooth, so that it does not matter which mipmap level is chosen.
        var waves = try PixelBuffer(width: 128, height: 96, format: .rgba8)
        for y in 0..<96 {
            waves.withMutableRow(y) { row in
                for x in row.indices {
                    let (s, t) = (Foundation.sin(Float(x) * .pi / 32), Foundation.cos(Float(y) * .pi / 48))
                    row[x] = SIMD4(UInt8(128 + 90 * s), UInt8(128 + 90 * t), UInt8(200 + 40 * s * t), 255)
                }
            }
        }
        var material = ModelMaterial()
        let texture = ModelTexture(picture: 0, horizontal: .mirror)
        material.baseColorTexture = texture
        material.metallicRoughnessTexture = texture
        material.normalTexture = texture
        material.normalScale = 0.4
        material.occlusionTexture = texture
        material.emissive = SIMD3(0.2, 0.1, 0)
        material.emissiveTexture = texture
        material.isDoubleSided = true
        var vertices: [ModelVertex] = []
        for index in 0..<121 {
            let (u, v) = (Float(index % 11) / 10, Float(index / 11) / 10)
            let bulge = 1 - (u - 0.5) * (u - 0.5) - (v - 0.5) * (v - 0.5)
            let normal = SIMD3(2 * (u - 0.5), 2 * (v - 0.5), 1).normalized ?? SIMD3(0, 0, 1)
            vertices.append(
                ModelVertex(
                    position: SIMD3(u, v, bulge), normal: normal, textureCoordinate: SIMD2(2 * u, 1 - v),
                    tangent: SIMD4(1, 0, 0, -1)))
        }
        let indices = (0..<100).flatMap { cell -> [UInt32] in
            let first = UInt32(cell / 10 * 11 + cell % 10)
            return [first, first + 1, first + 12, first, first + 12, first + 11]
        }
        let model = Model(
            path: "bulge", vertices: vertices, indices: indices, parts: [ModelPart(material: 0, indices: 0..<600)],
            materials: [material], pictures: [ModelPicture(pixels: waves)])
        var layer = layer(model, depth: 0.2, width: 0.9)
        if case .prop(var prop) = layer.content {
            prop.rotation = Pose(yaw: 0.5, pitch: -0.3, roll: 0.2)
            layer.content = Layer.Content.prop(prop)
        }
        let (mask, instance) = (mask([layer]), instance())
        var pictures: [[UInt8]] = []
        for renderer in [try sharedSoftwareRenderer.get(), try sharedRenderer.get()] {
            var picture = try plain(400, 400, Self.sky)
            try renderer.perform { try $0.draw(mask, on: [instance], in: &picture, encoding: .video) }
            pictures.append(picture.withUnsafeBytes { Array($0) })
        }
        let difference = zip(pictures[0], pictures[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        let sky = try plain(400, 400, Self.sky)
        let changed = sky.withUnsafeBytes { sky in zip(pictures[0], sky).count { $0 != $1 } }
        #expect(changed > 40_000)
        #expect(Double(difference) / Double(changed) < 2.5)
    }
}
