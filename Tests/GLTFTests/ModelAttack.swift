import GLTF
import ModelBuilder
import Testing

/// A file that is made to do harm, or that is broken.
struct ModelAttack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How, and at which place, it is to be refused.
    private let kind: ModelError.Kind
    private let pointer: String
    private let file: [UInt8]

    init(_ name: String, _ kind: ModelError.Kind, _ pointer: String, _ builder: ModelBuilder) {
        (testDescription, self.kind, self.pointer, file) = (name, kind, pointer, builder.file)
    }

    init(_ name: String, _ kind: ModelError.Kind, _ pointer: String = "", bytes: [UInt8]) {
        (testDescription, self.kind, self.pointer, file) = (name, kind, pointer, bytes)
    }

    func check() {
        let error = #expect(throws: ModelError.self) { _ = try GLTFReader.read(file, path: "attack.glb") }
        #expect(error?.kind == kind, "\(String(describing: error))")
        #expect(error?.pointer == pointer, "\(String(describing: error))")
    }
}
