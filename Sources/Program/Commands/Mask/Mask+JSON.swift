import Files
import JSON
import Masks

extension Mask {
    /// The line of `bauta mask list --json`, and what `bauta mask show --json` prints.
    /// - Parameter name: that for `--mask`.
    func json(name: String) -> JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object(
            [
                .init("name", .string(name)), .init("title", .string(self.name)), .init("about", text(description)),
                .init("author", text(author)), .init("license", text(license)),
                .init("likeness", text(likeness?.rawValue)),
                .init(
                    "layers",
                    .array(
                        layers.map { layer in
                            .object([
                                "content": .string(MaskCommand.describe(layer.content)),
                                "blend": .string(layer.blendMode.rawValue),
                            ])
                        })),
                .init("occluders", .array(occluders.map(\.rawValue).sorted().map { .string($0) })),
                .init("followsSound", .bool(followsSound)), .init("followsGaze", .bool(followsGaze)),
            ] + folder.jsonMembers("path"))
    }
}
