import FaceGeometry
import GLTF
import ModelBuilder
import Testing

/// Skins and animations that are made to do harm, or that are broken.
@Suite struct HostileMovementTests {
    typealias Attack = ModelAttack

    private static let turning = ModelBuilder.moving([.init(2, "rotation", .rotations)], skinned: true)
    private static let shifting = ModelBuilder.moving([.init(0, "translation", .translations)])
    private static let morphing = ModelBuilder.moving([.init(0, "weights", .morphWeights)], morphed: true)

    private static func changed(_ builder: ModelBuilder, _ old: String, _ new: String) -> ModelBuilder {
        var builder = builder
        precondition(builder.document.contains(old), "\(old) in \(builder.document)")
        builder.document = builder.document.replacing(old, with: new)
        return builder
    }

    /// - Parameter place: in the tables of `ModelBuilder.moving`, bytes.
    private static func changed(_ builder: ModelBuilder, at place: Int, _ words: [UInt32]) -> ModelBuilder {
        var builder = builder
        let bytes = words.flatMap { ModelBuilder.bytes($0) }
        builder.binary.replaceSubrange((92 + place)..<(92 + place + bytes.count), with: bytes)
        return builder
    }

    private static let jointWeights = 232
    private static let (output, input) = ("/animations/0/samplers/0/output", "/animations/0/samplers/0/input")
    private static let attributes = "/meshes/0/primitives/0/attributes"

    static let attacks: [Attack] = [
        Attack("no channels", .damaged, "/animations/0", changed(shifting, "$channels$:[{", "$channel$:[{")),
        Attack("no target", .damaged, "/animations/0/channels/0", changed(shifting, "$target$", "$targets$")),
        Attack(
            "an unknown path", .damaged, "/animations/0/channels/0/target/path",
            changed(shifting, "$translation$}", "$color$}")),
        Attack(
            "a node that is not there", .damaged, "/nodes",
            changed(shifting, "$target$:{$node$:0", "$target$:{$node$:9")),
        Attack("no sampler", .damaged, "/animations/0/channels/0", changed(shifting, "{$sampler$:0,", "{")),
        Attack(
            "a sampler that is not there", .damaged, "/animations/0/samplers",
            changed(shifting, "$sampler$:0", "$sampler$:3")),
        Attack("a sampler without input", .damaged, "/animations/0/samplers/0", changed(shifting, "$input$:3,", "")),
        Attack("a sampler without output", .damaged, "/animations/0/samplers/0", changed(shifting, "$output$:4,", "")),
        Attack(
            "an unknown interpolation", .damaged, "/animations/0/samplers/0/interpolation",
            changed(shifting, "$LINEAR$", "$MAGIC$")),
        Attack("times that stand still", .number, input, changed(shifting, at: 4, [0])),
        Attack("times that run back", .number, input, changed(shifting, at: 4, [Float(5).bitPattern])),
        Attack("negative times", .number, input, changed(shifting, at: 0, [Float(-1).bitPattern])),
        Attack("times that are NaN", .number, "/accessors/3", changed(shifting, at: 0, [0x7FC0_0000])),
        Attack("infinite places", .number, "/accessors/4", changed(shifting, at: 12, [0x7F80_0000])),
        Attack("too few values", .damaged, output, changed(shifting, "$LINEAR$", "$CUBICSPLINE$")),
        Attack("values of another kind", .damaged, "/accessors/5/type", changed(shifting, "$output$:4", "$output$:5")),
        Attack(
            "a huge number of keys", .tooLarge, "/accessors/3/count",
            changed(
                shifting, "$count$:3,$type$:$SCALAR$},{$bufferView$:3,$byteOffset$:12",
                "$count$:2000000000,$type$:$SCALAR$},{$bufferView$:3,$byteOffset$:12")),
        Attack("a rotation of length 0", .number, output, changed(turning, at: 48, [0, 0, 0, 0])),
        Attack(
            "an animated matrix", .damaged, "/animations/0/channels/0/target/node",
            changed(shifting, "{$mesh$:0}", "{$mesh$:0,$matrix$:[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}")),
        Attack(
            "weights without targets", .damaged, "/animations/0/channels/0",
            changed(shifting, "$translation$}", "$weights$}")),
        Attack("a skin that is not there", .damaged, "/skins", changed(turning, "$skin$:0", "$skin$:1")),
        Attack(
            "a skin without joints", .damaged, attributes + "/JOINTS_0",
            changed(turning, "$joints$:[1,2]", "$joints$:[]")),
        Attack(
            "a joint that is not there", .damaged, "/skins/0/joints/1",
            changed(turning, "$joints$:[1,2]", "$joints$:[1,77]")),
        Attack(
            "a joint outside of the scene", .damaged, "/skins/0/joints/0",
            changed(turning, "$scenes$:[{$nodes$:[0,1]}]", "$scenes$:[{$nodes$:[0,2]}]")),
        Attack(
            "a joint beyond the skin", .damaged, attributes + "/JOINTS_0",
            changed(turning, "$joints$:[1,2]", "$joints$:[1]")),
        Attack(
            "too few matrices", .damaged, "/skins/0/inverseBindMatrices",
            changed(turning, "$joints$:[1,2]", "$joints$:[1,2,1]")),
        Attack(
            "too many joints", .tooLarge, "/skins/0/joints",
            changed(turning, "$joints$:[1,2]", "$joints$:[1,2" + String(repeating: ",1", count: 1100) + "]")),
        Attack("no weights", .damaged, "/meshes/0/primitives/0", changed(turning, ",$WEIGHTS_0$:9", "")),
        Attack(
            "weights of other vertices", .damaged, attributes + "/JOINTS_0",
            changed(turning, "$WEIGHTS_0$:9", "$WEIGHTS_0$:5")),
        Attack("weights that are NaN", .number, "/accessors/9", changed(turning, at: jointWeights, [0x7FC0_0000])),
        Attack(
            "negative weights", .number, attributes + "/WEIGHTS_0",
            changed(turning, at: jointWeights, [Float(-1).bitPattern])),
        Attack("weights with a sum of 0", .number, attributes + "/WEIGHTS_0", changed(turning, at: jointWeights, [0])),
        Attack("matrices that are NaN", .number, "/accessors/10", changed(turning, at: 296, [0x7FC0_0000])),
        Attack(
            "matrices that move far away", .number, "/nodes",
            changed(turning, at: 296 + 48, [Float(9e5).bitPattern, Float(9e5).bitPattern]).scaled()),
        Attack(
            "a joint that is its own child", .cyclic, "/nodes/1", changed(turning, "$children$:[2]", "$children$:[1]")),
        Attack(
            "displacements of other vertices", .damaged, "/meshes/0/primitives/0/targets/0/POSITION",
            changed(morphing, "$POSITION$:11", "$POSITION$:4")),
        Attack(
            "too many morph targets", .tooLarge, "/meshes/0/primitives/0/targets",
            changed(morphing, "{$POSITION$:11}", "{$POSITION$:11}" + String(repeating: ",{}", count: 70))),
        Attack(
            "too many animations", .tooLarge, "/animations",
            changed(shifting, "$animations$:[", "$animations$:[" + String(repeating: "{},", count: 70))),
    ]

    @Test(arguments: attacks) func anAttackIsRefused(_ attack: Attack) { attack.check() }

    /// Few triangles, many vertices that none of them uses, and many nodes: reading ends early.
    @Test func unusedVerticesCount() throws {
        let extra = [UInt8](repeating: 0, count: 12 * 20_000)
        var builder = ModelBuilder(extra: extra)
        let nodes = (0..<300).map { _ in "{$mesh$:0}" }.joined(separator: ",")
        builder.document = builder.document.replacing("$nodes$:[{$mesh$:0}]", with: "$nodes$:[\(nodes)]")
            .replacing(
                "$scenes$:[{$nodes$:[0]}]",
                with: "$scenes$:[{$nodes$:[\((0..<300).map(String.init).joined(separator: ","))]}]"
            )
            .replacing(
                "{$bufferView$:0,$componentType$:5126,$count$:4",
                with: "{$bufferView$:3,$componentType$:5126,$count$:20000"
            )
            .replacing(",$TEXCOORD_0$:1", with: "")
        let error = #expect(throws: ModelError.self) { _ = try GLTFReader.read(builder.file, path: "test.glb") }
        #expect(error?.kind == .tooLarge && error?.pointer == "/meshes/0/primitives/0")
    }

    /// However a file is cut or changed, reading and moving it ends with vertices that are numbers, or an error.
    @Test func changedBytesAreNoCrash() throws {
        for builder in [Self.turning, Self.morphing] {
            let whole = builder.file
            for length in whole.indices { _ = try? GLTFReader.read(Array(whole.prefix(length)), path: "cut.glb") }
            for place in stride(from: 12, to: whole.count, by: 3) {
                var changed = whole
                changed[place] = changed[place] &* 31 &+ 0x5A
                guard let model = try? GLTFReader.read(changed, path: "changed.glb").model,
                    var pose = ModelPose(model)
                else { continue }
                for step in 0..<4 {
                    pose.set(count: 1) { _ in ModelPose.Moment(animation: 0, seconds: Float(step) * 0.7) }
                    #expect(pose.vertices.allSatisfy { $0.position.length.isFinite && $0.normal.length.isFinite })
                }
            }
        }
    }
}

extension ModelBuilder {
    /// With the joints a million times as far away.
    fileprivate func scaled() -> ModelBuilder {
        var result = self
        result.document = document.replacing("{$children$:[2]}", with: "{$children$:[2],$scale$:[9e5,9e5,9e5]}")
        return result
    }
}
