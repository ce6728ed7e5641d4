import FaceGeometry
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Drawn faces, with glasses that are known pixel by pixel.
@Suite struct GlassesFinderTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private static let skins = [SIMD3<Float>(0.70, 0.47, 0.37), SIMD3(0.52, 0.30, 0.19), SIMD3(0.165, 0.085, 0.050)]
    /// Most of the frame is shown, and little of the face beside it.
    @Test func darkFramesAreFound() throws {
        for skin in Self.skins.prefix(2) {
            var face = DrawnFace()
            face.identity.skin = skin
            var portrait = try DrawnGlasses.portrait(face, reference: reference)
            let frame = DrawnGlasses.wear(&portrait, face, reference: reference)
            let found = try SharedStillOcclusion.glasses(portrait)
            let matte = try #require(found)
            var (shown, unmasked) = (0, 0)
            for y in 0..<portrait.pixels.height {
                for x in 0..<portrait.pixels.width
                where matte.value(at: Point(Float(x) + 0.5, Float(y) + 0.5)) > 0.5 {
                    if frame.contains(y * 240 + x) { shown += 1 } else { unmasked += 1 }
                }
            }
            #expect(Double(shown) > 0.85 * Double(frame.count), "\(shown) of \(frame.count)")
            #expect(Double(unmasked) < 0.45 * Double(frame.count), "\(unmasked) beside \(frame.count)")
        }
    }

    /// Brows, eyes, folds and shadows are no glasses, nor are dark rings that do not meet.
    @Test(arguments: zip([SIMD3<Float>(-1, -0.2, 0.3), SIMD3(0, 1, 0.4), SIMD3(0.1, -1, 0.2)], skins))
    func nothingIsFoundWithoutGlasses(_ light: SIMD3<Float>, _ skin: SIMD3<Float>) throws {
        var face = DrawnFace()
        face.identity.skin = skin
        face.identity.browThickness = 1.6
        face.expression.smile = 1
        face.light.direction = light
        face.light.ambient = 0.12
        var portrait = try DrawnGlasses.portrait(face, samples: 1, reference: reference)
        let unmasked = try SharedStillOcclusion.glasses(portrait)
        #expect(unmasked?.alpha == nil)
        _ = DrawnGlasses.wear(&portrait, face, bridge: false, reference: reference)
        let rings = try SharedStillOcclusion.glasses(portrait)
        #expect(rings?.alpha == nil, "without a bridge")
    }
}
