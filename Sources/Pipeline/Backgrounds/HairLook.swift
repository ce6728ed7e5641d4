import Glibc
import MaskComposition

/// The looks of a person's skin and hair in one light, by which cells of a picture are told apart. A look is the lightness of
/// Oklab and its two chromatic components in relation to the lightness, which light changes little.
struct HairLook {
    typealias Look = SIMD3<Float>

    /// Of the skin: the lightness counts for the tone of dyes, too.
    private(set) var skin = Look.zero
    private var skinSpread = Look(repeating: 1)
    private var tones: [(mean: Look, spread: Look)] = []

    /// Below this lightness colours are noise.
    private static let darkest: Float = 0.3
    /// Standard deviations: the least and the most of skin, and the least of a tone of hair.
    private static let leastSkin = Look(0.07, 0.028, 0.028)
    private static let mostSkin = Look(0.14, 0.05, 0.05)
    private static let leastHair = Look(0.06, 0.03, 0.03)
    /// Colours of hair: weaker ones are grey or black, stronger ones lie between the hues of auburn and blond, in radians.
    private static let (grey, most): (Float, Float) = (0.10, 0.42)
    private static let hues: ClosedRange<Float> = 0.35...1.95
    /// A tone has at least this share of what is taken for hair.
    private static let leastShare: Float = 0.07
    /// Of lightness, between what is typical above the brows and other tones.
    private static let range: Float = 0.22

    static func look(_ lab: SIMD3<Float>) -> Look {
        let divisor = max(lab.x, darkest)
        return Look(lab.x, lab.y / divisor, lab.z / divisor)
    }

    /// - Parameter looks: of a face from below the brows; eyes and lips may be among them.
    /// - Returns: false if there are too few.
    mutating func learnSkin(_ looks: inout [Look]) -> Bool {
        guard looks.count >= 30 else { return false }
        for component in 0..<3 {
            looks.sort { $0[component] < $1[component] }
            let middle = looks[looks.count / 2][component]
            // What is between the quartiles of a normal distribution is 1.35 standard deviations wide.
            let spread = (looks[looks.count * 3 / 4][component] - looks[looks.count / 4][component]) / 1.35
            skin[component] = middle
            skinSpread[component] = min(Self.mostSkin[component], max(Self.leastSkin[component], spread))
        }
        return true
    }

    /// How far a look is from skin, in variances.
    func fromSkin(_ look: Look) -> Float {
        let difference = (look - skin) / skinSpread
        return (difference * difference).sum()
    }

    /// Finds four tones of hair by k-means; those that no hair has by nature are left out.
    /// - Parameters:
    ///   - looks: of what lies around the upper face and is no skin.
    ///   - high: so many of the first ones lie above the brows, where least else is seen.
    /// - Returns: false if no tone is left.
    mutating func learnHair(_ looks: inout [Look], high: Int) -> Bool {
        tones.removeAll(keepingCapacity: true)
        guard looks.count >= 12 else { return false }
        let sure = looks[..<(high >= 12 ? high : looks.count)].map(\.x).sorted()
        let typical = sure[sure.count / 2]
        looks.sort { $0.x < $1.x }
        var means = [1, 4, 7, 9].map { looks[looks.count * $0 / 10] }
        for isLast in [false, false, false, false, true] {
            var sums = [SIMD3<Float>](repeating: .zero, count: means.count)
            var (squares, counts) = (sums, [Float](repeating: 0, count: means.count))
            for look in looks {
                var (nearest, least) = (0, Float.infinity)
                for index in means.indices {
                    let difference = (look - means[index]) / Self.leastHair
                    let distance = (difference * difference).sum()
                    if distance < least { (nearest, least) = (index, distance) }
                }
                sums[nearest] += look
                squares[nearest] += look * look
                counts[nearest] += 1
            }
            for index in means.indices where counts[index] > 0 {
                means[index] = sums[index] / counts[index]
                guard isLast, counts[index] >= Self.leastShare * Float(looks.count), Self.isNatural(means[index])
                else { continue }
                let variance = squares[index] / counts[index] - means[index] * means[index]
                let spread = pointwiseMax(variance, Self.leastHair * Self.leastHair).squareRoot()
                tones.append((means[index], spread))
            }
        }
        // What is much lighter or darker than most of it belongs to somebody else, or is worn.
        tones.removeAll { abs($0.mean.x - typical) > Self.range }
        return !tones.isEmpty
    }

    private static func isNatural(_ tone: Look) -> Bool {
        let chroma = (tone.y * tone.y + tone.z * tone.z).squareRoot()
        return chroma < grey || chroma < most && hues.contains(atan2(tone.z, tone.y))
    }

    /// How surely a look is that of hair and not of skin, 0…1; 0 for what is neither.
    /// - Parameter isSure: whether nothing but a head is expected there: dark clothes are no shadows between strands, and light
    ///   ones no highlights.
    func hair(_ look: Look, isSure: Bool) -> Float {
        var nearest = Float.infinity
        for tone in tones {
            var difference = (look - tone.mean) / tone.spread
            // It is darker between strands, and lighter on them.
            difference.x *= isSure ? 0.55 : difference.x > 0 ? 0.8 : 1
            nearest = min(nearest, (difference * difference).sum())
        }
        let skin = fromSkin(look)
        return smoothstep(0.4, 0.7, skin / (skin + nearest + 0.5)) * (1 - smoothstep(8, 22, nearest))
    }
}
