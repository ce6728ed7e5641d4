import Glibc

/// Splits sound into six frequency bands with band-pass filters of second order, all computed at once.
///
/// The filters are those of R. Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients"
/// (band-pass with a gain of 0 dB at its centre), in transposed direct form II.
struct BandFilters {
    /// Lower and upper edges, in Hz.
    private static let edges: [(low: Float, high: Float)] = [
        (40, 160), (160, 400), (400, 1000), (1000, 2500), (2500, 6300), (6300, 14000),
    ]

    /// How much each band counts: the lowest, where drums are, twice; bands that the sample rate does not hold, nothing.
    let weights: SIMD8<Float>
    private let gain: SIMD8<Float>
    private let feedback: (SIMD8<Float>, SIMD8<Float>)
    private var state = (SIMD8<Float>.zero, SIMD8<Float>.zero)

    /// - Parameter sampleRate: in Hz.
    init(sampleRate: Float) {
        var (weights, gain) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        var feedback = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for (band, (low, high)) in Self.edges.enumerated() {
            let high = min(high, 0.45 * sampleRate)
            guard high > 1.2 * low else { continue }
            let angle = 2 * Float.pi * (low * high).squareRoot() / sampleRate
            let octaves = log2f(high / low)
            let alpha = sinf(angle) * sinhf(0.5 * logf(2) * octaves * angle / sinf(angle))
            weights[band] = band == 0 ? 2 : 1
            gain[band] = alpha / (1 + alpha)
            feedback.0[band] = -2 * cosf(angle) / (1 + alpha)
            feedback.1[band] = (1 - alpha) / (1 + alpha)
        }
        (self.weights, self.gain, self.feedback) = (weights, gain, feedback)
    }

    /// - Parameter sample: −1 to 1.
    /// - Returns: the sample in each band.
    mutating func next(_ sample: Float) -> SIMD8<Float> {
        let input = sample * gain
        let output = input + state.0
        state.0 = state.1 - feedback.0 * output
        state.1 = -input - feedback.1 * output
        return output
    }

    /// Ends what fades away after a sound: numbers near 0 are slow to compute.
    mutating func clearTraces() {
        state.0.replace(with: 0, where: (state.0 .< 1e-20) .& (state.0 .> -1e-20))
        state.1.replace(with: 0, where: (state.1 .< 1e-20) .& (state.1 .> -1e-20))
    }
}
