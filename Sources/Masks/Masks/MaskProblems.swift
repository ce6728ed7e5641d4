/// The problems of a mask, in the order in which they were found. Of each severity, the first are listed and the others are
/// counted: a manifest of one mebibyte can have half a million.
package struct MaskProblems: Equatable, Sendable {
    /// The most problems of each severity that are listed.
    package static let mostListed = 20

    package private(set) var listed: [MaskProblem] = []
    /// Of errors and warnings, those that are not listed included.
    package private(set) var errorCount = 0
    package private(set) var warningCount = 0

    package init() {}

    package init(_ problems: some Sequence<MaskProblem>) { for problem in problems { append(problem) } }

    package var isEmpty: Bool { listed.isEmpty }
    package var omittedCount: Int { errorCount + warningCount - listed.count }

    package mutating func append(_ problem: MaskProblem) {
        let count: Int
        switch problem.code.severity {
        case .error: (errorCount, count) = (errorCount + 1, errorCount)
        case .warning: (warningCount, count) = (warningCount + 1, warningCount)
        }
        if count < Self.mostListed { listed.append(problem) }
    }

    /// Without the warnings.
    package var errors: MaskProblems {
        var result = self
        result.warningCount = 0
        result.listed.removeAll { $0.code.severity == .warning }
        return result
    }

    /// With every listed problem changed.
    package func map(_ change: (MaskProblem) -> MaskProblem) -> MaskProblems {
        var result = self
        result.listed = listed.map(change)
        return result
    }

    /// Sorted by path, one path first; those of a file stay in their order.
    func sorted(first path: String) -> MaskProblems {
        var result = self
        result.listed = listed.enumerated().sorted {
            let (a, b) = ($0.element.path, $1.element.path)
            return (a == path ? "" : a, $0.offset) < (b == path ? "" : b, $1.offset)
        }.map(\.element)
        return result
    }
}
