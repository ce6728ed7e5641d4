import Glibc

/// The landmarks of a face in one frame as they were found, before any smoothing.
package struct LandmarkMeasurement: Equatable, Sendable {
    /// Flow and landmark model together: steady, but a little late where both disagree.
    package var fused: Landmarks
    /// The landmark model alone: trembling, but never late.
    package var observed: Landmarks

    package init(fused: Landmarks, observed: Landmarks) {
        self.fused = fused
        self.observed = observed
    }
}

/// Smooths a recorded track with what comes before and after each frame alike: no lag.
///
/// Two Gaussians are at work. A short one takes the trembling from what flow and model together found. What that lacks
/// of the model's own landmarks on average over a longer time, seen from both sides, is added: so the little that the
/// fused landmarks are late disappears, and the model's trembling does not come back.
package enum ZeroPhaseSmoothing {
    /// Standard deviations of the Gaussians, in seconds.
    package struct Settings: Sendable {
        package var motion = 0.058
        package var expression = 0.042
        package var correction = 0.12

        package init() {}
    }

    /// - Parameters:
    ///   - track: the measurements of one face with their times in seconds, in order of time, without a cut in between.
    /// - Returns: as many landmarks.
    package static func smooth(
        _ track: [(seconds: Double, measurement: LandmarkMeasurement)], mean: MeanFace,
        settings: Settings = Settings()
    ) -> [Landmarks] {
        let fused = track.map { FaceMotion($0.measurement.fused, mean: mean) }
        let observed = track.map { FaceMotion($0.measurement.observed, mean: mean) }
        let seconds = track.map(\.seconds)
        return track.indices.map { index in
            smooth(fused, observed, seconds, at: index, window: window(around: index, seconds, settings), settings)
                ?? track[index].measurement.fused
        }
    }

    /// One frame of a track: the same as that element of the whole track's result.
    package static func smooth(
        _ track: [(seconds: Double, measurement: LandmarkMeasurement)], at index: Int, mean: MeanFace,
        settings: Settings = Settings()
    ) -> Landmarks {
        let seconds = track.map(\.seconds)
        let window = window(around: index, seconds, settings)
        let part = track[window]
        let fused = part.map { FaceMotion($0.measurement.fused, mean: mean) }
        let observed = part.map { FaceMotion($0.measurement.observed, mean: mean) }
        return smooth(
            fused, observed, Array(seconds[window]), at: index - window.lowerBound, window: 0..<window.count, settings)
            ?? track[index].measurement.fused
    }

    /// The part of the track that reaches `index`. Beside the ends of a track it shrinks on both sides alike, so that it
    /// does not lean.
    private static func window(around index: Int, _ seconds: [Double], _ settings: Settings) -> Range<Int> {
        let reach = 3 * max(settings.motion, settings.expression, settings.correction)
        var (first, last) = (index, index + 1)
        while first > 0, seconds[first - 1] >= seconds[index] - reach { first -= 1 }
        while last < seconds.count, seconds[last] <= seconds[index] + reach { last += 1 }
        let side = min(index - first, last - 1 - index)
        return index - side..<index + side + 1
    }

    private static func smooth(
        _ fused: [FaceMotion], _ observed: [FaceMotion], _ seconds: [Double], at index: Int, window: Range<Int>,
        _ settings: Settings
    ) -> Landmarks? {
        var (motion, expression, correction) = (WeightedMean(), WeightedMean(), WeightedMean())
        for other in window {
            let distance = seconds[other] - seconds[index]
            motion.add(fused[other], weight: weight(distance, settings.motion))
            expression.add(fused[other], weight: weight(distance, settings.expression))
            let correctionWeight = weight(distance, settings.correction)
            correction.add(observed[other], weight: correctionWeight)
            correction.add(fused[other], weight: -correctionWeight, total: 0)
        }
        var result = fused[index]
        result.center = motion.center + correction.center
        result.linear = motion.linear + correction.linear
        for point in result.expression.indices {
            result.expression[point] = expression.expression(point) + correction.expression(point)
        }
        return result.landmarks
    }

    private static func weight(_ distance: Double, _ deviation: Double) -> Float {
        guard deviation > 0 else { return distance == 0 ? 1 : 0 }
        return Float(exp(-distance * distance / (2 * deviation * deviation)))
    }

    private struct WeightedMean {
        private var total: Float = 0
        private var centerSum = Point.zero
        private var linearSum = Point.zero
        private var expressionSum = PerLandmark<Point>(repeating: .zero)

        /// - Parameter total: what counts towards the divisor; the weight itself unless said otherwise.
        mutating func add(_ motion: FaceMotion, weight: Float, total: Float? = nil) {
            self.total += total ?? weight
            centerSum += weight * motion.center
            linearSum += weight * motion.linear
            for point in expressionSum.indices { expressionSum[point] += weight * motion.expression[point] }
        }

        var center: Point { centerSum / total }
        var linear: Point { linearSum / total }
        func expression(_ point: Int) -> Point { expressionSum[point] / total }
    }
}
