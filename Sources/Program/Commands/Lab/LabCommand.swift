import Arguments

/// `bauta lab`: what measures Bauta, for those who work on it.
enum LabCommand {
    static let definition = CommandDefinition(
        name: "lab", overview: "Measure how well and how fast faces are detected, tracked and masked.",
        examples: ["bauta lab evaluate landmarks samples", "bauta lab bench photo portrait.jpg"],
        subcommands: [EvaluateCommand.definition, BenchCommand.definition, MeshCommand.definition],
        visibility: .unlisted)
}
