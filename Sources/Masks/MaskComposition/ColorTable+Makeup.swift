import Glibc
import Masks

extension ColorTable {
    private enum Constant {
        /// Oklab's lightness of skin in good light, for which pigments are chosen. Of the difference of other skin, half is
        /// taken for the light, half for the skin itself.
        static let usualLightness: Float = 0.74
        /// How much of the differences of hue and chroma within the region is kept under a pigment.
        static let keptVariety: Float = 0.3
        /// The lightness of highlights above the mean of a region, in Oklab.
        static let highlight: Float = 0.03
        /// Pigments that are lighter than this do not stick to hair: beards, moustaches, lashes. Others draw brows and lines.
        static let darkPigment: Float = 0.4
        /// Colours are hair up to the first, and none from the second on: Oklab's lightness, divided by the skin's.
        static let (hair, bare): (Float, Float) = (0.52, 0.74)
    }

    /// What becomes of the colours of a region of the face under make-up. Lightness stays in proportion, so that pores, folds
    /// and light remain visible in the pigment.
    /// - Parameters:
    ///   - region: the colours that it is applied to.
    ///   - skin: of the whole face: the light on it.
    ///   - haze: that lies over it.
    convenience init(_ makeup: Makeup, on region: ColorStatistics, skin: ColorStatistics, haze: Haze = .none) {
        let exposure = min(1.12, max(0.6, (skin.mean.x / Constant.usualLightness).squareRoot()))
        let pigment = makeup.color.map {
            OklabColor.lab(haze.applied(to: OklabColor.rgb(OklabColor.lab($0) * exposure)))
        }
        self.init(from: region, to: skin) { lab in
            var result = lab
            let above = lab.x - region.mean.x
            if let pigment {
                var sticking: Float = 1
                if pigment.x > Constant.darkPigment * exposure {
                    sticking = smoothstep(Constant.hair, Constant.bare, lab.x / max(0.05, skin.mean.x))
                }
                let ratio = min(1.7, lab.x / max(0.05, region.mean.x))
                let variety = Constant.keptVariety * (lab - region.mean)
                // Highlights are the light's colour, not the pigment's.
                let chroma = min(ratio, 1.15) - 0.8 * max(0, above - Constant.highlight)
                let painted = SIMD3(
                    pigment.x * ratio, pigment.y * chroma + variety.y, pigment.z * chroma + variety.z)
                result = lab + sticking * (painted - lab)
            }
            if makeup.gloss != 0 {
                let excess = max(0, above - Constant.highlight / 2)
                let shine = makeup.gloss * (makeup.gloss > 0 ? 2.2 : 0.75) * excess
                result.x += shine
                let faded = 1 - min(1, max(0, 2.5 * shine))
                result.y *= faded
                result.z *= faded
            }
            if makeup.brightening > 0 {
                // Irises, pupils, gums and tongues are dark or colourful.
                let light = smoothstep(-0.04, 0.12, above)
                let pale = 1 - smoothstep(0.05, 0.10, lab.y)
                let weight = makeup.brightening * light * pale
                result.x += weight * 0.35 * max(0, 0.97 - result.x)
                result.y *= 1 - 0.6 * weight
                result.z *= 1 - 0.6 * weight
            }
            return result
        }
    }
}

/// 0 at `low` and before it, 1 at `high` and behind it, smooth between them. Of the two, `low` may be the larger one.
package func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = min(1, max(0, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)
}
