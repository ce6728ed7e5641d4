import FaceGeometry
import NeuralNetworks
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Drawn heads, and meshes that do not end where they do.
@Suite(.enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"))
struct BesideHeadTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func portrait(hairVolume: Float) throws -> SyntheticPortrait {
        var face = DrawnFace()
        (face.identity.skin, face.identity.hair) = (SIMD3(0.70, 0.47, 0.37), SIMD3(0.012, 0.010, 0.010))
        (face.identity.hairVolume, face.identity.backdrop) = (hairVolume, SIMD3(0.32, 0.36, 0.40))
        return try SyntheticPortrait(
            face, width: 180, height: 220, placement: DrawnFacePlacement(center: Point(90, 110), faceWidth: 100),
            quality: .samples(2), reference: reference)
    }

    private func finder() throws -> StillOcclusion {
        StillOcclusion(reference: reference, mesh: try Repository.mesh(), search: .waiting(.standard))
    }

    /// A jaw that is measured too wide covers the wall beside it: the mask ends where the head does.
    @Test(arguments: [Float(0), 0.06, 0.1]) func theMaskEndsWhereTheHeadDoes(_ tooWide: Float) throws {
        let portrait = try portrait(hairVolume: 0)
        let face = portrait.instance.face
        let jaw = 11...14
        let landmarks = face.landmarks.mappedWithIndex { index, point in
            jaw.contains(index) ? point + Point(100 * tooWide, 0) : point
        }
        let measured = FaceInstance(
            face: Face(landmarks: landmarks, reference: reference, headPoints: face.headPoints), trackID: 1)
        var finder = try finder()
        let matte = try finder.find(hair: [measured], glasses: [], in: portrait.pixels)[1]
        let cheek = face.landmarks[13]
        #expect((matte?.value(at: cheek - Point(8, 0)) ?? 0) < 0.2)
        #expect((matte?.value(at: face.landmarks[30]) ?? 0) == 0)
        if tooWide > 0 { #expect((matte?.value(at: cheek + Point(100 * tooWide - 1, 0)) ?? 0) > 0.8) }
    }

    /// Paint goes on over a bald head's forehead, and does not pass into hair.
    @Test func aForeheadEndsAtTheHair() throws {
        var finder = try finder()
        func rise(_ portrait: borrowing SyntheticPortrait) throws -> Float {
            _ = try finder.find(hair: [portrait.instance], glasses: [], in: portrait.pixels)
            var face = portrait.instance.face
            let before = face.headPoints[.hairlineCenter]
            if let hairline = finder.hairlines[1] { face.raise(to: hairline) }
            return before.y - face.headPoints[.hairlineCenter].y
        }
        #expect(try rise(portrait(hairVolume: 0)) > 5)
        #expect(try rise(portrait(hairVolume: 0.6)) < 2)
    }
}
