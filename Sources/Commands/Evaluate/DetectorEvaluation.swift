import CommandLine
import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import JSON
import Pixels

/// `bauta evaluate detectors`: what each face detector finds, and how long it takes.
enum DetectorEvaluation {
    static let definition = CommandDefinition(
        name: "detectors", overview: "Compare face detectors on a folder of pictures.",
        discussion: """
            Each detector searches each picture at full size. Faces are false where the picture has a .pts file \
            beside it and they are not that face. Times are milliseconds of the first, the second and the tenth call \
            on a picture: the first also pays for what a detector prepares.
            """,
        arguments: [ArgumentDefinition(name: "folder", help: "Pictures, with or without .pts files.")],
        options: [
            OptionDefinition(
                name: "yunet", value: "file", help: "Compare this YuNet network too, an ONNX file for OpenCV."),
            OptionDefinition(name: "csv", value: "file", help: "Write a line for each detector and picture."),
            OptionDefinition(name: "plot", value: "file", help: "Write the times by size of the picture, as SVG."),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: ["bauta evaluate detectors samples"], run: run)

    private struct Row {
        var detector: String
        var picture: String
        var megapixels: Double
        var found: Int
        /// Where the picture is annotated.
        var falseFaces: Int?
        /// Milliseconds of the first, second and tenth call.
        var times: [Double]
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let pictures = try AnnotatedPictures(folder: arguments.positional[0]).entries
        var detectors: [(name: String, detector: any FaceDetector)] = [("hog", try HOGFaceDetector())]
        for features in CascadeFaceDetector.Features.allCases {
            detectors.append((features.rawValue, try CascadeFaceDetector(features)))
        }
        if let path = arguments["yunet"] { detectors.append(("yunet", try NetworkFaceDetector(path: path))) }

        var rows: [Row] = []
        for entry in pictures {
            let picture = try PictureReader.read(entry.path).pixels.withEightBits()
            let grey = try picture.grey(width: picture.width, height: picture.height)
            for (name, detector) in detectors {
                var times: [Double] = []
                var found: [FaceDetection] = []
                for _ in 0..<10 {
                    if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
                    let start = ContinuousClock.now
                    found =
                        detector.seesColor
                        ? try detector.detections(in: picture) : try detector.detections(in: grey)
                    times.append((ContinuousClock.now - start).milliseconds)
                }
                let isTrue = entry.landmarks.map { truth in
                    found.contains { isFace(detector.boxConvention.landmarkBox($0.box), truth) }
                }
                rows.append(
                    Row(
                        detector: name, picture: entry.name,
                        megapixels: Double(picture.width * picture.height) / 1_000_000, found: found.count,
                        falseFaces: isTrue.map { found.count - ($0 ? 1 : 0) }, times: [times[0], times[1], times[9]]))
            }
        }
        try write(rows, detectors.map(\.name), arguments)
        return .success
    }

    /// Whether a box is that of a face, give or take a third.
    private static func isFace(_ box: FaceBox, _ truth: Landmarks) -> Bool {
        let bounds = truth.bounds
        let size = max(bounds.width, bounds.height)
        return (box.center - bounds.center).length < size / 2 && box.width > size / 2 && box.width < size * 2
    }

    private static func write(_ rows: [Row], _ names: [String], _ arguments: ParsedArguments) throws {
        if let path = arguments["csv"] {
            let lines = rows.map { row in
                let times = row.times.map { StabilityEvaluation.decimal($0, 2) }.joined(separator: ",")
                return "\(row.detector),\"\(row.picture)\",\(StabilityEvaluation.decimal(row.megapixels, 3)),"
                    + "\(row.found),\(row.falseFaces.map { "\($0)" } ?? ""),\(times)\n"
            }
            let heading =
                "detector,picture,megapixels,found,false,firstMilliseconds,secondMilliseconds,tenthMilliseconds\n"
            try AtomicFile.write(heading + lines.joined(), to: path, replacing: true)
        }
        if let path = arguments["plot"] {
            let plot = LinePlot(
                title: "Detectors: time of the second call", xLabel: "megapixels", yLabel: "milliseconds",
                xMaximum: max(rows.map(\.megapixels).max() ?? 1, 0.1),
                yMaximum: max(rows.map { $0.times[1] }.max() ?? 1, 1),
                lines: names.map { name in
                    let own = rows.filter { $0.detector == name }.sorted { $0.megapixels < $1.megapixels }
                    return .init(name: name, points: own.map { ($0.megapixels, $0.times[1]) })
                })
            try AtomicFile.write(plot.svg, to: path, replacing: true)
        }
        if arguments.has("json") {
            let result: JSONValue = .object([
                "detectors": .array(
                    rows.map { row in
                        .object([
                            "detector": .string(row.detector), "picture": .string(row.picture),
                            "found": .integer(row.found),
                            "false": row.falseFaces.map { .integer($0) } ?? .null,
                            "milliseconds": .array(row.times.map { .number(BenchCommand.rounded($0)) }),
                        ])
                    })
            ])
            Console.output(result.text(indented: true) + "\n")
            return
        }
        var text = "detector  found  false   first  second   tenth  picture\n"
        for row in rows {
            let cells = [
                "\(row.found)", row.falseFaces.map { "\($0)" } ?? "–",
            ].map { String(repeating: " ", count: max(0, 7 - $0.count)) + $0 }
            let times = row.times.map { StabilityEvaluation.decimal($0, 1) }
                .map { String(repeating: " ", count: max(0, 8 - $0.count)) + $0 }
            text += row.detector + String(repeating: " ", count: max(0, 8 - row.detector.count))
            text += cells.joined() + times.joined() + "  " + row.picture + "\n"
        }
        text += "\n"
        for name in names {
            let own = rows.filter { $0.detector == name }
            let found = own.map(\.found).reduce(0, +)
            let wrong = own.compactMap(\.falseFaces).reduce(0, +)
            let time = StabilityEvaluation.decimal(own.map { $0.times[1] }.reduce(0, +), 0)
            text += "\(name): \(found) found, \(wrong) of them false where annotated, \(time) ms in all\n"
        }
        Console.output(text)
    }
}
