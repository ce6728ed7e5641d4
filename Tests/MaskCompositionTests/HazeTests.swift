import FaceGeometry
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// What masks take on of a picture besides the light on the face: its haze and its blur.
@Suite struct HazeTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    private func litPaint() throws -> Layer {
        var layer = try scene.warp()
        layer.light = LightMatching(shading: 0.5)
        return layer
    }

    /// A face in front of a wall, and dark hair above it.
    private func picture(darkest: SIMD4<UInt8>) throws -> PixelBuffer {
        var picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        for y in 0..<30 { picture.withMutableRow(y) { row in for x in row.indices { row[x] = darkest } } }
        let wall = SIMD4<UInt8>(230, 230, 230, 255)
        for y in 30..<400 { picture.withMutableRow(y) { row in for x in 400..<500 { row[x] = wall } } }
        return picture
    }

    private func haze(_ layer: Layer, _ picture: borrowing PixelBuffer, at seconds: Double? = nil) throws -> Haze {
        let list = scene.composer.drawList(scene.mask([layer]), on: [scene.instance()], at: seconds, in: picture)
        return try #require(list.faces.first?.calls.last).haze
    }

    @Test func masksAreAsHazyAsPictures() throws {
        #expect(try haze(litPaint(), picture(darkest: SIMD4(12, 10, 10, 255))) == .none)
        let haze = try haze(litPaint(), picture(darkest: SIMD4(64, 56, 60, 255)))
        // Black becomes what is black in the picture, and white is not brighter than before.
        #expect(abs(haze.light.x - 64.0 / 255) < 0.01 && abs(haze.light.y - 56.0 / 255) < 0.01, "\(haze)")
        #expect(haze.transmission < 0.8 && haze.transmission + haze.light.max() <= 1, "\(haze)")
        let prop = try #require(try Repository.mask("spectacles").layers.first)
        #expect(try self.haze(prop, picture(darkest: SIMD4(64, 56, 60, 255))).light.x > 0.2)
        // Without light, colours are drawn as they are.
        #expect(try self.haze(scene.warp(), picture(darkest: SIMD4(64, 56, 60, 255))) == .none)
    }

    @Test func darkColorsAreNoHaze() throws {
        #expect(try haze(litPaint(), picture(darkest: SIMD4(12, 40, 90, 255))) == .none)
        #expect(try haze(litPaint(), picture(darkest: SIMD4(180, 90, 14, 255))) == .none)
    }

    @Test func aPictureOfOneColorIsNotHazy() throws {
        #expect(try haze(litPaint(), plain(500, 400, SIMD4(180, 140, 120, 255))) == .none)
    }

    @Test func skinAndClothAreNotHaze() throws {
        for darkest in [SIMD4<UInt8>(100, 75, 60, 255), SIMD4(60, 90, 200, 255)] {
            #expect(try haze(litPaint(), picture(darkest: darkest)) == .none)
        }
    }

    @Test func hazeFollowsAStreamSlowly() throws {
        let layer = try litPaint()
        let clear = try picture(darkest: SIMD4(8, 8, 8, 255))
        let hazy = try picture(darkest: SIMD4(64, 64, 64, 255))
        #expect(try haze(layer, clear, at: 0) == .none)
        let next = try haze(layer, hazy, at: 1.0 / 30)
        #expect(next.light.x > 0 && next.light.x < 0.02, "\(next)")
        for frame in 2..<150 { _ = try haze(layer, hazy, at: Double(frame) / 30) }
        #expect(try haze(layer, hazy, at: 5).light.x > 0.23)
    }

    // MARK: Blur

    /// Bars over the eyes, blurred with a standard deviation in pixels.
    private func bars(_ deviation: Float) throws -> PixelBuffer {
        var picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        let weights = (-20...20).map { offset -> Float in
            let share = Float(offset) / deviation
            return exponential(-share * share / 2)
        }
        let sum = weights.reduce(0, +)
        for y in 60..<260 {
            picture.withMutableRow(y) { row in
                for x in 40..<460 {
                    var dark: Float = 0
                    for (index, weight) in weights.enumerated() where (x + index - 20) / 25 % 2 == 0 {
                        dark += weight / sum
                    }
                    let color = (SIMD3<Float>(180, 140, 120) * (1 - 0.7 * dark)).rounded(.toNearestOrEven)
                    row[x] = SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), 255)
                }
            }
        }
        return picture
    }

    private func exponential(_ x: Float) -> Float {
        // Without Foundation: the 64th power of a near approximation.
        let y = max(-60, x) / 64
        var value = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4)))
        for _ in 0..<6 { value *= value }
        return value
    }

    private func blur(_ layer: Layer, _ picture: borrowing PixelBuffer) throws -> Float {
        let list = scene.composer.drawList(scene.mask([layer]), on: [scene.instance()], in: picture)
        return try #require(list.faces.first).blur
    }

    @Test func masksAreAsBlurredAsPictures() throws {
        #expect(try blur(litPaint(), bars(0.4)) == 0)
        for deviation: Float in [1.2, 1.6, 2] {
            let blur = try blur(litPaint(), bars(deviation))
            let missing = (deviation * deviation - 0.75 * 0.75).squareRoot()
            #expect(abs(blur / missing - 1) < 0.2, "\(deviation): \(blur)")
        }
        // What is left can be recognised.
        #expect(try blur(litPaint(), bars(8)) < 5)
    }

    /// Their edges and details are finer than pixels.
    @Test func propsOnSmallFacesAreSmoothed() throws {
        let prop = try #require(try Repository.mask("spectacles").layers.first)
        let sharp = try bars(0.4)
        func blur(_ layer: Layer, scale: Float) throws -> Float {
            let instance = scene.instance(scale: scale)
            let list = scene.composer.drawList(scene.mask([layer]), on: [instance], in: sharp)
            return try #require(list.faces.first).blur
        }
        #expect(try blur(prop, scale: 60) == 0.6)
        #expect(try blur(prop, scale: 300) == 0)
        #expect(try blur(litPaint(), scale: 60) == 0)
    }

    /// The light on a face is followed when another mask is put on.
    @Test func aMaskWithoutBlurFollowsOneWithIt() throws {
        let instance = scene.instance()
        func blur(_ layer: Layer, at seconds: Double) throws -> Float {
            let list = scene.composer.drawList(scene.mask([layer]), on: [instance], at: seconds, in: try bars(3))
            return try #require(list.faces.first).blur
        }
        var makeup = try scene.warp()
        makeup.makeup = Makeup(color: SIMD3(0.5, 0.1, 0.2))
        #expect(try blur(litPaint(), at: 0) > 1)
        #expect(try blur(makeup, at: 0.04) == 0)
    }

    /// They show the picture itself.
    @Test func makeupAndLiveFacesAreNotBlurredAgain() throws {
        var makeup = try scene.warp()
        makeup.makeup = Makeup(color: SIMD3(0.5, 0.1, 0.2))
        #expect(try blur(makeup, bars(3)) == 0)
        var live = scene.warp(.ownFace)
        live.light = LightMatching(shading: 1)
        #expect(try blur(live, bars(3)) == 0)
    }
}
