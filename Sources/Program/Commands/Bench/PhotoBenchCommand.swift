import Arguments
import Files
import Installation
import JSON
import PhotoBenchmarks
import PictureMasking

/// `bauta lab bench photo`.
enum PhotoBenchCommand {
    private static let repetitions = Option(
        "repeat", letter: "n", value: "count", in: 1...10_000, default: 5,
        help: "How often to measure single photographs.")
    private static let output = Option<FilePath?>(
        "output", letter: "o", value: "folder",
        help: """
            For folders: write the results into a temporary folder inside this one, on the disk to measure. Default: \
            $TMPDIR, otherwise /tmp.
            """
    ).takes(.folder)

    /// Options that have no effect on single photographs.
    private static let folderOptions: [any CommandOption] =
        PhotoOptionKeys.resultOptions + [
            PhotoOptionKeys.anonymise, MaskingOptions.sure, MaskingOptions.careful, MaskingOptions.cover,
            PhotoCommand.recursive,
            PhotoCommand.jobs, PhotoCommand.memory, output,
        ]

    static let definition = CommandDefinition(
        name: "photo", overview: "Measure masking of photographs: each stage of single ones, or whole folders.",
        discussion: """
            For single photographs, the stages are measured on one thread, and nothing is written. Figures are \
            medians over the repetitions; a first, unmeasured one warms up.

            For folders, all photographs are masked as by 'bauta photo', into a temporary folder. The report shows \
            photographs per second, peak memory, the times of the stages (with their shares of the sum), and the \
            limiting resource. The machine's share is processor time divided by elapsed time and cores; other \
            programs lower it. The threads' share therefore also counts time in which a thread was ready but had no \
            core.
            """,
        arguments: [
            ArgumentDefinition(name: "file|folder", help: "Photographs, or folders.", repeats: true, kind: .photograph)
        ],
        options: PhotoOptionKeys.maskingOptions + folderOptions + [repetitions, CommonOptions.json],
        groups: [ModelOptions.group],
        examples: [
            "bauta lab bench photo portrait.jpg", "bauta lab bench photo --json --repeat 20 portrait.jpg",
            "bauta lab bench photo --recursive Pictures --output /mnt/results",
        ],
        showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        guard !arguments.paths.contains(where: { Folder.exists($0) }) else { return try measureFolders(arguments) }
        if let useless = folderOptions.first(where: { arguments.has($0) }) {
            throw UsageError("--\(useless.definition.name) has no effect without a folder.", arguments.commandPath)
        }
        let count = arguments[repetitions]
        let result = try PhotoBenchmark(
            photographs: arguments.positional, options: PhotoOptions(masking: arguments),
            data: try DataFolder.find(), repetitions: count, isStopped: { Interrupt.isRequested })
        if arguments[CommonOptions.json] {
            Console.output(json(result, count))
        } else {
            Console.output(text(result))
        }
        return .success
    }

    private static func measureFolders(_ arguments: ParsedArguments) throws -> ExitCode {
        if arguments.has(repetitions) {
            throw UsageError("--repeat has no effect on folders.", arguments.commandPath)
        }
        var options = try PhotoOptions(making: arguments)
        options.memory = arguments[PhotoCommand.memory]
        options.existing = .skip
        let place = arguments[output] ?? FilePath(environment: "TMPDIR") ?? "/tmp"
        let folder = try PendingFolder(in: place)
        let start = PhotoThroughput.Start()
        let list = PhotoJobs(
            recursive: arguments[PhotoCommand.recursive], format: options.result.format, output: folder.path)
        let jobs = try list.jobs(for: arguments.paths)
        guard !jobs.isEmpty else {
            throw CommandFailure(
                .noInput, "no photographs to mask in \(arguments.positional.joined(separator: ", "))")
        }
        let result = try PhotoThroughput(
            jobs, since: start, options: options, data: try DataFolder.find(), results: folder.path,
            threads: arguments[PhotoCommand.jobs], isStopped: { Interrupt.isRequested })
        Console.output(
            arguments[CommonOptions.json]
                ? Console.printableText(of: PhotoThroughputReport.json(result)) + "\n"
                : PhotoThroughputReport.text(result))
        return result.counts[.failed] ?? 0 > 0 ? .someFailed : .success
    }

    private static func json(_ result: PhotoBenchmark, _ repetitions: Int) -> JSONValue {
        let photographs = result.photographs.map { photograph in
            let stages = photograph.stages.map { ($0.name, $0.median) } + [("total", photograph.total)]
            return JSONValue.object([
                "path": .string(photograph.path), "width": .integer(photograph.width),
                "height": .integer(photograph.height), "faces": .integer(photograph.faces),
                "milliseconds": .object(stages.map { JSONValue.Member($0.0, .number(DecimalText.rounded($0.1))) }),
            ])
        }
        return .object(["repetitions": .integer(repetitions), "photographs": .array(photographs)])
    }

    private static func text(_ result: PhotoBenchmark) -> String {
        let headings = ["size", "faces"] + PhotoBenchmark.stages.map(\.rawValue) + ["total ms"]
        var table = TextTable(headings.map { .right($0) } + [.left("photograph")])
        table.rows = result.photographs.map { row in
            ["\(row.width)x\(row.height)", "\(row.faces)"]
                + (row.stages.map(\.median) + [row.total]).map { DecimalText.fixed($0, digits: 1) } + [row.path]
        }
        return table.text
    }
}
