import FaceGeometry
import Foundation
import Masks
import TestSupport
import Testing

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
                 "depth": -0.3, "angle": 90, "center": [0.5, 1], "blend": "screen", "light": {"shading": 0.5}}
                """
            ).first)
        let sticker = try #require(layer.sticker)
        #expect(sticker.anchor == .noseBridge && sticker.width == 1.2 && sticker.offset.y == -0.2)
        #expect(sticker.depth == -0.3)
        #expect(abs(sticker.angle - .pi / 2) < 1e-6 && sticker.center.y == 1)
        #expect(layer.blendMode == .screen && layer.light == LightMatching(shading: 0.5))
    }

    @Test func makeupChangesTheSkin() throws {
        let layers = try load(
            """
            {"type": "makeup", "texture": "t.png", "color": "#ff8000", "gloss": -0.5, "openings": ["mouth"]},
            {"type": "makeup", "texture": "t.png", "smoothing": 0.7, "brightening": 1}
            """)
        try #require(layers.count == 2)
        let color = SIMD3<Float>(1, 128.0 / 255, 0)
        #expect(layers[0].makeup == Makeup(color: color, gloss: -0.5))
        #expect(layers[1].makeup == Makeup(smoothing: 0.7, brightening: 1))
        #expect(layers[0].makeup?.recolors == true)
        for (layer, place) in [
            ("\"color\": \"ff8000\"", "/color"), ("\"color\": \"#ff80zz\"", "/color"), ("\"gloss\": 2", "/gloss"),
            ("", "/type"),
        ] {
            let keys = layer.isEmpty ? "" : ", " + layer
            do {
                _ = try load("{\"type\": \"makeup\", \"texture\": \"t.png\"\(keys)}")
                Issue.record("\(layer) loads")
            } catch {
                #expect("\(error)".contains("/layers/0\(place)"), "\(error)")
            }
        }
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
        #expect(layers.allSatisfy { $0.conditions.contains(Condition(needed: .mouthOpen, excluded: [.smiling])) })
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
            return animation.frame(at: seconds, signals: signals).path.name.description.first
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
        (#"{"type": "warp", "live": "face", "alone": "large"}"#, "/layers/0/alone", "\"swap\""),
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
