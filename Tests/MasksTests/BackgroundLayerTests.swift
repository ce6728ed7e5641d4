import Files
import Foundation
import Masks
import Pixels
import TestSupport
import Testing

/// Layers of type `background`.
@Suite struct BackgroundLayerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let rows = [[UInt8]](repeating: [UInt8](repeating: 90, count: 12), count: 4)
        try folder.write(PNGBuilder(width: 4, height: 4, colorType: 2, rows: rows).bytes, "wall.png")
    }

    private func reading(_ layers: String) throws -> MaskReading {
        try folder.write(
            #"{"format": 1, "name": "Wall", "author": "A", "license": "CC0-1.0", "layers": [\#(layers)]}"#, "mask.json")
        return MaskLoader(reference: try Repository.referenceFace()).read(PackageFiles(folder: folder.path))
    }

    @Test func backgroundsAreRead() throws {
        func background(_ keys: String) throws -> Mask.Background? {
            let reading = try reading(#"{"type": "background", \#(keys)}"#)
            #expect(reading.problems.listed.isEmpty && reading.mask?.layers.isEmpty == true)
            return reading.mask?.background
        }
        let wall = try #require(try background(#""texture": "wall.png""#))
        guard case .picture(let texture) = wall else {
            Issue.record("\(wall)")
            return
        }
        #expect(texture.pixels.width == 4 && texture.path.name == "wall.png")
        #expect(wall.isSame(as: wall) && !wall.isSame(as: .blur))
        let color = try #require(try background(##""color": "#0080ff""##))
        #expect(color.isSame(as: .color(red: 0, green: 128, blue: 255)))
        #expect(!color.isSame(as: .color(red: 0, green: 128, blue: 254)))
        #expect(try background(#""blur": true"#)?.isSame(as: .blur) == true)
        #expect(try background(#""blur": true, "hidden": true"#) == nil)
        let mask = try #require(try reading(#"{"type": "background", "blur": true}"#).mask)
        #expect(mask.faded(to: 0.5).background?.isSame(as: .blur) == true)
        #expect(try reading(#"{"type": "background", "texture": "wall.png"}"#).usedFiles.contains("wall.png"))
    }

    @Test(arguments: [
        (#"{"type": "background"}"#, MaskProblem.Code.missingKey, "/layers/0"),
        (#"{"type": "background", "blur": false}"#, .unknownWord, "/layers/0/blur"),
        (#"{"type": "background", "blur": 1}"#, .wrongType, "/layers/0/blur"),
        (#"{"type": "background", "color": "green"}"#, .unknownWord, "/layers/0/color"),
        (##"{"type": "background", "color": "#+0ff00"}"##, .unknownWord, "/layers/0/color"),
        (#"{"type": "background", "texture": "../wall.png"}"#, .fileOutside, "/layers/0/texture"),
        (#"{"type": "background", "texture": "none.png"}"#, .fileMissing, "/layers/0/texture"),
        (#"{"type": "background", "blur": true, "texture": "wall.png"}"#, .conflictingKeys, "/layers/0/texture"),
        (#"{"type": "background", "blur": true, "textureLayer": "x"}"#, .conflictingKeys, "/layers/0/textureLayer"),
        (#"{"type": "background", "blur": true, "when": ["smiling"]}"#, .unknownKey, "/layers/0/when"),
        (#"{"type": "background", "blur": true}, {"type": "background", "blur": true}"#, .conflictingKeys, "/layers/1"),
        (
            #"{"type": "group", "layers": [{"type": "background", "blur": true}]}"#, .conflictingKeys,
            "/layers/0/layers/0"
        ),
    ])
    func mistakesHaveTheirPlace(_ layers: String, _ code: MaskProblem.Code, _ pointer: String) throws {
        let problems = try reading(layers).problems.listed
        #expect(problems.map(\.code) == [code] && problems.first?.pointer == pointer, "\(problems)")
    }
}
