import Arguments
import Evaluation
import JSON

/// Milliseconds by stage: median, 95th and 99th percentile.
enum StageTable {
    private static let percentiles = [0.95, 0.99]

    /// - Parameter notes: the heading of a last column.
    static func table(notes: String) -> TextTable {
        TextTable(
            [
                .left("ms", width: 10), .right("median", width: 9), .right("95%", width: 9), .right("99%", width: 9),
                .left(notes),
            ], separator: "")
    }

    static func row(_ stage: Samples) -> [String] {
        [stage.name]
            + ([stage.median] + percentiles.map(stage.percentile)).map { DecimalText.fixed($0, digits: 2) }
    }

    static func json(_ stages: [Samples]) -> JSONValue {
        .object(stages.map { JSONValue.Member($0.name, .object(members($0))) })
    }

    static func members(_ stage: Samples) -> [JSONValue.Member] {
        [
            .init("median", .number(DecimalText.rounded(stage.median))),
            .init("p95", .number(DecimalText.rounded(stage.percentile(percentiles[0])))),
            .init("p99", .number(DecimalText.rounded(stage.percentile(percentiles[1])))),
        ]
    }
}
