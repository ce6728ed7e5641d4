import Glibc
import MaskComposition

/// The looks of a person's skin and hair in one light, by which cells of a picture are told apart. A look is the lightness of
/// Oklab and its two chromatic components in relation to the lightness, which light changes little.
struct HairLook {
    typealias Look = SIMD3<Float>

    /// Of the skin: the lightness counts for the tone of dyes, too.
    private(set) var skin = Look.zero
    private var skinSpread = Look(repeating: 1)
    /// Whether what is lighter and paler than skin may be skin.
    var mayShine = true
    /// The spread that counts, and the one that was seen.
    private var tones: [(mean: Look, spread: Look, own: Look)] = []
    /// Tones below the chin: of hair, and of what else is there.
    private var (locks, clothes): ([Look], [Look]) = ([], [])

    /// Below this lightness colours are noise.
    private static let darkest: Float = 0.3
    /// Standard deviations: the least and the most of skin, and the least of a tone of hair.
    private static let leastSkin = Look(0.07, 0.028, 0.028)
    private static let mostSkin = Look(0.14, 0.05, 0.05)
    private static let leastHair = Look(0.06, 0.03, 0.03)
    /// The least that tells a tone of clothes from one of hair, in standard deviations; from how many variances on it is one of
    /// clothes, the more, the farther half of what is there is from hair; the same of another such tone of hair.
    private static let leastClothes = Look(0.1, 0.012, 0.012)
    private static let unlike: (least: Float, most: Float, share: Float) = (3, 40, 0.14)
    private static let unlikeLocks: Float = 1.6
    /// By how much less where all of it lies where no hair is.
    private static let outside: Float = 3
    /// How many variances clothes are farther off where none are.
    private static let high: Float = 6
    /// By which tones below the chin are told apart.
    private static let fine = Look(0.06, 0.016, 0.016)
    /// Colours of hair: weaker ones are grey or black, stronger ones lie between the hues of auburn and blond, in radians.
    private static let (grey, most): (Float, Float) = (0.10, 0.42)
    private static let hues: ClosedRange<Float> = 0.35...1.95
    /// How much nearer what is lighter and paler than skin is to it.
    private static let shine: Float = 0.4
    /// A tone has at least this share of what is taken for hair.
    private static let leastShare: Float = 0.07
    /// Of lightness, between what is typical above the brows and other tones.
    private static let (range, rangeOfDark): (Float, Float) = (0.22, 0.06)

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
    /// - Parameter isShaded: whether skin may lie in shadow there, as beside the jaw.
    func fromSkin(_ look: Look, isShaded: Bool = false) -> Float {
        var difference = (look - skin) / skinSpread
        // Foreheads shine.
        if difference.x > 0 { difference.x *= 0.6 }
        // What is almost black is no shadow.
        if isShaded, difference.x < 0 { difference.x *= 1 - 0.5 * smoothstep(0.3, 0.45, look.x / max(0.01, skin.x)) }
        return (difference * difference).sum()
    }

    /// How far a look is from skin that may shine, in variances: on a bald scalp the light of a sky or a lamp is paler than skin,
    /// as white hair is. White hair that is taken for it keeps its colour.
    func fromShine(_ look: Look) -> Float { fromSkin(look) * (isPaler(look) ? Self.shine : 1) }

    /// How surely a look is not that of skin that shines, 0…1.
    func isNoShine(_ look: Look) -> Float { isPaler(look) ? smoothstep(3, 8, fromSkin(look)) : 1 }

    private func isPaler(_ look: Look) -> Bool {
        func chroma(_ look: Look) -> Float { (look.y * look.y + look.z * look.z).squareRoot() }
        return mayShine && look.x > skin.x && chroma(look) < chroma(skin)
    }

    /// Finds four tones of hair by k-means; those that no hair has by nature are left out.
    /// - Parameters:
    ///   - looks: of what lies around the upper face and is no skin.
    ///   - typical: lightnesses where least else is seen.
    /// - Returns: false if no tone is left.
    mutating func learnHair(_ looks: inout [Look], typical: inout [Float]) -> Bool {
        tones.removeAll(keepingCapacity: true)
        guard looks.count >= 12 else { return false }
        looks.sort { $0.x < $1.x }
        typical.sort()
        let middle = typical.count >= 12 ? typical[typical.count / 2] : looks[looks.count / 2].x
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
                let own = pointwiseMax(variance, .zero).squareRoot()
                tones.append((means[index], spread, own))
            }
        }
        // What is much lighter or darker than most of it belongs to somebody else, or is worn.
        let range = min(Self.range, Self.rangeOfDark + 0.6 * middle)
        tones.removeAll { abs($0.mean.x - middle) > range }
        return !tones.isEmpty
    }

    /// Finds tones of what is below the chin; those of hair are left out.
    /// - Parameter looks: of the person, and whether there is no hair in any case.
    mutating func learnClothes(_ looks: inout [(look: Look, isAside: Bool)]) {
        clothes.removeAll(keepingCapacity: true)
        locks.removeAll(keepingCapacity: true)
        guard looks.count >= 40 else { return }
        looks.sort { $0.look.x < $1.look.x }
        var means: [Look] = []
        let quarter = looks.count / 4
        for first in [0, quarter, 2 * quarter, 3 * quarter] {
            let part = looks[first..<first + quarter]
            let middle = part.reduce(Look.zero) { $0 + $1.look } / Float(quarter)
            // Two tones of the same lightness.
            var far = middle
            for (look, _) in part where Self.distance(look, middle) > Self.distance(far, middle) { far = look }
            means.append(middle + 0.5 * (far - middle))
            means.append(middle - 0.5 * (far - middle))
        }
        var (sums, counts) = ([Look](repeating: .zero, count: means.count), [Float](repeating: 0, count: means.count))
        var aside = counts
        for _ in 0..<5 {
            for index in means.indices { (sums[index], counts[index], aside[index]) = (.zero, 0, 0) }
            for (look, isAside) in looks {
                var (nearest, least) = (0, Float.infinity)
                for index in means.indices {
                    let distance = Self.distance(look, means[index])
                    if distance < least { (nearest, least) = (index, distance) }
                }
                sums[nearest] += look
                counts[nearest] += 1
                if isAside { aside[nearest] += 1 }
            }
            for index in means.indices where counts[index] > 0 { means[index] = sums[index] / counts[index] }
        }
        // Means tell finer differences than single looks do.
        func distance(_ mean: Look, _ tone: Look, _ spread: Look) -> Float {
            let difference = (mean - tone) / pointwiseMax(spread, Self.leastClothes)
            return (difference * difference).sum()
        }
        let distances = means.map { mean in
            tones.reduce(Float.infinity) { min($0, distance(mean, $1.mean, $1.own)) }
        }
        // Where clothes differ much, hair may differ a little.
        var (bulk, most) = (Float(0), Float(looks.count) / 2)
        for index in means.indices.sorted(by: { distances[$0] < distances[$1] }) where most > 0 {
            bulk = distances[index]
            most -= counts[index]
        }
        let unlike = min(Self.unlike.most, max(Self.unlike.least, Self.unlike.share * bulk))
        var others: [(mean: Look, aside: Float)] = []
        for index in means.indices where counts[index] >= 12 {
            let share = aside[index] / counts[index]
            if distances[index] < unlike * (1 - Self.outside * share) {
                locks.append(means[index])
            } else {
                others.append((means[index], share))
            }
        }
        // Hair becomes lighter or darker as it hangs down.
        for _ in 0..<2 {
            for (mean, share) in others where !locks.contains(mean) {
                let isLock = locks.contains {
                    distance(mean, $0, .zero) < Self.unlikeLocks * (1 - Self.outside * share)
                }
                if isLock { locks.append(mean) }
            }
        }
        for (mean, _) in others where !locks.contains(mean) { clothes.append(mean) }
    }

    private static func closeness(_ a: Look, _ b: Look) -> Float {
        let difference = (a - b) / fine
        return (difference * difference).sum()
    }

    private static func distance(_ a: Look, _ b: Look) -> Float {
        let difference = (a - b) / leastHair
        return (difference * difference).sum()
    }

    private static func isNatural(_ tone: Look) -> Bool {
        let chroma = (tone.y * tone.y + tone.z * tone.z).squareRoot()
        return chroma < grey || chroma < most && hues.contains(atan2(tone.z, tone.y))
    }

    /// How far a look is from hair, in variances.
    private func fromHair(_ look: Look, isSure: Bool) -> Float {
        var nearest = Float.infinity
        for tone in tones {
            // What is too dark to have a colour.
            let colour = min(1, max(0.01, min(look.x, Self.darkest)) / min(tone.mean.x, Self.darkest))
            var difference = (look - tone.mean * Look(1, colour, colour)) / tone.spread
            // It is darker between strands, and lighter on them.
            difference.x *= difference.x > 0 ? (isSure ? 0.7 : 0.8) : (isSure ? 0.55 : 1)
            nearest = min(nearest, (difference * difference).sum())
        }
        return nearest
    }

    /// How surely a look is that of hair and not of skin, 0…1; 0 for what is neither.
    /// - Parameters:
    ///   - isSure: whether nothing but a head is expected there: dark clothes are no shadows between strands, and light ones no
    ///     highlights.
    ///   - isShaded: whether skin may lie in shadow there.
    ///   - isOver: whether hair is between it and the face, where skin is seldom.
    ///   - low: how far clothes may be there, 0…1.
    func hair(_ look: Look, isSure: Bool, isShaded: Bool, isOver: Bool, low: Float) -> Float {
        var nearest = fromHair(look, isSure: isSure)
        var other = isOver ? 1.6 * fromSkin(look) + 0.5 : fromSkin(look, isShaded: isShaded)
        if low > 0 {
            for tone in locks { nearest = min(nearest, Self.closeness(look, tone)) }
            for tone in clothes { other = min(other, Self.closeness(look, tone) + Self.high * (1 - low)) }
        }
        return smoothstep(0.4, 0.7, other / (other + nearest + 0.5)) * (1 - smoothstep(8, 22, nearest))
    }
}
