import Display
import FaceGeometry
import JSON
import MaskAuthoring

/// Controls for the values of keys. A value that equals the default is not written to the manifest.
extension LayerPanel {
    /// - Parameter rest: the value if the key is absent; nil: the key is required.
    func slider(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float?, _ panels: Panels
    ) {
        let old = value?.number.map { Float($0) } ?? rest ?? range.lowerBound
        let new = panels.slider(key, old, in: range, format: range.upperBound > 100 ? "%.0f" : "%.3f")
        if let text = explanations[key] { panels.hint(text) }
        if new != old { package.setSelected(key, new == rest ? nil : .rounded(new)) }
    }

    func pair(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: (Float, Float), _ panels: Panels
    ) {
        let numbers = value?.elements.compactMap(\.number).map { Float($0) } ?? []
        let old = numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        let new = panels.pair(key, old, speed: 0.005, in: range, format: "%.3f")
        if let text = explanations[key] { panels.hint(text) }
        if new != old {
            package.setSelected(key, new == rest ? nil : .array([.rounded(new.0), .rounded(new.1)]))
        }
    }

    /// Three numbers with a slider each; all 0 is the default.
    func triple(
        _ key: String, _ labels: [String], _ value: JSONValue?, in range: ClosedRange<Float>, _ panels: Panels
    ) {
        let numbers = value?.elements.compactMap(\.number).map { Float($0) } ?? []
        let old = numbers.count == 3 ? numbers : [0, 0, 0]
        var new = old
        for (index, label) in labels.enumerated() {
            new[index] = panels.slider(label, old[index], in: range, format: range.upperBound > 100 ? "%.1f" : "%.3f")
        }
        if new != old { package.setSelected(key, new == [0, 0, 0] ? nil : .array(new.map { .rounded($0) })) }
    }

    func driven(
        _ key: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float, _ panels: Panels
    ) {
        drivenValue(key, value, in: range, rest: rest, panels) {
            package.setSelected(key, $0 == .number(Double(rest)) ? nil : $0)
        }
    }

    /// A number, or the signal that drives it.
    func drivenValue(
        _ label: String, _ value: JSONValue?, in range: ClosedRange<Float>, rest: Float, _ panels: Panels,
        set: (JSONValue) -> Void
    ) {
        let signal = value?["by"]?.string ?? ""
        if signal.isEmpty {
            let old = value?.number.map { Float($0) } ?? rest
            let new = panels.slider(label, old, in: range, format: "%.2f")
            if new != old { set(.rounded(new)) }
            panels.sameLine()
        }
        let signals =
            [("Fixed", "")]
            + ExpressionSignals.Name.allCases.map { ("By \(wording($0.rawValue).lowercased())", $0.rawValue) }
        var chosen = signal
        if signal.isEmpty {
            if panels.button("drive##\(label)") { chosen = ExpressionSignals.Name.mouthOpening.rawValue }
            panels.hint("Follow a facial expression, such as an open mouth, or a sound")
        } else {
            chosen = panels.list(label, signals, signal)
        }
        if chosen != signal {
            guard !chosen.isEmpty, signal.isEmpty else {
                return set(chosen.isEmpty ? .number(Double(rest)) : .object(["by": .string(chosen)]))
            }
            // The look stays until the user says what becomes of it.
            let now = JSONValue.rounded(value?.number.map { Float($0) } ?? rest)
            return set(.object(["by": .string(chosen), "to": .array([now, now])]))
        }
        guard !signal.isEmpty, let value else { return }
        func numbers(_ key: String, _ rest: (Float, Float)) -> (Float, Float) {
            let numbers = value[key]?.elements.compactMap(\.number).map { Float($0) } ?? []
            return numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        }
        let from = numbers("from", (0, 1))
        let to = numbers("to", (max(0, range.lowerBound), range.upperBound))
        panels.indented(12) {
            let newFrom = panels.pair("from##\(label)", from, speed: 0.005, in: -1...1, format: "%.2f")
            let newTo = panels.pair("to##\(label)", to, speed: 0.005, in: range, format: "%.2f")
            guard newFrom != from || newTo != to, newFrom.0 < newFrom.1 else { return }
            var new = value
            new["from"] = .array([.rounded(newFrom.0), .rounded(newFrom.1)])
            new["to"] = .array([.rounded(newTo.0), .rounded(newTo.1)])
            set(new)
        }
    }
}
