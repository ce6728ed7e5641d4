import FaceGeometry
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
        return list.faces.first { $0.trackID == 1 }?.calls.first
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

    /// The mean visibility of vertices inside a rectangle of canonical UV.
    private func visibility(_ call: DrawCall, _ low: Point, _ high: Point) -> Float {
        let geometry = call.geometry
        let values = geometry.canonicalUV.indices.compactMap { index -> Float? in
            let place = geometry.canonicalUV[index]
            return all(place .> low) && all(place .< high) ? geometry.visibility[index] : nil
        }
        return values.isEmpty ? -1 : values.reduce(0, +) / Float(values.count)
    }

    @Test func theForeheadAndTheOpenMouthStayTheReceivers() throws {
        let call = try #require(try call(scene.warp(.otherFace, openings: [.mouth]), in: plainPicture()))
        guard case .capture(trackID: 2, let edge) = call.source, let region = edge?.texture else {
            Issue.record("the giver's face is shown")
            return
        }
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
        let cheek = (Point(0.25, 0.55), Point(0.4, 0.75))
        let other = (Point(0.6, 0.55), Point(0.75, 0.75))
        let free = try #require(try call(layer, in: plainPicture()))
        #expect(visibility(free, cheek.0, cheek.1) > 0.99)
        let covered = try #require(
            try call(layer, occluders: matte(Point(0.15, 0.5), Point(0.42, 0.8)), in: plainPicture()))
        #expect(visibility(covered, cheek.0, cheek.1) < 0.1 && visibility(covered, other.0, other.1) > 0.8)
        // The frame of glasses goes with the face.
        let frame = try #require(
            try call(layer, occluders: matte(Point(0.15, 0.6), Point(0.85, 0.61)), in: plainPicture()))
        #expect(visibility(frame, cheek.0, cheek.1) > 0.95)
    }

    @Test func ofAHalfCoveredFaceNothingIsGiven() throws {
        let half = matte(Point(0, 0), Point(0.55, 1))
        #expect(try call(scene.warp(.otherFace), occluders: half, in: plainPicture()) == nil)
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
