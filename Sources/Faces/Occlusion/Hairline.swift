/// Where a region that may be hair ends on the forehead. Shadows on a bald head come in from the sides, where the skull
/// turns away from the light, and end softly; hair comes in from above, over the whole width of the forehead, and ends at an
/// edge.
struct Hairline {
    /// The share of the forehead's columns in which the region reaches the outline, 0…1.
    let share: Float
    /// How much the colours above and below the edge differ, in variances, squared: three tenths of the columns are below.
    let step: Float
    /// The same for how much the region differs from skin.
    let difference: Float
    /// The same for how much it differs from what is outside: seven tenths are below.
    let fromOutside: Float

    /// Of what counts as hair.
    private static let (leastShare, leastStep, leastDifference): (Float, Float, Float) = (0.85, 4, 16)
    /// Where the colours change over a wide strip, only a small part of the difference is near the edge.
    private static let leastSharpness: Float = 0.1
    private static let mostFromOutside: Float = 9
    /// The landmarks' error: so many texels between the outline and the region may be anything.
    private static let gap = 3
    /// In each column, in texels.
    private static let (thinnest, window) = (2, 3)

    init(_ region: [Bool], _ evidence: HairEvidence, _ hair: HairTexels) {
        let width = CanonicalTexels.width
        var (steps, differences, outsides): ([Float], [Float], [Float]) = ([], [], [])
        var deep = 0
        for (x, top) in hair.forehead {
            func index(_ y: Int) -> Int { min(y, CanonicalTexels.height - 1) * width + x }
            guard let start = (top..<top + Self.gap).first(where: { region[index($0)] }) else {
                steps.append(0)
                differences.append(0)
                continue
            }
            var end = start
            while end < CanonicalTexels.height, region[index(end)] { end += 1 }
            if end - start >= Self.thinnest { deep += 1 }
            func mean(_ rows: Range<Int>) -> SIMD4<Float> {
                rows.reduce(SIMD4<Float>.zero) { $0 + evidence.colors[index($1)] } / Float(rows.count)
            }
            // The edge itself is blurred.
            let below = mean(end + 1..<end + 1 + Self.window)
            let step = (mean(max(start, end - Self.window)..<end) - below) / HairEvidence.spread
            steps.append((step * step).sum())
            let rows = start..<end
            differences.append(rows.reduce(Float(0)) { $0 + evidence.fromSkin[index($1)] } / Float(rows.count))
            outsides.append(rows.map { evidence.fromOutside[index($0)] }.sorted()[rows.count / 2])
        }
        func quantile(_ values: [Float], _ share: Float) -> Float {
            values.isEmpty ? 0 : values.sorted()[Int(share * Float(values.count - 1))]
        }
        share = Float(deep) / Float(max(1, hair.forehead.count))
        (step, difference) = (quantile(steps, 0.3), quantile(differences, 0.3))
        fromOutside = quantile(outsides, 0.7)
    }

    var isHair: Bool {
        share >= Self.leastShare && step >= max(Self.leastStep, Self.leastSharpness * difference)
            && difference >= Self.leastDifference && fromOutside < Self.mostFromOutside
    }
}
