import FaceGeometry

/// Animations, and the model that they move.
extension GLTFReader {
    /// Notes what animations change, before meshes are read.
    mutating func findAnimatedNodes() throws(ModelError) {
        for animation in try animations() {
            for channel in try channels(of: animation) {
                guard let (node, target) = try target(of: channel) else {
                    note(at: channel.pointer, "an animation without a node is left out")
                    continue
                }
                if target == .weights { rig.morphedNodes.insert(node) } else { rig.animatedNodes.insert(node) }
            }
        }
    }

    private func animations() throws(ModelError) -> [GLTFObject] {
        let animations = try root.array("animations", atMost: ModelLimits.maximumAnimations) ?? []
        var result: [GLTFObject] = []
        for index in animations.indices { result.append(try root.element("animations", index)) }
        return result
    }

    private func channels(of animation: GLTFObject) throws(ModelError) -> [GLTFObject] {
        let channels = try animation.array("channels", atMost: ModelLimits.maximumChannels) ?? []
        guard !channels.isEmpty else { throw ModelError(.damaged, at: animation.pointer, "has no channels") }
        var result: [GLTFObject] = []
        for index in channels.indices { result.append(try animation.element("channels", index)) }
        return result
    }

    /// Nil if it is no node: an extension may animate other things.
    private func target(of channel: GLTFObject) throws(ModelError) -> (node: Int, target: ModelChannel.Target)? {
        guard let object = try channel.object("target") else {
            throw ModelError(.damaged, at: channel.pointer, "has no target")
        }
        guard let node = try object.index("node") else { return nil }
        let element = try root.element("nodes", node)
        let path = try object.string("path") ?? ""
        guard let target = ModelChannel.Target(rawValue: path) else {
            throw ModelError(.damaged, at: object.place("path"), "cannot be \"\(path.prefix(20))\"")
        }
        guard target == .weights || !element.has("matrix") else {
            throw ModelError(
                .damaged, at: object.place("node"),
                "has a matrix; animated nodes must have translation, rotation and scale")
        }
        return (node, target)
    }

    // MARK: Keys

    private func channel(
        _ channel: GLTFObject, of animation: GLTFObject, numbersLeft: inout Int
    ) throws(ModelError) -> ModelChannel? {
        // What is not in the scene is not seen.
        guard let (node, target) = try target(of: channel), let place = rig.places[node] else { return nil }
        guard let index = try channel.index("sampler") else {
            throw ModelError(.damaged, at: channel.pointer, "has no sampler")
        }
        let sampler = try animation.element("samplers", index)
        let columns =
            switch target {
            case .translation, .scale: 3
            case .rotation: 4
            case .weights: rig.nodes[place].weights.count
            }
        guard columns > 0 else { throw ModelError(.damaged, at: channel.pointer, "moves a mesh without morph targets") }
        let keys = try keyframes(sampler, columns: columns, isWeights: target == .weights, numbersLeft: &numbersLeft)
        guard target == .rotation else { return ModelChannel(node: place, target: target, sampler: keys) }
        guard let turned = keys.normalizedRotations() else {
            throw ModelError(.number, at: sampler.place("output"), "has a rotation that is not a unit quaternion")
        }
        return ModelChannel(node: place, target: target, sampler: turned)
    }

    private func keyframes(
        _ sampler: GLTFObject, columns: Int, isWeights: Bool, numbersLeft: inout Int
    ) throws(ModelError) -> KeyframeSampler {
        guard let input = try sampler.index("input"), let output = try sampler.index("output") else {
            throw ModelError(.damaged, at: sampler.pointer, "has no input or no output")
        }
        let name = try sampler.string("interpolation") ?? "LINEAR"
        guard let interpolation = KeyframeSampler.Interpolation(rawValue: name) else {
            throw ModelError(.damaged, at: sampler.place("interpolation"), "cannot be \"\(name.prefix(20))\"")
        }
        // Samplers may share a table, and each keeps its own.
        let times = try buffers.table(input, columns: [1], atMost: numbersLeft).numbers
        numbersLeft -= times.count
        guard (times.first ?? 0) >= 0, zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw ModelError(.number, at: sampler.place("input"), "has times that do not increase, or negative ones")
        }
        let values = try buffers.table(
            output, columns: [isWeights ? 1 : columns], atMost: numbersLeft / (isWeights ? 1 : columns))
        numbersLeft -= values.numbers.count
        let expected = times.count * columns * (interpolation == .cubicSpline ? 3 : 1)
        guard values.numbers.count == expected else {
            throw ModelError(
                .damaged, at: sampler.place("output"),
                "has \(values.numbers.count) numbers for \(times.count) keys; \(expected) are needed")
        }
        return KeyframeSampler(interpolation: interpolation, times: times, columns: columns, values: values.numbers)
    }

    // MARK: The rig

    /// Places what moves as it rests, and keeps what animations move. Nil if nothing moves.
    mutating func finishedRig() throws(ModelError) -> ModelRig? {
        var numbersLeft = ModelLimits.maximumKeyNumbers
        var animations: [ModelAnimation] = []
        for (index, animation) in try self.animations().enumerated() {
            var known: [ModelChannel] = []
            for channel in try channels(of: animation) {
                if let channel = try self.channel(channel, of: animation, numbersLeft: &numbersLeft) {
                    known.append(channel)
                }
            }
            animations.append(ModelAnimation(name: try animation.string("name") ?? "\(index)", channels: known))
        }
        let skins = try skins()
        let all = ModelRig(
            nodes: rig.nodes, skins: skins, meshes: rig.meshes, animations: animations, weights: rig.weights,
            expressions: rig.expressions)
        try rest(all)
        let moves = rig.moves
        let morphed = Set(rig.morphedNodes.compactMap { rig.places[$0] })
        let skinMoves = skins.map { $0.joints.contains { moves[$0] } }
        let moving = rig.meshes.filter { mesh in
            guard !morphed.contains(mesh.node) else { return true }
            return mesh.skin.map { skinMoves[$0.skin] } ?? moves[mesh.node]
        }
        guard !moving.isEmpty else {
            if !animations.isEmpty { note(at: "/animations", "the animations move no mesh of the scene") }
            return nil
        }
        return ModelRig(
            nodes: rig.nodes, skins: skins, meshes: moving, animations: animations, weights: rig.weights,
            expressions: rig.expressions)
    }

    private mutating func rest(_ all: ModelRig) throws(ModelError) {
        guard !all.meshes.isEmpty else { return }
        var pose = ModelPose(all, vertices: geometry.vertices)
        pose.place()
        guard !pose.isCutOff else {
            throw ModelError(.number, at: "/nodes", "move a mesh by more than a million")
        }
        geometry.set(pose.vertices)
        for (mesh, part) in zip(all.meshes, rig.parts) where pose.mirrors(mesh) { geometry.flip(part: part) }
    }
}

extension KeyframeSampler {
    /// With quaternions of length 1 as keys; nil if one has no direction.
    fileprivate func normalizedRotations() -> KeyframeSampler? {
        var numbers = values
        let (rows, step, first) = (
            numbers.count / 4, interpolation == .cubicSpline ? 3 : 1, interpolation == .cubicSpline ? 1 : 0
        )
        for row in stride(from: first, to: rows, by: step) {
            let key = SIMD4(numbers[4 * row], numbers[4 * row + 1], numbers[4 * row + 2], numbers[4 * row + 3])
            let length = (key * key).sum().squareRoot()
            guard length > 0.5, length < 2 else { return nil }
            for column in 0..<4 { numbers[4 * row + column] = key[column] / length }
        }
        return KeyframeSampler(interpolation: interpolation, times: times, columns: columns, values: numbers)
    }
}
