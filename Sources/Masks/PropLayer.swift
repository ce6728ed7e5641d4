import FaceGeometry
import Models

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

    package init(
        model: Model, anchor: StickerLayer.Anchor, position: SIMD3<Float> = .zero,
        rotation: Pose = Pose(yaw: 0, pitch: 0, roll: 0), width: Float, shadow: Float = defaultShadow
    ) {
        self.model = model
        self.anchor = anchor
        self.position = position
        self.rotation = rotation
        self.width = width
        self.shadow = shadow
    }

    /// Face widths per unit of the model.
    package var scale: Float { width / max(model.bounds.size.x, 1e-12) }
}
