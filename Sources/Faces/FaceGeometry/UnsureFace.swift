/// A place in a photograph that a detector takes for a face, but with little certainty, or without a landmark model that
/// agrees. Most are none.
package struct UnsureFace: Equatable, Sendable {
    /// From the forehead to the chin, in pixels.
    package let box: OrientedBox
    /// How likely it is a face, 0…1: an order, not a probability.
    package let score: Float

    package init(box: OrientedBox, score: Float) {
        self.box = box
        self.score = score
    }
}
