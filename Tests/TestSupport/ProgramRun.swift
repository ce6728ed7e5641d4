import Foundation

/// A run of the program with what it said.
package struct ProgramRun {
    package let exitCode: Int32
    package let output: String
    package let error: String

    /// Runs the built program.
    /// - Parameters:
    ///   - input: what it gets on standard input.
    ///   - whileRunning: called once the program runs, for instance to interrupt it.
    /// A program that has not ended after five minutes is killed, so that a hang is a failure and not the end of all
    /// tests.
    package static func bauta(
        _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:], folder: String? = nil,
        whileRunning: ((Process) throws -> Void)? = nil
    ) throws -> ProgramRun {
        try run(
            Repository.executable, arguments, input: input, environment: environment, folder: folder,
            whileRunning: whileRunning)
    }

    package static func run(
        _ path: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
        folder: String? = nil, whileRunning: ((Process) throws -> Void)? = nil
    ) throws -> ProgramRun {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        // Files, not pipes: a program that says much would block on a full pipe.
        let place = try TemporaryFolder()
        let outputPath = try place.write("", "output")
        let errorPath = try place.write("", "error")
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        let inputPath = try place.write(input ?? [], "input")
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: inputPath))
        try process.run()
        let guardian = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: guardian)
        defer { guardian.cancel() }
        try whileRunning?(process)
        process.waitUntilExit()
        let code =
            process.terminationReason == .uncaughtSignal ? 1000 + process.terminationStatus : process.terminationStatus
        return ProgramRun(
            exitCode: code, output: try String(contentsOfFile: outputPath, encoding: .utf8),
            error: try String(contentsOfFile: errorPath, encoding: .utf8))
    }
}
