import Files
import Installation
import MaskAuthoring
import Masks
import Pixels
import TestSupport
import Testing

/// What hats, horns and helmets leave of a preview.
@Suite struct PreviewFramingTests {
    private let assets: AuthoringAssets

    init() throws { assets = try AuthoringAssets(DataFolder(path: FilePath(Repository.root))) }

    /// Nothing reaches the upper border of the first person, who looks straight ahead.
    @Test(arguments: ["diver", "gentleman", "horns", "top-hat"]) func tallMasksAreShownWhole(_ name: String) throws {
        let mask = try Repository.mask(name)
        #expect(PreviewFraming(mask) == .head)
        let preview = try MaskPreview(masks: [mask], faceWidth: 60, assets: assets, renderer: .software)
        let pixels = try preview.still {}
        let wall = pixels[1, 0]
        for y in 0..<3 { for x in 0..<120 { #expect(pixels[x, y] == wall, "\(x), \(y)") } }
    }

    @Test func paintedMasksAreShownLarge() throws { #expect(PreviewFraming(try Repository.mask("tiger")) == .face) }
}
