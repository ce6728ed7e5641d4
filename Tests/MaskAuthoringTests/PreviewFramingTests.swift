import FaceGeometry
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

    /// Of two people, both are seen, and of people far behind the large faces.
    @Test func allLargeFacesAreShown() throws {
        let faces = [(100, 200, 80), (300, 180, 100), (900, 50, 20)].map {
            FaceBox(x: Float($0.0), y: Float($0.1), width: Float($0.2), height: Float($0.2))
        }
        for framing in PreviewFraming.allCases {
            let (center, side) = try #require(framing.square(around: faces, share: 1))
            let (least, most) = (center - Point(side, side) / 2, center + Point(side, side) / 2)
            for face in faces.prefix(2) {
                #expect(least.x < face.x && least.y < face.y)
                #expect(most.x > face.x + face.width && most.y > face.y + face.height)
            }
            #expect(most.x < 900)
        }
        #expect(PreviewFraming.face.square(around: [], share: 1) == nil)
    }

    @Test func paintedMasksAreShownLarge() throws { #expect(PreviewFraming(try Repository.mask("tiger")) == .face) }
}
