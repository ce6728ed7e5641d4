import CommandLine

/// Which of the faces found get a mask.
enum FaceChoice: Equatable, Sendable {
    case all
    /// So many of the largest.
    case largest(Int)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        switch arguments["faces"] {
        case nil, "all": self = .all
        case "largest": self = .largest(1)
        case .some(let text):
            guard let count = Int(text), count > 0 else {
                throw arguments.invalid("faces", "must be 'all', 'largest' or a number of faces")
            }
            self = .largest(count)
        }
    }
}
