import Arguments

/// `bauta lab bench`: what the stages of masking cost.
enum BenchCommand {
    static let definition = CommandDefinition(
        name: "bench", overview: "Measure the speed of this machine.",
        subcommands: [
            PhotoBenchCommand.definition, LandmarkBenchCommand.definition, TrackBenchCommand.definition,
            LiveBenchCommand.definition, RenderBenchCommand.definition,
        ])
}
