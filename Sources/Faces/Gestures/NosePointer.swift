import FaceGeometry

/// A pointer that follows the direction of the nose, and clicks where it stays. It is calibrated in its first five seconds.
package struct NosePointer: Sendable {
    /// The instruction to the person.
    package enum Phase: Equatable, Sendable {
        /// Look at the middle of the window.
        case centring
        /// Turn the head to all sides.
        case ranging
        case pointing
    }

    package private(set) var phase = Phase.centring
    /// In the window, 0…1 from its left and its top; nil: not known.
    package private(set) var position: Point?
    /// How much of the phase of calibration, or of the time before a click, has passed, 0…1.
    package private(set) var progress: Float = 0

    /// How long both phases of calibration last, in seconds.
    private static let durations = (centring: 1.5, ranging: 3.5)
    /// How long the pointer stays before it clicks, in seconds, and within how much of the window.
    private static let dwell = 0.8
    private static let radius: Float = 0.035
    /// Without the face for longer, nothing is pointed at, in seconds.
    private static let longestGap = 0.5
    /// The turn and the nod that lead from the middle to an edge, in radians: the smallest, and how much of what the person
    /// has shown.
    private static let smallestReach = Point(0.12, 0.09)
    private static let comfort: Float = 0.8

    private var start: Double?
    private var last: Double?
    private var looks: [Point] = []
    private var center = Point.zero
    private var reach = Self.smallestReach
    private var filter = Self.makeFilter()
    /// Where the pointer stays, and since when; spent when it has clicked there.
    private var rest: (position: Point, since: Double, isSpent: Bool)?

    package init() {}

    /// - Parameters:
    ///   - yaw: of the head, in radians; nil: the face was not seen.
    ///   - seconds: the time of the frame.
    /// - Returns: whether the pointer clicks with this frame.
    package mutating func update(yaw: Float?, pitch: Float?, at seconds: Double) -> Bool {
        guard seconds.isFinite else { return false }
        if let last, seconds < last || seconds - last > Self.longestGap { forget() }
        guard let yaw, let pitch, yaw.isFinite, pitch.isFinite else { return false }
        let elapsed = last.map { Float(seconds - $0) } ?? 0
        last = seconds
        // To the person's left is to the left; the picture may be mirrored or not.
        let look = Point(-yaw, -pitch)
        if phase != .pointing { return calibrate(look, at: seconds) }
        let raw = (look - center) / reach
        let smooth = filter.filter(raw, seconds: elapsed)
        let place = pointwiseMin(Point(1, 1), pointwiseMax(.zero, Point(0.5, 0.5) + smooth / 2))
        position = place
        return stays(at: place, since: seconds)
    }

    private mutating func calibrate(_ look: Point, at seconds: Double) -> Bool {
        let begun = start ?? seconds
        start = begun
        let duration = phase == .centring ? Self.durations.centring : Self.durations.ranging
        if looks.count < 1000 { looks.append(look) }
        progress = Float(min(1, (seconds - begun) / duration))
        guard seconds - begun >= duration else { return false }
        if phase == .centring {
            center = Point(Self.middle(looks.map(\.x), 0.5), Self.middle(looks.map(\.y), 0.5))
            phase = .ranging
        } else {
            reach = pointwiseMax(
                Self.smallestReach, Point(farthest(\.x), farthest(\.y)) * Self.comfort)
            phase = .pointing
        }
        (looks, start, progress) = ([], nil, 0)
        return false
    }

    /// How far the person has looked to both sides of the middle, without the last tenth.
    private func farthest(_ part: KeyPath<Point, Float>) -> Float {
        let values = looks.map { $0[keyPath: part] }
        let middle = center[keyPath: part]
        return max(Self.middle(values, 0.9) - middle, middle - Self.middle(values, 0.1))
    }

    /// The value below which a fraction of the values lies.
    private static func middle(_ values: [Float], _ fraction: Float) -> Float {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(fraction * Float(sorted.count)))]
    }

    private mutating func stays(at place: Point, since seconds: Double) -> Bool {
        guard let current = rest, (place - current.position).length < Self.radius else {
            rest = (place, seconds, false)
            progress = 0
            return false
        }
        guard !current.isSpent else { return false }
        progress = Float(min(1, (seconds - current.since) / Self.dwell))
        guard progress == 1 else { return false }
        rest?.isSpent = true
        progress = 0
        return true
    }

    /// After a gap the pointer begins where the nose is then; calibration begins its phase again.
    private mutating func forget() {
        (position, rest, start, last, progress) = (nil, nil, nil, nil, 0)
        looks = []
        filter = Self.makeFilter()
    }

    private static func makeFilter() -> OneEuroFilter {
        OneEuroFilter(.init(minimumCutoff: 0.7, speedCoefficient: 1.2))
    }
}
