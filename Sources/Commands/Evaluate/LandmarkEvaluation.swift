import CommandLine
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import JSON
import Masking
import Pixels

/// `bauta evaluate landmarks`: how far landmarks are from where people put them.
enum LandmarkEvaluation {
    static let definition = CommandDefinition(
        name: "landmarks", overview: "Measure landmarks against annotated pictures.",
        discussion: """
            Every picture of the folder that has a file of the same name ending in .pts (68 points, iBUG's format) \
            is searched, and the landmarks of the face nearest to the annotation are compared with it. The error is \
            the mean distance in shares of the distance between the outer corners of the eyes; above 0.08, or where \
            no face is found, it is a failure (300-W's convention).
            """,
        arguments: [ArgumentDefinition(name: "folder", help: "Pictures and their .pts files.")],
        options: [
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
            OptionDefinition(name: "csv", value: "file", help: "Write a line for each picture."),
            OptionDefinition(name: "plot", value: "file", help: "Write the cumulative curve, as SVG."),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: ["bauta evaluate landmarks samples", "bauta evaluate landmarks --plot curve.svg 300w/"], run: run)

    private static let failureLimit = 0.08

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let folder = arguments.positional[0]
        let annotated = try AnnotatedPictures(folder: folder).entries.filter { $0.landmarks != nil }
        guard !annotated.isEmpty else {
            throw CommandFailure(.noInput, "\(folder): no picture in it has a .pts file beside it")
        }
        let cascade = try LandmarkCascade(modelPath: arguments["model"] ?? LandmarkCascade.defaultModelPath)
        let finder = try PhotographFaces(reference: try DataFolder.find().referenceFace()) { cascade }
        var results: [(name: String, error: Double?)] = []
        for entry in annotated {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
            guard let truth = entry.landmarks else { continue }
            let picture = try PictureReader.read(entry.path).pixels.withEightBits()
            let center = truth.bounds.center
            let nearest = try finder.faces(in: picture).faces.min {
                ($0.landmarks.bounds.center - center).length < ($1.landmarks.bounds.center - center).length
            }
            let found = nearest.flatMap {
                ($0.landmarks.bounds.center - center).length < truth.bounds.width / 2 ? $0.landmarks : nil
            }
            results.append((entry.name, found.map { meanError($0, truth) }))
        }

        let errors = results.compactMap(\.error).sorted()
        let failures = results.count { ($0.error ?? .infinity) > failureLimit }
        let curve = cumulative(errors, of: results.count)
        if let path = arguments["csv"] {
            let lines = results.map {
                "\"\($0.name.split(separator: "\"").joined(separator: "\"\""))\",\($0.error.map { "\($0)" } ?? "")\n"
            }
            try AtomicFile.write("picture,error\n" + lines.joined(), to: path, replacing: true)
        }
        if let path = arguments["plot"] {
            let plot = LinePlot(
                title: "Landmarks: cumulative error", xLabel: "error, in distances between the eyes' outer corners",
                yLabel: "share of the pictures", xMaximum: failureLimit, yMaximum: 1,
                lines: [.init(name: "bauta", points: curve)])
            try AtomicFile.write(plot.svg, to: path, replacing: true)
        }
        let mean = errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
        let median = errors.isEmpty ? nil : BenchCommand.median(errors)
        let area = zip(curve.dropFirst(), curve).map { ($0.x - $1.x) * ($0.y + $1.y) / 2 }.reduce(0, +) / failureLimit
        func rounded(_ value: Double) -> JSONValue { .number((value * 100_000).rounded() / 100_000) }
        if arguments.has("json") {
            let result: JSONValue = .object([
                "pictures": .integer(results.count), "found": .integer(errors.count),
                "failures": .integer(failures), "mean": mean.map(rounded) ?? .null,
                "median": median.map(rounded) ?? .null, "areaUnderCurve": rounded(area),
                "errors": .array(
                    results.map { .object(["picture": .string($0.name), "error": $0.error.map(rounded) ?? .null]) }),
            ])
            Console.output(result.text(indented: true) + "\n")
            return .success
        }
        func text(_ value: Double?) -> String { value.map { StabilityEvaluation.decimal($0, 4) } ?? "–" }
        Console.output(
            """
            \(results.count) pictures, the face found in \(errors.count)
            mean error         \(text(mean))
            median             \(text(median))
            failures           \(failures)  (above \(failureLimit), or not found)
            area under curve   \(text(area))  (to \(failureLimit))

            """)
        return .success
    }

    /// The mean distance in shares of the distance between the outer corners of the eyes.
    static func meanError(_ landmarks: Landmarks, _ truth: Landmarks) -> Double {
        let sum = (0..<Landmarks.count).reduce(Float(0)) { $0 + (landmarks[$1] - truth[$1]).length }
        return Double(sum / Float(Landmarks.count) / truth.interocularDistance)
    }

    /// The share of all pictures with at most an error, as steps from 0 to the limit.
    private static func cumulative(_ sorted: [Double], of count: Int) -> [(x: Double, y: Double)] {
        (0...80).map { step in
            let limit = failureLimit * Double(step) / 80
            return (limit, Double(sorted.count { $0 <= limit }) / Double(count))
        }
    }
}
