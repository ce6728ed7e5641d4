/// The haze over a picture: mist, glare in the lens, or a faded print. Light is added everywhere, so that nothing is black, and
/// less of what is behind it is seen. A colour J becomes t · J + L (Koschmieder's law, as in He, Sun and Tang, "Single Image
/// Haze Removal Using Dark Channel Prior", 2009), here of sRGB-encoded values.
package struct Haze: Equatable, Sendable {
    /// L: the added light, sRGB-encoded, 0…1.
    package private(set) var light: SIMD3<Float>
    /// t: the share of colours that is left, 0…1.
    package private(set) var transmission: Float

    package static let none = Haze()

    /// The darkest things of clear pictures are not brighter than the first, and those of hazy pictures than the second,
    /// sRGB-encoded.
    private static let (clear, hazy): (Float, Float) = (0.06, 0.18)
    /// With less difference between the darkest and the brightest things, in Oklab's lightness, there is nothing to see: at the
    /// first, no haze is told from it.
    private static let (flat, usual): (Float, Float) = (0.1, 0.25)
    /// Haze is nearly grey. What is more colourful than the first has a colour of its own, and at the second, no haze is told from
    /// it: the difference of its components, as a share of the greatest one.
    private static let (grey, colorful): (Float, Float) = (0.2, 0.4)
    /// Not all pictures have something black: light is not added beyond that.
    private static let most: Float = 0.3
    /// A component of the light is at most so many times its least one.
    private static let mostTint: Float = 1.15
    /// The haze itself is at least so bright.
    private static let leastAirlight: Float = 0.55

    package init(light: SIMD3<Float> = .zero, transmission: Float = 1) {
        (self.light, self.transmission) = (light, transmission)
    }

    init(_ tones: RoomTones) {
        self.init()
        // Of dark blue cloth, only what its red has, too, can be haze.
        let level = tones.darkest.min()
        let contrast = tones.brightest - OklabColor.lab(tones.darkest).x
        let tint = 1 - level / max(1e-3, tones.darkest.max())
        let weight =
            smoothstep(Self.clear, Self.hazy, level) * smoothstep(Self.flat, Self.usual, contrast)
            * (1 - smoothstep(Self.grey, Self.colorful, tint))
        let added = min(Self.most, weight * level)
        guard added > 0 else { return }
        let most = SIMD3(repeating: Self.mostTint * level)
        light = (added / level) * pointwiseMin(tones.darkest, most)
        let airlight = max(Self.leastAirlight, min(1, tones.brightest))
        transmission = 1 - light.max() / airlight
    }

    /// Follows a later picture of a stream.
    /// - Parameter weight: of that picture, 0…1.
    mutating func approach(_ other: Haze, by weight: Float) {
        light += weight * (other.light - light)
        transmission += weight * (other.transmission - transmission)
    }

    /// - Parameter tolerance: of the added light.
    func isNear(_ other: Haze, _ tolerance: Float) -> Bool {
        let difference = light - other.light
        return max(difference.max(), -difference.min()) < tolerance
    }

    /// - Parameter color: sRGB-encoded, 0…1.
    func applied(to color: SIMD3<Float>) -> SIMD3<Float> { transmission * color + light }
}
