import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import JSON
import Masking
import Masks

/// `bauta mask check`: everything that is wrong with masks, at once.
enum MaskCheckCommand {
    static let definition = CommandDefinition(
        name: "check", overview: "Tell everything that is wrong with masks.",
        discussion: """
            Each problem has a code, a severity, its place and what would be right; docs/mask-issues.md lists all of \
            them. Errors keep a mask from being worn, packed and installed; warnings do not. Exit codes: 0 no errors \
            (with --strict, no warnings either), 65 some, 66 a mask is not there.
            """,
        arguments: [
            ArgumentDefinition(
                name: "mask", help: "Names, folders, mask.json files, or packed masks (.bauta).", repeats: true,
                isOptional: true)
        ],
        options: [
            OptionDefinition(name: "json", help: "Write JSON."),
            OptionDefinition(name: "strict", help: "Take warnings for errors."),
            OptionDefinition(name: "codes", help: "Write the list of all problems as Markdown, and check nothing."),
        ],
        examples: ["bauta mask check ./my-mask", "bauta mask check --strict --json masks/*"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        if arguments.has("codes") {
            Console.output(catalogue)
            return .success
        }
        guard !arguments.positional.isEmpty else {
            throw UsageError("Missing expected argument '<mask>'.", arguments.commandPath)
        }
        let data = try DataFolder.find()
        var code = ExitCode.success
        var results: [JSONValue] = []
        for mask in arguments.positional {
            if Interrupt.isRequested { return .interrupted }
            do {
                let problems = try problems(mask, data)
                let failing = arguments.has("strict") ? problems : problems.filter { $0.code.severity == .error }
                if !failing.isEmpty { code = .dataError }
                if arguments.has("json") {
                    results.append(.object(["mask": .string(mask), "problems": .array(problems.map(\.json))]))
                } else {
                    Console.output(report(problems, mask))
                }
            } catch let failure as CommandFailure where failure.exitCode == .noInput {
                Console.error("bauta: \(failure)\n")
                if code == .success { code = .noInput }
            }
        }
        if arguments.has("json") { Console.output(JSONValue.array(results).text(indented: true) + "\n") }
        return code
    }

    private static func problems(_ mask: String, _ data: DataFolder) throws -> [MaskProblem] {
        let folder = try data.maskFolder(mask)
        if Folder.exists(folder) { return try PackageFolder.problems(folder, called: folder, data: data) }
        let manifest = "/" + MaskLoader.manifestName
        if folder == MaskLoader.manifestName { return try PackageFolder.problems(".", called: ".", data: data) }
        if folder.hasSuffix(manifest) {
            let folder = String(folder.dropLast(manifest.count))
            return try PackageFolder.problems(folder, called: folder, data: data)
        }
        // A packed mask is looked at where nobody else looks, and nothing of it is left.
        do {
            let files = try PackageFolder.unpacked(folder)
            let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
            var template = Array("\(parent)/bauta.XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else {
                throw CommandFailure(
                    .cannotCreate, "\(parent): no folder can be made in it: \(String(cString: strerror(errno)))")
            }
            let place = String(cString: made)
            defer { Folder.delete(place) }
            try PackageFolder.write(files, to: place + "/mask")
            return try PackageFolder.problems(place + "/mask", called: folder, data: data)
        } catch let problem as MaskProblem {
            return [problem]
        }
    }

    private static func report(_ problems: [MaskProblem], _ mask: String) -> String {
        var lines: [String] = []
        for problem in problems {
            lines.append("\(problem.code.severity.rawValue) [\(problem.code.rawValue)] \(problem)")
            lines.append("    \(problem.code.remedy.filter { $0 != "`" })")
        }
        let errors = problems.count { $0.code.severity == .error }
        let warnings = problems.count - errors
        func counted(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
        lines.append(
            problems.isEmpty
                ? "\(mask): nothing is wrong"
                : "\(mask): \(counted(errors, "error")), \(counted(warnings, "warning"))")
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: The list of all problems

    /// `docs/mask-issues.md`.
    static var catalogue: String {
        var text = """
            # What can be wrong with a mask

            `bauta mask check` tells all of these at once, with the file and the place in it. Errors keep a mask from being
            worn, packed and installed; warnings do not. The codes are stable. This page is written by
            `bauta mask check --codes`.

            | code | severity | what it means | what would be right |
            |---|---|---|---|

            """
        for code in MaskProblem.Code.allCases {
            text += "| `\(code.rawValue)` | \(code.severity.rawValue) | \(code.meaning) | \(code.remedy) |\n"
        }
        return text
    }
}

extension MaskProblem {
    /// As `bauta mask check --json` writes it.
    fileprivate var json: JSONValue {
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
