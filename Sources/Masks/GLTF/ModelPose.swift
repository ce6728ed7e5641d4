import FaceGeometry

/// The vertices of a model while its animations move it. Setting another pose allocates no memory, as long as nobody else
/// holds the vertices.
package struct ModelPose: Sendable {
    /// An animation at a time.
    package struct Moment: Equatable, Sendable {
        /// In `ModelRig.animations`.
        package var animation: Int
        package var seconds: Float

        package init(animation: Int, seconds: Float) {
            self.animation = animation
            self.seconds = seconds
        }
    }

    /// All of the model's, those that do not move included.
    package private(set) var vertices: [ModelVertex]
    /// A box around them and around the model at rest.
    package private(set) var bounds: ModelBounds
    /// Whether a vertex went farther than models may reach, and was put to the origin.
    private(set) var isCutOff = false
    private let rig: ModelRig
    private let boundsAtRest: ModelBounds
    /// The current state; nil: none yet.
    private var moments: [Moment]?
    /// What morph targets follow.
    private var shapes = BlendShapes()
    private var transforms: [NodeTransform]
    private var matrices: [AffineTransform3D]
    private var weights: [Float]
    /// Of all skins, one after another.
    private var joints: [AffineTransform3D]
    /// Where the joints of each skin begin.
    private let firstJoints: [Int]

    /// The model at rest; nil if it is rigid.
    package init?(_ model: Model) {
        guard let rig = model.rig else { return nil }
        self.init(rig, vertices: model.vertices, bounds: model.bounds)
    }

    init(_ rig: ModelRig, vertices: [ModelVertex], bounds: ModelBounds = ModelBounds()) {
        self.rig = rig
        self.vertices = vertices
        (self.bounds, boundsAtRest) = (bounds, bounds)
        transforms = rig.nodes.map { $0.transform ?? NodeTransform() }
        matrices = rig.nodes.map(\.matrix)
        weights = rig.weights
        var count = 0
        firstJoints = rig.skins.map { skin in
            defer { count += skin.joints.count }
            return count
        }
        joints = [AffineTransform3D](repeating: .identity, count: count)
    }

    /// Moves the vertices. If several animations change the same part, the last one counts.
    /// - Parameters:
    ///   - count: of animations that are played.
    ///   - shapes: what the face shows, for the morph targets that follow it and that no animation changes.
    ///   - moment: gives each.
    package mutating func set(count: Int, shapes: BlendShapes = BlendShapes(), _ moment: (Int) -> Moment) {
        if take(count, shapes, moment) { place() }
    }

    /// Moves the vertices, and lets nodes swing.
    /// - Parameters:
    ///   - swing: of the same model; nil: nothing swings.
    ///   - modelToCamera: turns, mirrors and scales evenly.
    ///   - seconds: the time of the picture; nil: a single one.
    package mutating func set(
        count: Int, shapes: BlendShapes, swing: inout ModelSwing?, modelToCamera: AffineTransform3D,
        at seconds: Double?,
        _ moment: (Int) -> Moment
    ) {
        guard swing != nil else { return set(count: count, shapes: shapes, moment) }
        _ = take(count, shapes, moment)
        placeNodes()
        swing?.turn(&matrices, of: rig.nodes, transforms, modelToCamera: modelToCamera, at: seconds)
        placeMeshes()
    }

    /// - Returns: whether anything has changed.
    private mutating func take(_ count: Int, _ shapes: BlendShapes, _ moment: (Int) -> Moment) -> Bool {
        if let known = moments, known.count == count, known.indices.allSatisfy({ known[$0] == moment($0) }),
            rig.expressions.isEmpty || self.shapes == shapes
        {
            return false
        }
        self.shapes = shapes
        moments = moments ?? []
        moments?.removeAll(keepingCapacity: true)
        for index in 0..<count { moments?.append(moment(index)) }
        return true
    }

    /// Moves the vertices to where `moments` and `shapes` have them.
    mutating func place() {
        placeNodes()
        placeMeshes()
    }

    private mutating func placeNodes() {
        for index in rig.nodes.indices { transforms[index] = rig.nodes[index].transform ?? NodeTransform() }
        for index in rig.weights.indices { weights[index] = rig.weights[index] }
        if moments != nil { for target in rig.expressions { weights[target.weight] = shapes[target.shape] } }
        if let moments { for moment in moments { apply(moment) } }
        for index in rig.nodes.indices {
            let node = rig.nodes[index]
            let local = node.transform == nil ? node.matrix : transforms[index].matrix
            matrices[index] = node.parent.map { matrices[$0].after(local) } ?? local
        }
    }

    private mutating func placeMeshes() {
        for (skin, first) in zip(rig.skins, firstJoints) {
            for (index, node) in skin.joints.enumerated() {
                joints[first + index] = matrices[node].after(skin.inverseBindMatrices[index])
            }
        }
        bounds = boundsAtRest
        isCutOff = false
        for mesh in rig.meshes { move(mesh) }
    }

    private mutating func apply(_ moment: Moment) {
        for channel in rig.animations[moment.animation].channels {
            let place = channel.sampler.place(at: moment.seconds)
            switch channel.target {
            case .translation: transforms[channel.node].translation = channel.sampler.vector(at: place)
            case .rotation: transforms[channel.node].rotation = channel.sampler.rotation(at: place)
            case .scale: transforms[channel.node].scale = channel.sampler.vector(at: place)
            case .weights:
                for (column, index) in rig.nodes[channel.node].weights.enumerated() {
                    weights[index] = channel.sampler.number(column, at: place)
                }
            }
        }
    }

    // MARK: Vertices

    private mutating func move(_ mesh: MovingMesh) {
        let rigid = Motion(matrices[mesh.node])
        for row in mesh.rest.indices {
            let rest = morphed(row, of: mesh)
            let motion = mesh.skin.map { Motion(joint(row, of: $0)) } ?? rigid
            var moved = rest
            moved.position = near(motion.matrix(rest.position))
            moved.normal = motion.normals.turned(rest.normal).normalized ?? SIMD3(0, 0, 1)
            if rest.tangent != .zero {
                let direction = SIMD3(rest.tangent.x, rest.tangent.y, rest.tangent.z)
                let turned = motion.matrix.turned(direction).normalized ?? .zero
                moved.tangent = SIMD4(turned, motion.mirrors ? -rest.tangent.w : rest.tangent.w)
            }
            vertices[mesh.vertices.lowerBound + row] = moved
            bounds.formUnion(moved.position)
        }
    }

    /// Whether a mesh is seen as in a mirror.
    func mirrors(_ mesh: MovingMesh) -> Bool {
        (mesh.skin.map { joint(0, of: $0) } ?? matrices[mesh.node]).determinant < 0
    }

    private struct Motion {
        let matrix: AffineTransform3D
        let normals: AffineTransform3D
        let mirrors: Bool

        init(_ matrix: AffineTransform3D) {
            self.matrix = matrix
            mirrors = matrix.determinant < 0
            let cofactors = matrix.cofactors
            normals =
                mirrors
                ? AffineTransform3D(
                    columns: (-cofactors.columns.0, -cofactors.columns.1, -cofactors.columns.2), translation: .zero)
                : cofactors
        }
    }

    private func morphed(_ row: Int, of mesh: MovingMesh) -> ModelVertex {
        var vertex = mesh.rest[row]
        for (target, index) in zip(mesh.targets, rig.nodes[mesh.node].weights) where weights[index] != 0 {
            if !target.positions.isEmpty { vertex.position += weights[index] * target.positions[row] }
            if !target.normals.isEmpty { vertex.normal += weights[index] * target.normals[row] }
        }
        return vertex
    }

    /// The mean of the joints' matrices for a vertex.
    private func joint(_ row: Int, of skin: MovingMesh.Skinning) -> AffineTransform3D {
        let (indices, weights, first) = (skin.joints[row], skin.weights[row], firstJoints[skin.skin])
        var mean = AffineTransform3D(columns: (.zero, .zero, .zero), translation: .zero)
        for corner in 0..<4 where weights[corner] > 0 {
            let (weight, matrix) = (weights[corner], joints[first + Int(indices[corner])])
            mean.columns.0 += weight * matrix.columns.0
            mean.columns.1 += weight * matrix.columns.1
            mean.columns.2 += weight * matrix.columns.2
            mean.translation += weight * matrix.translation
        }
        return mean
    }

    /// Values may multiply along a chain of nodes to what is no place.
    private mutating func near(_ position: SIMD3<Float>) -> SIMD3<Float> {
        let limit = SIMD3(repeating: ModelLimits.largestCoordinate)
        // False also for NaN.
        if all((position .<= limit) .& (position .>= -limit)) { return position }
        isCutOff = true
        return .zero
    }
}
