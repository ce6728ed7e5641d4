import FaceGeometry

/// Meshes that move: with their nodes, with the joints of a skin, and by morph targets.
extension GLTFReader {
    /// - Parameters:
    ///   - node: in the rig.
    ///   - skin: in the document.
    ///   - pointer: of the node.
    mutating func addMoving(
        _ triangles: GLTFGeometry.Primitive, _ primitive: GLTFObject, node: Int, skin: Int?, isMorphed: Bool,
        at pointer: String
    ) throws(ModelError) {
        let rows = triangles.rows
        var targets: [MorphTarget] = []
        if isMorphed { targets = try morphTargets(primitive, rows: rows, rowCount: triangles.positions.count) }
        var skinning: MovingMesh.Skinning?
        if let skin {
            skinning = try self.skinning(primitive, skin: skin, rows: rows, rowCount: triangles.positions.count)
        }
        let vertices = try geometry.add(triangles, .identity, at: pointer)
        rig.add(
            MovingMesh(
                vertices: vertices, rest: Array(geometry.vertices[vertices]), node: node, skin: skinning,
                targets: targets), part: geometry.parts.count - 1)
    }

    // MARK: Skins

    /// - Parameters:
    ///   - rows: of each vertex, in the tables of the primitive.
    ///   - rowCount: of the tables.
    private mutating func skinning(
        _ primitive: GLTFObject, skin: Int, rows: [Int], rowCount: Int
    ) throws(ModelError) -> MovingMesh.Skinning {
        let listed = try root.element("skins", skin).array("joints", atMost: ModelLimits.maximumJoints)
        let count = listed?.count ?? 0
        guard let attributes = try primitive.object("attributes"), let joints = try attributes.index("JOINTS_0"),
            let weights = try attributes.index("WEIGHTS_0")
        else {
            throw ModelError(.damaged, at: primitive.pointer, "of a mesh with a skin has no JOINTS_0 or no WEIGHTS_0")
        }
        if attributes.has("JOINTS_1") {
            note(at: attributes.place("JOINTS_1"), "joints after the first four are left out")
        }
        let limit = ModelLimits.maximumVertices
        let (jointTable, weightTable) = (
            try buffers.table(joints, columns: [4], atMost: limit),
            try buffers.table(weights, columns: [4], atMost: limit)
        )
        guard jointTable.count == rowCount, weightTable.count == rowCount else {
            throw ModelError(
                .damaged, at: attributes.place("JOINTS_0"),
                "and WEIGHTS_0 have \(jointTable.count) and \(weightTable.count) elements for \(rowCount) vertices")
        }
        var (indices, shares): ([SIMD4<UInt16>], [SIMD4<Float>]) = ([], [])
        for row in 0..<rowCount {
            let joint = jointTable.vector4(row), weight = weightTable.vector4(row)
            guard joint.min() >= 0, joint.max() < Float(count) else {
                throw ModelError(
                    .damaged, at: attributes.place("JOINTS_0"), "has a joint beyond the \(count) of the skin")
            }
            // Numbers are finite.
            guard weight.min() >= 0, weight.sum() > 1e-6 else {
                throw ModelError(
                    .number, at: attributes.place("WEIGHTS_0"),
                    "of vertex \(row) are negative, or have a sum of 0; they must have a sum of 1")
            }
            indices.append(SIMD4<UInt16>(joint, rounding: .towardZero))
            shares.append(weight / weight.sum())
        }
        return MovingMesh.Skinning(
            skin: rig.use(skin: skin), joints: rows.map { indices[$0] }, weights: rows.map { shares[$0] })
    }

    /// Those that meshes use, with nodes of the rig.
    func skins() throws(ModelError) -> [ModelSkin] {
        var result: [ModelSkin] = []
        _ = try root.array("skins", atMost: ModelLimits.maximumSkins)
        for index in rig.usedSkins {
            let skin = try root.element("skins", index)
            guard let joints = try skin.array("joints", atMost: ModelLimits.maximumJoints), !joints.isEmpty else {
                throw ModelError(.damaged, at: skin.pointer, "has no joints")
            }
            var nodes: [Int] = []
            for (place, joint) in try skin.indices("joints").enumerated() {
                guard let node = rig.places[joint] else {
                    throw ModelError(
                        .damaged, at: "\(skin.pointer)/joints/\(place)", "node \(joint) is not part of the scene")
                }
                nodes.append(node)
            }
            var matrices = [AffineTransform3D](repeating: .identity, count: nodes.count)
            if let accessor = try skin.index("inverseBindMatrices") {
                let table = try buffers.table(accessor, columns: [16], atMost: ModelLimits.maximumJoints)
                guard table.count >= nodes.count else {
                    throw ModelError(
                        .damaged, at: skin.place("inverseBindMatrices"),
                        "has \(table.count) elements for \(nodes.count) joints")
                }
                for index in matrices.indices {
                    matrices[index] = AffineTransform3D(table.numbers[(16 * index)..<(16 * index + 16)])
                }
            }
            result.append(ModelSkin(joints: nodes, inverseBindMatrices: matrices))
        }
        return result
    }

    // MARK: Morph targets

    /// The weights of a node's morph targets at rest, one for each target of its mesh.
    func morphWeights(_ node: GLTFObject, mesh: Int) throws(ModelError) -> [Float] {
        let mesh = try root.element("meshes", mesh)
        guard let first = try mesh.array("primitives")?.first else { return [] }
        let primitive = try GLTFObject(first, pointer: "\(mesh.pointer)/primitives/0")
        let count = try primitive.array("targets", atMost: ModelLimits.maximumMorphTargets)?.count ?? 0
        guard count > 0 else { return [] }
        let range: ClosedRange<Float> = -1000...1000
        if let weights = try node.numbers("weights", count: count, in: range) { return weights }
        return try mesh.numbers("weights", count: count, in: range) ?? [Float](repeating: 0, count: count)
    }

    private mutating func morphTargets(
        _ primitive: GLTFObject, rows: [Int], rowCount: Int
    ) throws(ModelError) -> [MorphTarget] {
        var result: [MorphTarget] = []
        let targets = try primitive.array("targets", atMost: ModelLimits.maximumMorphTargets) ?? []
        for (index, value) in targets.enumerated() {
            let target = try GLTFObject(value, pointer: "\(primitive.pointer)/targets/\(index)")
            rig.morphedVerticesLeft -= max(rows.count, rowCount)
            guard rig.morphedVerticesLeft >= 0 else {
                throw ModelError(
                    .tooLarge, at: target.pointer,
                    "with it morph targets move more than \(ModelLimits.maximumMorphedVertices) vertices, the limit")
            }
            result.append(
                MorphTarget(
                    positions: try displacements("POSITION", of: target, rows: rows, rowCount: rowCount),
                    normals: try displacements("NORMAL", of: target, rows: rows, rowCount: rowCount)))
        }
        return result
    }

    private func displacements(
        _ key: String, of target: GLTFObject, rows: [Int], rowCount: Int
    ) throws(ModelError) -> [SIMD3<Float>] {
        guard let accessor = try target.index(key) else { return [] }
        let table = try buffers.table(accessor, columns: [3], atMost: ModelLimits.maximumVertices)
        guard table.count == rowCount else {
            throw ModelError(
                .damaged, at: target.place(key), "has \(table.count) elements for \(rowCount) vertices")
        }
        return rows.map { table.vector($0) }
    }
}

extension GLTFBuffers.Table {
    fileprivate func vector4(_ row: Int) -> SIMD4<Float> {
        SIMD4(numbers[4 * row], numbers[4 * row + 1], numbers[4 * row + 2], numbers[4 * row + 3])
    }
}
