import Arguments
import Files
import Installation
import JSON
import MaskAuthoring
import Masks

/// `bauta mask check`: validates masks.
enum MaskCheckCommand {
    private static let json = Flag("json", help: "Print JSON instead of text.")
    private static let strict = Flag("strict", help: "Treat warnings as errors.")
    private static let codes = Flag("codes", help: "Write the list of all problem codes as Markdown, and exit.")

    static let definition = CommandDefinition(
        name: "check", overview: "Validate masks.",
        discussion: """
            Reports all problems at once, up to 20 errors and 20 warnings per mask. Each has a code, a severity, a \
            place and a remedy; --codes lists all. A mask with errors cannot be used, packed or \
            installed; one with warnings can. Exit \
            status: 0 without errors (with --strict: without problems), 65 with errors, 66 if a mask does not exist.
            """,
        arguments: [
            ArgumentDefinition(
                name: "mask", help: "Names, folders, mask.json files, or packed masks (.bauta).", repeats: true,
                isOptional: true, kind: .maskOrFile)
        ],
        options: [json, strict, codes],
        examples: ["bauta mask check ./my-mask", "bauta mask check --strict --json masks/*"], showsElapsedTime: true,
        run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        if arguments[codes] {
            Console.output(MaskProblemCatalogue.markdown)
            return .success
        }
        guard !arguments.positional.isEmpty else {
            throw UsageError("Missing expected argument '<mask>'.", arguments.commandPath)
        }
        let data = try DataFolder.find()
        let validator = try AuthoringAssets(data).validator
        var code = ExitCode.success
        var results: [JSONValue] = []
        for mask in arguments.positional {
            if Interrupt.isRequested { return .interrupted }
            do {
                let problems = try problems(try data.workingFolder(mask), validator)
                // Its reading was cut short.
                if Interrupt.isRequested { return .interrupted }
                let failing = arguments[strict] ? problems : problems.errors
                if !failing.isEmpty { code = .dataError }
                if arguments[json] {
                    results.append(MaskProblemReport.json(problems, mask: mask))
                } else {
                    Console.output(
                        MaskProblemReport.text(problems, mask: mask),
                        labels: ["error [": .red, "warning [": .yellow])
                }
            } catch {
                let failure = CommandFailure(classifying: error)
                guard failure.exitCode == .noInput else { throw failure }
                Console.failure("\(failure)")
                if code == .success { code = .noInput }
            }
        }
        if arguments[json] { Console.output(.array(results)) }
        return code
    }

    /// - Parameter path: a folder, its manifest, or a packed mask.
    private static func problems(_ path: FilePath, _ validator: PackageValidator) throws -> MaskProblems {
        if Folder.exists(path) { return try validator.problems(folder: path) }
        if path == MaskLoader.manifestName { return try validator.problems(folder: ".") }
        if path.name == MaskLoader.manifestName { return try validator.problems(folder: path.parent) }
        return try validator.problems(archive: path)
    }
}
