import Display
import JSON
import MaskAuthoring
import Masks

/// When, and on whom, the layer is shown.
extension LayerPanel {
    func drawConditions(_ layer: JSONValue, _ panels: Panels) {
        let words = layer["when"]?.elements.compactMap(\.string) ?? []
        var changed = words
        for (name, _) in Condition.names where name != "faceFound" {
            let current = words.contains(name) ? 1 : words.contains("not \(name)") ? -1 : 0
            let new = panels.list(wording(name), [("Any", 0), ("Only if", 1), ("Only if not", -1)], current)
            if new != current {
                changed.removeAll { $0 == name || $0 == "not \(name)" }
                if new != 0 { changed.append(new > 0 ? name : "not \(name)") }
            }
        }
        if changed != words {
            package.setSelected("when", changed.isEmpty ? nil : .array(changed.map { .string($0) }))
        }
    }

    func drawFaces(_ layer: JSONValue, _ panels: Panels) {
        let faces = layer["faces"] ?? .string("all")
        let options =
            FaceSelector.names.map { (label: wording($0.name), value: JSONValue.string($0.name)) }
            + (1...6).map { (label: "Number \($0)", value: JSONValue.integer($0)) }
        let new = panels.list("faces", options, faces)
        if new != faces { package.setSelected("faces", new == .string("all") ? nil : new) }
    }

    /// Shows the layer only after certain numbers of blinks: when the count modulo `of` equals `is`.
    func drawBlinks(_ layer: JSONValue, _ panels: Panels) {
        // The document may have any number here.
        func number(_ key: String, _ rest: Double) -> Int {
            Int(max(-1000, min(1000, layer["blinks"]?[key]?.number ?? rest)))
        }
        let turns = number("of", 1)
        let newTurns = Int(panels.slider("blinks in turn", Float(turns), in: 1...12, format: "%.0f").rounded())
        panels.hint("Of so many blinks, the layer is shown after one; 1: always")
        let turn = number("is", 0)
        var newTurn = 0
        if newTurns > 1 {
            let last = Float(newTurns - 1)
            newTurn = Int(panels.slider("after blink", Float(turn), in: 0...last, format: "%.0f").rounded())
            panels.hint("Which of them; 0: from the beginning, before the first")
        }
        if newTurns != turns || newTurn != turn {
            package.setSelected(
                "blinks",
                newTurns < 2 ? nil : .object(["of": .integer(newTurns), "is": .integer(min(newTurn, newTurns - 1))]))
        }
    }
}
