import FaceGeometry

/// The tree of nodes. The transforms of those that do not move are applied to the vertices.
extension GLTFReader {
    mutating func addNodes() throws(ModelError) {
        let nodes = try root.array("nodes", atMost: ModelLimits.maximumNodes) ?? []
        var visited = [Bool](repeating: false, count: nodes.count)
        for node in try rootNodes(count: nodes.count) { try add(node, &visited, under: nil, depth: 0) }
    }

    /// A node above another one.
    private struct Parent {
        /// In `rig`.
        let index: Int
        /// To the coordinates of the model, at rest.
        let matrix: AffineTransform3D
        let moves: Bool
    }

    /// Those of the default scene; without scenes, all that are no node's child.
    private func rootNodes(count: Int) throws(ModelError) -> [Int] {
        if try root.array("scenes")?.isEmpty == false {
            return try root.element("scenes", try root.index("scene") ?? 0).indices("nodes")
        }
        var isChild = [Bool](repeating: false, count: count)
        for index in 0..<count {
            for child in try root.element("nodes", index).indices("children") where child < count {
                isChild[child] = true
            }
        }
        return isChild.indices.filter { !isChild[$0] }
    }

    private mutating func add(
        _ index: Int, _ visited: inout [Bool], under parent: Parent?, depth: Int
    ) throws(ModelError) {
        let node = try root.element("nodes", index)
        guard !visited[index] else {
            throw ModelError(.cyclic, at: node.pointer, "is reached twice: nodes must form a tree")
        }
        guard depth < ModelLimits.maximumNodeDepth else {
            throw ModelError(
                .tooLarge, at: node.pointer, "lies below more than \(ModelLimits.maximumNodeDepth) other nodes")
        }
        visited[index] = true
        let (transform, matrix) = try Self.transform(node)
        let mesh = try node.index("mesh")
        var weights: [Float] = []
        if let mesh { weights = try morphWeights(node, mesh: mesh) }
        let known = rig.add(
            node: index, name: try node.string("name") ?? "", parent: parent?.index, transform: transform,
            matrix: matrix, weights: weights)
        if let mesh { try addExpressions(of: mesh, known) }
        let moves = parent?.moves == true || rig.animatedNodes.contains(index)
        let below = Parent(index: known, matrix: parent?.matrix.after(matrix) ?? matrix, moves: moves)
        if let mesh { try add(try root.element("meshes", mesh), below, node: node, number: index) }
        for child in try node.indices("children") { try add(child, &visited, under: below, depth: depth + 1) }
    }

    /// - Returns: no transform if the node has a matrix.
    private static func transform(
        _ node: GLTFObject
    ) throws(ModelError) -> (transform: NodeTransform?, matrix: AffineTransform3D) {
        let range = -ModelLimits.largestCoordinate...ModelLimits.largestCoordinate
        if let m = try node.numbers("matrix", count: 16, in: range) { return (nil, AffineTransform3D(m[...])) }
        let translation = try node.numbers("translation", count: 3, in: range) ?? [0, 0, 0]
        let scale = try node.numbers("scale", count: 3, in: range) ?? [1, 1, 1]
        let rotation = SIMD4(try node.numbers("rotation", count: 4, in: -2...2) ?? [0, 0, 0, 1])
        let length = (rotation * rotation).sum().squareRoot()
        guard length > 0.5 else { throw ModelError(.number, at: node.place("rotation"), "is not a unit quaternion") }
        let transform = NodeTransform(
            translation: SIMD3(translation), rotation: rotation / length, scale: SIMD3(scale))
        return (transform, transform.matrix)
    }

    private mutating func add(
        _ mesh: GLTFObject, _ place: Parent, node: GLTFObject, number: Int
    ) throws(ModelError) {
        let skin = try node.index("skin")
        let isMorphed = rig.morphedNodes.contains(number) || rig.nodes[place.index].hasWeights(rig.weights)
        for (index, value) in (try mesh.array("primitives") ?? []).enumerated() {
            let primitive = try GLTFObject(value, pointer: "\(mesh.pointer)/primitives/\(index)")
            guard let triangles = try self.primitive(primitive), !triangles.corners.isEmpty else { continue }
            guard skin != nil || isMorphed || place.moves else {
                try geometry.add(triangles, place.matrix, at: node.pointer)
                continue
            }
            try addMoving(
                triangles, primitive, node: place.index, skin: skin, isMorphed: isMorphed, at: node.pointer)
        }
    }

    /// Nil for points and lines, which are left out.
    private mutating func primitive(_ primitive: GLTFObject) throws(ModelError) -> GLTFGeometry.Primitive? {
        let mode = try primitive.index("mode") ?? 4
        guard (4...6).contains(mode) else {
            guard mode < 4 else { throw ModelError(.damaged, at: primitive.place("mode"), "cannot be \(mode)") }
            note(at: primitive.pointer, "points and lines are left out")
            return nil
        }
        guard let attributes = try primitive.object("attributes"), let position = try attributes.index("POSITION")
        else {
            note(at: primitive.pointer, "a mesh without positions is left out")
            return nil
        }
        let limit = ModelLimits.maximumVertices
        let positions = try buffers.table(position, columns: [3], atMost: limit)
        // Of a mesh with few triangles and many vertices, few are drawn; reading them for each node takes time all the same.
        rowsLeft -= positions.count
        guard rowsLeft >= 0 else {
            throw ModelError(
                .tooLarge, at: primitive.pointer, "with it nodes use more than \(ModelLimits.maximumRows) vertices")
        }
        func table(_ name: String, _ columns: Set<Int>) throws(ModelError) -> GLTFBuffers.Table? {
            guard let index = try attributes.index(name) else { return nil }
            let table = try buffers.table(index, columns: columns, atMost: limit)
            guard table.count == positions.count else {
                throw ModelError(
                    .damaged, at: attributes.place(name), "has \(table.count) elements for \(positions.count) vertices")
            }
            return table
        }
        let material = try primitive.index("material") ?? materials.count - 1
        guard materials.indices.contains(material) else {
            throw ModelError(.damaged, at: primitive.place("material"), "there is no material \(material)")
        }
        var corners = (0..<positions.count).map { UInt32($0) }
        if let index = try primitive.index("indices") {
            corners = try buffers.indices(index, vertices: positions.count)
        }
        return GLTFGeometry.Primitive(
            material: material, needsTangents: materials[material].normalTexture != nil,
            corners: GLTFGeometry.triangles(corners, mode: mode), positions: positions,
            normals: try table("NORMAL", [3]), tangents: try table("TANGENT", [4]),
            textureCoordinates: try table("TEXCOORD_0", [2]), colors: try table("COLOR_0", [3, 4]))
    }
}
