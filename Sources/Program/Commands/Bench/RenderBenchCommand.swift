import Arguments
import FrameBenchmarks
import Installation
import JSON
import MaskRendering

/// `bauta lab bench render`.
enum RenderBenchCommand {
    private static let repetitions = Option(
        "repeat", value: "count", in: 5...10_000, default: 61, help: "Drawings of each kind; medians are reported.")
    private static let renderers = Option<Set<Renderer>>(
        "renderer", listOf: Renderer.self, help: "Renderers to compare. (default: software)")

    private static let masks = Flag("masks", help: "Draw the installed masks instead, whole.")

    private enum Renderer: String, CaseIterable, Sendable { case software, opengl }

    static let definition = CommandDefinition(
        name: "render", overview: "Measure drawing each kind of layer.",
        discussion: """
            Draws on a face 460 pixels high in an opaque picture of 1280 × 720 pixels, as in a video. Figures are \
            milliseconds per frame from picture to picture in memory, without detecting the face. Without \
            --masks, the last line is for twelve smaller faces in the same picture. "More" is the difference from the \
            first line; "CPU" is \
            what all threads together computed; "ratio" is the speed of software relative to OpenGL.
            """,
        options: [repetitions, renderers, masks, CommonOptions.json],
        examples: [
            "bauta lab bench render", "bauta lab bench render --renderer software,opengl",
            "bauta lab bench render --masks",
        ],
        showsElapsedTime: true,
        run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let data = try DataFolder.find()
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        let chosen = arguments[renderers].isEmpty ? [.software] : arguments[renderers]
        let choices = Renderer.allCases.filter(chosen.contains)
        let made = try choices.map {
            try data.makeRenderer($0 == .opengl ? .opengl : .software, reference: reference, mesh: mesh)
        }
        let installed = arguments[masks] ? data.installedMasks() : nil
        let loaded = try installed?.map { one in
            (name: one.name, mask: try data.mask(one.folder.description, reference: reference))
        }
        let result = try RenderBenchmark(
            renderers: made, masks: loaded, reference: reference, mesh: mesh, repetitions: arguments[repetitions],
            isStopped: { Interrupt.isRequested })
        let named = zip(choices, made).map { (name: $0.rawValue, description: $1.rendererDescription) }
        if arguments[CommonOptions.json] {
            Console.output(json(result, named))
        } else {
            Console.output(named.map(\.description).joined(separator: "\n") + "\n\n" + table(result, named))
        }
        return .success
    }

    private static func json(
        _ result: RenderBenchmark, _ renderers: [(name: String, description: String)]
    ) -> JSONValue {
        let members = renderers.enumerated().map { index, renderer in
            let plain = result.kinds.first?.samples[index].median ?? 0
            let kinds = result.kinds.map { kind in
                let samples = kind.samples[index]
                let figures = [
                    ("median", samples.median), ("p95", samples.percentile(0.95)), ("more", samples.median - plain),
                    ("processor", kind.processorTimes[index].median),
                ]
                return JSONValue.Member(
                    kind.name,
                    .object(figures.map { JSONValue.Member($0.0, .number(DecimalText.rounded($0.1))) }))
            }
            return JSONValue.Member(
                renderer.name,
                .object(["renderer": .string(renderer.description), "milliseconds": .object(kinds)]))
        }
        return .object(members)
    }

    private static func table(
        _ result: RenderBenchmark, _ renderers: [(name: String, description: String)]
    ) -> String {
        var columns: [TextTable.Column] = [.left("ms", width: 25)]
        for renderer in renderers {
            columns += [.right(renderer.name, width: 10), .right("95%", width: 9), .right("more", width: 9)]
            columns.append(.right("CPU", width: 9))
        }
        if renderers.count > 1 { columns.append(.right("ratio", width: 8)) }
        var table = TextTable(columns, separator: "")
        table.rows = result.kinds.map { kind in
            var cells = [kind.name]
            for (index, samples) in kind.samples.enumerated() {
                let plain = result.kinds.first?.samples[index].median ?? 0
                let processor = kind.processorTimes[index].median
                cells += [samples.median, samples.percentile(0.95), samples.median - plain, processor].map {
                    DecimalText.fixed($0, digits: 2)
                }
            }
            if renderers.count > 1 { cells.append(DecimalText.fixed(kind.ratio, digits: 1)) }
            return cells
        }
        return table.text
    }
}
