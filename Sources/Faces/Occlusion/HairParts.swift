import FaceGeometry

/// Which of the three parts of a face, temple, forehead and temple, hair covers, of those where something may be hair. Bald
/// heads have shadows and highlights there. Skin in shadow is redder than in light, and shadows end softly; hair is
/// greyer than skin, or ends at an edge.
struct HairParts {
    /// Of each part.
    private(set) var isHair = [Bool](repeating: false, count: HairTexels.partCount)
    /// How much lighter each part is than skin, as a logarithm; nil: too little of it is seen.
    private let lightness: [Float?]

    /// What is seen of a part.
    private struct Part {
        /// How its colours differ from skin, by the median of its texels.
        var difference: SIMD4<Float>
        /// The same in variances, squared.
        var fromSkin: Float
        /// How much the colours on both sides of its edge differ, in variances, squared: the median along the edge. Infinite where
        /// it has none.
        var step: Float
        var color: SIMD4<Float>

        /// Whether this is hair, a hat or a hood.
        var isHair: Bool {
            let (light, red) = (difference.x, difference.y)
            if light > 0 { return step >= 3 && fromSkin >= 18 }
            // Coloured light changes the colours and not the brightness.
            if red < -0.06 { return fromSkin >= 11 && light < -0.2 }
            if red < 0.05 { return step >= 2.5 && fromSkin >= 15 }
            return step >= 4 && fromSkin >= 18 || step >= 2 && fromSkin >= 60
        }
    }

    /// Fewer texels of a part are no evidence, and fewer of its edge are none.
    private static let (fewestTexels, fewestOfEdge) = (12, 4)
    /// Texels that are turned farther aside say nothing.
    private static let leastVisibility: Float = 0.3
    /// The edge is blurred: so many texels to both sides are compared, and at least so many of each side.
    private static let (reach, fewestOfSide) = (2, 4)
    /// Parts beside hair that are as similar to it, in variances, squared, are hair.
    private static let mostUnlike: Float = 1.5
    /// Skin in shadow is redder by at least so much, and darker by up to such a share of the hair's darkness.
    private static let shade: (red: Float, share: Float) = (0.03, 0.75)

    /// - Parameter candidate: of each texel: whether it may be hair, and comes in over the outline.
    init(_ candidate: [Bool], _ evidence: HairEvidence, _ hair: HairTexels) {
        let edge = Self.edge(candidate, evidence, hair)
        let parts = (0..<HairTexels.partCount).map { part -> Part? in
            let seen = candidate.indices.filter {
                candidate[$0] && hair.part[$0] == part && evidence.visibility[$0] > Self.leastVisibility
            }
            guard seen.count >= Self.fewestTexels else { return nil }
            let steps = edge.filter { hair.part[$0.index] == part }.map(\.step).sorted()
            return Part(
                difference: .median(seen.map { evidence.differences[$0] }),
                fromSkin: seen.map { evidence.fromSkin[$0] }.sorted()[seen.count / 2],
                step: steps.count >= Self.fewestOfEdge ? steps[steps.count / 2] : .infinity,
                color: .median(seen.map { evidence.colors[$0] }))
        }
        isHair = parts.map { $0?.isHair ?? false }
        lightness = parts.map { $0?.difference.x }
        // From the temples to the forehead, and from there to the other temple.
        for _ in 1..<parts.count {
            for (part, other) in [(0, 1), (1, 0), (1, 2), (2, 1)] where isHair[other] && !isHair[part] {
                guard let next = parts[other] else { continue }
                guard let one = parts[part] else {
                    // On the far side of a turned head, a temple is hardly seen: what resembles hair there continues it.
                    isHair[part] = true
                    continue
                }
                guard one.difference.x < 0 else { continue }
                isHair[part] = HairEvidence.unlikeness(one.color, next.color) < Self.mostUnlike
            }
        }
    }

    /// Whether what may be hair in a part is taken for skin, and is darker than skin: it may still be hair in the shadow of the
    /// head. What shines on a scalp is not.
    func isDoubted(_ part: Int) -> Bool { !isHair[part] && (lightness[part] ?? 0) < 0 }

    /// Whether a colour of a part is rather that of skin in the hair's shadow.
    /// - Parameter difference: from skin in the light on the face.
    func isShade(_ difference: SIMD4<Float>, in part: Int) -> Bool {
        guard let lightness = lightness[part], lightness < 0 else { return false }
        return difference.y > Self.shade.red && difference.x < 0 && difference.x > Self.shade.share * lightness
    }

    /// The texels of the edge, except along brows and eyes, with the difference of the colours on its sides.
    private static func edge(
        _ candidate: [Bool], _ evidence: HairEvidence, _ hair: HairTexels
    ) -> [(index: Int, step: Float)] {
        let (width, height) = (CanonicalTexels.width, CanonicalTexels.height)
        let isFree = candidate.indices.map { !candidate[$0] && evidence.visibility[$0] > leastVisibility }
        let isNearFree = TexelGrid.dilated(isFree)
        let precision = 1 / (SkinLook.spread * SkinLook.spread)
        return hair.texels.inside.compactMap { texel in
            let index = texel.index
            guard candidate[index], isNearFree[index], evidence.visibility[index] > leastVisibility,
                !hair.isBrowOrEye[index]
            else { return nil }
            var (covered, free) = ((sum: SIMD4<Float>.zero, count: Float(0)), (sum: SIMD4<Float>.zero, count: Float(0)))
            let (x, y) = (index % width, index / width)
            for row in max(0, y - reach)...min(height - 1, y + reach) {
                for column in max(0, x - reach)...min(width - 1, x + reach) {
                    let other = row * width + column
                    if candidate[other], hair.texels.depth[other] > 0 {
                        covered.sum += evidence.colors[other]
                        covered.count += 1
                    } else if isFree[other] {
                        free.sum += evidence.colors[other]
                        free.count += 1
                    }
                }
            }
            guard covered.count >= Float(fewestOfSide), free.count >= Float(fewestOfSide) else { return nil }
            let step = covered.sum / covered.count - free.sum / free.count
            return (index, (step * step * precision).sum() / evidence.scale)
        }
    }
}
