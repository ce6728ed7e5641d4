import JSON
import Masks

/// The problems of a mask as text.
enum MaskProblemReport {
    /// Two lines per problem that is listed, and a line with their number.
    static func text(_ problems: MaskProblems, mask: String) -> String {
        var lines: [String] = []
        for problem in problems.listed {
            lines.append("\(problem.code.severity.rawValue) [\(problem.code.rawValue)] \(problem)")
            lines.append("    \(problem.code.remedy.filter { $0 != "`" })")
        }
        if problems.omittedCount > 0 { lines.append("and \(problems.omittedCount) more problems") }
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        lines.append(
            problems.isEmpty
                ? "\(mask): no problems"
                : "\(mask): \(counted(problems.errorCount, "error")), "
                    + counted(problems.warningCount, "warning"))
        return lines.joined(separator: "\n") + "\n"
    }

    /// "omitted" is the number of problems that are not listed, if there are any.
    static func json(_ problems: MaskProblems, mask: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("mask", .string(mask)), .init("problems", .array(problems.listed.map(\.json))),
        ]
        if problems.omittedCount > 0 { members.append(.init("omitted", .integer(problems.omittedCount))) }
        return .object(members)
    }
}

/// What `bauta mask check --codes` prints.
enum MaskProblemCatalogue {
    static var markdown: String {
        var text = """
            # Problems of masks

            `bauta mask check` reports all of these at once, with the file and the place in it. A mask with errors cannot be
            used, packed or installed; one with warnings can. The codes are stable.

            | code | severity | meaning | remedy |
            |---|---|---|---|

            """
        for code in MaskProblem.Code.allCases {
            text += "| `\(code.rawValue)` | \(code.severity.rawValue) | \(code.meaning) | \(code.remedy) |\n"
        }
        return text
    }
}

extension MaskProblem {
    /// The problem as `bauta mask check --json` writes it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(code.rawValue)), .init("severity", .string(code.severity.rawValue)),
            .init("file", .string(path)),
        ]
        switch place {
        case nil: break
        case .pointer(let pointer): members.append(.init("pointer", .string(pointer)))
        case .line(let line, let column):
            members.append(.init("line", .integer(line)))
            if let column { members.append(.init("column", .integer(column))) }
        case .pixel(let x, let y): members += [.init("x", .integer(x)), .init("y", .integer(y))]
        }
        members += [.init("message", .string(reason)), .init("remedy", .string(code.remedy))]
        return .object(members)
    }
}
