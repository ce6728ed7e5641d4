import FaceGeometry

/// The appearance of one person's face: for each texel a mean colour and how much it varies, in the light in which the
/// face was first seen. Learnt slowly, and only where nothing occludes the face.
struct LearntFace {
    private(set) var mean: [SIMD4<Float>] = []
    /// Variances.
    private(set) var spread: [SIMD4<Float>]
    private(set) var frames = 0
    /// How long the face has been learnt.
    private(set) var seconds: Float = 0
    private var circumstances = Circumstances()

    /// How long a face takes to be known, in seconds and frames.
    private static let knownAfter: (seconds: Float, frames: Int) = (0.4, 8)
    /// Colours change in this time, in seconds.
    private static let memory: Float = 4
    /// Least standard deviations: noise of the sensor, compression, errors of the landmarks.
    private static let noise = SIMD4<Float>(0.06, 0.035, 0.035, 1)
    /// Standard deviations where expression moves the skin most, before it has been seen.
    private static let expression = SIMD4<Float>(0.22, 0.10, 0.10, 0)
    /// Standard deviations anywhere, before much has been seen.
    private static let start = SIMD4<Float>(0.10, 0.05, 0.05, 0)

    init() { spread = [SIMD4<Float>](repeating: .zero, count: CanonicalTexels.count) }

    var isEmpty: Bool { mean.isEmpty }
    var isKnown: Bool { seconds > Self.knownAfter.seconds && frames > Self.knownAfter.frames }

    /// How unlike those learnt the pose and expression of a face are.
    func novelty(of instance: FaceInstance) -> Novelty { circumstances.novelty(of: instance) }

    /// - Parameter variances: gets those of the texels inside the mesh, in their order; its memory is kept.
    func variances(_ texels: CanonicalTexels, _ novelty: Novelty, into variances: inout [SIMD4<Float>]) {
        let floor = Self.noise * Self.noise
        let (expression, start) = (Self.expression * Self.expression, Self.start * Self.start)
        let count = Float(frames)
        // What a face has not done for a while, it may do again.
        let (expressionWeight, startWeight) = (30 / (30 + 0.2 * min(100, count)), 30 / (30 + count))
        let width = CanonicalTexels.width
        variances.removeAll(keepingCapacity: true)
        for texel in texels.inside {
            let index = texel.index
            // Near an edge of the face, the slightest error of the landmarks makes a difference.
            let last = mean.count - 1
            let across = (mean[min(last, index + 1)] - mean[max(0, index - 1)]) / 2
            let down = (mean[min(last, index + width)] - mean[max(0, index - width)]) / 2
            let expressiveness = texels.expressiveness[index]
            var variance = spread[index] + floor + across * across + down * down
            variance += expressiveness * expressiveness * expressionWeight * expression + startWeight * start
            variances.append(
                variance * (novelty.poseFactor * (1 + (novelty.expressionFactor - 1) * texels.isLower[index])))
        }
    }

    /// - Parameter colors: of the texels inside the mesh, in their order.
    mutating func begin(_ colors: [SIMD4<Float>], _ texels: CanonicalTexels, _ instance: FaceInstance) {
        mean = [SIMD4<Float>](repeating: .zero, count: CanonicalTexels.count)
        for (texel, color) in zip(texels.inside, colors) { mean[texel.index] = color }
        // What is outside has the colour of its neighbour inside, so that edges of the mesh are no edges of the face.
        for texel in texels.inside {
            TexelGrid.forEachNeighbour(of: texel.index, diagonal: false) { neighbour in
                if texels.depth[neighbour] == 0 { mean[neighbour] = mean[texel.index] }
            }
        }
        circumstances = Circumstances(instance)
        frames = 1
    }

    /// - Parameters:
    ///   - differences: of the texels inside the mesh from what is learnt, without the light.
    ///   - weights: of these texels, 0…1.
    ///   - instance: nil: it is occluded, so its pose and expression are not exact.
    ///   - elapsed: since the last frame, in seconds.
    mutating func learn(
        _ differences: [SIMD4<Float>], weights: [Float], _ texels: CanonicalTexels, _ instance: FaceInstance?,
        elapsed: Float
    ) {
        let rate = max(1 / Float(frames + 1), elapsed / Self.memory)
        for (place, texel) in texels.inside.enumerated() where weights[place] > 0 {
            let share = min(1, rate * weights[place])
            let difference = differences[place]
            let square = difference * difference
            let known = spread[texel.index]
            // Learnt fast, forgotten slowly.
            let shares = SIMD4(repeating: 0.2 * share).replacing(with: share, where: square .> known)
            spread[texel.index] = (1 - shares) * known + shares * (1 - share) * square
            mean[texel.index] += share * difference
        }
        frames += 1
        seconds += elapsed
        guard let instance else { return }
        circumstances.learn(instance, share: max(1 / Float(frames), elapsed / (2 * Self.memory)), elapsed: elapsed)
    }
}

/// How unlike what has been seen a face is for reasons of its own: then differences are no sign of an occluder.
struct Novelty {
    /// Of all variances.
    var poseFactor: Float
    /// Of the variances below the cheeks.
    let expressionFactor: Float
    /// Whether the head is turned as it has hardly been seen, or turns fast.
    let isTurned: Bool
}

/// Mean and variance of the pose, and of the opening of the mouth and the smile.
private struct Circumstances {
    /// Yaw, pitch, half of the roll, mouth, smile.
    private var mean = SIMD8<Float>.zero
    private var variance = SIMD8<Float>(0.0009, 0.0009, 0.0009, 0.01, 0.01, 1, 1, 1)
    /// The values of the last moments.
    private var recent = SIMD8<Float>.zero

    /// Of `recent`, in seconds.
    private static let moment: Float = 0.15

    init() {}

    init(_ instance: FaceInstance) {
        mean = Self.values(instance)
        recent = mean
    }

    private static func values(_ instance: FaceInstance) -> SIMD8<Float> {
        let pose = instance.face.pose
        let values = SIMD8<Float>(
            pose.yaw, pose.pitch, pose.roll / 2, instance.signals[.mouthOpening], instance.signals[.smile], 0, 0, 0)
        // A face whose landmarks are nowhere has no pose.
        return values.replacing(with: 0, where: values .!= values)
    }

    func novelty(of instance: FaceInstance) -> Novelty {
        let values = Self.values(instance)
        let difference = values - mean
        let distance = (difference * difference).squareRoot() - variance.squareRoot()
        let pose = max(0, distance[0], distance[1], distance[2])
        let expression = max(0, distance[3], distance[4])
        let turn = values - recent
        let isTurning = max(abs(turn[0]), abs(turn[1]), abs(turn[2])) > 0.08
        return Novelty(
            poseFactor: 1 + (pose / 0.15) * (pose / 0.15),
            expressionFactor: 1 + min(2, (expression / 0.25) * (expression / 0.25)),
            isTurned: pose > 0.22 || isTurning)
    }

    mutating func learn(_ instance: FaceInstance, share: Float, elapsed: Float) {
        let values = Self.values(instance)
        recent += min(1, elapsed / Self.moment) * (values - recent)
        let difference = values - mean
        variance = (1 - share) * (variance + share * difference * difference)
        mean += share * difference
    }
}
