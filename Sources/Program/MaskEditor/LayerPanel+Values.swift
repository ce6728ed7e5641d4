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
        guard let by = value?["by"]?.string else {
            let old = value?.number.map { Float($0) } ?? rest
            let new = panels.slider(label, old, in: range, format: "%.2f")
            if new != old { set(.rounded(new)) }
            panels.sameLine()
            if panels.button("drive##\(label)") {
                set(Self.driven(value, by: ExpressionSignals.Name.mouthOpening.rawValue, in: range, rest: rest))
            }
            return panels.hint("Lets a facial expression, such as an open mouth, or a sound change it")
        }
        let signals = ExpressionSignals.Name.allCases.map {
            (label: wording($0.rawValue), value: $0.rawValue)
        }
        let chosen = panels.list("\(label) by", signals, by)
        panels.hint("What drives it. It is at rest at 0, and fully expressed at 1 or -1")
        if chosen != by { return set(Self.driven(value, by: chosen, in: range, rest: rest)) }
        guard let value else { return }
        panels.indented(12) { drawDrive(label, value, by: by, in: range, panels, set: set) }
    }

    /// What a signal drives a value from, and to, in words.
    private func drawDrive(
        _ label: String, _ value: JSONValue, by signal: String, in range: ClosedRange<Float>, _ panels: Panels,
        set: (JSONValue) -> Void
    ) {
        func numbers(_ key: String, _ rest: (Float, Float)) -> (Float, Float) {
            let numbers = value[key]?.elements.compactMap(\.number).map { Float($0) } ?? []
            return numbers.count == 2 ? (numbers[0], numbers[1]) : rest
        }
        let from = numbers("from", (0, 1))
        let to = numbers("to", (max(0, range.lowerBound), range.upperBound))
        if let meaning = ExpressionSignals.Name(rawValue: signal)?.meaning { panels.text(meaning) }
        let newFrom = panels.pair("from, to##signal\(label)", from, speed: 0.005, in: -1...1, format: "%.2f")
        panels.hint("Of what drives it. The first is usually the value at rest: 0")
        let newTo = panels.pair("\(wording(label))##value\(label)", to, speed: 0.005, in: range, format: "%.2f")
        let (low, high) = (decimal(range.lowerBound, places: 0), decimal(range.upperBound, places: 0))
        panels.hint("From \(low) to \(high)")
        func text(_ value: Float) -> String { decimal(value, places: 2) }
        panels.text(
            "At \(text(from.0)) or less, \(wording(label).lowercased()) is \(text(to.0)); at \(text(from.1)) or more, it is "
                + "\(text(to.1)). In between, it changes evenly.")
        if panels.button("stop driving##\(label)") { return set(.rounded(to.0)) }
        panels.hint("\(wording(label)) is one number again: \(decimal(to.0, places: 2))")
        guard newFrom != from || newTo != to, newFrom.0 < newFrom.1 else { return }
        var new = value
        new["from"] = .array([.rounded(newFrom.0), .rounded(newFrom.1)])
        new["to"] = .array([.rounded(newTo.0), .rounded(newTo.1)])
        set(new)
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

extension ExpressionSignals.Name {
    /// Whether it goes to both sides of rest.
    fileprivate var isSigned: Bool {
        switch self {
        case .turn, .nod, .tilt, .gazeTurn, .gazeNod: true
        default: false
        }
    }

    /// What changes, for the user.
    fileprivate var phrase: String {
        switch self {
        case .mouthOpening: "Opening of the mouth"
        case .smile: "Smile"
        case .browRaise: "Raising of the brows"
        case .rightEyeClosing: "Closing of the right eye"
        case .leftEyeClosing: "Closing of the left eye"
        case .turn: "Turn of the head"
        case .nod: "Nod of the head"
        case .tilt: "Tilt of the head"
        case .gazeTurn: "Gaze to the side"
        case .gazeNod: "Gaze up or down"
        case .loudness: "Loudness"
        case .beat: "Beat of the music"
        }
    }

    /// What its values mean, for the user.
    fileprivate var meaning: String {
        switch self {
        case .mouthOpening: "0: the mouth is closed; 1: wide open"
        case .smile: "0: at rest; 1: a broad smile"
        case .browRaise: "0: at rest; 1: raised as far as they go"
        case .rightEyeClosing, .leftEyeClosing: "0: the eye is open; 1: shut"
        case .turn: "1: the head is turned by 45° to its own left; -1: to its right"
        case .nod: "1: the head is raised by 30°; -1: lowered"
        case .tilt: "1: the head is tilted by 45°, clockwise in the picture; -1: the other way"
        case .gazeTurn: "1: the eyes look by 30° to the person's own left; -1: to the right"
        case .gazeNod: "1: the eyes look up by 30°; -1: down"
        case .loudness: "0: silence; 1: loud"
        case .beat: "1: at each beat of the music, then it falls to 0"
        }
    }
}
