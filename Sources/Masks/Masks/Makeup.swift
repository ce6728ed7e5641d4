/// What a layer of make-up does to the skin under it. It draws no colours of its own: pores, wrinkles and light stay. The
/// layer's picture says where it is applied, and how much.
package struct Makeup: Equatable, Sendable {
    /// Of the pigment in white light, sRGB-encoded, 0…1; nil: the skin keeps its colour.
    package var color: SIMD3<Float>?
    /// How much stronger highlights become: −1 (powdered) … 0 (as they are) … 1 (wet).
    package var gloss: Float
    /// How much of blotches and shadows finer than a tenth of the face is removed, 0…1. Pores are finer than what is
    /// removed, and edges stay.
    package var smoothing: Float
    /// How much brighter and whiter teeth and the white of eyes become, 0…1.
    package var brightening: Float

    package init(color: SIMD3<Float>? = nil, gloss: Float = 0, smoothing: Float = 0, brightening: Float = 0) {
        self.color = color
        self.gloss = gloss
        self.smoothing = smoothing
        self.brightening = brightening
    }

    /// Whether it changes colours one by one, without regard to their neighbours.
    package var recolors: Bool { color != nil || gloss != 0 || brightening != 0 }
}
