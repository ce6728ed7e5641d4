import Glibc

/// A movement of nodes and morph targets, from the first of its keys to the last.
package struct ModelAnimation: Sendable {
    /// As the file names it, or its number, from 0 on.
    package let name: String
    let channels: [ModelChannel]
    /// The times of the first and the last key, in seconds.
    private let start: Float
    /// In seconds; 0: a single pose.
    package let length: Float

    init(name: String, channels: [ModelChannel]) {
        self.name = name
        self.channels = channels
        start = channels.map { $0.sampler.times[0] }.min() ?? 0
        let end = channels.compactMap(\.sampler.times.last).max() ?? 0
        length = max(0, end - start)
    }

    /// The time of a place between the first key (0) and the last (1).
    package func seconds(at position: Float) -> Float { start + min(1, max(0, position)) * length }

    /// The time in an endless loop.
    package func seconds(looping seconds: Double) -> Float {
        guard length > 0 else { return start }
        let rest = seconds.truncatingRemainder(dividingBy: Double(length))
        return start + Float(rest < 0 ? rest + Double(length) : rest)
    }
}

/// The changes that an animation makes to one node.
struct ModelChannel: Sendable {
    enum Target: String, Sendable { case translation, rotation, scale, weights }

    /// In `ModelRig.nodes`.
    let node: Int
    let target: Target
    let sampler: KeyframeSampler
}

/// Values between the keys of an animation (glTF 2.0, appendix C). Before the first key and after the last, they rest.
struct KeyframeSampler: Sendable {
    enum Interpolation: String, Sendable {
        case step = "STEP"
        case linear = "LINEAR"
        case cubicSpline = "CUBICSPLINE"
    }

    let interpolation: Interpolation
    /// In seconds; at least one, each later than the one before it.
    let times: [Float]
    /// The count of numbers of one value.
    let columns: Int
    /// One value for each key; for splines three: the tangent before the key, the value, and the tangent after it.
    let values: [Float]

    /// Where a time lies.
    struct Place {
        /// The key before it, or the first one.
        let key: Int
        /// From this key (0) to the next (1).
        let share: Float
        /// The time between both keys, in seconds.
        let interval: Float
    }

    func place(at seconds: Float) -> Place {
        // The first key after the time.
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] > seconds { high = middle } else { low = middle + 1 }
        }
        guard low > 0, low < times.count else { return Place(key: max(0, low - 1), share: 0, interval: 0) }
        let interval = times[low] - times[low - 1]
        return Place(key: low - 1, share: (seconds - times[low - 1]) / interval, interval: interval)
    }

    /// One number of the value.
    func number(_ column: Int, at place: Place) -> Float {
        func stored(_ row: Int) -> Float { values[row * columns + column] }
        let (key, t) = (place.key, place.share)
        switch interpolation {
        case .step: return stored(key)
        case .linear: return t == 0 ? stored(key) : stored(key) + t * (stored(key + 1) - stored(key))
        case .cubicSpline:
            guard t != 0 else { return stored(3 * key + 1) }
            let (square, cube) = (t * t, t * t * t)
            let values =
                (2 * cube - 3 * square + 1) * stored(3 * key + 1)
                + (3 * square - 2 * cube) * stored(3 * key + 4)
            let tangents = (cube - 2 * square + t) * stored(3 * key + 2) + (cube - square) * stored(3 * key + 3)
            return values + place.interval * tangents
        }
    }

    func vector(at place: Place) -> SIMD3<Float> {
        SIMD3(number(0, at: place), number(1, at: place), number(2, at: place))
    }

    /// A unit quaternion.
    func rotation(at place: Place) -> SIMD4<Float> {
        if interpolation == .linear, place.share > 0 {
            func stored(_ key: Int) -> SIMD4<Float> {
                SIMD4(values[4 * key], values[4 * key + 1], values[4 * key + 2], values[4 * key + 3])
            }
            return Self.slerp(stored(place.key), stored(place.key + 1), place.share)
        }
        let mixed = SIMD4(
            number(0, at: place), number(1, at: place), number(2, at: place), number(3, at: place))
        return Self.unit(mixed)
    }

    /// On the shorter way around the sphere (Shoemake, "Animating Rotation with Quaternion Curves", 1985).
    private static func slerp(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
        var cosine = (a * b).sum()
        let end = cosine < 0 ? -b : b
        cosine = abs(cosine)
        guard cosine < 0.9995 else { return unit(a + share * (end - a)) }
        let angle = acos(cosine)
        return unit((sin((1 - share) * angle) * a + sin(share * angle) * end) / sin(angle))
    }

    private static func unit(_ quaternion: SIMD4<Float>) -> SIMD4<Float> {
        let length = (quaternion * quaternion).sum().squareRoot()
        return length > 1e-6 && length.isFinite ? quaternion / length : SIMD4(0, 0, 0, 1)
    }
}
