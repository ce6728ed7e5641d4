import FaceGeometry
import Glibc

/// The landmarks of one face in the frames of a clip, in picture pixels; nil in frames without a face.
package struct LandmarkTrack {
    package var frames: [Landmarks?]

    package init(_ frames: [Landmarks?] = []) { self.frames = frames }

    /// The number of frames without landmarks after the first frame with landmarks.
    package var lostFrames: Int {
        guard let first = frames.firstIndex(where: { $0 != nil }) else { return frames.count }
        return frames[first...].count { $0 == nil }
    }

    /// The median width of the landmarks' bounding box, in pixels: the unit of the other measures.
    package var width: Float? {
        let widths = frames.compactMap { $0?.bounds.width }.sorted()
        return widths.isEmpty ? nil : widths[widths.count / 2]
    }

    /// The root mean square of the landmarks' second differences over time, in pixels: how much a mask trembles. Only
    /// frames after two frames with landmarks count.
    package var jitter: Float? {
        meanSquare(of: frames.indices.dropFirst(2)) { index in
            guard let now = frames[index], let before = frames[index - 1], let first = frames[index - 2] else {
                return nil
            }
            return { now[$0] - 2 * before[$0] + first[$0] }
        }?.squareRoot()
    }

    /// The root mean square distance to another track, in pixels, over the frames that both have.
    package func distance(to other: LandmarkTrack) -> Float? {
        meanSquare(of: frames.indices) { index in
            guard let a = frames[index], let b = other.frames[index] else { return nil }
            return { a[$0] - b[$0] }
        }?.squareRoot()
    }

    /// The root mean square distance to another track under a Gaussian over time, in pixels: how far a track glides away
    /// from the other for longer than a moment.
    /// - Parameters:
    ///   - deviation: of the Gaussian, in frames.
    ///   - cuts: for each frame, whether it belongs to another scene than the frame before; nothing is averaged over a
    ///     cut.
    package func drift(from other: LandmarkTrack, deviation: Float, cuts: [Bool]) -> Float? {
        var difference = LandmarkTrack(
            zip(frames, other.frames).map { own, other in
                guard let own, let other else { return nil }
                return own.mappedWithIndex { point, place in place - other[point] }
            })
        let scenes = [0] + cuts.indices.filter { cuts[$0] && $0 > 0 } + [frames.count]
        for (start, end) in zip(scenes, scenes.dropFirst()) {
            let scene = LandmarkTrack(Array(difference.frames[start..<end]))
            difference.frames.replaceSubrange(start..<end, with: scene.zeroPhaseGaussian(deviation: deviation).frames)
        }
        let zero = Landmarks(Landmarks.Storage(repeating: .zero))
        return difference.distance(to: LandmarkTrack(frames.map { _ in zero }))
    }

    /// The delay against another track in frames, in steps of 0.1 from −2 to 6: the shift of the other track at which
    /// the mean square distance is smallest.
    package func lag(behind other: LandmarkTrack) -> Float? {
        var best: (square: Float, lag: Float)?
        for tenth in -20...60 {
            let lag = Float(tenth) / 10
            let square = meanSquare(of: frames.indices) { index in
                guard let a = frames[index], let b = other.interpolated(at: Float(index) - lag) else { return nil }
                return { a[$0] - b[$0] }
            }
            if let square, square < best?.square ?? .infinity { best = (square, lag) }
        }
        return best?.lag
    }

    /// The largest distance between the centres of the landmarks in consecutive frames with landmarks, in pixels.
    package var largestStep: Float? {
        let centers = frames.compactMap { $0?.center }
        return zip(centers.dropFirst(), centers).map { ($0 - $1).length }.max()
    }

    /// Smoothed by a Gaussian over past and future frames (deviation in frames), separately in each stretch without
    /// gaps. Beyond the ends of a stretch its first and last value are repeated.
    package func zeroPhaseGaussian(deviation: Float) -> LandmarkTrack {
        let reach = Int((4 * deviation).rounded(.up))
        let weights = (-reach...reach).map { exp(-Float($0 * $0) / (2 * deviation * deviation)) }
        let total = weights.reduce(0, +)
        var result = self
        for stretch in stretches {
            for index in stretch {
                guard let now = frames[index] else { continue }
                var sum = Landmarks.Storage(repeating: .zero)
                for (weight, offset) in zip(weights, -reach...reach) {
                    let source = min(max(index + offset, stretch.lowerBound), stretch.upperBound - 1)
                    guard let landmarks = frames[source] else { continue }
                    for point in sum.indices { sum[point] += weight / total * landmarks[point] }
                }
                result.frames[index] = now.mappedWithIndex { point, _ in sum[point] }
            }
        }
        return result
    }

    /// Runs of consecutive frames with landmarks.
    package var stretches: [Range<Int>] {
        var result: [Range<Int>] = []
        var start: Int?
        for index in frames.indices {
            if frames[index] != nil {
                start = start ?? index
            } else if let first = start {
                result.append(first..<index)
                start = nil
            }
        }
        if let start { result.append(start..<frames.count) }
        return result
    }

    private func interpolated(at position: Float) -> Landmarks? {
        let lower = Int(position.rounded(.down))
        guard frames.indices.contains(lower), let a = frames[lower] else { return nil }
        let fraction = position - Float(lower)
        if fraction < 1e-4 { return a }
        guard frames.indices.contains(lower + 1), let b = frames[lower + 1] else { return nil }
        return a.mappedWithIndex { point, value in value + fraction * (b[point] - value) }
    }

    /// The mean over frames and landmarks. Frames for which `difference` returns nil do not count.
    private func meanSquare(
        of indices: some Sequence<Int>, _ difference: (Int) -> ((Int) -> Point)?
    ) -> Float? {
        var (sum, count) = (0.0, 0)
        for index in indices {
            guard let difference = difference(index) else { continue }
            for point in 0..<Landmarks.count {
                let offset = difference(point)
                sum += Double((offset * offset).sum())
            }
            count += Landmarks.count
        }
        return count == 0 ? nil : Float(sum / Double(count))
    }
}
