import Capture
import FaceGeometry
import FaceTracking
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Blur and light of synthetic faces.
@Suite struct FaceLookTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func look(_ adjust: (inout DrawnFace) -> Void = { _ in }, blurredBy factor: Int = 1) throws -> FaceLook {
        var sample = DrawnFace()
        adjust(&sample)
        let placement = DrawnFacePlacement(center: Point(160, 110), faceWidth: 180)
        let drawing = FaceDrawing(sample, placement: placement, reference: reference)
        var picture = try PixelBuffer(width: 320, height: 320, format: .rgba8)
        drawing.draw(into: &picture, samples: 2)
        if factor > 1 {
            picture = try picture.resized(width: 320 / factor, height: 320 / factor).resized(width: 320, height: 320)
        }
        return FaceLook(Face(landmarks: drawing.landmarks, reference: reference), in: picture)
    }

    @Test(.slow) func aBlurredFaceIsLessSharp() throws {
        let blurs = try [1, 2, 4, 8].map { try look(blurredBy: $0).blur }
        #expect(blurs == blurs.sorted(), "\(blurs)")
        #expect(blurs[0] < 0.5 && blurs[2] > 0.55, "\(blurs)")
    }

    @Test(.slow) func lightIsMeasured() throws {
        let plain = try look()
        let dark = try look { ($0.light.intensity, $0.light.ambient) = (0.08, 0.03) }
        #expect(plain.brightness > 0.25 && plain.evenness > 0.5 && plain.overexposed < 0.05, "\(plain)")
        #expect(dark.brightness < 0.18 || dark.brightness < 0.5 * plain.brightness, "\(dark)")
        let aside = try look {
            $0.light.direction = SIMD3(-1, 0, 0.05)
            $0.light.ambient = 0.03
        }
        #expect(aside.evenness < plain.evenness - 0.2, "\(aside)")
    }

    @Test func aFaceOutsideThePictureOrWithoutSizeHasNoLook() throws {
        let picture = try PixelBuffer(width: 64, height: 64, format: .rgba8)
        for landmarks in [
            reference.landmarks.mapped { 40 * $0 + Point(500, 0) }, reference.landmarks.mapped { 3 * $0 },
            reference.landmarks.mapped { 40 * $0 - Point(60, 60) },
        ] {
            #expect(FaceLook(Face(landmarks: landmarks, reference: reference), in: picture).blur == 1)
        }
    }
}

@Suite struct StillnessTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    /// The motion at the end of a second of a drawn room.
    private func motion(_ move: (Int) -> (scene: Int, face: Float)) throws -> Float {
        let sequence = try #require(DrawnSequence.all.first { $0.name == "still" })
        let room = try sequence.picture(0, reference: reference)
        var stillness = Stillness()
        var result: Float = .infinity
        for index in 0..<30 {
            let (scene, face) = move(index)
            var picture = try PixelBuffer(width: 300, height: 240, format: .rgba8)
            for y in 0..<240 {
                room.withRow(y) { from in
                    picture.withMutableRow(y) { to in for x in to.indices { to[x] = from[x + scene] } }
                }
            }
            let landmarks = reference.landmarks.mapped { 100 * $0 + Point(100 + face, 60) }
            let instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
            result = try stillness.motion(in: picture, face: instance, isCut: false, at: Double(index) / 30)
            if index < 10 { #expect(result == .infinity) }
        }
        return result
    }

    @Test func motionlessFacesAreStill() throws { #expect(try motion { _ in (0, 0) } < 0.1) }

    @Test func aCameraThatMovesIsNotStill() throws { #expect(try motion { ($0 % 20, 0) } > 1) }

    /// The background is at rest.
    @Test func aFaceThatMovesIsNotStill() throws { #expect(try motion { (0, 0.8 * Float($0)) } > 1) }
}
