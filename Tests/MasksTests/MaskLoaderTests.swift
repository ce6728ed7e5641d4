import FaceGeometry
import Foundation
import Masks
import TestSupport
import Testing

@Suite struct MaskLoaderTests {
    let folder: TemporaryFolder
    let loader: MaskLoader

    init() throws {
        folder = try TemporaryFolder()
        loader = MaskLoader(reference: try Repository.referenceFace())
        try folder.write(
            PNGBuilder(width: 2, height: 2, colorType: 6, rows: [[UInt8](1...8), [UInt8](1...8)]).bytes, "t.png")
    }

    private static let good = """
        {"format": 1, "name": "Test", "author": "me", "license": "CC0-1.0",
         "layers": [{"type": "warp", "texture": "t.png", "landmarks": "reference",
                     "blend": "normal", "opacity": 0.5, "openings": ["eyes"]}]}
        """

    private func load(_ manifest: String) throws(MaskProblem) -> Mask {
        do { try folder.write(manifest, "mask.json") } catch { Issue.record(error) }
        return try loader.load(folder: folder.path)
    }

    @Test func aGoodMaskLoads() throws {
        let mask = try load(Self.good)
        #expect(mask.name == "Test" && mask.author == "me" && mask.license == "CC0-1.0")
        let layer = try #require(mask.layers.first)
        let warp = try #require(layer.warp)
        #expect(layer.opacities == [AnimatableValue(0.5)] && warp.openings == [.eyes] && layer.blendMode == .normal)
        #expect(warp.textureCoordinates == (try Repository.referenceFace()).vertices)
        #expect(warp.texture?.pixels.width == 2)
    }

    @Test func missingKeysHaveDefaults() throws {
        let mask = try load(#"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.png"}]}"#)
        #expect(mask.author == nil && mask.layers[0].opacities.isEmpty)
        #expect(mask.layers[0].warp?.openings == [.eyes, .mouth])
        let closed = try load(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.png", "openings": []}]}"#)
        #expect(closed.layers[0].warp?.openings == [])
        #expect(mask.occluders == [.hands, .hair, .glasses])
        let occluded = try load(
            #"{"format": 1, "name": "x", "under": ["hands"], "layers": [{"type": "warp", "texture": "t.png"}]}"#)
        #expect(occluded.occluders == [.hands] && occluded.faded(to: 0.5).occluders == [.hands])
        let covering = try load(
            #"{"format": 1, "name": "x", "under": [], "layers": [{"type": "warp", "texture": "t.png"}]}"#)
        #expect(covering.occluders.isEmpty && covering.faded(to: 0.5).occluders.isEmpty)
    }

    /// Three hundred Unicode scalars, of one character at most.
    private static let accents = String(repeating: "\u{301}", count: 300)

    /// Each fault is told with its JSON pointer.
    @Test(arguments: [
        (#""name": "Test""#, #""nmae": "Test""#, "/nmae", "unknown key"),
        (#""opacity": 0.5"#, #""opactiy": 0.5"#, "/layers/0/opactiy", "unknown key"),
        (#""opacity": 0.5"#, #""a/b~c": 0.5"#, "/layers/0/a~1b~0c", "unknown key"),
        (#""opacity": 0.5"#, #""opacity": 1.5"#, "/layers/0/opacity", "0.0…1.0"),
        (#""opacity": 0.5"#, #""opacity": "0.5""#, "/layers/0/opacity", "must be a number, not a string"),
        (#""format": 1"#, #""format": 1, "under": ["hats"]"#, "/under/0", "use one of \"hands\""),
        (#""format": 1"#, #""format": 1, "under": "hands""#, "/under", "must be an array"),
        (#""format": 1"#, #""format": 2"#, "/format", "reads format 1"),
        (#""format": 1, "#, "", "", #"the key "format" is missing"#),
        (#""name": "Test""#, #""name": 7"#, "/name", "must be a string"),
        (#""name": "Test""#, #""name": """#, "/name", "must not be empty"),
        (#""name": "Test""#, #""name": "e\#(accents)""#, "/name", "has 301 characters; up to 200"),
        (#""license": "CC0-1.0""#, #""license": "\#(accents)""#, "/license", "has 300 characters"),
        (#""blend": "normal""#, #""blend": "nromal""#, "/layers/0/blend", "use one of \"normal\", \"multiply\""),
        (#""type": "warp""#, #""type": "wrap""#, "/layers/0/type", "use one of \"warp\", \"makeup\""),
        (#"["eyes"]"#, #"["eyes", "ears"]"#, "/layers/0/openings/1", "use one of \"eyes\", \"mouth\""),
        (#"["eyes"]"#, #"[1]"#, "/layers/0/openings/0", "must be a string"),
        (#""t.png""#, #""missing.png""#, "/layers/0/texture", "No such file"),
        (#""blend": "normal""#, #""textureLayer": "x""#, "/layers/0/textureLayer", "only OpenRaster and SVG"),
        (#""t.png""#, #""../t.png""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""a/../../t.png""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""/etc/passwd""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""mask.json""#, "/layers/0/texture", "not a JPEG or PNG picture"),
        (#""reference""#, #""../face.pts""#, "/layers/0/landmarks", "not a file inside"),
    ])
    func faultsAreToldWithTheirPlace(_ part: String, _ replacement: String, _ pointer: String, _ reason: String) throws
    {
        let manifest = Self.good.replacingOccurrences(of: part, with: replacement)
        #expect(manifest != Self.good)
        do {
            _ = try load(manifest)
            Issue.record("the fault was accepted")
        } catch {
            #expect(error.pointer == pointer)
            #expect(error.description.contains(reason), "\(error)")
            #expect(error.description.contains(folder.path + "/mask.json"), "\(error)")
        }
    }

    @Test(arguments: [
        ("{\"format\": 1, \"name\": NaN}", "line 1"), ("", "is empty"), ("{\"format\": 1, \"format\": 1}", "duplicate"),
        ("[]", "must be an object"), ("{\"format\": 1, \"name\": \"x\", \"layers\": []}", "at least one layer"),
        ("{\"format\": 1, \"name\": \"x\", \"layers\": 5}", "must be an array"),
    ])
    func brokenDocumentsAreRefused(_ manifest: String, _ reason: String) {
        #expect { try load(manifest) } throws: { "\($0)".contains(reason) }
    }

    @Test func aLinkThatLeadsOutIsNotFollowed() throws {
        let outside = try TemporaryFolder()
        try outside.write(try bytes(of: folder.path + "/t.png"), "secret.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.png", withDestinationPath: outside.path + "/secret.png")
        #expect { try load(Self.good.replacingOccurrences(of: "t.png", with: "link.png")) } throws: {
            "\($0)".contains("link to a place outside")
        }
    }

    @Test func enormousTexturesAreRefused() throws {
        try folder.write(PNGBuilder(width: 60_000, height: 60_000, colorType: 6, rows: [[0]]).bytes, "huge.png")
        #expect { try load(Self.good.replacingOccurrences(of: "t.png", with: "huge.png")) } throws: {
            "\($0)".contains("60000 × 60000")
        }
    }

    @Test func aMissingManifestIsSaid() {
        #expect { try loader.load(folder: folder.path + "/nothing") } throws: {
            "\($0)".contains("mask.json: cannot be read")
        }
        #expect { try loader.load(folder: folder.path) } throws: {
            "\($0)".contains("has no mask.json, so it is not a mask")
        }
    }

    @Test func packedMasksAndPicturesAreNotFolders() throws {
        for (name, advice) in [("a.bauta", "bauta mask install"), ("a.jpg", "bauta mask new NAME --from")] {
            let path = try folder.write("", name)
            #expect { try loader.load(folder: path) } throws: { "\($0)".hasSuffix("\(advice) \(path)") }
        }
    }

    @Test func landmarksOfItsOwn() throws {
        let reference = try Repository.referenceFace()
        // The reference face at another size, as if painted from a portrait; the texture is 2 pixels a side.
        let points = reference.landmarks.points.map { Point(2 * (0.1 + 0.5 * $0.x), 2 * (0.2 + 0.5 * $0.y)) }
        try folder.write(PointsFile.text(points), "own.pts")
        let mask = try load(Self.good.replacingOccurrences(of: "\"reference\"", with: "\"own.pts\""))
        for (found, vertex) in zip(try #require(mask.layers[0].warp).textureCoordinates, reference.vertices) {
            #expect((found - Point(0.1 + 0.5 * vertex.x, 0.2 + 0.5 * vertex.y)).length < 0.002)
        }
        try folder.write(PointsFile.text(Array(points.prefix(5))), "own.pts")
        #expect { try load(Self.good.replacingOccurrences(of: "\"reference\"", with: "\"own.pts\"")) } throws: {
            "\($0)".contains("own.pts") && "\($0)".contains("has 5 points")
        }
    }

    @Test(arguments: ["kabuki", "skull", "tiger"]) func masksOfTheRepositoryAreWhole(_ name: String) throws {
        let mask = try Repository.mask(name)
        #expect(mask.license == "CC0-1.0" && mask.author != nil)
        for layer in mask.layers {
            guard let texture = layer.warp?.texture else { continue }
            #expect(texture.pixels.width == 1024 && texture.pixels.height == 1024)
        }
    }
}
