import FaceGeometry

/// How a node of a model swings: the parameters of VRM's spring bones (`VRMC_springBone-1.0`), with VRM's values where none
/// are given.
package struct SwingSettings: Equatable, Sendable {
    /// How strongly it returns to where the model has it, at least 0.
    package var stiffness: Float
    /// How strongly it hangs down in the picture, at least 0 (`gravityPower`).
    package var gravity: Float
    /// The share of its speed that it loses in each step of 1/60 s, 0…1 (`dragForce`).
    package var drag: Float

    package init(stiffness: Float = 1, gravity: Float = 0, drag: Float = 0.5) {
        (self.stiffness, self.gravity, self.drag) = (stiffness, gravity, drag)
    }
}

/// A node that swings, with everything below it.
package struct SwingingNode: Equatable, Sendable {
    /// In the nodes of a model's rig.
    package let node: Int
    package let settings: SwingSettings

    package init(_ node: Int, _ settings: SwingSettings) { (self.node, self.settings) = (node, settings) }
}

/// The swinging nodes of a model on a head that moves, with their state. Each swings about its own origin: its tail keeps its
/// distance, and everything below the node turns with it.
///
/// It is the algorithm of `VRMC_springBone-1.0` (Verlet integration in the space of the camera, and the length of each bone
/// kept), with four differences. A step always takes 1/60 s, and the head moves evenly between two pictures: the result
/// depends on the times of the pictures, and hardly on how many there are. The state begins where all forces are in
/// balance, and so does a single picture. A node without children swings its own vertices. Nothing swings because the head
/// comes nearer or goes away. Following a head allocates nothing.
package struct ModelSwing: Sendable {
    fileprivate struct Joint {
        /// In `ModelRig.nodes`.
        let node: Int
        /// In `joints`; nil: the first of a chain, whose parent, if it has one, does not swing.
        let parent: Int?
        /// In the coordinates of the node; nil: there is nothing that could swing.
        let tail: SIMD3<Float>?
        let settings: SwingSettings
        // In the space of the camera. Where the tail is, where it was a step before, and the directions to them.
        var place = SIMD3<Float>.zero
        var lastPlace = SIMD3<Float>.zero
        var direction = SIMD3<Float>.zero
        var lastDirection = SIMD3<Float>.zero
        /// To the space of the camera, in the step that is being computed.
        var world = AffineTransform3D.identity
    }

    /// A picture that was followed.
    private struct Moment {
        let seconds: Double
        let modelToCamera: AffineTransform3D
    }

    /// Of time, in seconds.
    fileprivate static let step = 1.0 / 60
    /// After a longer one, in seconds, what swings begins anew.
    private static let longestGap = 0.5
    /// VRM's unit in that of the camera.
    fileprivate static let metre: Float = 1 / 0.14
    fileprivate static let down = SIMD3<Float>(0, 1, 0)

    /// Parents come first.
    private var joints: [Joint]
    private var last: Moment?

    /// - Parameter nodes: in the rig; the settings hold for all nodes below that are not named themselves.
    /// - Returns: nil if nothing swings.
    package init?(_ model: Model, _ nodes: [SwingingNode]) {
        guard let rig = model.rig else { return nil }
        var joints: [Joint] = []
        var settings = [SwingSettings?](repeating: nil, count: rig.nodes.count)
        var places = [Int?](repeating: nil, count: rig.nodes.count)
        for index in rig.nodes.indices {
            let parent = rig.nodes[index].parent
            settings[index] = nodes.last { $0.node == index }?.settings ?? parent.flatMap { settings[$0] }
            guard let own = settings[index] else { continue }
            places[index] = joints.count
            joints.append(
                Joint(node: index, parent: parent.flatMap { places[$0] }, tail: rig.tail(of: index), settings: own))
        }
        guard joints.contains(where: { $0.tail != nil }) else { return nil }
        self.joints = joints
    }

    /// Nodes that swing or hang on those that do.
    package var jointCount: Int { joints.count }

    /// The next picture shows another scene.
    package mutating func interrupt() { last = nil }

    /// Turns the nodes that swing.
    /// - Parameters:
    ///   - matrices: of all nodes, to the model's coordinates; as animations have them.
    ///   - modelToCamera: turns, mirrors and scales evenly.
    ///   - seconds: the time of the picture; nil: a single one, which leaves no trace in the state.
    mutating func turn(
        _ matrices: inout [AffineTransform3D], of nodes: [ModelNode], _ transforms: [NodeTransform],
        modelToCamera: AffineTransform3D, at seconds: Double?
    ) {
        guard modelToCamera.determinant != 0, modelToCamera.determinant.isFinite else { return }
        func local(_ joint: Joint) -> AffineTransform3D {
            nodes[joint.node].transform == nil ? nodes[joint.node].matrix : transforms[joint.node].matrix
        }
        /// - Parameter direction: of a joint, from where it would be at rest; both in the space of the camera.
        func show(_ direction: (Joint, _ axis: SIMD3<Float>) -> SIMD3<Float>) {
            for joint in joints {
                if let parent = nodes[joint.node].parent { matrices[joint.node] = matrices[parent].after(local(joint)) }
                let rest = matrices[joint.node]
                guard let tail = joint.tail, let axis = modelToCamera.turned(rest.turned(tail)).normalized
                else { continue }
                let shown = modelToCamera.solved(direction(joint, axis))
                matrices[joint.node] = rest.turnedAboutOrigin(from: rest.turned(tail), to: shown)
            }
        }
        guard let seconds, seconds.isFinite, abs(seconds) < 1e9 else {
            return show { Self.balance($0.settings, $1) }
        }
        guard let last, seconds >= last.seconds, seconds - last.seconds <= Self.longestGap else {
            show { Self.balance($0.settings, $1) }
            begin(matrices, modelToCamera)
            last = Moment(seconds: seconds, modelToCamera: modelToCamera)
            return
        }
        // How far away a head is, is known too badly: things would be thrown back and forth.
        let start = follow(depth: modelToCamera.translation.z - last.modelToCamera.translation.z, since: last)
        // The steps lie at the same times whatever the times of the pictures.
        let (before, now) = ((last.seconds / Self.step).rounded(.down), (seconds / Self.step).rounded(.down))
        for number in 0..<Int(now - before) {
            let time = (before + 1 + Double(number)) * Self.step
            let share = Float((time - last.seconds) / max(seconds - last.seconds, 1e-9))
            let between = start.mixed(with: modelToCamera, share)
            for index in joints.indices {
                let parent: AffineTransform3D
                if let above = joints[index].parent {
                    parent = joints[above].world
                } else {
                    parent = nodes[joints[index].node].parent.map { between.after(matrices[$0]) } ?? between
                }
                joints[index].step(parent.after(local(joints[index])))
            }
        }
        let rest = Float(seconds / Self.step - now)
        show { joint, axis in
            (joint.lastDirection + rest * (joint.direction - joint.lastDirection)).normalized ?? axis
        }
        self.last = Moment(seconds: seconds, modelToCamera: modelToCamera)
    }

    /// Moves the state with the head, away from the camera.
    /// - Parameter depth: by how much.
    /// - Returns: where the head was before, at its distance of now.
    private mutating func follow(depth: Float, since last: Moment) -> AffineTransform3D {
        for index in joints.indices {
            joints[index].place.z += depth
            joints[index].lastPlace.z += depth
        }
        var start = last.modelToCamera
        start.translation.z += depth
        return start
    }

    /// Takes what is shown as the state, at rest.
    private mutating func begin(_ matrices: [AffineTransform3D], _ modelToCamera: AffineTransform3D) {
        for index in joints.indices {
            guard let tail = joints[index].tail else { continue }
            let world = modelToCamera.after(matrices[joints[index].node])
            joints[index].place = world(tail)
            joints[index].lastPlace = joints[index].place
            joints[index].direction = world.turned(tail).normalized ?? Self.down
            joints[index].lastDirection = joints[index].direction
        }
    }

    /// Where stiffness and gravity hold a joint.
    /// - Parameter axis: where the model has it.
    private static func balance(_ settings: SwingSettings, _ axis: SIMD3<Float>) -> SIMD3<Float> {
        let sum = settings.stiffness * axis + settings.gravity * down
        // Not upside down in a balance that any breath would end.
        return sum.length > 1e-3 ? sum.normalized ?? axis : settings.gravity > 0 ? down : axis
    }
}

extension ModelSwing.Joint {
    /// - Parameter rest: from the joint to the space of the camera, if it did not swing.
    fileprivate mutating func step(_ rest: AffineTransform3D) {
        world = rest
        guard let tail, let axis = rest.turned(tail).normalized else { return }
        let length = rest.turned(tail).length
        let force = Float(ModelSwing.step) * ModelSwing.metre
        let next =
            place + (1 - settings.drag) * (place - lastPlace)
            + force * (settings.stiffness * axis + settings.gravity * ModelSwing.down)
        (lastPlace, lastDirection) = (place, direction)
        direction = (next - rest.translation).normalized ?? axis
        place = rest.translation + length * direction
        world = rest.turnedAboutOrigin(from: axis, to: direction)
    }
}

extension ModelRig {
    /// What swings at the end of a node, in its coordinates: its first child away from it, or else the middle of the vertices
    /// that it moves.
    fileprivate func tail(of node: Int) -> SIMD3<Float>? {
        let child = nodes.first { $0.parent == node && $0.matrix.translation.normalized != nil }
        if let child { return child.matrix.translation }
        var (sum, total) = (SIMD3<Float>.zero, Float(0))
        for mesh in meshes {
            guard let skin = mesh.skin else {
                guard mesh.node == node else { continue }
                for vertex in mesh.rest { sum += vertex.position }
                total += Float(mesh.rest.count)
                continue
            }
            let known = skins[skin.skin]
            for (row, vertex) in mesh.rest.enumerated() {
                for corner in 0..<4 where skin.weights[row][corner] > 0 {
                    let joint = Int(skin.joints[row][corner])
                    guard known.joints[joint] == node else { continue }
                    sum += skin.weights[row][corner] * known.inverseBindMatrices[joint](vertex.position)
                    total += skin.weights[row][corner]
                }
            }
        }
        guard total > 0, sum.length.isFinite, (sum / total).length > 1e-6 else { return nil }
        return sum / total
    }

    /// The numbers of the nodes with a name.
    package func nodes(named name: String) -> [Int] { nodes.indices.filter { nodes[$0].name == name } }
}

extension AffineTransform3D {
    fileprivate func mixed(with other: AffineTransform3D, _ share: Float) -> AffineTransform3D {
        func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> { a + share * (b - a) }
        return AffineTransform3D(
            columns: (
                mix(columns.0, other.columns.0), mix(columns.1, other.columns.1), mix(columns.2, other.columns.2)
            ), translation: mix(translation, other.translation))
    }

    /// The vector that is turned into this one; the determinant is not 0.
    fileprivate func solved(_ vector: SIMD3<Float>) -> SIMD3<Float> {
        let rows = cofactors.columns
        return SIMD3((rows.0 * vector).sum(), (rows.1 * vector).sum(), (rows.2 * vector).sum()) / determinant
    }

    /// Turned about where its origin lies by the smallest rotation between two directions.
    fileprivate func turnedAboutOrigin(from: SIMD3<Float>, to: SIMD3<Float>) -> AffineTransform3D {
        guard let a = from.normalized, let b = to.normalized else { return self }
        let (cosine, axis) = ((a * b).sum(), a.cross(b))
        if cosine > -0.9999 {
            let share = 1 / (1 + cosine)
            func turn(_ v: SIMD3<Float>) -> SIMD3<Float> {
                v * cosine + axis.cross(v) + axis * ((axis * v).sum() * share)
            }
            return AffineTransform3D(
                columns: (turn(columns.0), turn(columns.1), turn(columns.2)), translation: translation)
        }
        // Half a turn, about any axis at a right angle.
        guard let half = a.cross(abs(a.x) < 0.8 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)).normalized else { return self }
        func turn(_ v: SIMD3<Float>) -> SIMD3<Float> { half * (2 * (half * v).sum()) - v }
        return AffineTransform3D(
            columns: (turn(columns.0), turn(columns.1), turn(columns.2)), translation: translation)
    }
}
