import FaceGeometry
import Files
import JSON

/// Faces that somebody has marked by eye in photographs and in frames of clips.
package struct FaceLabels: Equatable, Sendable {
    /// How far a face is turned.
    package enum View: String, CaseIterable, Sendable {
        /// Both eyes are seen: up to about 30°.
        case front
        /// About 30 to 60°.
        case threeQuarter = "three-quarter"
        /// One eye is seen.
        case profile
    }

    package struct Face: Equatable, Sendable {
        /// From the hairline to the chin and from ear to ear, as far as they are seen, in pixels of the upright picture.
        package let box: FaceBox
        /// Nil: not stated.
        package let view: View?
        /// Neither missed if it is not found, nor false if it is: a printed face, or what cannot be told.
        package let isIgnored: Bool

        package init(box: FaceBox, view: View?, isIgnored: Bool) {
            self.box = box
            self.view = view
            self.isIgnored = isIgnored
        }
    }

    package struct Picture: Equatable, Sendable {
        /// As it is written: relative to the folder of the labels, or absolute.
        package let file: FilePath
        /// Counted from 0; nil: a photograph.
        package let frame: Int?
        package let faces: [Face]
    }

    package let pictures: [Picture]

    /// - Throws: `FileError` if it cannot be read, `EvaluationError` that names the wrong member.
    package init(path: FilePath) throws {
        let text = try FileContents.text(path, limit: 1 << 26)
        do throws(EvaluationError) {
            try self.init(parsing: text)
        } catch {
            throw EvaluationError(error.kind, "\(path): \(error)")
        }
    }

    /// - Throws: `EvaluationError` that names the wrong member.
    package init(parsing text: String) throws(EvaluationError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text)
        } catch {
            throw EvaluationError(.unusableInput, "\(error)")
        }
        let entries = try Self.array(value["pictures"], "pictures")
        guard !entries.isEmpty else { throw EvaluationError(.noInput, "/pictures: is empty") }
        var pictures: [Picture] = []
        for (index, entry) in entries.enumerated() { pictures.append(try Self.picture(entry, "pictures/\(index)")) }
        self.pictures = pictures
    }

    private static func picture(_ value: JSONValue, _ place: String) throws(EvaluationError) -> Picture {
        guard case .string(let file)? = value["file"], !file.isEmpty, !file.utf8.contains(0) else {
            throw wrong("\(place)/file", "must be the path of a photograph or a clip")
        }
        var frame: Int?
        if let number = value["frame"] {
            guard case .number(let number) = number, let exact = Int(exactly: number), (0..<100_000_000).contains(exact)
            else { throw wrong("\(place)/frame", "must be the number of a frame, from 0") }
            frame = exact
        }
        var faces: [Face] = []
        for (index, entry) in try array(value["faces"], "\(place)/faces").enumerated() {
            faces.append(try face(entry, "\(place)/faces/\(index)"))
        }
        return Picture(file: FilePath(file), frame: frame, faces: faces)
    }

    private static func face(_ value: JSONValue, _ place: String) throws(EvaluationError) -> Face {
        let numbers = try array(value["box"], "\(place)/box").compactMap { $0.number.map { Float($0) } }
        guard numbers.count == 4, numbers.allSatisfy({ abs($0) < 1e6 }), numbers[2] >= 1, numbers[3] >= 1 else {
            throw wrong("\(place)/box", "must be four numbers: x, y, width and height in pixels, from 1 on")
        }
        let box = FaceBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        var view: View?
        if let word = value["view"] {
            guard case .string(let word) = word, let known = View(rawValue: word) else {
                let words = View.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw wrong("\(place)/view", "must be one of \(words)")
            }
            view = known
        }
        switch value["ignored"] {
        case nil, .bool(false)?: return Face(box: box, view: view, isIgnored: false)
        case .bool(true)?: return Face(box: box, view: view, isIgnored: true)
        default: throw wrong("\(place)/ignored", "must be true or false")
        }
    }

    private static func array(_ value: JSONValue?, _ place: String) throws(EvaluationError) -> [JSONValue] {
        guard case .array(let elements)? = value else { throw wrong(place, "must be an array") }
        return elements
    }

    private static func wrong(_ place: String, _ reason: String) -> EvaluationError {
        EvaluationError(.unusableInput, "/\(place): \(reason)")
    }
}
