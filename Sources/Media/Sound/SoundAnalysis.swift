import Glibc

/// Measures loudness and beats of a stream of samples. However the stream is cut into pieces, the result is the same to the
/// bit. Adding samples allocates no memory.
///
/// Every 5 ms (a hop) it looks at the last 50: their level is the larger of the root mean square and of the peak less 18
/// dB, which lets a single click count. `LoudnessScale` and `OnsetDetector` make the signals of it.
package struct SoundAnalysis: Sendable {
    /// Rates that can be analysed, in Hz.
    package static let sampleRates = 4000.0...384_000.0
    /// A signal describes the 50 ms around its time, half before and half after it, in seconds.
    package static let lookAhead = 0.025
    /// How far back signals are kept, in seconds, at least.
    package static let memory = 4.0

    private static let hopsPerSecond = 200.0
    /// In hops: 50 ms.
    private static let window = 10
    private static let peakReserve: Float = 18
    /// A beat stays at 1 for so many hops, so that a frame at 25 per second shows it whole.
    private static let hold = 8
    /// The decay of a beat in each later hop: by half in 0.1 s.
    private static let fall = powf(0.5, 1 / 20)

    /// In Hz.
    package let sampleRate: Double
    private let hopSamples: Int
    private var filters: BandFilters
    private var scale = LoudnessScale()
    private var onsets: OnsetDetector

    // The hop that has begun.
    private var position = 0
    private var squares: Float = 0
    private var peak: Float = 0
    private var energy = SIMD8<Float>.zero

    // The hops of the window, in a ring.
    private var windowSquares = InlineArray<10, Float>(repeating: 0)
    private var windowPeaks = InlineArray<10, Float>(repeating: 0)
    private var hopsSinceOnset = Int.max
    private var hops = 0
    /// The signals after each hop, in a ring.
    private var history: [SoundSignals]

    /// - Parameter sampleRate: in Hz, within `sampleRates`.
    package init(sampleRate: Double) {
        precondition(Self.sampleRates.contains(sampleRate))
        self.sampleRate = sampleRate
        hopSamples = Int((sampleRate / Self.hopsPerSecond).rounded())
        filters = BandFilters(sampleRate: Float(sampleRate))
        onsets = OnsetDetector(weights: filters.weights)
        history = [SoundSignals](
            repeating: .silence, count: Int(Self.memory * sampleRate / Double(hopSamples)) + 1)
    }

    /// How much has been added, in seconds.
    package var seconds: Double { Double(hops * hopSamples + position) / sampleRate }

    /// The highest sample of the last 50 ms, 0 to 1.
    package var windowPeak: Float { windowPeaks.reduced(max) }

    /// - Parameter samples: of one channel, −1 to 1. What is beyond counts as 1, what is no number as 0.
    package mutating func add(_ samples: Span<Float>) { for index in samples.indices { add(samples[index]) } }

    private mutating func add(_ given: Float) {
        let sample = given.isFinite ? min(1, max(-1, given)) : 0
        squares += sample * sample
        peak = max(peak, abs(sample))
        let bands = filters.next(sample)
        energy += bands * bands
        position += 1
        if position == hopSamples { endHop() }
    }

    private mutating func endHop() {
        windowSquares[hops % Self.window] = squares / Float(hopSamples)
        windowPeaks[hops % Self.window] = peak
        // The first windows are shorter. As whole ones they would count as the quietest of all.
        let meanSquare = windowSquares.reduced(+) / Float(min(hops + 1, Self.window))
        let level = max(
            10 * log10f(meanSquare + 1e-12), 20 * log10f(windowPeak + 1e-6) - Self.peakReserve)
        let loudness = scale.add(level)
        if onsets.add(energy / Float(hopSamples), height: scale.height) {
            hopsSinceOnset = 0
        } else if hopsSinceOnset < .max {
            hopsSinceOnset += 1
        }
        history[hops % history.count] = SoundSignals(loudness: loudness, beat: Self.beat(hopsSinceOnset))
        hops += 1
        (position, squares, peak, energy) = (0, 0, 0, .zero)
        filters.clearTraces()
    }

    private static func beat(_ hops: Int) -> Float {
        if hops <= hold { return 1 }
        // Too dim to be seen.
        return hops > 200 ? 0 : max(0, powf(fall, Float(hops - hold)) - 0.01)
    }

    /// The signals at a time of the stream: what has been heard up to 25 ms after it. If that has not come yet, the newest;
    /// if it is forgotten, the oldest that is known.
    /// - Parameter seconds: since the first sample.
    package func signals(at seconds: Double) -> SoundSignals {
        let wanted = ((seconds + Self.lookAhead) * sampleRate / Double(hopSamples)).rounded(.down)
        guard wanted >= 1, hops > 0 else { return .silence }
        let newest = wanted < Double(hops) ? Int(wanted) : hops
        return history[max(newest - 1, hops - history.count, 0) % history.count]
    }
}

extension InlineArray where Element == Float {
    fileprivate func reduced(_ combine: (Float, Float) -> Float) -> Float {
        var result = self[0]
        for index in 1..<count { result = combine(result, self[index]) }
        return result
    }
}
