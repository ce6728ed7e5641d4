import Glibc

/// Look-ahead smoothing of a recorded track.
///
/// The motion of the skin carries what the landmark model found in each frame to one frame, forwards and backwards in
/// time; there it is averaged. What is averaged does not move, so nothing lags and no corner of the head's motion is cut.
package enum LookAheadSmoothing {
    /// How far the average reaches into the past and into the future, in seconds.
    package static let past = 1.0
    package static let future = 0.4

    /// Standard deviations of Gaussians, in seconds: of the average, and of a shorter one, which counts for brows, lids
    /// and lips where it differs by more than `smallChange`, in widths of the face.
    private static let deviation: Float = 0.2
    private static let shortDeviation: Float = 0.042
    private static let smallChange: Float = 0.012

    /// The landmarks in one frame of a track.
    /// - Parameters:
    ///   - track: the measurements of one face with their times in seconds, in ascending order, without a cut in between.
    ///   - index: the frame.
    package static func smooth(
        _ track: [(seconds: Double, measurement: LandmarkMeasurement)], at index: Int, mean: MeanFace
    ) -> Landmarks {
        let now = track[index]
        var (long, short) = (WeightedMean(), WeightedMean())
        func add(_ landmarks: Landmarks.Storage, _ distance: Double) {
            let reach = distance / (distance > 0 ? future : past)
            let window = Float(max(0, 1 - reach * reach))
            func weight(_ deviation: Float) -> Float {
                let ratio = Float(distance) / deviation
                return window * exp(-ratio * ratio / 2)
            }
            long.add(landmarks, weight: weight(deviation))
            short.add(landmarks, weight: weight(shortDeviation))
        }
        add(Landmarks.Storage { now.measurement.observed[$0] }, 0)
        for direction in [-1, 1] {
            // From the place reached to this frame: the motion of the whole face, and what each landmark moves beyond it.
            var carry = SimilarityTransform.identity
            var own = Landmarks.Storage(repeating: .zero)
            var place = index
            while track.indices.contains(place + direction),
                let step = track[max(place, place + direction)].measurement.step
            {
                if direction > 0 { carry = carry.after(step.whole.inverse) }
                for point in own.indices { own[point] += Float(direction) * carry.turned(step.own[point]) }
                if direction < 0 { carry = carry.after(step.whole) }
                place += direction
                let distance = track[place].seconds - now.seconds
                guard distance < future, -distance < past else { break }
                let observed = track[place].measurement.observed
                add(Landmarks.Storage { carry(observed[$0]) - own[$0] }, distance)
            }
        }
        guard let slow = long.landmarks, let fast = short.landmarks else { return now.measurement.fused }
        let pose = SimilarityTransform(fitting: fast, to: slow, weights: mean.rigidWeights)
        let small = smallChange * slow.width
        return slow.mappedWithIndex { index, point in
            guard Landmarks.topology.features.contains(index) else { return point }
            let change = pose(fast[index]) - point
            let ratio = (change * change).sum() / (small * small)
            return point + ratio / (1 + ratio) * change
        }
    }

    private struct WeightedMean {
        private var total: Float = 0
        private var sums = Landmarks.Storage(repeating: .zero)

        mutating func add(_ landmarks: Landmarks.Storage, weight: Float) {
            total += weight
            for index in sums.indices { sums[index] += weight * landmarks[index] }
        }

        /// Nil if a sum is not finite.
        var landmarks: Landmarks? { Landmarks(Landmarks.Storage { sums[$0] / total }) }
    }
}
