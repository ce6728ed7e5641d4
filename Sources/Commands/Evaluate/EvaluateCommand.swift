import CommandLine

/// `bauta evaluate`: how good the parts are that find and follow faces.
enum EvaluateCommand {
    static let definition = CommandDefinition(
        name: "evaluate", overview: "Measure how well faces are found and followed.",
        subcommands: [
            StabilityEvaluation.definition, LandmarkEvaluation.definition, DetectorEvaluation.definition,
            MeshEvaluation.definition,
        ])
}
