import FaceGeometry

/// Which of the faces found get a mask.
package enum FaceChoice: Equatable, Sendable {
    case all
    /// The N largest.
    case largest(Int)

    /// Completes the sentence about a text that is none.
    package static let requirement = "'all', 'largest' or a number of faces"

    /// - Parameter text: `all`, `largest`, or a number.
    package init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "largest": self = .largest(1)
        default:
            guard let count = Int(text), count > 0 else { return nil }
            self = .largest(count)
        }
    }

    /// The chosen faces, largest first. Of faces of the same size the first comes first.
    package func chosen(among faces: [FaceInstance]) -> [FaceInstance] {
        let sorted = faces.enumerated().sorted { a, b in
            let (first, second) = (a.element.face.box.area, b.element.face.box.area)
            return first != second ? first > second : a.offset < b.offset
        }
        .map(\.element)
        switch self {
        case .all: return sorted
        case .largest(let count): return Array(sorted.prefix(count))
        }
    }
}
