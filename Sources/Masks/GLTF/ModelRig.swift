import FaceGeometry

/// The moving parts of a model: nodes, skins, morph targets and animations (glTF 2.0, 3.5, 3.7.2.2, 3.7.3 and 3.11).
package struct ModelRig: Sendable {
    /// Parents come before their children.
    let nodes: [ModelNode]
    let skins: [ModelSkin]
    /// Those whose vertices may move.
    let meshes: [MovingMesh]
    /// May be empty: nodes swing, and morph targets follow the face.
    package let animations: [ModelAnimation]
    /// The weights of all nodes' morph targets at rest.
    let weights: [Float]
    /// The weights that follow the face, by their places in `weights`.
    package let expressions: [(weight: Int, shape: BlendShape)]

    /// Of `Model.vertices`, those from the first to the last that may move.
    package var movingVertices: Range<Int> {
        let low = meshes.map(\.vertices.lowerBound).min() ?? 0
        return low..<max(low, meshes.map(\.vertices.upperBound).max() ?? 0)
    }
}

/// A node of a model, which moves with its parent.
struct ModelNode: Sendable {
    /// May be empty; not unique.
    let name: String
    /// Below the index of the node itself; nil: it moves by itself.
    let parent: Int?
    /// Nil if the file gives a matrix; such a node is not animated.
    let transform: NodeTransform?
    /// To the parent's coordinates, at rest.
    let matrix: AffineTransform3D
    /// Of its morph targets, in `ModelRig.weights`.
    let weights: Range<Int>
}

/// The property of a node that an animation changes: a scale, then a rotation, then a translation.
struct NodeTransform: Sendable {
    var translation = SIMD3<Float>.zero
    /// A unit quaternion: x, y, z, w.
    var rotation = SIMD4<Float>(0, 0, 0, 1)
    var scale = SIMD3<Float>(repeating: 1)

    var matrix: AffineTransform3D { AffineTransform3D(scale: scale, rotation: rotation, translation: translation) }
}

/// Joints that move the vertices of a mesh.
struct ModelSkin: Sendable {
    /// Nodes of the rig.
    let joints: [Int]
    /// For each joint, from the coordinates of the mesh to those of the joint.
    let inverseBindMatrices: [AffineTransform3D]
}

/// A mesh of one material that moves.
struct MovingMesh: Sendable {
    /// Of `Model.vertices`.
    let vertices: Range<Int>
    /// The same as the file has them, in the coordinates of the mesh.
    let rest: [ModelVertex]
    /// The node of its mesh, as an index of `ModelRig.nodes`. It moves a mesh without a skin.
    let node: Int
    let skin: Skinning?
    /// As many as the node has weights; not used if it has none.
    let targets: [MorphTarget]

    /// How the joints of a skin move vertices.
    struct Skinning: Sendable {
        /// In `ModelRig.skins`.
        let skin: Int
        /// Of each vertex; in `ModelSkin.joints`.
        let joints: [SIMD4<UInt16>]
        /// Each at least 0, with a sum of 1.
        let weights: [SIMD4<Float>]
    }
}

/// The offsets that a morph target adds to vertices. Empty: none.
struct MorphTarget: Sendable {
    let positions: [SIMD3<Float>]
    let normals: [SIMD3<Float>]
}
