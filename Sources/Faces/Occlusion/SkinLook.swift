import FaceGeometry

/// The look of the skin of cheeks and nose, in the light on a face in a single picture.
struct SkinLook {
    private let light: LightFit
    /// The spread of this skin, in relation to the usual one.
    let scale: Float

    /// Of skin, before its own spread is known: standard deviations of `SkinColors`.
    static let spread = SIMD4<Float>(0.20, 0.09, 0.09, 1)
    private static let precision = 1 / (spread * spread)
    /// With fewer samples nothing is known about the skin.
    private static let fewestSamples = 100

    /// - Parameter reader: has read the face.
    /// - Returns: nil if too little skin is seen.
    init?(_ hair: HairTexels, _ reader: TexelReader) {
        let samples = hair.texels.inside.enumerated().compactMap { place, texel -> LightFit.Sample? in
            let weight = hair.skin[texel.index] * reader.visibility[place]
            guard weight > 0 else { return nil }
            return LightFit.Sample(
                basis: Self.basis(texel.lightBasis), difference: reader.colors[place], precision: Self.precision,
                weight: weight)
        }
        guard samples.count > Self.fewestSamples else { return nil }
        let skin = LightFit.fit(samples, start: nil, iterations: 6)
        // Freckles, make-up and noise: each skin has its own spread.
        let sure = samples.filter { $0.weight > 0.5 }
            .map { Self.square($0.difference - skin.value($0.basis)) }.sorted()
        guard !sure.isEmpty else { return nil }
        (light, scale) = (skin, min(2.5, max(0.6, sure[sure.count * 6 / 10] / 1.2)))
    }

    /// How far a colour is from that of skin in the same light.
    /// - Parameter basis: `CanonicalTexels.lightBasis` of its place.
    func difference(_ color: SIMD4<Float>, at basis: SIMD8<Float>) -> SIMD4<Float> {
        color - light.value(Self.basis(basis))
    }

    /// The same in variances of this skin, squared.
    func distance(_ color: SIMD4<Float>, at basis: SIMD8<Float>) -> Float {
        Self.square(difference(color, at: basis)) / scale
    }

    private static func square(_ difference: SIMD4<Float>) -> Float { (difference * difference * precision).sum() }

    /// Light is curved only where there is much to tell: the forehead is not sure skin.
    private static func basis(_ light: SIMD8<Float>) -> SIMD8<Float> { light * SIMD8(1, 1, 1, 0.3, 0.3, 0.3, 0, 0) }
}
