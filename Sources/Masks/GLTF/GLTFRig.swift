import FaceGeometry

/// The moving parts of a model while it is read. Nodes, skins and animations have numbers in the document, and others
/// in the rig, which has only nodes of the scene.
struct GLTFRig {
    /// Nodes of the document that swing, or that animations translate, rotate or scale.
    var animatedNodes: Set<Int> = []
    /// Nodes of the document with weights that animations or the face change.
    var morphedNodes: Set<Int> = []
    private(set) var nodes: [ModelNode] = []
    private(set) var weights: [Float] = []
    /// The weights that follow the face, by their places in `weights`.
    var expressions: [(weight: Int, shape: BlendShape)] = []
    /// By the number of a node in the document, that in the rig.
    private(set) var places: [Int: Int] = [:]
    private(set) var meshes: [MovingMesh] = []
    /// Of each mesh, in `GLTFGeometry.parts`.
    private(set) var parts: [Int] = []
    /// Skins of the document that are used; `ModelSkin`s have the same order.
    private(set) var usedSkins: [Int] = []
    /// How many vertices morph targets may still move.
    var morphedVerticesLeft = ModelLimits.maximumMorphedVertices

    /// - Returns: the number in the rig.
    mutating func add(
        node: Int, name: String, parent: Int?, transform: NodeTransform?, matrix: AffineTransform3D, weights: [Float]
    ) -> Int {
        let first = self.weights.count
        self.weights += weights
        nodes.append(
            ModelNode(
                name: name, parent: parent, transform: transform, matrix: matrix, weights: first..<self.weights.count))
        places[node] = nodes.count - 1
        return nodes.count - 1
    }

    mutating func add(_ mesh: MovingMesh, part: Int) {
        meshes.append(mesh)
        parts.append(part)
    }

    /// - Returns: the number in the rig.
    mutating func use(skin: Int) -> Int {
        if let known = usedSkins.firstIndex(of: skin) { return known }
        usedSkins.append(skin)
        return usedSkins.count - 1
    }

    /// For each node of the rig, whether it moves, alone or with a node above it.
    var moves: [Bool] {
        var result = [Bool](repeating: false, count: nodes.count)
        for (document, place) in places where animatedNodes.contains(document) { result[place] = true }
        // Parents come first.
        for index in nodes.indices { if let parent = nodes[index].parent, result[parent] { result[index] = true } }
        return result
    }
}

extension ModelNode {
    /// Whether one of its morph targets is seen at rest.
    func hasWeights(_ all: [Float]) -> Bool { all[weights].contains { $0 != 0 } }
}

extension AffineTransform3D {
    /// A matrix of 16 numbers, column by column (glTF 2.0, 3.6.2); its last row is 0, 0, 0, 1.
    init(_ m: ArraySlice<Float>) {
        let i = m.startIndex
        self.init(
            columns: (
                SIMD3(m[i], m[i + 1], m[i + 2]), SIMD3(m[i + 4], m[i + 5], m[i + 6]),
                SIMD3(m[i + 8], m[i + 9], m[i + 10])
            ), translation: SIMD3(m[i + 12], m[i + 13], m[i + 14]))
    }
}
