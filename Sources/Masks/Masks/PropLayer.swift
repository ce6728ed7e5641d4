import FaceGeometry
import GLTF

/// A 3-D model that stands on the head and turns with it.
package struct PropLayer: Sendable {
    package var model: Model
    package var anchor: StickerLayer.Anchor
    /// From the anchor to the origin of the model, in face widths: to the right on the template, down, and towards the
    /// viewer of the template.
    package var position: SIMD3<Float>
    /// Of the model about its origin, as a head turns: yaw, then pitch, then roll.
    package var rotation: Pose
    /// Of the model's box before the rotation, in face widths.
    package var width: Float
    /// How dark its shadow is on the skin below it, 0…1.
    package var shadow: Float
    package static let defaultShadow: Float = 0.6
    /// The animations that move it. If two change the same part, the last one counts.
    package var animations: [PropAnimation]
    /// The nodes that swing with everything below them, in the nodes of the model's rig.
    package var swing: [SwingingNode]

    package init(
        model: Model, anchor: StickerLayer.Anchor, position: SIMD3<Float> = .zero,
        rotation: Pose = Pose(yaw: 0, pitch: 0, roll: 0), width: Float, shadow: Float = defaultShadow,
        animations: [PropAnimation] = [], swing: [SwingingNode] = []
    ) {
        self.model = model
        self.anchor = anchor
        self.position = position
        self.rotation = rotation
        self.width = width
        self.shadow = shadow
        self.animations = animations
        self.swing = swing
    }

    /// Whether its vertices may move.
    package var moves: Bool {
        guard let rig = model.rig else { return false }
        return !animations.isEmpty || !swing.isEmpty || !rig.expressions.isEmpty
    }

    /// Face widths per unit of the model.
    package var scale: Float { width / max(model.bounds.size.x, 1e-12) }
}

/// An animation of a prop's model, as a layer plays it.
package struct PropAnimation: Sendable {
    /// In the animations of the model's rig.
    package var animation: Int
    /// The place in it, from its first key (0) to its last (1); nil: it runs in a loop.
    package var position: AnimatableValue?

    package init(animation: Int, position: AnimatableValue? = nil) {
        self.animation = animation
        self.position = position
    }
}
