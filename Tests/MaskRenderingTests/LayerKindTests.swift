import FaceGeometry
import Foundation
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Stickers, distortions, traded faces, conditions, light.
@Suite struct LayerKindTests {
    let reference: ReferenceFace
    let renderer: RenderThread

    init() throws {
        reference = try Repository.referenceFace()
        renderer = try sharedRenderer.get()
    }

    func mask(_ layers: Layer...) -> Mask {
        Mask(name: "test", author: nil, license: nil, layers: layers, folder: "")
    }

    func texture(_ color: SIMD4<UInt8>, width: Int = 32, height: Int = 32) throws -> Texture {
        Texture(path: "plain", pixels: try plain(width, height, color))
    }

    func warp(_ color: SIMD4<UInt8>) throws -> Layer {
        Layer(
            .warp(
                WarpLayer(
                    picture: .texture(try texture(color)), textureCoordinates: reference.vertices, openings: [])))
    }

    func instance(
        _ number: Int = 1, scale: Float = 300, offset: Point = Point(50, 40), turnedBy angle: Float = 0
    ) -> FaceInstance {
        let (c, s) = (cosine(angle), cosine(angle - .pi / 2))
        let landmarks = reference.landmarks.mapped { point in
            let centered = scale * (point - Point(0.5, 0.5))
            return offset + Point(scale / 2, scale / 2)
                + Point(c * centered.x - s * centered.y, s * centered.x + c * centered.y)
        }
        let face = Face(landmarks: landmarks, reference: reference)
        return FaceInstance(face: face, trackID: number, states: [], signals: ExpressionSignals())
    }

    func cosine(_ angle: Float) -> Float { Float(cos(Double(angle))) }

    // MARK: Stickers

    @Test func stickersFollowPlaceSizeAndRoll() throws {
        let sticker = Layer(
            .sticker(
                StickerLayer(
                    picture: .texture(try texture(SIMD4(255, 0, 0, 255), width: 40, height: 10)), anchor: .nose,
                    width: 0.5)))
        for (scale, angle) in [(Float(300), Float(0)), (200, 0), (300, .pi / 2), (300, 0.7)] {
            let somebody = instance(scale: scale, turnedBy: angle)
            var picture = try plain(400, 400, SIMD4(0, 0, 0, 255))
            try renderer.perform { try $0.draw(mask(sticker), on: [somebody], in: &picture) }
            var (sum, count) = (Point.zero, 0)
            var points: [Point] = []
            for y in 0..<400 {
                for x in 0..<400 where picture[x, y].x > 128 {
                    points.append(Point(Float(x) + 0.5, Float(y) + 0.5))
                    sum += points[points.count - 1]
                    count += 1
                }
            }
            let width = 0.5 * reference.width * scale
            #expect(abs(Float(count) - width * width / 4) < 0.06 * width * width / 4 + 20, "its area")
            let center = sum / Float(max(count, 1))
            #expect((center - somebody.face.landmarks[30]).length < 1.5, "its place")
            // Along the axis between the eyes it is four times as long as across.
            let axis = Point(cosine(angle), cosine(angle - .pi / 2))
            let along = points.map { abs((($0 - center) * axis).sum()) }.max() ?? 0
            #expect(abs(along - width / 2) < 4, "its direction: \(along), \(width / 2)")
        }
    }

    // MARK: Conditions

    @Test func layersComeAndGoWithTheFace() throws {
        var layer = try warp(SIMD4(255, 0, 0, 255))
        func isDrawn(_ change: (inout FaceInstance) -> Void) throws -> Bool {
            var somebody = instance()
            change(&somebody)
            var picture = try plain(400, 400, SIMD4(0, 0, 0, 255))
            try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &picture) }
            return picture[200, 230].x > 200
        }
        for (name, states) in Condition.names where !states.isEmpty {
            layer.conditions = [Condition(needed: states)]
            #expect(try isDrawn { $0.states = states }, "\(name)")
            #expect(try !isDrawn { _ in }, "\(name)")
            layer.conditions = [Condition(excluded: [states])]
            #expect(try !isDrawn { $0.states = states }, "not \(name)")
            #expect(try isDrawn { _ in }, "not \(name)")
        }
        // "not faceFound"
        layer.conditions = [Condition(excluded: [[]])]
        #expect(try !isDrawn { _ in })
        // Every entry must hold, and one closed eye is not both.
        layer.conditions = [Condition(excluded: [.smiling, .mouthOpen])]
        #expect(try !isDrawn { $0.states = .smiling })
        layer.conditions = [Condition(excluded: [.eyesClosed])]
        #expect(try isDrawn { $0.states = .rightEyeClosed })
        layer.conditions = [Condition(blinks: .init(count: 3, turn: 1))]
        for blinks in 0..<7 { #expect(try isDrawn { $0.blinks = blinks } == (blinks % 3 == 1)) }
        layer.conditions = []
        layer.opacities = [AnimatableValue(by: .mouthOpening, from: 0.2...0.6, to: (0, 1))]
        #expect(try !isDrawn { _ in })
        #expect(try isDrawn { $0.signals[.mouthOpening] = 0.6 })
    }

    @Test func layersAreForSomeOfSeveralPeople() throws {
        let people = [
            instance(1), instance(2, offset: Point(350, 40)), instance(3, scale: 200, offset: Point(650, 40)),
        ]
        for (choice, expected) in [
            (FaceSelector.all, [1, 2, 3]), (.odd, [1, 3]), (.even, [2]), (.number(3), [3]),
        ] {
            var layer = try warp(SIMD4(255, 0, 0, 255))
            layer.choices = [choice]
            var picture = try plain(900, 400, SIMD4(0, 0, 0, 255))
            try renderer.perform { try $0.draw(mask(layer), on: people, in: &picture) }
            let masked = people.filter { person in
                let place = person.face.landmarks[30]
                return picture[Int(place.x), Int(place.y)].x > 200
            }
            #expect(masked.map(\.trackID) == expected, "\(choice)")
        }
        var layer = try warp(SIMD4(255, 0, 0, 255))
        layer.choices = [.largest]
        var picture = try plain(900, 400, SIMD4(0, 0, 0, 255))
        let two = [people[2], people[0]]
        try renderer.perform { try $0.draw(mask(layer), on: two, in: &picture) }
        let small = people[2].face.landmarks[30]
        #expect(picture[200, 220].x > 200 && picture[Int(small.x), Int(small.y)].x == 0)
    }

    // MARK: The face itself

    /// A pattern that shows every distortion.
    func pattern(_ width: Int = 500, _ height: Int = 500) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(x / 2 % 256), UInt8(y / 2 % 256), 90, 255) }
            }
        }
        return picture
    }

    @Test func aFaceThatIsNotBentStaysAsItIs() throws {
        let layer = Layer(
            .warp(WarpLayer(picture: .ownFace, textureCoordinates: reference.vertices, openings: [])))
        let before = try pattern()
        var after = try before.copy()
        let somebody = instance(offset: Point(100, 100))
        try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &after) }
        #expect(try PictureDifference(before, after).largest <= 1)
    }

    /// Larger eyes: what lay at the eye's corner lies farther out, and nothing changes away from the face.
    @Test func distortionsMoveWhatTheySay() throws {
        let layers = mask(
            Layer(.deform(Deformation([.eyes: AnimatableValue(1)]))),
            Layer(.warp(WarpLayer(picture: .ownFace, textureCoordinates: reference.vertices, openings: []))))
        let before = try pattern()
        var after = try before.copy()
        let somebody = instance(offset: Point(100, 100))
        try renderer.perform { try $0.draw(layers, on: [somebody], in: &after) }
        let landmarks = somebody.face.landmarks
        let center = landmarks.center(of: Landmarks.topology.rightEye.outline)
        let corner = landmarks[36]
        let moved = center + 1.38 * (corner - center)
        let (was, now) = (before[Int(corner.x), Int(corner.y)], after[Int(moved.x), Int(moved.y)])
        #expect(abs(Int(was.x) - Int(now.x)) <= 2 && abs(Int(was.y) - Int(now.y)) <= 2, "\(was) \(now)")
        #expect(before[Int(moved.x), Int(moved.y)] != now)
        let difference = try PictureDifference(before, after)
        #expect(difference.values[20 * 500 + 20] == 0)
        // No tear where the distortion ends: the pattern stays smooth everywhere.
        for y in 1..<500 {
            for x in 1..<500 {
                let step = max(
                    abs(Int(after[x, y].x) - Int(after[x - 1, y].x)), abs(Int(after[x, y].y) - Int(after[x, y - 1].y)))
                if step > 4 { Issue.record("a jump of \(step) at \(x), \(y)") }
            }
        }
    }

    /// No strength of any control turns a triangle over.
    @Test func distortionsNeverFold() throws {
        let mesh = try Repository.mesh()
        for control in Deformation.Control.allCases {
            for strength in [Float(-1), 1] {
                var displacements: [Point] = []
                Deformation([control: AnimatableValue(strength)]).displacements(
                    of: reference, signals: ExpressionSignals(), into: &displacements)
                #expect(displacements.contains { $0 != .zero }, "\(control)")
                let bent = zip(reference.vertices, displacements).map { $0 + $1 }
                for triangle in mesh.triangles {
                    #expect(
                        triangle.doubleArea(bent) > 0 || triangle.doubleArea(reference.vertices) <= 0,
                        "\(control) \(strength) folds \(triangle)")
                }
            }
        }
    }

    /// Corners of mouth and eyes, jowls and the tip of the nose come down on both sides alike; the chin stays.
    @Test func whatSagsComesDown() throws {
        let topology = Landmarks.topology
        var moves: [Point] = []
        Deformation([.sag: AnimatableValue(1)])
            .displacements(of: reference, signals: ExpressionSignals(), into: &moves)
        for vertex in [topology.outerLips.right, topology.rightEyeOuterCorner, topology.jaw[4], topology.noseTip] {
            let (right, left) = (moves[vertex], moves[topology.mirrored[vertex]])
            #expect(right.y > 0.005 && right.y == left.y && right.x == -left.x, "\(vertex): \(right) \(left)")
        }
        #expect(moves[topology.chin] == .zero && moves[topology.rightEar] == .zero)
    }

    @Test func twoPeopleTradeFaces() throws {
        let layer = Layer(
            .warp(WarpLayer(picture: .otherFace, textureCoordinates: reference.vertices, openings: [])))
        let people = [instance(1), instance(2, offset: Point(420, 60))]
        var picture = try plain(800, 400, SIMD4(200, 0, 0, 255))
        for y in 0..<400 {
            picture.withMutableRow(y) { row in for x in 400..<800 { row[x] = SIMD4(0, 0, 200, 255) } }
        }
        var alone = try picture.copy()
        let only = [people[0]]
        try renderer.perform { try $0.draw(mask(layer), on: people, in: &picture) }
        let (first, second) = (people[0].face.landmarks[30], people[1].face.landmarks[30])
        #expect(picture[Int(first.x), Int(first.y)].z == 200 && picture[Int(second.x), Int(second.y)].x == 200)
        try renderer.perform { try $0.draw(mask(layer), on: only, in: &alone) }
        #expect(alone[Int(first.x), Int(first.y)].x == 200, "nobody to trade with")
    }
}
