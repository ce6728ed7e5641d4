import FaceGeometry

/// What the names of nodes and morph targets say about how a model moves.
extension GLTFReader {
    /// Notes which nodes swing, and which have morph targets that follow the face, before meshes are read.
    /// - Returns: the names of all nodes, and of all morph targets that nodes show.
    mutating func findNamedNodes() throws(ModelError) -> (nodes: [String], morphTargets: [String]) {
        var (names, targets): ([String], [String]) = ([], [])
        // Many nodes may show one mesh.
        var moves: [Int: Bool] = [:]
        for index in (try root.array("nodes", atMost: ModelLimits.maximumNodes) ?? []).indices {
            let node = try root.element("nodes", index)
            if let name = try node.string("name") {
                names.append(name)
                if swinging.contains(name) { rig.animatedNodes.insert(index) }
            }
            guard let mesh = try node.index("mesh") else { continue }
            if let known = moves[mesh] {
                if known { rig.morphedNodes.insert(index) }
                continue
            }
            let own = try targetNames(of: mesh).prefix(morphWeights(node, mesh: mesh).count)
            let isMoving = own.contains { BlendShape(name: $0)?.isMeasured == true }
            moves[mesh] = isMoving
            if isMoving { rig.morphedNodes.insert(index) }
            for name in own where !targets.contains(name) && targets.count < ModelLimits.maximumMorphTargets {
                targets.append(name)
            }
        }
        return (names, targets)
    }

    /// Notes which weights of a node follow the face.
    /// - Parameter place: of the node in the rig.
    mutating func addExpressions(of mesh: Int, _ place: Int) throws(ModelError) {
        let weights = rig.nodes[place].weights
        for (weight, name) in zip(weights, try targetNames(of: mesh)) {
            guard let shape = BlendShape(name: name), shape.isMeasured else { continue }
            rig.expressions.append((weight, shape))
        }
    }

    /// Those that exporters write (glTF 2.0, 3.7.2.2, implementation note). Extras may be anything.
    private func targetNames(of mesh: Int) throws(ModelError) -> [String] {
        let names = try root.element("meshes", mesh).value["extras"]?["targetNames"]?.elements ?? []
        return names.prefix(ModelLimits.maximumMorphTargets).map { $0.string ?? "" }
    }
}
