import Compositing
import FaceTracking
import Files

/// The options of an engine, with the defaults that `bauta.h` lists.
struct EngineOptions {
    /// What the faces are found with: for whatever is changed here, models are loaded again.
    struct Analysis: Equatable, Sendable {
        /// dlib's model may not be used commercially: it must be asked for.
        var models = Self.withoutCascade
        var smallestFace = SmallestFace.share(0.1)
        /// Whether each search ends within its picture.
        var waits = false
        /// Whether all faces are looked for, so that they can be covered.
        var covers = false

        private static var withoutCascade: FaceModels {
            var models = FaceModels()
            models.landmarks = .mesh
            return models
        }
    }

    var analysis = Analysis()
    /// How all faces are covered, in place of wearing masks; nil: they wear masks.
    var cover: FaceCover.Style? { didSet { analysis.covers = cover != nil } }
    var whenLost = LostFaces.Policy.keep
    var faces = FaceChoice.all
    var occluders = OccluderPolicy.mask
    /// Of masks, 0 to 1.
    var opacity: Float = 1
    var isBehind = false

    private static let names = [
        "anonymise", "behind", "detector", "faces", "landmarks", "min-face", "model", "occluders", "opacity", "wait",
        "when-lost",
    ]

    /// - Parameter text: nil: the default.
    /// - Throws: `EngineError` if there is no such option, or it has no such value; nothing is changed then.
    mutating func set(_ name: String, to text: String?) throws(EngineError) {
        /// - Parameter requirement: completes "must be".
        func value<Value>(
            _ standard: Value, _ requirement: String, _ read: (String) -> Value?
        ) throws(EngineError) -> Value {
            guard let text else { return standard }
            guard let value = read(text) else {
                throw .invalid("\(name): '\(text.prefix(100))' must be \(requirement)")
            }
            return value
        }
        func word<Word: RawRepresentable<String> & CaseIterable>(_ standard: Word) throws(EngineError) -> Word {
            try value(standard, Self.words(Word.self)) { Word(rawValue: $0) }
        }
        func isOn() throws(EngineError) -> Bool { try value(false, "on or off") { ["on": true, "off": false][$0] } }

        switch name {
        case "anonymise":
            cover = try value(nil, "off, \(Self.words(FaceCover.Style.self))") { text in
                text == "off" ? .some(nil) : FaceCover.Style(rawValue: text).map { .some($0) }
            }
        case "behind": isBehind = try isOn()
        case "detector":
            analysis.models.detector = try value(nil, Self.words(FaceModels.Detector.self)) { text in
                FaceModels.Detector(rawValue: text).map { .some($0) }
            }
        case "faces": faces = try value(.all, FaceChoice.requirement) { FaceChoice($0) }
        case "landmarks": analysis.models.landmarks = try word(.mesh)
        case "min-face":
            analysis.smallestFace = try value(.share(0.1), SmallestFace.requirement) { SmallestFace($0) }
        case "model":
            analysis.models.chosenCascade = try value(nil, "the path of a file") { text in
                text.isEmpty ? nil : .some(FilePath(text))
            }
        case "occluders":
            let requirement = "mask, none, or some of hands, hair and glasses, with commas between them"
            occluders = try value(.mask, requirement) { text in
                OccluderPolicy(text)
            }
        case "opacity":
            opacity = try value(1, "a number from 0 to 1") { text in
                Float(text).flatMap { (0...1).contains($0) ? $0 : nil }
            }
        case "wait": analysis.waits = try isOn()
        case "when-lost": whenLost = try word(.keep)
        default:
            throw .invalid(
                "there is no option '\(name.prefix(100))'. Options: \(Self.names.joined(separator: ", "))")
        }
    }

    /// "a, b or c"
    private static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> String {
        let words = type.allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}
