import FaceGeometry
import Glibc
import MaskComposition
import Masks
import Occlusion
import Pixels
import TestSupport
import Testing

/// What one face gives to another: its middle, where that is free, in the light of the other.
@Suite struct SwapTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    /// The draw call of the receiver, left of the giver.
    private func call(
        _ layer: Layer, giver: FaceInstance? = nil, occluders: [Int: OcclusionMatte] = [:],
        in picture: borrowing PixelBuffer
    ) throws -> DrawCall? {
        let people = [receiver, giver ?? self.giver]
        let list = scene.composer.drawList(scene.mask([layer]), on: people, occluders: occluders, in: picture)
        return list.faces.first { $0.trackID == 1 }?.calls.last
    }

    /// All that the receiver gets.
    private func calls(_ receiver: FaceInstance, _ giver: FaceInstance) throws -> [DrawCall] {
        let people = [receiver, giver]
        let list = scene.composer.drawList(scene.mask([scene.warp(.otherFace)]), on: people, in: try plainPicture())
        return list.faces.first { $0.trackID == 1 }?.calls ?? []
    }

    private var receiver: FaceInstance { scene.instance(1, scale: 200, offset: Point(20, 100)) }
    private var giver: FaceInstance { scene.instance(2, scale: 200, offset: Point(270, 100)) }

    private func plainPicture() throws -> PixelBuffer { try plain(500, 400, SIMD4(180, 140, 120, 255)) }

    /// A matte over a rectangle of the giver, in canonical UV.
    private func matte(_ low: Point, _ high: Point) -> [Int: OcclusionMatte] {
        let (origin, size) = (Point(270, 100) + 200 * low, 200 * (high - low))
        let box = FaceBox(x: origin.x, y: origin.y, width: size.x, height: size.y)
        let (width, height) = (max(1, Int(size.x)), max(1, Int(size.y)))
        let alpha = [UInt8](repeating: 255, count: width * height)
        return [2: OcclusionMatte(box: box, width: width, height: height, alpha: alpha)]
    }

    /// The mean share that a map lets through in a rectangle of canonical UV; −1 without a map.
    private func share(_ call: DrawCall?, _ low: Point, _ high: Point) -> Float {
        guard let call, case .capture(trackID: 2, edge: .map(let map)) = call.source else { return -1 }
        // The first and the last landmark of the jaw line and the chin show how the map lies on canonical UV.
        let (ends, jaw) = (call.geometry.canonicalUV, Landmarks.topology.jaw)
        let (first, last, chin) = (jaw[0], jaw[jaw.count - 1], Landmarks.topology.chin)
        let across = Point(scene.reference.vertices[last].x, scene.reference.vertices[chin].y)
        let start = scene.reference.vertices[first]
        let scale = (Point(ends[last].x, ends[chin].y) - ends[first]) / (across - start)
        var sum = 0
        for y in 0..<5 {
            for x in 0..<5 {
                let place = low + Point(Float(x), Float(y)) / 4 * (high - low)
                let texel = ends[first] + scale * (place - start)
                let (width, height) = (Float(map.pixels.width), Float(map.pixels.height))
                sum += Int(map.pixels[Int(texel.x * width), Int(texel.y * height)].w)
            }
        }
        return Float(sum) / (25 * 255)
    }

    @Test func theForeheadAndTheOpenMouthStayTheReceivers() throws {
        let call = try #require(try call(scene.warp(.otherFace, openings: [.mouth]), in: plainPicture()))
        guard case .capture(trackID: 2, edge: .texture(let edge)) = call.source else {
            Issue.record("the giver's face is shown")
            return
        }
        let region = edge.texture
        func share(_ place: Point) -> UInt16 {
            let (x, y) = (place.x * Float(region.pixels.width), place.y * Float(region.pixels.height))
            return region.pixels[Int(x), Int(y)].w
        }
        let (topology, landmarks) = (Landmarks.topology, scene.reference.landmarks)
        for vertex in topology.brows + [30, 8, 57] { #expect(share(landmarks[vertex]) > 250, "\(vertex)") }
        let brow = landmarks[19]
        let hairline = scene.reference.vertices[HeadPoint.hairlineCenter.vertex]
        #expect(share(Point(brow.x, brow.y + 0.4 * (hairline.y - brow.y))) == 0)
        for vertex in topology.innerLips.outline { #expect(share(landmarks[vertex]) < 30, "\(vertex)") }
    }

    @Test func whatHangsOverTheGiverIsNotGiven() throws {
        let layer = scene.warp(.otherFace)
        let cheek = (Point(0.3, 0.55), Point(0.4, 0.7))
        let other = (Point(0.6, 0.55), Point(0.7, 0.7))
        let list = scene.composer.drawList(
            scene.mask([layer]), on: [receiver, giver], occluders: matte(Point(0.15, 0.5), Point(0.42, 0.8)),
            in: try plainPicture())
        let calls = list.faces[0].calls
        #expect(calls.count == 2)
        #expect(share(calls.last, cheek.0, cheek.1) < 0.02 && share(calls.last, other.0, other.1) > 0.95)
        // The other cheek, mirrored, is given in its place.
        #expect(share(calls.first, cheek.0, cheek.1) > 0.95 && share(calls.first, other.0, other.1) < 0.02)
        // The frame of glasses goes with the face.
        let frame = try #require(
            try call(layer, occluders: matte(Point(0.15, 0.6), Point(0.85, 0.61)), in: plainPicture()))
        #expect(share(frame, cheek.0, cheek.1) > 0.95)
    }

    /// An occluder ends at its own edge, and not at the next vertex.
    @Test func occludersOfTheGiverEndWhereTheyAre() throws {
        let call = try #require(
            try call(scene.warp(.otherFace), occluders: matte(Point(0.1, 0.5), Point(0.36, 0.8)), in: plainPicture()))
        let (inside, outside) = (Point(0.34, 0.6), Point(0.4, 0.6))
        #expect(
            share(call, inside, inside + Point(0, 0.1)) < 0.05 && share(call, outside, outside + Point(0, 0.1)) > 0.95)
    }

    /// Of two people who are turned towards each other, each would show the hidden half of the other.
    @Test func whoIsTurnedTheOtherWayIsMirrored() throws {
        let (right, left) = (try scene.turned(receiver, by: 0.35), try scene.turned(giver, by: -0.35))
        let call = try #require(try calls(right, left).last)
        // On the capture of the giver, from its right to its left.
        let eye = Landmarks.topology.rightEyeOuterCorner
        #expect(call.geometry.textureCoordinates[eye].x > 0.5)
        let same = try #require(try calls(right, try scene.turned(giver, by: 0.35)).last)
        #expect(same.geometry.textureCoordinates[eye].x < 0.5)
    }

    /// A receiver who is turned less gets a whole face from a giver who is turned.
    @Test func theHiddenHalfOfATurnedGiverIsFilled() throws {
        let calls = try calls(try scene.turned(receiver, by: 0.15), try scene.turned(giver, by: 0.35))
        #expect(calls.count == 2)
        let both = calls.map { call in call.geometry.textureCoordinates[Landmarks.topology.jaw[3]].x }
        #expect(both.count == 2 && abs(both[0] - both[1]) > 0.3, "\(both)")
        #expect(try self.calls(receiver, giver).count == 1)
    }

    @Test func ofAHalfCoveredFaceNothingIsGiven() throws {
        let half = matte(Point(0, 0), Point(0.55, 1))
        #expect(try call(scene.warp(.otherFace), occluders: half, in: plainPicture()) == nil)
    }

    /// A hand on the half that is seen is in front of what the other half would be filled with, too.
    @Test func ofATurnedFaceBehindAHandNothingIsGiven() throws {
        let giver = try scene.turned(giver, by: 0.6)
        for half in [matte(Point(0, 0), Point(0.5, 1)), matte(Point(0.5, 0), Point(1, 1))] {
            #expect(try call(scene.warp(.otherFace), giver: giver, occluders: half, in: plainPicture()) == nil)
        }
    }

    /// Who has nobody to swap with gets their own face, large in its middle and joined to the picture at the rim.
    @Test func aloneTheOwnFaceIsLarge() throws {
        var warp = WarpLayer(picture: .otherFace, textureCoordinates: scene.reference.vertices, openings: [])
        func list(_ people: FaceInstance...) throws -> DrawList {
            scene.composer.drawList(scene.mask([Layer(.warp(warp))]), on: people, in: try plainPicture())
        }
        #expect(try list(receiver).faces.isEmpty)
        warp.growsAlone = true
        let alone = try list(receiver)
        let call = try #require(alone.faces.first?.calls.first)
        guard alone.faces.count == 1, alone.faces[0].calls.count == 1,
            case .capture(trackID: 1, edge: nil) = call.source
        else {
            Issue.record("the face itself is shown")
            return
        }
        let rectangle = try #require(alone.captures.first?.rectangle)
        let size = Point(Float(rectangle.width), Float(rectangle.height))
        let corner = Point(Float(rectangle.x), Float(rectangle.y))
        func source(_ vertex: Int) -> Point { corner + size * call.geometry.textureCoordinates[vertex] }
        let (positions, middle) = (call.geometry.positions, call.geometry.positions[0])
        for vertex in 1..<positions.count {
            let (shown, from) = ((positions[vertex] - middle).length, (source(vertex) - middle).length)
            #expect(from < shown + 0.01, "\(vertex)")
            if shown < 8 { #expect(from > 0.6 * shown && from < 0.7 * shown, "\(vertex): \(from) for \(shown)") }
        }
        let rim = positions.count - 1
        #expect((positions[rim] - source(rim)).length < 0.01)
        #expect(call.geometry.triangles.allSatisfy { $0.doubleArea(positions) > 0 })
        // Two swap as ever.
        let calls = try list(receiver, giver).faces.flatMap(\.calls)
        #expect(calls.count == 2 && calls.allSatisfy { $0.geometry.positions.count != positions.count })
        // Of a face behind a hand nothing is given.
        let half = scene.composer.drawList(
            scene.mask([Layer(.warp(warp))]), on: [receiver, giver], occluders: matte(Point(0, 0), Point(0.55, 1)),
            in: try plainPicture())
        #expect(half.faces.first { $0.trackID == 1 }?.calls.map(\.geometry.positions.count) == [positions.count])
    }

    /// A hand is in front of paint beside the large face, which has been drawn with the hand already.
    @Test func overALargeFaceOtherLayersLieUnderHands() throws {
        var warp = WarpLayer(picture: .otherFace, textureCoordinates: scene.reference.vertices, openings: [])
        warp.growsAlone = true
        func calls(_ layers: Layer...) throws -> [DrawCall] {
            scene.composer.drawList(
                scene.mask(layers), on: [giver], occluders: matte(Point(0, 0), Point(0.5, 1)), in: try plainPicture()
            ).faces.flatMap(\.calls)
        }
        func isUncovering(_ call: DrawCall?) -> Bool {
            if case .uncovered = call?.source { true } else { false }
        }
        let alone = try calls(Layer(.warp(warp)))
        #expect(alone.count == 1 && !isUncovering(alone.last))
        let painted = try calls(Layer(.warp(warp)), scene.warp(.ownFace))
        #expect(painted.count == 3 && isUncovering(painted.last))
    }

    /// Who wears another mask is to be hidden by it.
    @Test func whoWearsSomethingElseGivesNothing() throws {
        let (trade, own) = (scene.mask([scene.warp(.otherFace)]), scene.mask([scene.warp(.ownFace)]))
        func receivers(_ masks: Mask...) throws -> [Int] {
            let worn = zip(masks, [receiver, giver]).map { WornMask($0, on: $1) }
            return try scene.composer.drawList(worn, in: plainPicture()).faces.map(\.trackID)
        }
        #expect(try receivers(trade, trade) == [1, 2])
        #expect(try receivers(trade, own) == [2])
    }

    @Test func theLightOfTheReceiverReplacesThatOfTheGiver() throws {
        var picture = try plainPicture()
        // The receiver is darker and lit from the left, the giver from the right.
        for y in 0..<400 {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let light = x < 245 ? 0.7 * (1.3 - 0.6 * Float(x) / 245) : 0.7 + 0.6 * Float(x - 245) / 255
                    row[x] = SIMD4(UInt8(160 * light), UInt8(125 * light), UInt8(100 * light), 255)
                }
            }
        }
        var layer = scene.warp(.otherFace)
        layer.light = LightMatching(shading: 1, color: 1)
        let call = try #require(try call(layer, in: picture))
        let topology = Landmarks.topology
        let (right, left) = (call.geometry.light[topology.jaw[3]].x, call.geometry.light[topology.jaw[13]].x)
        #expect(right > 1.15 && left < 0.87, "\(right) \(left)")
        let table = try #require(call.colorMatch?.table)
        #expect(table.bytes[0..<3].allSatisfy { $0 < 3 }, "black stays black")
        // The giver's mean is (160, 125, 100), the nearest entry (153, 119, 102); the receiver's is 0.7 times that.
        let entry = 4 * (9 + 16 * (7 + 16 * 6))
        let moved = (0..<3).map { Int(table.bytes[entry + $0]) }
        #expect(zip(moved, [107, 83, 71]).allSatisfy { abs($0 - $1) < 12 }, "\(moved)")
    }

    @Test func hairIsNotMeasuredAsLight() throws {
        var picture = try plainPicture()
        // Black hair over a cheek of the giver.
        for y in 200..<260 { picture.withMutableRow(y) { row in for x in 300..<354 { row[x] = SIMD4(0, 0, 0, 255) } } }
        var layer = scene.warp(.otherFace)
        layer.light = LightMatching(shading: 1)
        let cheek = Landmarks.topology.jaw[4]
        let seen = try #require(try call(layer, in: picture))
        let hidden = try #require(
            try call(layer, occluders: matte(Point(0.15, 0.5), Point(0.42, 0.8)), in: picture))
        #expect(seen.geometry.light[cheek].x > 1.1)
        #expect(abs(hidden.geometry.light[cheek].x - 1) < 0.03, "\(hidden.geometry.light[cheek])")
    }
}
