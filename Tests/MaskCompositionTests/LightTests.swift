import FaceGeometry
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// Light as values: shading at the vertices, colour tables, detail.
@Suite struct LightTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    private func matched(_ light: LightMatching, _ picture: LayerPicture? = nil) throws -> Layer {
        var layer = try picture.map { scene.warp($0) } ?? scene.warp()
        layer.light = light
        return layer
    }

    @Test func shadingFollowsTheSkin() throws {
        var picture = try PixelBuffer(width: 500, height: 400, format: .rgba8)
        for y in 0..<400 {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(230 - x / 3), UInt8(180 - x / 3), 100, 255) }
            }
        }
        let mask = scene.mask([try matched(LightMatching(shading: 0.5))])
        let list = scene.composer.drawList(mask, on: [scene.instance()], in: picture)
        let call = try #require(list.faces.first?.calls.first)
        let topology = Landmarks.topology
        let (right, left) = (call.geometry.light[topology.jaw[2]], call.geometry.light[topology.jaw[14]])
        #expect(call.geometry.light.count == call.geometry.positions.count)
        #expect(right.y > 1.1 && left.y < 0.9, "\(right) \(left)")
        // The exposure is a factor of both.
        #expect(abs(right.x / left.x - (1 + right.y) / (1 + left.y)) < 1e-5, "\(right) \(left)")
        #expect(call.colorMatch == nil && call.detail == nil)
    }

    @Test func colorsAndDetailAreParametersOfTheCall() throws {
        let list = try scene.list([matched(LightMatching(detail: 0.3, color: 0.7))], on: [scene.instance()])
        let call = try #require(list.faces.first?.calls.first)
        let detail = try #require(call.detail)
        #expect(detail.weight == 0.3 && abs(detail.meanLuminance - 145.0 / 255) < 0.03)
        let match = try #require(call.colorMatch)
        #expect(match.weight == 0.7 && match.table.bytes.count == 4 * 16 * 16 * 16)
        // The table moves the texture's colour (200, 60, 30) to the skin's (180, 140, 120); of its entries
        // (204, 68, 34) is the nearest.
        let entry = 4 * (12 + 16 * (4 + 16 * 2))
        let moved = (0..<3).map { Int(match.table.bytes[entry + $0]) }
        #expect(zip(moved, [180, 140, 120]).allSatisfy { abs($0 - $1) < 20 }, "\(moved)")
    }

    @Test func manyColorsAtOnceAreTheSame() {
        var colors: [SIMD3<Float>] = [.zero, SIMD3(repeating: 1), SIMD3(0, 0, 1e-4)]
        for index in 0..<2000 {
            let x = Float(index) / 2000
            colors.append(
                SIMD3(x, (7 * x).truncatingRemainder(dividingBy: 1), (43 * x).truncatingRemainder(dividingBy: 1)))
        }
        var labs = colors
        OklabColor.convertToLab(&labs)
        for (lab, color) in zip(labs, colors) {
            let difference = lab - OklabColor.lab(color)
            // Black has an infinite slope.
            let limit: Float = color.max() < 0.01 ? 1e-3 : 1e-5
            #expect((difference * difference).max().squareRoot() < limit, "\(color)")
        }
    }

    @Test func withoutSkinInThePictureNothingIsMatched() throws {
        // Only the rim of the face is inside the picture: no skin is measured beyond the second point of the jaw.
        let rim = scene.reference.landmarks[Landmarks.topology.jaw[15]]
        let instance = scene.instance(offset: Point(-300 * rim.x - 0.5, 40))
        let list = try scene.list([matched(LightMatching(shading: 1, detail: 1, color: 1))], on: [instance])
        let call = try #require(list.faces.first?.calls.first)
        #expect(call.geometry.light.isEmpty && call.colorMatch == nil && call.detail == nil)
    }

    @Test func lightIsSmoothedInAStreamAndNotInSinglePictures() throws {
        let layers = [try matched(LightMatching(detail: 1))]
        func luminance(_ grey: UInt8, at seconds: Double?) throws -> Float {
            let list = try scene.list(
                layers, on: [scene.instance()], at: seconds, color: SIMD4(grey, grey, grey, 255))
            return try #require(list.faces.first?.calls.first?.detail?.meanLuminance)
        }
        #expect(abs(try luminance(200, at: 0) - 200.0 / 255) < 0.01)
        let followed = try luminance(100, at: 0.04)
        #expect(followed > 0.73 && followed < 200.0 / 255)
        // A single picture between them has its own light and leaves the stream's alone.
        #expect(abs(try luminance(50, at: nil) - 50.0 / 255) < 0.01)
        #expect(abs(try luminance(100, at: 0.04) - followed) < 1e-6)
        // After a long gap everything starts anew.
        #expect(abs(try luminance(100, at: 3) - 100.0 / 255) < 0.01)
    }

    /// In a dark room, white paint is dark; in a bright room it is white on every skin.
    @Test func paintIsAsBrightAsTheRoomAllows() throws {
        let instance = scene.instance(scale: 200, offset: Point(150, 100))
        let white = LayerPicture.texture(try scene.texture(SIMD4(255, 255, 255, 255)))
        func brightness(skin: UInt8, wall: UInt8, color: Float = 0) throws -> Float {
            var picture = try plain(500, 400, SIMD4(wall, wall, wall, 255))
            for y in 100..<300 {
                picture.withMutableRow(y) { row in for x in 180..<320 { row[x] = SIMD4(skin, skin, skin, 255) } }
            }
            let mask = scene.mask([try matched(LightMatching(shading: 0.5, color: color), white)])
            let call = scene.composer.drawList(mask, on: [instance], in: picture).faces.first?.calls.first
            return try #require(call).geometry.light[Landmarks.topology.noseTip].x
        }
        #expect(abs(try brightness(skin: 190, wall: 230) - 1) < 0.02)
        #expect(try brightness(skin: 40, wall: 90) < 0.5)
        #expect(try brightness(skin: 90, wall: 240) > 0.9)
        // What is matched to dark skin is dark already.
        #expect(try brightness(skin: 40, wall: 90, color: 0.5) > 0.5)
    }

    /// The soft edge of a small face is wide; a large one has that of the texture alone.
    @Test func paintFadesFarOnSmallFaces() throws {
        let layer = try matched(LightMatching(shading: 1))
        func visibility(_ scale: Float) throws -> [Float] {
            let list = try scene.list([layer], on: [scene.instance(scale: scale)])
            return try #require(list.faces.first?.calls.first).geometry.visibility
        }
        let (chin, nose) = (Landmarks.topology.chin, Landmarks.topology.noseTip)
        let (small, large) = (try visibility(80), try visibility(400))
        #expect(small[chin] < 0.01 && small[nose] == 1)
        #expect(large[chin] == 1 && large[nose] == 1)
    }

    /// Where a face is not, nothing is measured; another scene has a light of its own.
    @Test func lightIsKeptWithALostFaceAndForgottenAtACut() throws {
        let layers = [try matched(LightMatching(detail: 1))]
        func luminance(_ grey: UInt8, at seconds: Double, isSeen: Bool = true) throws -> Float {
            var instance = scene.instance()
            instance.isSeen = isSeen
            let list = try scene.list(layers, on: [instance], at: seconds, color: SIMD4(grey, grey, grey, 255))
            return try #require(list.faces.first?.calls.first?.detail?.meanLuminance)
        }
        let first = try luminance(200, at: 0)
        #expect(try luminance(40, at: 0.2, isSeen: false) == first)
        #expect(try luminance(40, at: 0.4, isSeen: false) == first)
        scene.composer.interrupt()
        #expect(abs(try luminance(60, at: 0.44) - 60.0 / 255) < 0.01)
    }

    /// Each frame of an animation has its own table, and finds it again when the animation repeats. The number of tables has a limit.
    @Test func colorTablesAreReusedAndBounded() throws {
        let frames = try (0..<300).map { (index: Int) -> Texture in
            let step = UInt8(index / 2)
            return try scene.texture(SIMD4<UInt8>(40 + step, 60, 240 - step, 255))
        }
        let animation = Animation(frames: frames, durations: frames.map { _ in 0.1 })
        let layers = [try matched(LightMatching(color: 1), .animation(animation))]
        let tables = Recorder()
        func table(_ frame: Int) throws -> ColorTable {
            // Within the same second of the stream, so that the light stays the same.
            let list = try scene.list(layers, on: [scene.instance()], at: 0.1 * Double(frame) + 0.05)
            let table = try #require(list.faces.first?.calls.first?.colorMatch?.table)
            tables.note(table)
            return table
        }
        let first = try ObjectIdentifier(table(0))
        #expect(try ObjectIdentifier(table(0)) == first, "the table is reused")
        for frame in 1..<100 { _ = try table(frame) }
        #expect(try ObjectIdentifier(table(0)) == first, "the table is found again after a hundred others")
        for frame in 100..<300 { _ = try table(frame) }
        #expect(tables.living <= 256, "\(tables.living) tables are alive")
        #expect(tables.living >= 200, "\(tables.living) tables are alive")
    }

    private final class Recorder {
        private struct Reference { weak var table: ColorTable? }
        private var references: [Reference] = []

        func note(_ table: ColorTable) {
            if !references.contains(where: { $0.table === table }) { references.append(Reference(table: table)) }
        }

        var living: Int { references.count { $0.table != nil } }
    }
}
