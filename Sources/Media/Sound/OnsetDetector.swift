import Glibc

/// Finds where sounds begin: the energy of a frequency band rises within 20 ms. The sum of the rises over the bands, in
/// decibels, is compared with a threshold that follows what is usual (after E. Scheirer, "Tempo and beat analysis of
/// acoustic musical signals", doi:10.1121/1.421129; unlike there, no tempo is looked for).
struct OnsetDetector {
    /// Half of the time that energies are compared over, in hops: 20 ms.
    private static let window = 4
    /// No second onset comes for so long, in hops: 150 ms.
    private static let refractory = 30
    /// The least mean rise that counts, in dB. In four minutes of white noise none was as large.
    private static let smallestRise: Float = 3.25
    /// And how many times as large as nine tenths of the rises before it must be.
    private static let distinctness: Float = 2.5
    /// The least level above the floor, in dB.
    private static let smallestHeight: Float = 6
    /// Below this part of a band's mean energy, rises do not count.
    private static let relevance: Float = 0.05

    private let weights: SIMD8<Float>
    /// Energies of the last hops, in a ring.
    private var energies = InlineArray<8, SIMD8<Float>>(repeating: .zero)
    /// Of about two seconds.
    private var mean = SIMD8<Float>.zero
    /// The level below which nine tenths of the rises are, in dB.
    private var usualRise: Float = 1
    private var count = 0
    private var last = -Self.refractory

    init(weights: SIMD8<Float>) { self.weights = weights }

    /// - Parameters:
    ///   - energy: mean square in each band, of a hop of 5 ms.
    ///   - height: level above the floor, in dB.
    /// - Returns: whether a sound begins.
    mutating func add(_ energy: SIMD8<Float>, height: Float) -> Bool {
        energies[count % energies.count] = energy
        count += 1
        mean += (energy - mean) * 0.0025
        // What was before the first hop is unknown.
        guard count >= 2 * Self.window else { return false }
        let rise = rise()
        defer { usualRise = max(0.3, usualRise * (1 + 0.02 * (rise > usualRise ? 0.9 : -0.1))) }
        guard rise > max(Self.smallestRise, Self.distinctness * usualRise), height > Self.smallestHeight,
            count - last >= Self.refractory
        else { return false }
        last = count
        return true
    }

    /// From the four hops before the last four to the last four; mean of the bands, in dB.
    private func rise() -> Float {
        var (new, old) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for age in 0..<Self.window {
            new += energies[(count - 1 - age) % energies.count]
            old += energies[(count - 1 - age - Self.window) % energies.count]
        }
        let least = Float(Self.window) * Self.relevance * mean + 1e-12
        let ratio = (new + least) / (old + least)
        var sum: Float = 0
        for band in 0..<8 where weights[band] > 0 && ratio[band] > 1 { sum += weights[band] * 10 * log10f(ratio[band]) }
        return sum / max(weights.sum(), 1)
    }
}
