import Files
import ImageFiles
import JSON
import Pixels

/// Reads models from glTF 2.0 files (Khronos Group, "glTF 2.0 Specification", 2.0.1): `.glb`, and `.gltf` with everything
/// inside. Lights and cameras are left out. The bytes are untrusted.
package struct GLTFReader {
    /// A model and what of its file is left out.
    package struct Result: Sendable {
        package let model: Model
        package let notices: [ModelNotice]
        /// Of all nodes, those without one left out.
        package let nodeNames: [String]
        /// Of the morph targets, as the file has them.
        package let morphNames: [String]
    }

    let root: GLTFObject
    let buffers: GLTFBuffers
    let limits: ModelLimits
    let path: FilePath
    /// Names of nodes that move with everything below them, whether animations move them or not.
    let swinging: Set<String>
    var notices: [ModelNotice] = []
    var geometry = GLTFGeometry()
    var rig = GLTFRig()
    var rowsLeft = ModelLimits.maximumRows
    /// Of each material of the document, and a plain one at the end.
    var materials: [ModelMaterial] = []

    /// Extensions that may be required: they are read, or change no pixel here.
    private static let knownExtensions: Set<String> = ["KHR_mesh_quantization"]

    /// - Parameters:
    ///   - path: for messages and the model.
    ///   - swinging: names of nodes that a `ModelSwing` will turn.
    package static func read(
        _ bytes: [UInt8], path: FilePath, limits: ModelLimits = ModelLimits(), swinging: Set<String> = []
    ) throws(ModelError) -> Result {
        guard bytes.count <= ModelLimits.maximumFileSize else {
            throw ModelError(.tooLarge, "has \(bytes.count) bytes, the limit is \(ModelLimits.maximumFileSize)")
        }
        var reader = try GLTFReader(bytes, path: path, limits: limits, swinging: swinging)
        return try reader.result()
    }

    private init(
        _ bytes: [UInt8], path: FilePath, limits: ModelLimits, swinging: Set<String>
    ) throws(ModelError) {
        var parsed: Swift.Result<GLTFContainer, ModelError>?
        bytes.withUnsafeBytes { file in
            parsed = Swift.Result { () throws(ModelError) in try GLTFContainer(file) }
        }
        guard let container = try parsed?.get() else { throw ModelError(.damaged, "is empty") }
        root = try Self.document(bytes[container.document])
        try Self.checkVersion(root)
        buffers = try GLTFBuffers(root, binary: container.binary.map { Array(bytes[$0]) })
        self.path = path
        self.limits = limits
        self.swinging = swinging
    }

    private static func document(_ bytes: ArraySlice<UInt8>) throws(ModelError) -> GLTFObject {
        let value: JSONValue
        do {
            value = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch let error as JSONValue.SyntaxError {
            throw ModelError(
                .damaged, "is neither .glb nor JSON: line \(error.line), column \(error.column): \(error.reason)")
        } catch {
            throw ModelError(.damaged, "\(error)")
        }
        return try GLTFObject(value, pointer: "")
    }

    private static func checkVersion(_ root: GLTFObject) throws(ModelError) {
        guard let asset = try root.object("asset"), let version = try asset.string("version") else {
            throw ModelError(.damaged, at: "/asset/version", "is missing: this is not glTF")
        }
        guard version.hasPrefix("2.") else {
            throw ModelError(.damaged, at: "/asset/version", "is \"\(version.prefix(20))\"; version 2 is read")
        }
        for (index, name) in (try root.array("extensionsRequired", atMost: 256) ?? []).enumerated() {
            guard knownExtensions.contains(name.string ?? "") else {
                throw ModelError(
                    .unsupported, at: "/extensionsRequired/\(index)",
                    "the model needs the extension \(name.string?.prefix(60) ?? "?"); export it without")
            }
        }
    }

    private mutating func result() throws(ModelError) -> Result {
        try noteWhatIsLeftOut()
        let count = (try root.array("materials", atMost: 256) ?? []).count
        for index in 0..<count { materials.append(try material(index)) }
        materials.append(ModelMaterial())
        try findAnimatedNodes()
        let (nodeNames, morphNames) = try findNamedNodes()
        try addNodes()
        guard !geometry.indices.isEmpty else { throw ModelError(.empty, "has no triangles") }
        let rig = try finishedRig()
        let (used, pictures) = try usedPictures()
        return Result(
            model: Model(
                path: path, vertices: geometry.vertices, indices: geometry.indices, parts: geometry.parts,
                materials: used, pictures: pictures, rig: rig), notices: notices,
            nodeNames: nodeNames, morphNames: morphNames)
    }

    private mutating func noteWhatIsLeftOut() throws(ModelError) {
        let extensions = try root.array("extensionsUsed", atMost: 256) ?? []
        for (index, name) in extensions.enumerated() where !Self.knownExtensions.contains(name.string ?? "") {
            note(at: "/extensionsUsed/\(index)", "the extension \(name.string?.prefix(60) ?? "?") is left out")
        }
    }

    mutating func note(at pointer: String, _ reason: String) {
        // A file may give thousands of reasons.
        let notice = ModelNotice(pointer: pointer, reason: reason)
        if notices.count < 20, !notices.contains(notice) { notices.append(notice) }
    }
}
