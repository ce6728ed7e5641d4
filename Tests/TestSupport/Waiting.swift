import Foundation

/// A condition that did not come true in time.
package struct WaitingFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// How long tests wait for a condition, in seconds, before they fail. Far longer than any condition takes on a busy
/// machine: the limit only ends tests of broken programs.
package let waitingLimit = 120.0

/// Looks at something again and again until it is as wanted. Tests call this instead of sleeping.
/// - Parameters:
///   - what: the condition in words, for the message of a failure.
///   - limit: seconds after which the test fails.
///   - pause: seconds between two looks.
///   - look: returns the present state.
/// - Returns: the first state that `isWanted` accepts.
/// - Throws: `WaitingFailure` with the condition and the last state; what the two closures throw.
@discardableResult
package func wait<State>(
    for what: String, limit: Double = waitingLimit, pause: Double = 0.05, look: () throws -> State,
    until isWanted: (State) throws -> Bool
) throws -> State {
    let start = ContinuousClock.now
    while true {
        let state = try look()
        if try isWanted(state) { return state }
        guard ContinuousClock.now - start < .seconds(limit) else {
            throw WaitingFailure("waited \(Int(limit)) s for this: \(what). Seen last: \("\(state)".prefix(1000))")
        }
        usleep(UInt32(pause * 1e6))
    }
}

/// Waits until a condition holds.
package func wait(
    for what: String, limit: Double = waitingLimit, pause: Double = 0.05, until condition: () throws -> Bool
) throws {
    try wait(for: what, limit: limit, pause: pause, look: condition) { $0 }
}
