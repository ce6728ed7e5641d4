import FaceGeometry
import Files
import JSON

/// What a person decided about the faces of a photograph or a clip, having looked at them.
package struct ReviewDecisions: Equatable, Sendable {
    /// A face at its place in a picture.
    package struct Mark: Equatable, Sendable {
        /// In pixels of the upright picture, as `FaceDetector` gives boxes of dlib's convention.
        package var box: FaceBox
        /// The number of the clip's frame, counted from 0; of a photograph 0.
        package var frame: Int

        package init(box: FaceBox, frame: Int = 0) { (self.box, self.frame) = (box, frame) }
    }

    /// Whether all of it was found right, or was put right.
    package var isReviewed = false
    /// Found faces that are left as they are.
    package var uncovered: [Mark] = []
    /// Faces that were not found, and are covered.
    package var covered: [Mark] = []
    /// Found faces that were covered when it was reviewed. They stay so, whatever a later search finds.
    package var confirmed: [Mark] = []

    package init() {}

    /// Whether nothing was decided.
    package var isEmpty: Bool { self == ReviewDecisions() }

    /// Tells these decisions from others: equal decisions have equal texts.
    package var identifier: String {
        let text = JSONValue.object(members).text()
        return String(Array(text.utf8).withUnsafeBytes { Checksum.of($0) }, radix: 16)
    }

    /// The found faces that are left as they are. Each mark names the nearest one that is around the same face: what it does
    /// not name for certain is covered.
    /// - Parameter boxes: of the found faces.
    /// - Returns: indices of `boxes`.
    package func uncoveredIndices(of boxes: [OrientedBox]) -> Set<Int> {
        var result: Set<Int> = []
        for mark in uncovered {
            if let nearest = OrientedBox(mark.box).nearest(of: boxes, without: result) { result.insert(nearest) }
        }
        return result
    }

    // MARK: JSON

    static let mostMarks = 10_000

    /// - Throws: what is wrong, a sentence that begins with the member.
    init(_ value: JSONValue) throws(ReviewFile.Damage) {
        guard case .bool(let isReviewed)? = value["reviewed"] else {
            throw ReviewFile.Damage("reviewed", "must be true or false")
        }
        self.isReviewed = isReviewed
        uncovered = try Self.marks(value, "uncovered")
        covered = try Self.marks(value, "covered")
        confirmed = try Self.marks(value, "confirmed")
    }

    private static func marks(_ value: JSONValue, _ key: String) throws(ReviewFile.Damage) -> [Mark] {
        guard case .array(let elements)? = value[key], elements.count <= mostMarks else {
            throw ReviewFile.Damage(key, "must be an array of at most \(mostMarks) marks")
        }
        var marks: [Mark] = []
        for (index, element) in elements.enumerated() {
            guard let frame = element["frame"]?.number.flatMap({ Int(exactly: $0) }), (0..<100_000_000).contains(frame)
            else { throw ReviewFile.Damage("\(key)/\(index)/frame", "must be the number of a frame, from 0") }
            guard let box = FaceBox(element["box"]),
                [box.x, box.y, box.width, box.height].allSatisfy({ abs($0) < 1e6 }),
                box.width >= 1, box.height >= 1
            else {
                throw ReviewFile.Damage("\(key)/\(index)/box", "must have x, y, width and height in pixels, from 1 on")
            }
            marks.append(Mark(box: box, frame: frame))
        }
        return marks
    }

    var members: [JSONValue.Member] {
        func array(_ marks: [Mark]) -> JSONValue {
            .array(
                marks.map { mark in
                    var box = mark.box
                    (box.width, box.height) = (max(1, box.width), max(1, box.height))
                    return .object(["frame": .integer(mark.frame), "box": box.json])
                })
        }
        return [
            .init("reviewed", .bool(isReviewed)), .init("uncovered", array(uncovered)),
            .init("covered", array(covered)), .init("confirmed", array(confirmed)),
        ]
    }
}
