import GLTF

/// Parts of props that swing.
extension LayerReader {
    /// An entry of `swing`.
    struct Swung {
        let name: String
        let settings: SwingSettings
        let object: ManifestObject
    }

    /// The nodes that swing in all props of a mask, at most.
    static let maximumSwingingNodes = 64

    /// The entries of `swing` that have a name.
    func swing(_ object: ManifestObject) -> [Swung] {
        var result: [Swung] = []
        for element in object.optionalArray("swing") ?? [] {
            guard
                let entry = ManifestObject(
                    element.value, reading, pointer: element.pointer, keys: ["node", "stiffness", "gravity", "drag"])
            else { continue }
            var settings = SwingSettings()
            if let value = entry.optionalNumber("stiffness", in: 0...1000) { settings.stiffness = Float(value) }
            if let value = entry.optionalNumber("gravity", in: 0...100) { settings.gravity = Float(value) }
            if let value = entry.optionalNumber("drag", in: 0...1) { settings.drag = Float(value) }
            guard let name = entry.string("node") else { continue }
            guard !result.contains(where: { $0.name == name }) else {
                entry.fault(.conflictingKeys, "node", "the node \"\(name.prefix(60))\" is named twice")
                continue
            }
            guard result.count < Self.maximumSwingingNodes else {
                entry.fault(.tooManySwinging, "node", "is one more than \(Self.maximumSwingingNodes), the limit")
                break
            }
            result.append(Swung(name: name, settings: settings, object: entry))
        }
        return result
    }

    /// The nodes of a model that swing.
    /// - Parameter object: the layer.
    func nodes(
        of swung: [Swung], in result: GLTFReader.Result, _ object: ManifestObject
    ) -> [SwingingNode] {
        // Too many have been found already, and each one is looked for among all vertices.
        guard swung.isEmpty || reading.countSwinging(0) <= Self.maximumSwingingNodes else { return [] }
        var nodes: [SwingingNode] = []
        for entry in swung {
            let found = (result.model.rig?.nodes(named: entry.name) ?? []).map { SwingingNode($0, entry.settings) }
            guard ModelSwing(result.model, found) == nil else {
                nodes += found
                continue
            }
            let name = entry.name.prefix(60)
            if result.nodeNames.contains(entry.name) {
                entry.object.fault(.unknownWord, "node", "\"\(name)\" has nothing below it that could swing")
            } else {
                let names = ManifestObject.list(result.nodeNames.prefix(64).map { String($0.prefix(60)) })
                let known = result.nodeNames.isEmpty ? "nodes without names" : names
                entry.object.fault(
                    .unknownWord, "node", "\"\(name)\" is no node of \(result.model.path), which has \(known)")
            }
        }
        let count = reading.countSwinging(ModelSwing(result.model, nodes)?.jointCount ?? 0)
        guard count <= Self.maximumSwingingNodes else {
            object.fault(
                .tooManySwinging, "swing",
                "with it \(count) nodes swing; \(Self.maximumSwingingNodes) may swing in a mask")
            return []
        }
        return nodes
    }
}
