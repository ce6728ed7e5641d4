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

    @Test func whatIsNotSaidHasDefaults() throws {
        let mask = try load(#"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.png"}]}"#)
        #expect(mask.author == nil && mask.layers[0].opacities.isEmpty)
        #expect(mask.layers[0].warp?.openings == [.eyes, .mouth])
        let closed = try load(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.png", "openings": []}]}"#)
        #expect(closed.layers[0].warp?.openings == [])
    }

    /// Each fault is told with its JSON pointer.
    @Test(arguments: [
        (#""name": "Test""#, #""nmae": "Test""#, "/nmae", "unknown key"),
        (#""opacity": 0.5"#, #""opactiy": 0.5"#, "/layers/0/opactiy", "unknown key"),
        (#""opacity": 0.5"#, #""a/b~c": 0.5"#, "/layers/0/a~1b~0c", "unknown key"),
        (#""opacity": 0.5"#, #""opacity": 1.5"#, "/layers/0/opacity", "0.0…1.0"),
        (#""opacity": 0.5"#, #""opacity": "0.5""#, "/layers/0/opacity", "must be a number, not a string"),
        (#""format": 1"#, #""format": 2"#, "/format", "reads format 1"),
        (#""format": 1, "#, "", "", #"the key "format" is missing"#),
        (#""name": "Test""#, #""name": 7"#, "/name", "must be a string"),
        (#""name": "Test""#, #""name": """#, "/name", "must not be empty"),
        (#""blend": "normal""#, #""blend": "nromal""#, "/layers/0/blend", "possible are \"normal\", \"multiply\""),
        (#""type": "warp""#, #""type": "wrap""#, "/layers/0/type", "possible are \"warp\", \"sticker\""),
        (#"["eyes"]"#, #"["eyes", "ears"]"#, "/layers/0/openings/1", "possible are \"eyes\", \"mouth\""),
        (#"["eyes"]"#, #"[1]"#, "/layers/0/openings/0", "must be a string"),
        (#""t.png""#, #""missing.png""#, "/layers/0/texture", "No such file"),
        (#""blend": "normal""#, #""textureLayer": "x""#, "/layers/0/textureLayer", "only OpenRaster and SVG"),
        (#""t.png""#, #""../t.png""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""a/../../t.png""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""/etc/passwd""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""""#, "/layers/0/texture", "not a file inside"),
        (#""t.png""#, #""mask.json""#, "/layers/0/texture", "neither a JPEG nor a PNG"),
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

    @Test(arguments: ["bauta", "skull", "tiger"]) func masksOfTheRepositoryAreWhole(_ name: String) throws {
        let mask = try Repository.mask(name)
        #expect(mask.license == "CC0-1.0" && mask.author != nil)
        for layer in mask.layers {
            guard let texture = layer.warp?.texture else { continue }
            #expect(texture.pixels.width == 1024 && texture.pixels.height == 1024)
        }
    }
}

extension Layer {
    fileprivate var warp: WarpLayer? { if case .warp(let warp) = content { warp } else { nil } }
    fileprivate var sticker: StickerLayer? { if case .sticker(let sticker) = content { sticker } else { nil } }
}

extension WarpLayer {
    fileprivate var texture: Texture? { if case .texture(let texture) = picture { texture } else { nil } }
}

/// Layers of every kind.
@Suite struct LayerReaderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["t.png", "u.png"] {
            try folder.write(PNGBuilder(width: 2, height: 1, colorType: 2, rows: [[9, 9, 9, 9, 9, 9]]).bytes, name)
        }
        try folder.write(PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[9, 9, 9]]).bytes, "small.png")
    }

    private func load(_ layer: String) throws -> [Layer] {
        try folder.write("{\"format\": 1, \"name\": \"x\", \"layers\": [\(layer)]}", "mask.json")
        return try MaskLoader(reference: try Repository.referenceFace()).load(folder: folder.path).layers
    }

    @Test func stickersHangOnPlaces() throws {
        let layer = try #require(
            load(
                """
                {"type": "sticker", "texture": "t.png", "anchor": "noseBridge", "width": 1.2, "offset": [0.1, -0.2],
                 "angle": 90, "center": [0.5, 1], "blend": "screen", "light": {"shading": 0.5}}
                """
            ).first)
        let sticker = try #require(layer.sticker)
        #expect(sticker.anchor == .noseBridge && sticker.width == 1.2 && sticker.offset.y == -0.2)
        #expect(abs(sticker.angle - .pi / 2) < 1e-6 && sticker.center.y == 1)
        #expect(layer.blendMode == .screen && layer.light == LightMatching(shading: 0.5))
    }

    @Test func groupsHandDownWhatHoldsForThem() throws {
        let layers = try load(
            """
            {"type": "group", "opacity": 0.5, "when": ["mouthOpen", "not smiling"], "faces": "odd", "layers": [
              {"type": "warp", "texture": "t.png", "opacity": {"by": "smile", "from": [0, 0.5], "to": [1, 0]}},
              {"type": "group", "blinks": {"of": 3, "is": 1}, "layers": [
                {"type": "warp", "live": "swap", "faces": 2}]},
              {"type": "deform", "controls": {"eyes": 1, "chin": {"by": "turn", "from": [-1, 1], "to": [-1, 1]}}}]}
            """)
        try #require(layers.count == 3)
        #expect(layers.allSatisfy { $0.conditions.contains(Condition(needed: .mouthOpen, excluded: .smiling)) })
        #expect(layers.allSatisfy { $0.choices.contains(.odd) })
        #expect(layers[1].conditions.contains(Condition(blinks: .init(count: 3, turn: 1))))
        #expect(layers[1].choices.contains(.number(2)))
        let reference = try Repository.referenceFace()
        let face = Face(landmarks: reference.landmarks, reference: reference)
        var signals = ExpressionSignals()
        signals[.smile] = 0.25
        var instance = FaceInstance(face: face, trackID: 1, states: .mouthOpen, signals: signals)
        #expect(layers[0].visibility(on: instance, isLargest: true) == 0.25)
        instance.states = [.mouthOpen, .smiling]
        #expect(layers[0].visibility(on: instance, isLargest: true) == 0)
        instance.states = .mouthOpen
        instance.trackID = 2
        #expect(layers[0].visibility(on: instance, isLargest: true) == 0)
    }

    @Test func animationsKeepTheirTime() throws {
        let layers = try load(
            """
            {"type": "warp", "animation": {"frames": ["t.png", "u.png"], "frameSeconds": 0.25}},
            {"type": "warp", "animation": {"frames": ["t.png", "u.png"], "position": {"by": "mouthOpening"}}}
            """)
        guard case .animation(let running)? = layers[0].warp?.picture,
            case .animation(let driven)? = layers[1].warp?.picture
        else {
            Issue.record("no animation")
            return
        }
        func name(_ animation: Animation, _ seconds: Double, _ opening: Float = 0) -> Character? {
            var signals = ExpressionSignals()
            signals[.mouthOpening] = opening
            return animation.frame(at: seconds, signals: signals).path.split(separator: "/").last?.first
        }
        #expect(name(running, 0) == "t" && name(running, 0.24) == "t" && name(running, 0.26) == "u")
        #expect(name(running, 0.51) == "t" && name(running, 1000.3) == "u")
        #expect(name(driven, 77, 0.1) == "t" && name(driven, 77, 1) == "u")
    }

    static let mistakes: [(String, String, String)] = [
        (#"{"type": "warp", "texture": "t.png", "anchor": "nose"}"#, "/layers/0/anchor", "unknown key"),
        (#"{"type": "warp", "texture": "t.png", "live": "face"}"#, "/layers/0/texture", "together with \"live\""),
        (#"{"type": "warp", "live": "faec"}"#, "/layers/0/live", "\"face\", \"swap\""),
        (#"{"type": "warp"}"#, "/layers/0", "\"texture\" is missing"),
        (#"{"type": "warp", "texture": "t.png", "blend": "dodge"}"#, "/layers/0/blend", "\"color-dodge\""),
        (#"{"type": "warp", "texture": "t.png", "when": ["mouthopen"]}"#, "/layers/0/when/0", "\"mouthOpen\""),
        (#"{"type": "warp", "texture": "t.png", "blinks": {"of": 3, "is": 3}}"#, "/layers/0/blinks/is", "0.0…2.0"),
        (#"{"type": "warp", "texture": "t.png", "faces": "some"}"#, "/layers/0/faces", "\"largest\""),
        (#"{"type": "warp", "texture": "t.png", "faces": 1.5}"#, "/layers/0/faces", "whole"),
        (#"{"type": "warp", "texture": "t.png", "light": {"shadow": 1}}"#, "/layers/0/light/shadow", "unknown key"),
        (#"{"type": "warp", "texture": "t.png", "light": {"color": 2}}"#, "/layers/0/light/color", "0.0…1.0"),
        (
            #"{"type": "warp", "texture": "t.png", "opacity": {"by": "mouth"}}"#, "/layers/0/opacity/by",
            "\"mouthOpening\""
        ),
        (
            #"{"type": "warp", "texture": "t.png", "opacity": {"by": "smile", "from": [1, 0]}}"#,
            "/layers/0/opacity/from", "must grow"
        ),
        (
            #"{"type": "warp", "texture": "t.png", "opacity": {"by": "smile", "to": [0, 2]}}"#,
            "/layers/0/opacity/to/1", "0.0…1.0"
        ),
        (#"{"type": "warp", "animation": {"frames": []}}"#, "/layers/0/animation/frames", "at least one"),
        (
            #"{"type": "warp", "animation": {"frames": ["t.png", "small.png"]}}"#, "/layers/0/animation/frames",
            "another size"
        ),
        (
            #"{"type": "warp", "animation": {"frames": ["t.png", "../t.png"]}}"#,
            "/layers/0/animation/frames/1", "not a file inside"
        ),
        (#"{"type": "sticker", "texture": "t.png", "width": 1}"#, "/layers/0", "\"anchor\" is missing"),
        (#"{"type": "sticker", "texture": "t.png", "anchor": "nose"}"#, "/layers/0", "\"width\" is missing"),
        (#"{"type": "sticker", "texture": "t.png", "anchor": "hat", "width": 1}"#, "/layers/0/anchor", "\"chin\""),
        (
            #"{"type": "sticker", "texture": "t.png", "anchor": "nose", "width": 1, "offset": [1]}"#,
            "/layers/0/offset", "two numbers"
        ),
        (#"{"type": "deform"}"#, "/layers/0", "\"controls\" is missing"),
        (#"{"type": "deform", "controls": {"ears": 1}}"#, "/layers/0/controls/ears", "unknown key"),
        (#"{"type": "deform", "controls": {"eyes": 3}}"#, "/layers/0/controls/eyes", "-1.0…1.0"),
        (#"{"type": "deform", "controls": {}, "opacity": 1}"#, "/layers/0/opacity", "unknown key"),
        (#"{"type": "group", "layers": []}"#, "/layers/0/layers", "at least one"),
        (
            #"{"type": "group", "layers": [{"type": "deform", "controls": {}, "x": 1}]}"#,
            "/layers/0/layers/0/x", "unknown key"
        ),
    ]

    @Test(arguments: mistakes) func mistakesArePointedAt(_ layer: String, _ pointer: String, _ words: String) throws {
        do {
            _ = try load(layer)
            Issue.record("it was read: \(layer)")
        } catch let error as MaskProblem {
            #expect(error.pointer == pointer && error.reason.contains(words), "\(error)")
        }
    }

    @Test func groupsDoNotGoOnForever() throws {
        let deep =
            String(repeating: #"{"type": "group", "layers": ["#, count: 30) + #"{"type": "warp", "live": "face"}"#
            + String(repeating: "]}", count: 30)
        #expect(throws: MaskProblem.self) { try load(deep) }
    }
}
