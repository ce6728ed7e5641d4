import FaceGeometry
import LiveWindow
import Masks
import TestSupport
import Testing

@Suite struct MaskFadeTests {
    /// Of a layer without animations.
    private func opacities(_ mask: Mask, _ layers: Range<Int>) -> [Float] {
        mask.layers[layers].map { layer in layer.opacities.reduce(1) { $0 * $1.constant } }
    }

    /// Where both masks are opaque, nothing ever shines through: one of them is always whole.
    @Test func theNewMaskAppearsBeforeTheOldOneGoes() throws {
        let (old, new) = (try Repository.mask("skull"), try Repository.mask("tiger"))
        let start = ContinuousClock.now
        let fade = try #require(MaskFade(from: old, to: new, seconds: 0.4, at: start))
        #expect(fade.progress(at: start) == 0 && fade.progress(at: start + .seconds(1)) == 1)
        #expect(abs(fade.progress(at: start + .milliseconds(100)) - 0.25) < 1e-9)
        for (progress, below, above) in [(0, 1, 0), (0.25, 1, 0.5), (0.5, 1, 1), (0.75, 0.5, 1)]
            as [(Double, Float, Float)]
        {
            let both = fade.mask(at: progress)
            let count = old.layers.count
            #expect(opacities(both, 0..<count) == opacities(old, 0..<count).map { $0 * below })
            let first = both.layers.count - new.layers.count
            #expect(opacities(both, first..<both.layers.count) == opacities(new, new.layers.indices).map { $0 * above })
        }
    }

    @Test func withoutTimeMasksChangeAtOnce() throws {
        let skull = try Repository.mask("skull")
        #expect(MaskFade(from: skull, to: skull, seconds: 0) == nil)
    }

    /// The new mask lies where it lies alone, whatever the old one deforms.
    @Test(arguments: ["skull", "old-age"]) func deformationsOfTheOldMaskDoNotMoveTheNewOne(_ name: String) throws {
        let (old, new) = (try Repository.mask(name), try Repository.mask("domino"))
        let fade = try #require(MaskFade(from: old, to: new, seconds: 1))
        let reference = try Repository.referenceFace()
        var sums: [[Point]] = []
        for layer in fade.mask(at: 0.5).layers {
            guard case .deform(let deformation) = layer.content else { continue }
            var moved: [Point] = []
            deformation.displacements(of: reference, signals: ExpressionSignals(), into: &moved)
            sums.append(sums.last.map { zip($0, moved).map { $0 + $1 } } ?? moved)
        }
        #expect(sums.first?.contains { $0.length > 0.01 } == true)
        #expect(sums.last?.allSatisfy { $0.length < 1e-6 } == true)
    }
}
