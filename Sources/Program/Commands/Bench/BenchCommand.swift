import Arguments

/// `bauta lab bench`: what the stages of masking cost.
enum BenchCommand {
    static let definition = CommandDefinition(
        name: "bench", overview: "Measure how long things take on this machine.",
        subcommands: [
            PhotoBenchCommand.definition, LandmarkBenchCommand.definition, TrackBenchCommand.definition,
            LiveBenchCommand.definition, RenderBenchCommand.definition,
        ])
}
