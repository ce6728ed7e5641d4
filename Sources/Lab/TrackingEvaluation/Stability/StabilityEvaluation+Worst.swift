extension StabilityEvaluation {
    /// For each mode, the worst value of each measure in any of several clips.
    package static func worst(of evaluations: [StabilityEvaluation]) -> [Mode] {
        var names: [String] = []
        for mode in evaluations.flatMap(\.modes) where !names.contains(mode.name) { names.append(mode.name) }
        return names.map { name in
            let modes = evaluations.flatMap { $0.modes.filter { $0.name == name } }
            func largest<Value: Comparable & ExpressibleByIntegerLiteral>(_ measure: (Mode) -> Value) -> Value {
                modes.map(measure).max() ?? 0
            }
            return Mode(
                name: name, slip: modes.compactMap(\.slip).max(),
                wholeFaceSlip: modes.compactMap(\.wholeFaceSlip).max(),
                countedPairs: modes.compactMap(\.countedPairs).min(),
                foreheadSlip: modes.compactMap(\.foreheadSlip).max(), drift: largest(\.drift),
                jitter: largest(\.jitter),
                lag: largest(\.lag), error: largest(\.error), lostFrames: largest(\.lostFrames),
                largestStep: largest(\.largestStep), identitySwitches: modes.compactMap(\.identitySwitches).max(),
                note: nil)
        }
    }
}
