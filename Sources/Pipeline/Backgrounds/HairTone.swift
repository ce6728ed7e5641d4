import Glibc
import MaskComposition

/// What becomes of the colours of hair under a dye: the lightness of strands stays in proportion, and the dye gives the colour.
struct HairTone {
    private static let steps = 1024
    /// How far the mean of hair becomes as light as the dye.
    private static let lift: Float = 0.72
    /// The lightness of skin in good light, for which dyes are chosen, as of pigments (`ColorTable+Makeup`).
    private static let usualSkin: Float = 0.74

    /// By luma: red, green and blue, 0…255.
    private var table = [SIMD3<Float>](repeating: .zero, count: steps + 1)
    private var made: (color: SIMD3<Float>, hair: Float, skin: Float)?

    /// The lightness of greys in Oklab, by luma.
    private static let lightness: [Float] = (0...steps).map {
        OklabColor.lab(SIMD3(repeating: Float($0) / Float(steps))).x
    }

    /// - Parameters:
    ///   - color: of the dye in white light, sRGB-encoded, 0…1.
    ///   - lightness: mean values, in Oklab.
    mutating func make(_ color: SIMD3<Float>, _ lightness: (hair: Float, skin: Float)) {
        if let made, made.color == color, abs(made.hair - lightness.hair) < 0.004,
            abs(made.skin - lightness.skin) < 0.004
        {
            return
        }
        made = (color, lightness.hair, lightness.skin)
        let dye = OklabColor.lab(color)
        let exposure = min(1.1, max(0.6, (lightness.skin / Self.usualSkin).squareRoot()))
        let mean = max(0.05, lightness.hair)
        let aim = mean + Self.lift * (dye.x * exposure - mean)
        // What is dark shows little of its strands.
        let contrast = min(2.1, max(0.8, pow(aim / mean, 0.75)))
        for index in table.indices {
            let own = Self.lightness[index]
            var light = aim + contrast * (own - mean)
            // Between strands it stays dark, and highlights are not white.
            light = max(light, 0.5 * own + 0.1 * aim)
            light = min(light, max(own, aim + 0.24))
            if light > 0.88 { light = min(0.97, 0.88 + 0.4 * (light - 0.88)) }
            let chroma = min(1.15, light / max(0.05, dye.x)) * (1 - 0.7 * smoothstep(0.85, 1, light))
            let rgb = OklabColor.rgb(SIMD3(light, chroma * dye.y, chroma * dye.z))
            table[index] = 255 * rgb.clamped(lowerBound: .zero, upperBound: .one)
        }
    }

    /// - Parameter color: red, green and blue, 0…255.
    func dyed(_ color: SIMD3<Float>) -> SIMD3<Float> {
        let luma = (SIMD3(0.2126, 0.7152, 0.0722) * color).sum()
        return table[Int(max(0, min(1, luma / 255)) * Float(Self.steps))]
    }
}
