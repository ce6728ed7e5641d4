import FaceGeometry

/// A number that is constant or follows an expression signal.
package struct AnimatableValue: Equatable, Sendable {
    package var constant: Float
    package var signal: ExpressionSignals.Name?
    /// The signal's range `from` is mapped linearly to `to`, and clamped beyond its ends.
    package var from: ClosedRange<Float>
    package var to: (start: Float, end: Float)

    package init(_ constant: Float) {
        self.constant = constant
        signal = nil
        from = 0...1
        to = (0, 1)
    }

    package init(by signal: ExpressionSignals.Name, from: ClosedRange<Float>, to: (start: Float, end: Float)) {
        constant = 0
        self.signal = signal
        self.from = from
        self.to = to
    }

    package func value(_ signals: ExpressionSignals) -> Float {
        guard let signal else { return constant }
        let width = from.upperBound - from.lowerBound
        let position =
            width > 0 ? (signals[signal] - from.lowerBound) / width : (signals[signal] < from.lowerBound ? 0 : 1)
        return to.start + min(1, max(0, position)) * (to.end - to.start)
    }

    package static func == (a: AnimatableValue, b: AnimatableValue) -> Bool {
        a.constant == b.constant && a.signal == b.signal && a.from == b.from && a.to == b.to
    }
}

/// The expressions during which a layer is shown.
package struct Condition: Equatable, Sendable {
    /// Shows a layer in turn `turn` (from 0) of `count` turns.
    package struct Cycle: Equatable, Sendable {
        package var count: Int
        package var turn: Int

        package init(count: Int, turn: Int) {
            self.count = count
            self.turn = turn
        }
    }

    package var needed: Expression.States
    /// None of these holds. "not eyesClosed" excludes both eyes together: one may be closed.
    package var excluded: [Expression.States]
    /// Advances with every blink.
    package var blinks: Cycle?

    package init(needed: Expression.States = [], excluded: [Expression.States] = [], blinks: Cycle? = nil) {
        self.needed = needed
        self.excluded = excluded
        self.blinks = blinks
    }

    /// The names of the conditions.
    package static let names: [(name: String, states: Expression.States)] =
        Expression.States.names.enumerated().map { ($1, Expression.States(rawValue: 1 << $0)) }
        + [("eyesClosed", .eyesClosed), ("faceFound", [])]

    package func holds(_ instance: FaceInstance) -> Bool {
        guard instance.states.isSuperset(of: needed) else { return false }
        if excluded.contains(where: instance.states.isSuperset) { return false }
        if let blinks, instance.blinks % blinks.count != blinks.turn { return false }
        return true
    }
}

/// Selects the faces that a layer is drawn on.
package enum FaceSelector: Equatable, Sendable {
    case all
    case largest
    /// Odd track IDs: the first, third, … person to appear.
    case odd
    case even
    case number(Int)
    /// An enrolled person, by name. Shown only where people are looked for, and only where it is sure who it is.
    case person(String)

    package static let names: [(name: String, choice: FaceSelector)] = [
        ("all", .all), ("largest", .largest), ("odd", .odd), ("even", .even),
    ]

    /// The prefix of a person's name.
    static let personPrefix = "person:"
    /// The longest name, in bytes of UTF-8.
    static let longestName = 100

    func includes(_ instance: FaceInstance, isLargest: Bool) -> Bool {
        switch self {
        case .all: true
        case .largest: isLargest
        case .odd: instance.trackID % 2 == 1
        case .even: instance.trackID % 2 == 0
        case .number(let number): instance.trackID == number
        case .person(let name): instance.identity == .person(name)
        }
    }
}
