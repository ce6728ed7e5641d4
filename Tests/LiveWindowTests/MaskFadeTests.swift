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
            #expect(both.layers.count == count + new.layers.count)
            #expect(opacities(both, 0..<count) == opacities(old, 0..<count).map { $0 * below })
            #expect(opacities(both, count..<both.layers.count) == opacities(new, new.layers.indices).map { $0 * above })
        }
    }

    @Test func otherMasksChangeAtOnce() throws {
        let (skull, oldAge) = (try Repository.mask("skull"), try Repository.mask("old-age"))
        #expect(MaskFade(from: skull, to: skull, seconds: 0) == nil)
        // The old mask's deformations would move the new one.
        #expect(MaskFade(from: oldAge, to: skull, seconds: 1) == nil)
        #expect(MaskFade(from: skull, to: oldAge, seconds: 1) != nil)
    }
}
