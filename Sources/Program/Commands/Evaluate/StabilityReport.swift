import Arguments
import Files
import JSON
import TrackingEvaluation

/// The results of `bauta lab evaluate stability`, as a table or as JSON.
enum StabilityReport {
    typealias Result = (clip: String, evaluation: StabilityEvaluation)

    // MARK: JSON

    /// One clip: an object; several: an object with all of them and the worst of each measure.
    static func json(_ results: [Result]) -> JSONValue {
        if results.count == 1 { return json(results[0]) }
        return .object([
            "clips": .array(results.map(json)),
            "worst": .array(StabilityEvaluation.worst(of: results.map(\.evaluation)).map(json)),
        ])
    }

    private static func json(_ result: Result) -> JSONValue {
        let evaluation = result.evaluation
        return .object([
            "clip": .string(result.clip), "frames": .integer(evaluation.frames), "width": .integer(evaluation.width),
            "height": .integer(evaluation.height), "faceWidth": rounded(evaluation.faceWidth),
            "modes": .array(evaluation.modes.map(json)),
            "events": .object(evaluation.events.map { JSONValue.Member($0.name, .integer($0.count)) }),
            "milliseconds": .object(
                evaluation.stages.map { JSONValue.Member($0.name, .number(DecimalText.rounded($0.median))) }),
        ])
    }

    private static func json(_ mode: StabilityEvaluation.Mode) -> JSONValue {
        var members = [
            JSONValue.Member("name", .string(mode.name)), .init("slip", mode.slip.map(rounded) ?? .null),
            .init("wholeFaceSlip", mode.wholeFaceSlip.map(rounded) ?? .null),
            .init("foreheadSlip", mode.foreheadSlip.map(rounded) ?? .null), .init("drift", rounded(mode.drift)),
            .init("countedPairs", mode.countedPairs.map(rounded) ?? .null), .init("jitter", rounded(mode.jitter)),
            .init("lag", rounded(mode.lag)), .init("error", rounded(mode.error)),
            .init("lostFrames", .integer(mode.lostFrames)), .init("largestStep", rounded(mode.largestStep)),
        ]
        if let switches = mode.identitySwitches { members.append(.init("identitySwitches", .integer(switches))) }
        return .object(members)
    }

    private static func rounded(_ value: Float) -> JSONValue {
        .number(DecimalText.rounded(Double(value), digits: 5))
    }

    // MARK: Text

    static func text(_ results: [Result]) -> String {
        var table = TextTable([
            .left("clip"), .left("mode"), .right("slip"), .right("whole face"), .right("forehead"), .right("drift"),
            .right("pairs"),
            .right("jitter"), .right("lag"), .right("error"), .right("lost"), .right("largest step"), .left(""),
        ])
        for result in results {
            for mode in result.evaluation.modes { table.rows.append(row(name(result.clip), mode)) }
        }
        if results.count > 1 {
            for mode in StabilityEvaluation.worst(of: results.map(\.evaluation)) {
                table.rows.append(row("worst", mode))
            }
        }
        return table.text + "\n" + results.map(summary).joined()
    }

    private static func row(_ clip: String, _ mode: StabilityEvaluation.Mode) -> [String] {
        [
            clip, mode.name, fixed(mode.slip, 5), fixed(mode.wholeFaceSlip, 5), fixed(mode.foreheadSlip, 5),
            fixed(mode.drift, 4),
            mode.countedPairs.map { fixed(100 * $0, 0) + " %" } ?? "–", fixed(mode.jitter, 5), fixed(mode.lag, 1),
            fixed(mode.error, 5), "\(mode.lostFrames)", fixed(mode.largestStep, 4), mode.note ?? "",
        ]
    }

    private static func summary(_ result: Result) -> String {
        let evaluation = result.evaluation
        let events = evaluation.events.map { " \($0.name) \($0.count)" }.joined(separator: ",")
        let stages = evaluation.stages.map { " \($0.name) \(DecimalText.fixed($0.median, digits: 2))" }
        return """
            \(name(result.clip)): \(evaluation.frames) frames of \(evaluation.width) × \(evaluation.height), the face \
            is \(fixed(evaluation.faceWidth, 0)) pixels wide
              identity switches: \(evaluation.identitySwitches)
              events:\(events)
              milliseconds per frame (median):\(stages.joined(separator: ","))

            """
    }

    private static func name(_ path: String) -> String { FilePath(path).name.description }

    private static func fixed(_ value: Float?, _ digits: Int) -> String {
        value.map { DecimalText.fixed(Double($0), digits: digits) } ?? "–"
    }
}
