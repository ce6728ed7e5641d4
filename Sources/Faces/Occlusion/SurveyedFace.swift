import FaceGeometry

/// Samples of one face from its first seconds, and how it looks: for each texel the colour that most samples agree on. A
/// median would take a hand for the face if it is before it in half of the samples; but hands move, and agree with
/// themselves less than a face does.
struct SurveyedFace {
    struct Sample {
        /// Of the texels inside the mesh, in units of `unit`: half of the memory.
        let colors: [SIMD4<Int16>]
        /// Of these texels, 0…255.
        let visibility: [UInt8]
        /// Of the places outside the outline; nil where the picture has ended.
        let surroundings: [SIMD4<Float>?]
        let instance: FaceInstance
    }

    /// When the face was first seen, in seconds.
    private let begin: Double
    private(set) var samples: [Sample] = []
    /// When the next sample is taken, in seconds.
    private var next: Double
    /// Between samples, in seconds.
    private var interval = 1.0 / 30

    /// Of logarithmic colours, which lie between −4 and 6.
    static let unit: Float = 1 / 4096
    private static let duration = 10.0
    private static let (fewest, most) = (8, 48)
    /// Colours that differ by this agree.
    private static let tolerance = SIMD4<Float>(0.10, 0.06, 0.06, 1)

    init(begin: Double) { (self.begin, next) = (begin, begin) }

    /// Whether a sample is to be taken.
    func isWanted(at seconds: Double) -> Bool { seconds >= next }

    /// Whether it has been seen for long enough.
    func isComplete(at seconds: Double) -> Bool { abs(seconds - begin) > Self.duration }

    /// - Parameters:
    ///   - reader: has read the face.
    ///   - surroundings: have been read.
    mutating func add(
        _ reader: TexelReader, _ surroundings: FaceSurroundings, _ instance: FaceInstance, at seconds: Double
    ) {
        samples.append(
            Sample(
                colors: reader.colors.map { SIMD4<Int16>($0 / Self.unit) },
                visibility: reader.visibility.map { UInt8(255 * $0.limitedToUnit) },
                surroundings: zip(surroundings.colors, surroundings.isInside).map { $1 ? $0 : nil },
                instance: instance))
        if samples.count == Self.most {
            samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
            interval *= 2
        }
        next = seconds + interval * 0.999
    }

    /// Nil if there are too few samples.
    func learnt(_ texels: CanonicalTexels) -> KnownFace? {
        guard samples.count >= Self.fewest else { return nil }
        let instances = samples.map(\.instance)
        let isCovered = CoveredSamples.find(in: samples, texels)
        var free = self
        free.samples = samples.indices.filter { !isCovered[$0] }.map { samples[$0] }
        return free.agreed(texels, instances)
    }

    /// - Parameter instances: of all samples.
    private func agreed(_ texels: CanonicalTexels, _ instances: [FaceInstance]) -> KnownFace {
        let colors = samples.map { sample in sample.colors.map { Self.unit * SIMD4<Float>($0) } }
        var agreed = colors[0].indices.map { place in
            Appearance(mean: SIMD4.median(colors.map { $0[place] }), variance: Self.firstVariance)
        }
        // The light of each sample is told by the face, and the face better with the light of each sample.
        for _ in 0..<2 {
            let inOneLight = samples.indices.map { index in evened(colors[index], samples[index], agreed, texels) }
            agreed = agreed.indices.map { place in agreement(inOneLight.map { $0[place] }, place) ?? agreed[place] }
        }
        return KnownFace(
            face: LearntFace(
                means: agreed.map(\.mean), variances: agreed.map(\.variance), texels, instances,
                interval: Float(interval)),
            surroundings: FaceSurroundings(samples: samples.map(\.surroundings)))
    }

    // MARK: Steps

    private struct Appearance {
        let mean: SIMD4<Float>
        let variance: SIMD4<Float>
    }

    private static let firstVariance = SIMD4<Float>(0.0144, 0.0036, 0.0036, 1)

    /// The colours of a sample in the light of the face that all samples agree on.
    private func evened(
        _ colors: [SIMD4<Float>], _ sample: Sample, _ agreed: [Appearance], _ texels: CanonicalTexels
    ) -> [SIMD4<Float>] {
        let light = LightFit.fit(
            stride(from: 0, to: colors.count, by: 2).compactMap { place in
                let weight = texels.evidence[texels.inside[place].index] * Float(sample.visibility[place]) / 255
                guard weight > 0 else { return nil }
                return LightFit.Sample(
                    basis: texels.inside[place].lightBasis, difference: colors[place] - agreed[place].mean,
                    precision: 1 / Self.firstVariance, weight: weight)
            }, start: nil, iterations: 3)
        return colors.indices.map { colors[$0] - light.value(texels.inside[$0].lightBasis) }
    }

    /// Mean and variance of the colours of a texel about the one that most others are like.
    private func agreement(_ colors: [SIMD4<Float>], _ place: Int) -> Appearance? {
        var best: (score: Float, appearance: Appearance)?
        for middle in samples.indices where samples[middle].visibility[place] > 76 {
            var (weights, sum, squares) = (Float(0), SIMD4<Float>.zero, SIMD4<Float>.zero)
            for (index, color) in colors.enumerated() {
                let difference = color - colors[middle]
                let scaled = difference / Self.tolerance
                let likeness = 1 / (1 + (scaled * scaled).sum())
                let weight = likeness * likeness * Float(samples[index].visibility[place])
                weights += weight
                sum += weight * difference
                squares += weight * difference * difference
            }
            if weights > best?.score ?? 0 {
                let offset = sum / weights
                let variance = (squares / weights - offset * offset)
                    .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
                best = (weights, Appearance(mean: colors[middle] + offset, variance: variance))
            }
        }
        return best?.appearance
    }
}

/// How a face and what is around it look.
struct KnownFace {
    var face = LearntFace()
    var surroundings = FaceSurroundings()
}
