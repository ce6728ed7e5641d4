import FaceGeometry
import GLTF
import Masks

/// The vertices of a prop that animations, the face or the motion of the head have moved.
struct PropPose: Sendable {
    let vertices: [ModelVertex]
    let bounds: ModelBounds
}

/// Poses props: what follows the face is evaluated here, once, for all renderers. It keeps the memory of each prop of each
/// face, so that posing one again allocates nothing.
final class PropPoses {
    /// A layer of a face.
    struct Place: Equatable {
        let trackID: Int
        /// Of the props of the mask.
        let number: Int
    }

    private struct Entry {
        weak var model: Model?
        let place: Place
        /// What `swing` was made of.
        let swinging: [SwingingNode]
        /// Used in turns: a draw list holds the vertices of one while the next list is composed.
        var poses: [ModelPose]
        var swing: ModelSwing?
        var next = 0
        var lastUse = 0

        mutating func pose(
            _ prop: PropLayer, _ rig: ModelRig, modelToCamera: AffineTransform3D, seconds: Double?, face: FaceInstance
        ) -> PropPose {
            let turn = next
            next = (turn + 1) % poses.count
            func moment(_ number: Int) -> ModelPose.Moment {
                let played = prop.animations[number]
                let animation = rig.animations[played.animation]
                return ModelPose.Moment(
                    animation: played.animation,
                    seconds: played.position.map { animation.seconds(at: $0.value(face.signals)) }
                        ?? animation.seconds(looping: seconds ?? 0))
            }
            poses[turn].set(
                count: prop.animations.count, shapes: face.shapes, swing: &swing, modelToCamera: modelToCamera,
                at: seconds, moment)
            return PropPose(vertices: poses[turn].vertices, bounds: poses[turn].bounds)
        }
    }

    private var entries: [Entry] = []
    private var uses = 0
    private static let limit = 24

    /// Nil if nothing moves the prop.
    /// - Parameters:
    ///   - modelToCamera: from the coordinates of the model to those of the camera.
    ///   - seconds: the time of the picture; nil: a single one, which leaves no trace.
    func pose(
        of prop: PropLayer, at place: Place, modelToCamera: AffineTransform3D, seconds: Double?, face: FaceInstance
    ) -> PropPose? {
        guard prop.moves, let rig = prop.model.rig else { return nil }
        uses += 1
        guard let index = index(of: prop, at: place) else { return nil }
        entries[index].lastUse = uses
        return entries[index].pose(prop, rig, modelToCamera: modelToCamera, seconds: seconds, face: face)
    }

    /// The next picture of the stream shows another scene: nothing swings on from this one.
    func interrupt() { for index in entries.indices { entries[index].swing?.interrupt() } }

    private func index(of prop: PropLayer, at place: Place) -> Int? {
        let model = prop.model
        if let known = entries.firstIndex(where: { $0.place == place && $0.model === model }) {
            if entries[known].swinging == prop.swing { return known }
            entries.remove(at: known)
        }
        guard let pose = ModelPose(model) else { return nil }
        entries.removeAll { $0.model == nil }
        if entries.count >= Self.limit,
            let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse })
        {
            entries.remove(at: oldest)
        }
        entries.append(
            Entry(
                model: model, place: place, swinging: prop.swing, poses: [pose, pose],
                swing: ModelSwing(model, prop.swing)))
        return entries.count - 1
    }
}
