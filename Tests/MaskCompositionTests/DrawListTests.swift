import FaceGeometry
import Glibc
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// Which draw calls a mask makes, without OpenGL.
@Suite struct DrawListTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    // MARK: Layers

    @Test func layersKeepOrderBlendModeAndOpacity() throws {
        var (lower, upper) = (try scene.warp(), try scene.warp())
        lower.blendMode = .multiply
        upper.blendMode = .softLight
        upper.opacities = [AnimatableValue(0.5), AnimatableValue(0.4)]
        let list = try scene.list([lower, upper], on: [scene.instance()])
        let face = try #require(list.faces.first)
        #expect(list.faces.count == 1 && list.captures.isEmpty && face.trackID == 1)
        #expect(face.calls.map(\.blendMode) == [.multiply, .softLight])
        #expect(face.calls[0].opacity == 1 && abs(face.calls[1].opacity - 0.2) < 1e-6)
        #expect(face.calls.allSatisfy { $0.colorMatch == nil && $0.detail == nil && $0.geometry.light.isEmpty })
    }

    @Test func hiddenLayersMakeNoCalls() throws {
        var layer = try scene.warp()
        layer.conditions = [Condition(needed: .mouthOpen)]
        var instance = scene.instance()
        #expect(try scene.list([layer], on: [instance]).faces.isEmpty)
        instance.states = .mouthOpen
        #expect(try scene.list([layer], on: [instance]).faces.count == 1)
        layer.choices = [.even]
        #expect(try scene.list([layer], on: [instance]).faces.isEmpty)
        let deformation = Layer(.deform(Deformation([.eyes: AnimatableValue(1)])))
        #expect(try scene.list([deformation], on: [instance]).faces.isEmpty)
    }

    @Test func facesKeepTheirOrderAndTheLargestIsFound() throws {
        let small = scene.instance(3, scale: 120, offset: Point(380, 20))
        let faces = [small, scene.instance(1)]
        #expect(try scene.list([scene.warp()], on: faces).faces.map(\.trackID) == [3, 1])
        var layer = try scene.warp()
        layer.choices = [.largest]
        #expect(try scene.list([layer], on: faces).faces.map(\.trackID) == [1])
    }

    @Test func opacityFollowsSignals() throws {
        var layer = try scene.warp()
        layer.opacities = [AnimatableValue(by: .mouthOpening, from: 0.2...0.6, to: (0, 1))]
        var instance = scene.instance()
        #expect(try scene.list([layer], on: [instance]).faces.isEmpty)
        instance.signals[.mouthOpening] = 0.4
        let opacity = try #require(try scene.list([layer], on: [instance]).faces.first?.calls.first?.opacity)
        #expect(abs(opacity - 0.5) < 1e-5)
    }

    // MARK: Geometry

    @Test func aTextureIsReferencedByIdentityWithItsSoftEdge() throws {
        let texture = try scene.texture(SIMD4(255, 0, 0, 255))
        let layer = scene.warp(.texture(texture), openings: [.eyes])
        let call = try #require(try scene.list([layer], on: [scene.instance()]).faces.first?.calls.first)
        guard case .texture(let reference) = call.source else {
            Issue.record("a texture is drawn")
            return
        }
        #expect(reference.texture === texture)
        #expect(reference.softEdge == SoftEdge(openings: [.eyes], feather: WarpLayer.defaultFeather))
        #expect(reference.coordinates == scene.reference.vertices)
        let count = call.geometry.positions.count
        #expect(call.geometry.textureCoordinates.count == count && call.geometry.canonicalUV.count == count)
        #expect(call.geometry.visibility.count == count && call.geometry.visibility.allSatisfy { $0 == 1 })
        // On the reference face texture coordinates and canonical UV are the same.
        #expect(call.geometry.textureCoordinates == call.geometry.canonicalUV)
        let closed = try scene.list([scene.warp(.texture(texture), openings: [])], on: [scene.instance()])
        #expect(call.geometry.triangles.count < closed.faces[0].calls[0].geometry.triangles.count)
    }

    @Test func rectanglesCoverTheTrianglesInsideThePicture() throws {
        let list = try scene.list([scene.warp()], on: [scene.instance(offset: Point(-60, 40))])
        let face = try #require(list.faces.first)
        let bounds = PixelRectangle(x: 0, y: 0, width: 500, height: 400)
        #expect(face.rectangle.intersection(bounds) == face.rectangle)
        #expect(face.rectangle.x == 0)
        for call in face.calls {
            #expect(call.bounds.intersection(face.rectangle) == call.bounds)
            for triangle in call.geometry.triangles {
                for place in triangle.indices.map({ call.geometry.positions[$0] }) where place.x >= 0 {
                    #expect(Int(place.x) >= face.rectangle.x && Int(place.x) < face.rectangle.x + face.rectangle.width)
                    #expect(Int(place.y) >= face.rectangle.y && Int(place.y) < face.rectangle.y + face.rectangle.height)
                }
            }
        }
        #expect(try scene.list([scene.warp()], on: [scene.instance(offset: Point(-5000, 0))]).faces.isEmpty)
    }

    @Test func aTurnedHeadFadesAtItsOutlineOnly() throws {
        // Squeezed on one side, as a head that turns.
        let landmarks = scene.reference.landmarks.mapped { point in
            Point(100, 20) + 300 * Point(point.x < 0.5 ? 0.45 + 0.1 * point.x : point.x, point.y)
        }
        let instance = FaceInstance(
            face: Face(landmarks: landmarks, reference: scene.reference), trackID: 1, states: [],
            signals: ExpressionSignals())
        let call = try #require(try scene.list([scene.warp()], on: [instance]).faces.first?.calls.first)
        #expect(call.geometry.visibility.contains { $0 < 0.9 })
        #expect(call.geometry.visibility.allSatisfy { (0...1).contains($0) })
        #expect(call.geometry.visibility[Landmarks.topology.noseTip] == 1)
    }

    @Test func stickersLieOnTheirAnchor() throws {
        let texture = try scene.texture(SIMD4(255, 0, 0, 255), width: 40, height: 10)
        let layer = Layer(.sticker(StickerLayer(picture: .texture(texture), anchor: .nose, width: 0.5)))
        let instance = scene.instance()
        let call = try #require(try scene.list([layer], on: [instance]).faces.first?.calls.first)
        let corners = call.geometry.positions
        #expect(call.geometry.triangles.count == 2 && corners.count == 4)
        let center = corners.reduce(.zero, +) / 4
        #expect((center - instance.face.landmarks[Landmarks.topology.noseTip]).length < 0.5)
        let width = (corners[1] - corners[0]).length
        #expect(abs(width - 0.5 * scene.reference.width * 300) < 1)
        #expect(abs((corners[3] - corners[0]).length - width / 4) < 1)
        guard case .texture(let reference) = call.source, reference.softEdge == nil else {
            Issue.record("a sticker has no soft edge")
            return
        }
    }

    /// Words beside a face are read whole, unless they leave the picture with it.
    @Test func stickersMayStayInside() throws {
        let texture = try scene.texture(SIMD4(255, 0, 0, 255))
        var sticker = StickerLayer(picture: .texture(texture), anchor: .forehead, width: 0.5, offset: Point(0.7, -0.3))
        func box(_ offset: Point) throws -> (low: Point, high: Point) {
            let instance = scene.instance(offset: offset)
            let call = try #require(
                try scene.list([Layer(.sticker(sticker))], on: [instance]).faces.first?.calls.first)
            return (call.geometry.positions[0], call.geometry.positions[2])
        }
        let corner = Point(200, -10)
        let outside = try box(corner)
        #expect(outside.low.y < 0 && outside.high.x > 500)
        let free = try box(Point(50, 80))
        sticker.staysInside = true
        let inside = try box(corner)
        #expect(abs(inside.low.y) < 0.01 && abs(inside.high.x - 500) < 0.01)
        let sizes = (inside.high - inside.low, outside.high - outside.low)
        #expect((sizes.0 - sizes.1).length < 0.01)
        let far = try box(Point(290, 80))
        #expect(far.low.x < 500 && far.high.x > 500)
        let unmoved = try box(Point(50, 80))
        #expect(unmoved.low == free.low && unmoved.high == free.high)
    }

    /// What is behind the face moves against it when the head turns.
    @Test func stickersMayLieBehindTheFace() throws {
        let texture = try scene.texture(SIMD4(255, 0, 0, 255))
        let reference = scene.reference
        func center(depth: Float, yaw: Float) throws -> Point {
            let sticker = StickerLayer(picture: .texture(texture), anchor: .hairline, width: 0.2, depth: depth)
            let landmarks = Landmarks(
                Landmarks.Storage { index in
                    let (place, depth) = (reference.vertices[index], reference.depths[index])
                    return 300 * Point(cos(yaw) * place.x + sin(yaw) * depth, place.y)
                })
            let face = Face(landmarks: try #require(landmarks), reference: reference)
            let instance = FaceInstance(face: face, trackID: 1, states: [], signals: ExpressionSignals())
            let call = try #require(try scene.list([Layer(.sticker(sticker))], on: [instance]).faces.first?.calls.first)
            return call.geometry.positions.reduce(.zero, +) / 4
        }
        #expect(try (center(depth: -0.3, yaw: 0) - center(depth: 0, yaw: 0)).length < 0.5)
        let moved = try center(depth: -0.3, yaw: 0.6) - center(depth: 0, yaw: 0.6)
        let expected = -0.3 * reference.width * 300 * sin(Float(0.6))
        #expect((moved - Point(expected, 0)).length < 0.5, "\(moved), \(expected)")
    }

    /// In the middle of the eye without pupils; with them, where they are, and moved by deformations.
    @Test func stickersFollowPupils() throws {
        let texture = try scene.texture(SIMD4(255, 0, 0, 255))
        let sticker = Layer(.sticker(StickerLayer(picture: .texture(texture), anchor: .leftPupil, width: 0.1)))
        var driven = try scene.warp()
        #expect(scene.mask([sticker]).followsGaze)
        #expect(!scene.mask([driven]).followsGaze)
        driven.opacities = [AnimatableValue(by: .gazeNod, from: 0...1, to: (0, 1))]
        #expect(scene.mask([driven]).followsGaze)
        func center(_ layers: [Layer], _ pupils: Pupils?) throws -> Point {
            var instance = scene.instance()
            instance.face.pupils = pupils
            let calls = try #require(try scene.list(layers, on: [instance]).faces.first?.calls)
            return calls[calls.count - 1].geometry.positions.reduce(.zero, +) / 4
        }
        let eye = scene.instance().face.landmarks.center(of: Landmarks.topology.leftEye.outline)
        #expect((try center([sticker], nil) - eye).length < 0.5)
        let pupil = eye + Point(9, -4)
        #expect((try center([sticker], Pupils(right: .zero, left: pupil)) - pupil).length < 0.5)
        let raised = Layer(.deform(Deformation([.chin: AnimatableValue(1), .eyes: AnimatableValue(1)])))
        #expect((try center([raised, sticker], Pupils(right: .zero, left: pupil)) - pupil).length < 3)
    }

    // MARK: Live pictures

    @Test func theOwnFaceIsCapturedWithARing() throws {
        let layer = scene.warp(.ownFace)
        let list = try scene.list([layer], on: [scene.instance()])
        let call = try #require(list.faces.first?.calls.first)
        guard case .capture(trackID: 1, edge: nil) = call.source else {
            Issue.record("the own face is drawn")
            return
        }
        let capture = try #require(list.captures.first)
        #expect(list.captures.count == 1 && capture.trackID == 1)
        // Without a deformation every vertex shows the place where it is.
        let geometry = call.geometry
        for (position, coordinate) in zip(geometry.positions, geometry.textureCoordinates) {
            let size = Point(Float(capture.rectangle.width), Float(capture.rectangle.height))
            let shown = Point(Float(capture.rectangle.x), Float(capture.rectangle.y)) + size * coordinate
            #expect((shown - position).length < 0.01)
        }
        let plain = try scene.list([scene.warp()], on: [scene.instance()])
        #expect(geometry.positions.count > plain.faces[0].calls[0].geometry.positions.count)
    }

    @Test func deformationsMoveTheLayersAboveThem() throws {
        let deformation = Layer(.deform(Deformation([.mouth: AnimatableValue(1)])))
        let list = try scene.list([scene.warp(), deformation, scene.warp()], on: [scene.instance()])
        let calls = try #require(list.faces.first?.calls)
        #expect(calls.count == 2)
        let corner = Landmarks.topology.outerLips.right
        #expect(calls[1].geometry.positions[corner].x < calls[0].geometry.positions[corner].x - 3)
    }
}
