import FaceGeometry
import GLTF
import Masks

/// The vertices of a prop that its animations have moved.
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
        /// Used in turns: a draw list holds the vertices of one while the next list is composed.
        var poses: [ModelPose]
        var next = 0
        var lastUse = 0
    }

    private var entries: [Entry] = []
    private var uses = 0
    private static let limit = 24

    /// Nil if no animation moves the prop.
    func pose(of prop: PropLayer, at place: Place, seconds: Double, signals: ExpressionSignals) -> PropPose? {
        guard !prop.animations.isEmpty, let rig = prop.model.rig else { return nil }
        uses += 1
        guard let index = index(of: prop.model, at: place) else { return nil }
        let turn = entries[index].next
        entries[index].next = (turn + 1) % entries[index].poses.count
        entries[index].lastUse = uses
        entries[index].poses[turn].set(count: prop.animations.count) { number in
            let played = prop.animations[number]
            let animation = rig.animations[played.animation]
            return ModelPose.Moment(
                animation: played.animation,
                seconds: played.position.map { animation.seconds(at: $0.value(signals)) }
                    ?? animation.seconds(looping: seconds))
        }
        return PropPose(
            vertices: entries[index].poses[turn].vertices, bounds: entries[index].poses[turn].bounds)
    }

    private func index(of model: Model, at place: Place) -> Int? {
        if let known = entries.firstIndex(where: { $0.place == place && $0.model === model }) { return known }
        guard let pose = ModelPose(model) else { return nil }
        entries.removeAll { $0.model == nil }
        if entries.count >= Self.limit,
            let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse })
        {
            entries.remove(at: oldest)
        }
        entries.append(Entry(model: model, place: place, poses: [pose, pose]))
        return entries.count - 1
    }
}
