/// Where hair beside a forehead ends. Next to it, skin lies in its shadow, and differs from the lit skin of the cheeks as
/// hair does: each row of texels is divided where the two parts differ most (Otsu's method, in colours).
struct HairSides {
    /// Of each texel: beside the forehead, and skin in the shadow of the hair outside of it.
    private(set) var isShaded = [Bool](repeating: false, count: CanonicalTexels.count)

    private let hair: HairTexels
    private let evidence: HairEvidence

    private static let (width, height) = (CanonicalTexels.width, CanonicalTexels.height)
    /// So many texels of skin beyond the hair are compared, and at least so many.
    private static let (reach, fewest) = (6, 3)
    /// Where brows leave no skin to compare with, that of so many rows above and below is.
    private static let rows = 8
    /// Edges are medians over so many rows to both sides.
    private static let calm = 2
    /// Shaded skin differs from lit skin by so small a part of what the hair outside of it does: hair is not all alike, either.
    private static let mostShaded: Float = 0.4

    /// - Parameter covered: by what may be hair, but not over brows and eyes.
    init(_ covered: [Bool], _ evidence: HairEvidence, _ hair: HairTexels) {
        (self.hair, self.evidence) = (hair, evidence)
        for isMirrored in [false, true] { add(covered, isMirrored) }
    }

    /// What comes in over the outline in one row, from its first column to the one behind its last, from the outside, with
    /// what is skin behind it.
    private struct Run {
        let columns: Range<Int>
        let skin: [SIMD4<Float>]
    }

    private mutating func add(_ covered: [Bool], _ isMirrored: Bool) {
        func index(_ x: Int, _ y: Int) -> Int { y * Self.width + (isMirrored ? Self.width - 1 - x : x) }
        let runs = (0..<Self.height).map { y in run(covered) { index($0, y) } }
        let edges = runs.enumerated().map { y, run -> Int? in
            guard let run else { return nil }
            let near = (0...Self.rows).lazy.flatMap { [y - $0, y + $0] }.filter(runs.indices.contains)
            guard let skin = near.compactMap({ runs[$0]?.skin }).first(where: { $0.count >= Self.fewest }) else {
                return nil
            }
            return edge(run.columns.map { evidence.colors[index($0, y)] }, skin) + run.columns.lowerBound
        }
        for (y, run) in runs.enumerated() {
            guard let run else { continue }
            let near = edges[max(0, y - Self.calm)...min(Self.height - 1, y + Self.calm)].compactMap(\.self).sorted()
            guard !near.isEmpty else { continue }
            let (start, edge) = (run.columns.lowerBound, min(near[near.count / 2], run.columns.upperBound))
            guard edge > start else { continue }
            let outer = (start..<edge).reduce(Float(0)) { $0 + evidence.fromSkin[index($1, y)] } / Float(edge - start)
            for place in run.columns.map({ index($0, y) }).dropFirst(edge - start)
            where evidence.fromSkin[place] < Self.mostShaded * outer { isShaded[place] = true }
        }
    }

    /// Nil where nothing comes in, or hair reaches the forehead.
    private func run(_ covered: [Bool], _ index: (Int) -> Int) -> Run? {
        let half = 0..<Self.width / 2
        guard let start = half.first(where: { covered[index($0)] }),
            let end = half.first(where: { $0 > start && !covered[index($0)] }), !hair.isForehead[index(end)]
        else { return nil }
        // Over brows and eyes hair has not been looked for yet.
        var last = end
        while last < half.upperBound, hair.isBrowOrEye[index(last)], evidence.isHair[index(last)] { last += 1 }
        let skin = (end..<min(half.upperBound, end + Self.reach)).map(index).filter {
            !hair.isBrowOrEye[$0] && !covered[$0]
        }
        return Run(columns: start..<last, skin: skin.map { evidence.colors[$0] })
    }

    /// How many of a row's colours are hair, followed by skin.
    private func edge(_ colors: [SIMD4<Float>], _ skin: [SIMD4<Float>]) -> Int {
        let scaled = (colors + skin).map { $0 / HairEvidence.spread }
        let all = scaled.reduce(SIMD4<Float>.zero, +)
        var sum = SIMD4<Float>.zero
        var best = (score: Float(0), count: colors.count)
        for count in 1...colors.count {
            sum += scaled[count - 1]
            let (outer, inner) = (Float(count), Float(scaled.count - count))
            let difference = sum / outer - (all - sum) / inner
            let score = outer * inner * (difference * difference).sum()
            if score > best.score { best = (score, count) }
        }
        return best.count
    }
}
