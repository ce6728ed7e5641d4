/// Levels in decibels as a loudness from 0 to 1, on a scale that adapts: its lower end follows the quietest of the last 6
/// seconds, as noise is estimated by minimum statistics (R. Martin, doi:10.1109/89.928915), its upper end the loudest of
/// the last 10. So the same performance has the same loudness from near and from far, and a fan has none.
struct LoudnessScale {
    /// Levels are added so often per second, roughly.
    static let updates = 200
    /// Assumed before something has been heard, in dB below full scale. It holds for 2 seconds.
    private static let assumed: (floor: Float, ceiling: Float) = (-60, -20)
    /// Nothing is quieter than this counts as loud, in dB.
    private static let lowestCeiling: Float = -60
    /// The largest range between floor and ceiling, in dB.
    private static let largestRange: Float = 50
    /// The smallest, in dB: a steady noise that wavers is not blown up.
    private static let smallestRange: Float = 12
    /// A noise wavers by less, in dB.
    private static let margin: Float = 3
    /// The loudest sound comes so near to 1, in dB: what becomes louder has room.
    private static let headroom: Float = 2
    /// How fast the ends follow when their old values are no longer among the last ones, in dB per second.
    private static let speeds: (floor: Float, ceiling: Float) = (12, 6)

    /// Extremes of half seconds, in a ring.
    private var minima = InlineArray<12, Float>(repeating: .infinity)
    private var maxima = InlineArray<20, Float>(repeating: -.infinity)
    private var current: (minimum: Float, maximum: Float) = (.infinity, -.infinity)
    private var count = 0
    private var floor = Self.assumed.floor
    private var ceiling = Self.assumed.ceiling

    /// Both ends of the scale, in dB.
    private var ends: (floor: Float, ceiling: Float) {
        let ceiling = max(ceiling, Self.lowestCeiling)
        return (max(floor, ceiling - Self.largestRange), ceiling)
    }

    /// How far the last level that was added is above the floor, in dB.
    private(set) var height: Float = 0

    /// - Parameter level: of the last 50 ms, in dB.
    /// - Returns: its loudness, 0 to 1.
    mutating func add(_ level: Float) -> Float {
        note(level)
        let (floor, ceiling) = ends
        height = level - floor
        let range = max(ceiling + Self.headroom - floor - Self.margin, Self.smallestRange)
        return min(1, max(0, (height - Self.margin) / range))
    }

    private mutating func note(_ level: Float) {
        let half = Self.updates / 2
        current = (min(current.minimum, level), max(current.maximum, level))
        count += 1
        if count % half == 0 {
            minima[count / half % minima.count] = current.minimum
            maxima[count / half % maxima.count] = current.maximum
            current = (.infinity, -.infinity)
        }
        let isNew = count < 4 * half
        var (lowest, highest) = isNew ? Self.assumed : (current.minimum, current.maximum)
        for index in minima.indices { lowest = min(lowest, minima[index]) }
        for index in maxima.indices { highest = max(highest, maxima[index]) }
        lowest = min(lowest, current.minimum)
        highest = max(highest, current.maximum)
        floor = min(lowest, floor + Self.speeds.floor / Float(Self.updates))
        ceiling = max(highest, ceiling - Self.speeds.ceiling / Float(Self.updates))
    }
}
