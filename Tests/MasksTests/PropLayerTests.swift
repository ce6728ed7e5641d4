import FaceGeometry
import Foundation
import GLTF
import Masks
import ModelBuilder
import TestSupport
import Testing

/// Layers of type `prop`, and what `mask check` says about their models.
@Suite struct PropLayerTests {
    private func reading(_ layer: String, model: [UInt8] = ModelBuilder().file) throws -> MaskReading {
        let folder = NSTemporaryDirectory() + "bauta-prop-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(model).write(to: URL(fileURLWithPath: folder + "/hat.glb"))
        let manifest = """
            {"format": 1, "name": "Hat", "author": "A", "license": "CC0-1.0", "layers": [\(layer)]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/mask.json"))
        return MaskLoader(reference: try Repository.referenceFace()).read(PackageFiles(folder: folder))
    }

    private static let plain = #"{"type": "prop", "model": "hat.glb", "anchor": "hairline", "width": 1.5"#

    @Test func aPropIsRead() throws {
        let reading = try reading(
            Self.plain + #", "position": [0.1, -0.2, -0.3], "rotation": [90, 0, -90], "opacity": 0.5}"#)
        guard case .prop(let prop)? = reading.mask?.layers.first?.content else {
            Issue.record("\(reading.problems.listed)")
            return
        }
        #expect(prop.anchor == .hairline && prop.width == 1.5 && prop.position == SIMD3(0.1, -0.2, -0.3))
        #expect(abs(prop.rotation.pitch - .pi / 2) < 1e-6 && abs(prop.rotation.roll + .pi / 2) < 1e-6)
        // The square is two units wide.
        #expect(prop.scale == 0.75 && reading.usedFiles.contains("hat.glb"))
    }

    @Test(arguments: [
        (plain + #", "position": [0, 0]}"#, MaskProblem.Code.wrongType, "/layers/0/position"),
        (plain + #", "rotation": [0, 0, 400]}"#, .outOfRange, "/layers/0/rotation/2"),
        (plain + #", "depth": 1}"#, .unknownKey, "/layers/0/depth"),
        (plain + #", "light": {}}"#, .unknownKey, "/layers/0/light"),
        (#"{"type": "prop", "model": "hat.glb", "width": 1}"#, .missingKey, "/layers/0"),
        (#"{"type": "prop", "anchor": "nose", "width": 1}"#, .missingKey, "/layers/0"),
        (#"{"type": "prop", "model": "../hat.glb", "anchor": "nose", "width": 1}"#, .fileOutside, "/layers/0/model"),
        (#"{"type": "prop", "model": "none.glb", "anchor": "nose", "width": 1}"#, .fileMissing, "/layers/0/model"),
        (#"{"type": "prop", "model": "hat.glb", "anchor": "leftPupil", "width": 1}"#, .unknownWord, "/layers/0/anchor"),
    ])
    func mistakesHaveTheirPlace(_ layer: String, _ code: MaskProblem.Code, _ pointer: String) throws {
        let problems = try reading(layer).problems.listed
        #expect(problems.map(\.code) == [code] && problems.first?.pointer == pointer, "\(problems)")
    }

    /// Every kind of bad model has a code, and the place in the model's file.
    @Test(arguments: [
        (ModelBuilder(node: ",$children$:[0]"), MaskProblem.Code.modelCyclic, "/nodes/0"),
        (ModelBuilder(accessor: ",$sparse$:{}"), .modelUnsupported, "/accessors/0"),
        (ModelBuilder(node: ",$scale$:[1e9,1,1]"), .modelNumber, "/nodes/0/scale/0"),
        (ModelBuilder(document: "{}", binary: []), .modelDamaged, "/asset/version"),
        (.textured([1, 2, 3]), .modelPicture, "/images/0"),
        (.moving([.init(0, "rotation", .translations)]), .modelDamaged, "/accessors/4/type"),
        (ModelBuilder(node: ",$scale$:[0,1,1]"), .modelEmpty, "/layers/0/model"),
    ])
    func badModelsHaveCodes(_ builder: ModelBuilder, _ code: MaskProblem.Code, _ pointer: String) throws {
        let reading = try reading(Self.plain + "}", model: builder.file)
        #expect(reading.mask == nil)
        #expect(reading.problems.listed.map(\.code) == [code], "\(reading.problems.listed)")
        #expect(reading.problems.listed.first?.pointer == pointer)
    }

    private static let moving = ModelBuilder.moving([.init(0, "translation", .translations)])

    @Test func animationsAreRead() throws {
        let layer = Self.plain + #", "animations": [{"name": "move", "position": {"by": "beat", "from": [0, 0.5]}}]}"#
        let reading = try reading(layer, model: Self.moving.file)
        guard case .prop(let prop)? = reading.mask?.layers.first?.content else {
            Issue.record("\(reading.problems.listed)")
            return
        }
        var signals = ExpressionSignals()
        signals[.beat] = 0.25
        #expect(prop.animations.map(\.animation) == [0] && prop.animations.first?.position?.value(signals) == 0.5)
        #expect(reading.mask?.followsSound == true)
        let check = MaskCheck(mesh: try Repository.mesh(), reference: try Repository.referenceFace())
        #expect(check.problems(reading, names: ["mask.json", "hat.glb"]).listed.isEmpty)
    }

    @Test(arguments: [
        (#"[{"name": "jaw"}]"#, MaskProblem.Code.unknownWord, "/layers/0/animations/0/name"),
        (#"[{"name": "move"}, {"name": "move"}]"#, .conflictingKeys, "/layers/0/animations/1/name"),
        (#"[{"name": "move", "position": 2}]"#, .outOfRange, "/layers/0/animations/0/position"),
        (#"[{"name": "move", "position": {"by": "jaw"}}]"#, .unknownWord, "/layers/0/animations/0/position/by"),
        (#"[{"name": "move", "loop": true}]"#, .unknownKey, "/layers/0/animations/0/loop"),
        (#"[{"position": 1}]"#, .missingKey, "/layers/0/animations/0"),
        (#"["move"]"#, .wrongType, "/layers/0/animations/0"),
        (#"{"name": "move"}"#, .wrongType, "/layers/0/animations"),
    ])
    func mistakesInAnimationsHaveTheirPlace(_ list: String, _ code: MaskProblem.Code, _ pointer: String) throws {
        let problems = try reading(Self.plain + #", "animations": \#(list)}"#, model: Self.moving.file).problems.listed
        #expect(problems.map(\.code) == [code] && problems.first?.pointer == pointer, "\(problems)")
    }

    @Test func animationsThatNobodyPlaysAreListed() throws {
        let reading = try reading(Self.plain + "}", model: Self.moving.file)
        let check = MaskCheck(mesh: try Repository.mesh(), reference: try Repository.referenceFace())
        let problems = check.problems(reading, names: ["mask.json", "hat.glb"]).listed
        #expect(problems.map(\.code) == [.animationUnused])
        #expect(problems.first?.reason == "no layer plays \"move\" (2 s)")
    }

    private static let chain = ModelBuilder.chain(3)

    @Test func swingsAreRead() throws {
        let layer = Self.plain + #", "swing": [{"node": "root", "stiffness": 0.4, "gravity": 1, "drag": 0.3}]}"#
        let reading = try reading(layer, model: Self.chain.file)
        guard case .prop(let prop)? = reading.mask?.layers.first?.content else {
            Issue.record("\(reading.problems.listed)")
            return
        }
        #expect(prop.swing.map(\.settings) == [SwingSettings(stiffness: 0.4, gravity: 1, drag: 0.3)])
        #expect(prop.moves && prop.model.rig?.nodes(named: "root") == prop.swing.map(\.node))
        // The same file without what swings is another model.
        #expect(try self.reading(Self.plain + "}", model: Self.chain.file).mask != nil)
    }

    @Test(arguments: [
        (#"[{"node": "tail"}]"#, MaskProblem.Code.unknownWord, "/layers/0/swing/0/node"),
        (#"[{"node": "root"}, {"node": "root"}]"#, .conflictingKeys, "/layers/0/swing/1/node"),
        (#"[{"node": "root", "stiffness": -1}]"#, .outOfRange, "/layers/0/swing/0/stiffness"),
        (#"[{"node": "root", "gravity": 1e9}]"#, .outOfRange, "/layers/0/swing/0/gravity"),
        (#"[{"node": "root", "drag": 2}]"#, .outOfRange, "/layers/0/swing/0/drag"),
        (#"[{"node": "root", "wind": 2}]"#, .unknownKey, "/layers/0/swing/0/wind"),
        (#"[{"drag": 1}]"#, .missingKey, "/layers/0/swing/0"),
        (#"["root"]"#, .wrongType, "/layers/0/swing/0"),
        (#"{"node": "root"}"#, .wrongType, "/layers/0/swing"),
    ])
    func mistakesInSwingsHaveTheirPlace(_ list: String, _ code: MaskProblem.Code, _ pointer: String) throws {
        let problems = try reading(Self.plain + #", "swing": \#(list)}"#, model: Self.chain.file).problems.listed
        #expect(problems.map(\.code) == [code] && problems.first?.pointer == pointer, "\(problems)")
    }

    @Test func expressionsThatNothingMovesAreListed() throws {
        let check = MaskCheck(mesh: try Repository.mesh(), reference: try Repository.referenceFace())
        for (name, codes) in [("jawOpen", []), ("tongueOut", [MaskProblem.Code.morphUnmoved]), ("wings", [])] {
            let reading = try reading(Self.plain + "}", model: ModelBuilder.expressive(name).file)
            #expect(check.problems(reading, names: ["mask.json", "hat.glb"]).listed.map(\.code) == codes, "\(name)")
        }
    }

    @Test func modelsWithEyesFollowTheGaze() throws {
        for (name, follows) in [("eyeLookUpLeft", true), ("jawOpen", false)] {
            let reading = try reading(Self.plain + "}", model: ModelBuilder.expressive(name).file)
            #expect(reading.mask?.followsGaze == follows)
        }
    }

    @Test func omissionsAreWarnings() throws {
        let reading = try reading(Self.plain + "}", model: ModelBuilder(root: ",$extensionsUsed$:[$X$]").file)
        let check = MaskCheck(mesh: try Repository.mesh(), reference: try Repository.referenceFace())
        let problems = check.problems(reading, names: ["mask.json", "hat.glb"])
        #expect(reading.mask != nil && problems.listed.map(\.code) == [.modelReduced])
    }
}
