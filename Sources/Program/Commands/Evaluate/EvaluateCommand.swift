import Arguments

/// `bauta lab evaluate`: accuracy and stability of detection, landmarks, tracking and mesh.
enum EvaluateCommand {
    static let definition = CommandDefinition(
        name: "evaluate", overview: "Measure how well faces are detected and tracked.",
        subcommands: [
            StabilityCommand.definition, LandmarksCommand.definition, DetectorsCommand.definition,
            MeshEvaluationCommand.definition, OcclusionCommand.definition, GesturesCommand.definition,
            PeopleEvaluationCommand.definition, RecallCommand.definition,
        ])
}
