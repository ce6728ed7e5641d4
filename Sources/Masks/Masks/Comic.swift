/// How a picture is drawn as a comic: flat colours and ink. It is done to the whole picture, before anything is drawn on faces.
package struct Comic: Equatable, Sendable {
    /// Of brightness, between black and white.
    package var levels: Float
    /// How much becomes a line: 0 nothing, 1 as usual.
    package var lines: Float
    /// How far spots and wrinkles vanish before lines are drawn, 0…1.
    package var smoothing: Float
    /// Of the ink, sRGB-encoded, 0…1.
    package var color: SIMD3<Float>

    package static let levelRange = 2.0...12.0
    package static let lineRange = 0.0...3.0

    package init(
        levels: Float = 4, lines: Float = 1, smoothing: Float = 1, color: SIMD3<Float> = SIMD3(12, 10, 16) / 255
    ) {
        self.levels = levels
        self.lines = lines
        self.smoothing = smoothing
        self.color = color
    }
}
