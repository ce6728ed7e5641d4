import FaceGeometry
import JSON

/// What somebody's face did for some seconds, as the signals that masks react to: a drawn head can do it again.
package struct Performance: Equatable, Sendable {
    private struct Moment: Equatable, Sendable {
        /// Since the first one.
        let seconds: Float
        let signals: ExpressionSignals
    }

    /// In the order of time; the first one at 0.
    private var moments: [Moment] = []
    /// The time of the first one in its source.
    private var start = 0.0

    /// In seconds.
    package static let longest: Float = 20
    private static let mostMoments = 1200
    /// Between two moments, in seconds.
    private static let shortestStep: Float = 0.005
    private static let version = 1

    package init() {}

    /// From the first moment to the last, in seconds.
    package var seconds: Float { moments.last?.seconds ?? 0 }
    /// Whether nothing more is added.
    package private(set) var isFull = false
    /// Whether there is something to see.
    package var canBePlayed: Bool { moments.count > 1 }

    /// - Parameter time: in seconds of the source; moments that are hardly later than the last one, or earlier, are left out.
    package mutating func add(_ signals: ExpressionSignals, at time: Double) {
        if moments.isEmpty { start = time }
        let seconds = Float(time - start)
        guard !isFull, seconds.isFinite, moments.last.map({ seconds - $0.seconds > Self.shortestStep }) ?? true else {
            return
        }
        if seconds <= Self.longest { moments.append(Moment(seconds: seconds, signals: signals)) }
        isFull = seconds >= Self.longest || moments.count == Self.mostMoments
    }

    /// The signals at a time in seconds, between those of the nearest moments; at rest without any.
    package func signals(at time: Float) -> ExpressionSignals {
        guard let first = moments.first, let last = moments.last else { return ExpressionSignals() }
        guard time > first.seconds else { return first.signals }
        guard time < last.seconds else { return last.signals }
        // The first moment that is later.
        var (low, high) = (0, moments.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if moments[middle].seconds > time { high = middle } else { low = middle + 1 }
        }
        let (before, after) = (moments[low - 1], moments[low])
        let share = (time - before.seconds) / (after.seconds - before.seconds)
        var signals = ExpressionSignals()
        for name in ExpressionSignals.Name.allCases {
            signals[name] = before.signals[name] + share * (after.signals[name] - before.signals[name])
        }
        return signals
    }

    // MARK: File

    /// Nil unless it is what `json` writes: up to 20 s and 1200 moments, in order.
    package init?(_ json: JSONValue) {
        guard json["version"] == .integer(Self.version) else { return nil }
        func numbers(_ value: JSONValue?) -> [Float]? {
            guard case .array(let elements)? = value, (2...Self.mostMoments).contains(elements.count) else {
                return nil
            }
            let numbers = elements.compactMap { $0.number.map { Float($0) } }
            return numbers.count == elements.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
        }
        guard let times = numbers(json["seconds"]), times[0] == 0, times.last.map({ $0 <= Self.longest }) == true,
            zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        var signals = [ExpressionSignals](repeating: ExpressionSignals(), count: times.count)
        for name in ExpressionSignals.Name.allCases {
            guard let values = numbers(json["signals"]?[name.rawValue]), values.count == times.count else { return nil }
            for (index, value) in values.enumerated() { signals[index][name] = max(-1, min(1, value)) }
        }
        moments = zip(times, signals).map { Moment(seconds: $0, signals: $1) }
    }

    /// Times and signals, each rounded to thousandths.
    package var json: JSONValue {
        .object([
            .init("version", .integer(Self.version)),
            .init("seconds", .array(moments.map { .rounded($0.seconds) })),
            .init(
                "signals",
                .object(
                    ExpressionSignals.Name.allCases.map { name in
                        .init(name.rawValue, .array(moments.map { .rounded($0.signals[name]) }))
                    })),
        ])
    }
}
