import CommandLine
import Masking

extension FaceChoice {
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
