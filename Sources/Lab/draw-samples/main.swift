import Glibc

do {
    try DrawSamples.run(arguments: Array(CommandLine.arguments.dropFirst()))
} catch {
    let message = Array("draw-samples: \(error)\n".utf8)
    write(STDERR_FILENO, message, message.count)
    exit(error is DrawSamples.UsageError ? EX_USAGE : EXIT_FAILURE)
}
