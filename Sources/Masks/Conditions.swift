import FaceGeometry

/// A number that is fixed, or follows what the face does.
package struct AnimatableValue: Equatable, Sendable {
    package var constant: Float
    package var signal: ExpressionSignals.Name?
    /// What the signal's values `from` become, in straight lines; beyond them the ends hold.
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
        let share =
            width > 0 ? (signals[signal] - from.lowerBound) / width : (signals[signal] < from.lowerBound ? 0 : 1)
        return to.start + min(1, max(0, share)) * (to.end - to.start)
    }

    package static func == (a: AnimatableValue, b: AnimatableValue) -> Bool {
        a.constant == b.constant && a.signal == b.signal && a.from == b.from && a.to == b.to
    }
}

/// What a face must do for a layer to be there.
package struct Condition: Equatable, Sendable {
    /// One turn after another: the layer is there in the turn `turn` of `count`.
    package struct Cycle: Equatable, Sendable {
        package var count: Int
        package var turn: Int

        package init(count: Int, turn: Int) {
            self.count = count
            self.turn = turn
        }
    }

    package var needed: Expression.States
    package var excluded: Expression.States
    /// Moves on with every blink.
    package var blinks: Cycle?

    package init(needed: Expression.States = [], excluded: Expression.States = [], blinks: Cycle? = nil) {
        self.needed = needed
        self.excluded = excluded
        self.blinks = blinks
    }

    /// The names of what can be asked for.
    package static let names: [(name: String, states: Expression.States)] =
        Expression.States.names.enumerated().map { ($1, Expression.States(rawValue: 1 << $0)) }
        + [("eyesClosed", .eyesClosed), ("faceFound", [])]

    package func holds(_ instance: FaceInstance) -> Bool {
        guard instance.states.isSuperset(of: needed) else { return false }
        // "not eyesClosed" is that not both are.
        if !excluded.isEmpty, instance.states.isSuperset(of: excluded) { return false }
        if let blinks, instance.blinks % blinks.count != blinks.turn { return false }
        return true
    }
}

/// For whom of several people a layer is.
package enum FaceSelector: Equatable, Sendable {
    case all
    case largest
    /// The first, third, … that came in.
    case odd
    case even
    case number(Int)

    package static let names: [(name: String, choice: FaceSelector)] = [
        ("all", .all), ("largest", .largest), ("odd", .odd), ("even", .even),
    ]

    func includes(_ instance: FaceInstance, isLargest: Bool) -> Bool {
        switch self {
        case .all: true
        case .largest: isLargest
        case .odd: instance.trackID % 2 == 1
        case .even: instance.trackID % 2 == 0
        case .number(let number): instance.trackID == number
        }
    }
}
