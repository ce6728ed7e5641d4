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
        let new = panels.pair(wording(key), old, speed: 0.005, in: range, format: "%.3f")
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
            panels.hint("Lets a facial expression, such as an open mouth, or a sound change it")
        } else {
            chosen = panels.list(label, signals, signal)
        }
        func numbers(_ key: String, _ rest: (Float, Float)) -> (Float, Float) {
            let numbers = value?[key]?.elements.compactMap(\.number).map { Float($0) } ?? []
            return numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        }
        let from = numbers("from", (0, 1))
        let to = numbers("to", (max(0, range.lowerBound), range.upperBound))
        if chosen != signal {
            return set(
                chosen.isEmpty ? .rounded(to.0) : Self.driven(value, by: chosen, in: range, rest: rest))
        }
        guard !signal.isEmpty, let value else { return }
        panels.indented(12) {
            let newFrom = panels.pair("signal##\(label)", from, speed: 0.005, in: -1...1, format: "%.2f")
            panels.hint("Two values of the signal: that of a face at rest, often 0, and another one")
            let newTo = panels.pair("becomes##\(label)", to, speed: 0.005, in: range, format: "%.2f")
            panels.hint("The values of \(label.lowercased()) at these two; between them it follows")
            guard newFrom != from || newTo != to, newFrom.0 < newFrom.1 else { return }
            var new = value
            new["from"] = .array([.rounded(newFrom.0), .rounded(newFrom.1)])
            new["to"] = .array([.rounded(newTo.0), .rounded(newTo.1)])
            set(new)
        }
    }

    /// A value that a signal drives. One that was fixed stays what it is while the face is at rest.
    private static func driven(
        _ value: JSONValue?, by signal: String, in range: ClosedRange<Float>, rest: Float
    ) -> JSONValue {
        if var driven = value, driven["by"] != nil {
            driven["by"] = .string(signal)
            return driven
        }
        let start = value?.number.map { Float($0) } ?? rest
        let least = max(0, range.lowerBound)
        let end = start > (least + range.upperBound) / 2 ? least : range.upperBound
        return .object(["by": .string(signal), "to": .array([.rounded(start), .rounded(end)])])
    }
}
