import FaceGeometry
import JSON

/// When a layer is shown, and on which faces.
extension LayerReader {
    func condition(_ object: ManifestObject) -> Condition? {
        var condition = Condition()
        let names = Condition.names.flatMap { entry in
            [
                (name: entry.name, value: (entry.states, true)),
                (name: "not \(entry.name)", value: (entry.states, false)),
            ]
        }
        for (states, isNeeded) in object.optionalNames("when", among: names) ?? [] {
            if isNeeded { condition.needed.formUnion(states) } else { condition.excluded.append(states) }
        }
        if let blinks = object.optionalObject("blinks", keys: ["of", "is"]),
            let count = blinks.number("of", in: 2...100), let turn = blinks.number("is", in: 0...(count - 1))
        {
            if count == count.rounded(), turn == turn.rounded() {
                condition.blinks = .init(count: Int(count), turn: Int(turn))
            } else {
                object.fault(.outOfRange, "blinks", "counts in whole numbers")
            }
        }
        return condition == Condition() ? nil : condition
    }

    func choice(_ object: ManifestObject) -> FaceSelector? {
        if case .string(let name)? = object.value("faces") {
            if name.hasPrefix(FaceSelector.personPrefix) { return person(name, object) }
            let known = FaceSelector.names.first { $0.name == name }
            if known == nil {
                let names = ManifestObject.list(FaceSelector.names.map(\.name))
                object.fault(
                    .unknownWord, "faces",
                    "\"\(name)\" is unknown; use one of \(names), \"\(FaceSelector.personPrefix)NAME\" and whole numbers "
                        + "from 1")
            }
            return known?.choice
        }
        guard let number = object.optionalNumber("faces", in: 1...1000) else { return nil }
        if number != number.rounded() { object.fault(.outOfRange, "faces", "must be a whole number") }
        return .number(Int(number))
    }

    private func person(_ word: String, _ object: ManifestObject) -> FaceSelector? {
        let name = String(word.dropFirst(FaceSelector.personPrefix.count))
        guard (1...FaceSelector.longestName).contains(name.utf8.count) else {
            object.fault(
                .outOfRange, "faces",
                "must have a name of 1 to \(FaceSelector.longestName) bytes after \"\(FaceSelector.personPrefix)\"")
            return nil
        }
        return .person(name)
    }
}
