import Glibc

/// Look-ahead smoothing of a recorded track: it weights the frames before and after each frame alike, so it adds no lag.
///
/// A short Gaussian removes jitter from the fused landmarks. Then the difference between observed and fused landmarks
/// under a longer Gaussian is added: this removes the lag of the fused landmarks without bringing back the jitter of
/// the landmark model.
package enum ZeroPhaseSmoothing {
    /// Standard deviations of the Gaussians, in seconds.
    package struct Settings: Sendable {
        package var motion = 0.058
        package var expression = 0.042
        package var correction = 0.12

        package init() {}
    }

    /// - Parameters:
    ///   - track: the measurements of one face with their times in seconds, in ascending order, without a cut in between.
    /// - Returns: one set of landmarks for each measurement.
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

    /// One frame of a track: equal to that element of the result for the whole track.
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

    /// The part of the track that influences `index`. Near the ends of a track it shrinks on both sides alike, so that it
    /// stays symmetric.
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

        /// - Parameter total: added to the divisor; nil: the weight.
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
