import GLTF
import ModelBuilder
import PictureBuilders
import TestSupport
import Testing

/// Files that are made to do harm, or that are broken: each is refused with its kind of error, at its place.
@Suite struct HostileModelTests {
    typealias Attack = ModelAttack

    private static func replacing(_ old: String, with new: String) -> ModelBuilder {
        var builder = ModelBuilder()
        precondition(builder.document.contains(old))
        builder.document = builder.document.replacing(old, with: new)
        return builder
    }

    private static func withPositions(_ words: [UInt32]) -> ModelBuilder {
        var builder = ModelBuilder()
        let bytes = words.flatMap { ModelBuilder.bytes($0) }
        builder.binary.replaceSubrange(0..<bytes.count, with: bytes)
        return builder
    }

    private static let chain = (1...200).map { "{$children$:[\($0)]}" }.joined(separator: ",")

    static let attacks: [Attack] = [
        Attack("nothing", .damaged, bytes: []),
        Attack("a PNG", .damaged, bytes: WholePictures.png(metadata: false)),
        Attack("the heading alone", .damaged, bytes: Array(ModelBuilder().file.prefix(12))),
        Attack("cut off", .damaged, bytes: Array(ModelBuilder().file.dropLast(40))),
        Attack(
            "version 1", .damaged,
            bytes: ModelBuilder.bytes(0x4654_6C67) + ModelBuilder.bytes(1) + Array(repeating: 0, count: 40)),
        Attack(
            "a huge chunk", .damaged,
            bytes: Array(ModelBuilder().file.prefix(12)) + ModelBuilder.bytes(.max)
                + Array(ModelBuilder().file.dropFirst(16))),
        Attack("not JSON", .damaged, "", replacing("{$asset$", with: "[$asset$")),
        Attack("no version", .damaged, "/asset/version", replacing("$version$:$2.0$", with: "")),
        Attack("another version", .damaged, "/asset/version", replacing("$2.0$", with: "$3.0$")),
        Attack("its own child", .cyclic, "/nodes/0", ModelBuilder(node: ",$children$:[0]")),
        Attack(
            "a cycle", .cyclic, "/nodes/0",
            replacing("$nodes$:[{$mesh$:0}]", with: "$nodes$:[{$children$:[1]},{$children$:[0],$mesh$:0}]")),
        Attack(
            "a child twice", .cyclic, "/nodes/1",
            replacing("$nodes$:[{$mesh$:0}]", with: "$nodes$:[{$children$:[1,1]},{$mesh$:0}]")),
        Attack("too deep", .tooLarge, "/nodes/64", replacing("{$mesh$:0}]", with: chain + ",{$mesh$:0}]")),
        Attack("a node that is not there", .damaged, "/nodes", ModelBuilder(node: ",$children$:[7]")),
        Attack("a negative index", .damaged, "/nodes/0/children/0", ModelBuilder(node: ",$children$:[-1]")),
        Attack("a half index", .damaged, "/nodes/0/children/0", ModelBuilder(node: ",$children$:[0.5]")),
        Attack("an index beyond integers", .damaged, "/nodes/0/children/0", ModelBuilder(node: ",$children$:[1e300]")),
        Attack(
            "a huge accessor", .tooLarge, "/accessors/0/count",
            replacing("$count$:4,$type$:$VEC3$", with: "$count$:2000000000,$type$:$VEC3$")),
        Attack(
            "an accessor beyond its view", .damaged, "/accessors/0",
            replacing("$count$:4,$type$:$VEC3$", with: "$count$:5,$type$:$VEC3$")),
        Attack("an accessor far outside", .damaged, "/accessors/0", ModelBuilder(accessor: ",$byteOffset$:2147483647")),
        Attack(
            "a view beyond its buffer", .damaged, "/bufferViews/0",
            replacing("$byteLength$:48}", with: "$byteLength$:4800}")),
        Attack(
            "a view far outside", .damaged, "/bufferViews/0",
            replacing("$byteLength$:48}", with: "$byteOffset$:2147483647,$byteLength$:48}")),
        Attack(
            "a stride of 0", .damaged, "/bufferViews/0",
            replacing("$byteLength$:48}", with: "$byteLength$:48,$byteStride$:0}")),
        Attack(
            "an index beyond the vertices", .damaged, "/accessors/2",
            replacing(
                "$bufferView$:2,$componentType$:5123,$count$:6",
                with: "$bufferView$:2,$componentType$:5121,$byteOffset$:0,$count$:12"
            ).changingIndices(to: 200)),
        Attack("sparse", .unsupported, "/accessors/0", ModelBuilder(accessor: ",$sparse$:{}")),
        Attack("NaN", .number, "/accessors/0", withPositions([0x7FC0_0000])),
        Attack("infinity", .number, "/accessors/0", withPositions([0x7F80_0000])),
        Attack("far away", .number, "/accessors/0", withPositions([Float(1e30).bitPattern])),
        Attack("a huge scale", .number, "/nodes/0/scale/0", ModelBuilder(node: ",$scale$:[1e9,1,1]")),
        Attack("moved away", .number, "/nodes/0", ModelBuilder(node: ",$scale$:[9e5,1,1],$translation$:[9e5,0,0]")),
        Attack("no rotation", .number, "/nodes/0/rotation", ModelBuilder(node: ",$rotation$:[0,0,0,0]")),
        Attack(
            "another file", .external, "/buffers/0/uri",
            replacing("$buffers$:[{", with: "$buffers$:[{$uri$:$../../etc/passwd$,")),
        Attack(
            "the network", .external, "/buffers/0/uri",
            replacing("$buffers$:[{", with: "$buffers$:[{$uri$:$https://example.org/x$,")),
        Attack(
            "not base64", .damaged, "/buffers/0/uri",
            replacing("$buffers$:[{", with: "$buffers$:[{$uri$:$data:;base64,AA*A$,")),
        Attack(
            "compressed", .unsupported, "/extensionsRequired/0",
            ModelBuilder(root: ",$extensionsRequired$:[$KHR_draco_mesh_compression$]")),
        Attack("no triangles", .empty, "", ModelBuilder(primitive: ",$mode$:1")),
        Attack(
            "a material that is not there", .damaged, "/meshes/0/primitives/0/material",
            ModelBuilder(primitive: ",$material$:3")),
        Attack(
            "a broken picture", .picture, "/images/0", .textured(Array(WholePictures.png(metadata: false).prefix(60)))),
        Attack("no picture", .picture, "/images/0", .textured(Array("hello".utf8))),
        Attack("a picture elsewhere", .external, "/images/0/uri", external()),
        Attack(
            "too many nodes", .tooLarge, "/nodes",
            replacing("{$mesh$:0}]", with: "{$mesh$:0}" + String(repeating: ",{}", count: 5000) + "]")),
    ]

    private static func external() -> ModelBuilder {
        var builder = ModelBuilder.textured([])
        builder.document = builder.document.replacing(
            "{$bufferView$:3,$mimeType$:$image/png$}", with: "{$uri$:$/etc/passwd$}")
        return builder
    }

    @Test(arguments: attacks) func anAttackIsRefused(_ attack: Attack) { attack.check() }

    /// Two hundred nodes with one mesh of a thousand triangles: each counts.
    @Test func instancesCount() throws {
        let corners = [UInt8](repeating: 0, count: 6000)
        var builder = ModelBuilder(extra: corners)
        let nodes = (0..<300).map { _ in "{$mesh$:0}" }.joined(separator: ",")
        builder.document = builder.document.replacing("$nodes$:[{$mesh$:0}]", with: "$nodes$:[\(nodes)]")
            .replacing(
                "$scenes$:[{$nodes$:[0]}]",
                with: "$scenes$:[{$nodes$:[\((0..<300).map(String.init).joined(separator: ","))]}]"
            )
            .replacing(
                "$bufferView$:2,$componentType$:5123,$count$:6",
                with: "$bufferView$:3,$componentType$:5123,$count$:3000")
        let error = #expect(throws: ModelError.self) { _ = try GLTFReader.read(builder.file, path: "test.glb") }
        #expect(error?.kind == .tooLarge)
    }

    /// However a file is cut or changed, reading it ends with a model or an error.
    @Test func changedBytesAreNoCrash() throws {
        let whole = ModelBuilder.textured(WholePictures.png(metadata: false)).file
        for length in whole.indices {
            _ = try? GLTFReader.read(Array(whole.prefix(length)), path: "cut.glb")
        }
        for place in stride(from: 0, to: whole.count, by: 3) {
            var changed = whole
            changed[place] = changed[place] &* 31 &+ 0x5A
            _ = try? GLTFReader.read(changed, path: "changed.glb")
        }
    }
}

extension ModelBuilder {
    fileprivate func changingIndices(to value: UInt8) -> ModelBuilder {
        var result = self
        result.binary.replaceSubrange(80..<92, with: [UInt8](repeating: value, count: 12))
        return result
    }
}
