import FaceGeometry
import Glibc
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
    private static let placement = DrawnFacePlacement(center: Point(120, 120), faceWidth: 150)

    private func portrait(_ face: DrawnFace, samples: Int = 2) throws -> SyntheticPortrait {
        try SyntheticPortrait(
            face, width: 240, height: 260, placement: Self.placement, quality: .samples(samples), reference: reference)
    }

    /// Paints round glasses.
    /// - Parameter bridge: whether there is one.
    /// - Returns: the pixels of the frame.
    private func wearGlasses(_ portrait: inout SyntheticPortrait, _ face: DrawnFace, bridge: Bool = true) -> Set<Int> {
        let drawing = FaceDrawing(face, placement: Self.placement, reference: reference)
        let topology = Landmarks.topology
        let eyes = [topology.rightEye, topology.leftEye].map { eye -> Point in
            let outline = eye.outline.map { reference.vertices[$0] }
            return outline.reduce(Point.zero, +) / Float(outline.count)
        }
        var line: [Point] = []
        for (index, eye) in eyes.enumerated() {
            for step in 0..<400 {
                let angle = 2 * Float.pi * Float(step) / 400
                line.append(drawing.position(ofCanonicalPoint: eye + Point(0.085 * cos(angle), 0.075 * sin(angle))))
            }
            let inner = eye + Point(index == 0 ? 0.085 : -0.085, 0)
            let middle = (eyes[0] + eyes[1]) / 2
            for step in 0..<60 where bridge {
                line.append(drawing.position(ofCanonicalPoint: inner + Float(step) / 59 * (middle - inner)))
            }
        }
        var frame: Set<Int> = []
        for point in line {
            for y in Int(point.y) - 2...Int(point.y) + 2 {
                portrait.pixels.withMutableRow(y) { row in
                    for x in Int(point.x) - 2...Int(point.x) + 2
                    where (point - Point(Float(x) + 0.5, Float(y) + 0.5)).length < 2 {
                        row[x] = SIMD4(24, 22, 20, 255)
                        frame.insert(y * 240 + x)
                    }
                }
            }
        }
        return frame
    }

    /// Most of the frame is shown, and little of the face beside it.
    @Test func darkFramesAreFound() throws {
        for skin in Self.skins.prefix(2) {
            var face = DrawnFace()
            face.identity.skin = skin
            var portrait = try portrait(face)
            let frame = wearGlasses(&portrait, face)
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
        var portrait = try portrait(face, samples: 1)
        let unmasked = try SharedStillOcclusion.glasses(portrait)
        #expect(unmasked?.alpha == nil)
        _ = wearGlasses(&portrait, face, bridge: false)
        let rings = try SharedStillOcclusion.glasses(portrait)
        #expect(rings?.alpha == nil, "without a bridge")
    }
}
