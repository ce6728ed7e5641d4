import CommandLine
import FaceTracking
import ImageFiles
import JSON
import Pixels

/// `bauta bench landmarks`: our evaluation of the landmark model beside dlib's.
enum LandmarkBenchmark {
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let repetitions = try arguments.integer("repeat", in: 1...100_000) ?? 100
        let model = arguments["model"] ?? LandmarkCascade.defaultModelPath
        let clock = ContinuousClock()
        let start = clock.now
        let cascade = try LandmarkCascade(modelPath: model)
        let opened = clock.now
        let dlib = try DlibLandmarkPredictor(modelPath: model)
        let loaded = clock.now
        let detector = try HOGFaceDetector()

        var ours: [Double] = []
        var theirs: [Double] = []
        var faces = 0
        for path in arguments.positional {
            let photograph = try PictureReader.read(path).pixels.withEightBits()
            let grey = try photograph.grey(width: photograph.width, height: photograph.height)
            for detection in try detector.detections(in: grey) {
                faces += 1
                // Once without the clock, to bring the pages in.
                _ = try cascade.landmarks(in: grey, box: detection.box)
                _ = try dlib.landmarks(in: grey, box: detection.box)
                for _ in 0..<repetitions {
                    let first = clock.now
                    _ = try cascade.landmarks(in: grey, box: detection.box)
                    let second = clock.now
                    _ = try dlib.landmarks(in: grey, box: detection.box)
                    ours.append((second - first).milliseconds * 1000)
                    theirs.append((clock.now - second).milliseconds * 1000)
                }
            }
        }
        guard faces > 0 else {
            throw CommandFailure(.dataError, "there is no face in \(arguments.positional.joined(separator: ", "))")
        }
        let (own, reference) = (BenchCommand.median(ours), BenchCommand.median(theirs))
        let loading = [opened - start, loaded - opened].map(\.milliseconds)
        if arguments.has("json") {
            let result: JSONValue = .object([
                "faces": .integer(faces), "repetitions": .integer(repetitions),
                "microseconds": .number(BenchCommand.rounded(own)),
                "dlibMicroseconds": .number(BenchCommand.rounded(reference)),
                "ratio": .number(BenchCommand.rounded(own / reference)),
                "loadMilliseconds": .number(BenchCommand.rounded(loading[0])),
                "dlibLoadMilliseconds": .number(BenchCommand.rounded(loading[1])),
            ])
            Console.output(result.text(indented: true) + "\n")
        } else {
            Console.output(
                """
                \(faces) faces, \(repetitions) times each
                          a face (µs)   loading (ms)
                cascade   \(padded(own))   \(padded(loading[0]))
                dlib      \(padded(reference))   \(padded(loading[1]))
                ratio     \(BenchCommand.rounded(own / reference))

                """)
        }
        return .success
    }

    private static func padded(_ value: Double) -> String {
        let text = BenchCommand.fixed(value)
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
