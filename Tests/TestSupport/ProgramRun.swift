import Foundation

/// A run of a program with what it wrote.
package struct ProgramRun {
    package let exitCode: Int32
    package let output: String
    package let error: String

    /// Seconds after which a program is killed that has not ended, so that a hang fails one test and does not stop all.
    package static let limit = 600.0

    /// A run that did not end, or whose `whileRunning` failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs the built program; see `run`.
    package static func bauta(
        _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:], folder: String? = nil,
        limit: Double = limit, whileRunning: ((RunningProgram) throws -> Void)? = nil
    ) throws -> ProgramRun {
        try run(
            Repository.executable, arguments, input: input, environment: environment, folder: folder, limit: limit,
            whileRunning: whileRunning)
    }

    /// Runs commands in bash, in which `bauta` is the built program, wherever that lies.
    package static func shell(
        _ commands: String, folder: String, environment: [String: String] = [:]
    ) throws -> ProgramRun {
        try run(
            "/bin/bash", ["-c", #"bauta() { "$BAUTA_PROGRAM" "$@"; }; "# + commands],
            environment: environment.merging(["BAUTA_PROGRAM": Repository.executable]) { $1 }, folder: folder)
    }

    /// Signals that this process ignores, as under `nohup` or in the background of a script, would be ignored by the
    /// programs that it starts. A handler that does nothing is not passed on.
    private static let ignoresNoSignal: Void = {
        for number in [SIGHUP, SIGINT, SIGQUIT] {
            let before = signal(number) { _ in }
            let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if !isIgnored { signal(number, before) }
        }
    }()

    /// Runs a program and waits for its end.
    /// - Parameters:
    ///   - input: what it gets on standard input.
    ///   - environment: added to the environment of the tests.
    ///   - folder: its working folder.
    ///   - limit: seconds after which it is killed.
    ///   - whileRunning: called once the program runs, for instance to interrupt it. If this throws, the program is
    ///     killed.
    /// - Returns: its exit code, or 1000 + signal if a signal ended it, and its output.
    /// - Throws: `Failure` if it had to be killed, with what it wrote to standard error.
    package static func run(
        _ path: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
        folder: String? = nil, limit: Double = limit, whileRunning: ((RunningProgram) throws -> Void)? = nil
    ) throws -> ProgramRun {
        _ = ignoresNoSignal
        let program = try RunningProgram(path, arguments, input: input, environment: environment, folder: folder)
        let name = ([(path as NSString).lastPathComponent] + arguments).joined(separator: " ")
        try program.process.runWithSignals()
        // The queue keeps it until the limit has passed, also when it is cancelled; the program's files need not wait.
        let guardian = DispatchWorkItem { [weak program] in program?.killForHanging() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: guardian)
        defer { guardian.cancel() }
        do {
            try whileRunning?(program)
        } catch {
            let end = program.isRunning ? "it was still running" : "it had ended"
            if program.isRunning { kill(program.processIdentifier, SIGKILL) }
            program.process.waitUntilExit()
            throw Failure(description: "\(name): \(error) (\(end); standard error: \(program.errorSoFar))")
        }
        program.process.waitUntilExit()
        guard !program.hasBeenKilled else {
            throw Failure(
                description: "\(name): killed, because it ran for more than \(Int(limit)) s; standard error: "
                    + program.errorSoFar)
        }
        let process = program.process
        let code =
            process.terminationReason == .uncaughtSignal ? 1000 + process.terminationStatus : process.terminationStatus
        return ProgramRun(exitCode: code, output: program.outputSoFar, error: program.errorSoFar)
    }
}

extension Process {
    /// Starts it. Threads that tests run on block signals, and children inherit that; some servers end by a signal alone.
    func runWithSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}

/// A program while it runs.
package final class RunningProgram: @unchecked Sendable {
    fileprivate let process = Process()
    private let place: TemporaryFolder
    private let outputPath: String
    private let errorPath: String
    private let lock = NSLock()
    private var isHung = false

    fileprivate init(
        _ path: String, _ arguments: [String], input: [UInt8]?, environment: [String: String], folder: String?
    ) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        // Files, not pipes: a program that writes much would block on a full pipe.
        place = try TemporaryFolder()
        // What the user of this machine has chosen changes no test, and no test changes it.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_CONFIG_HOME": place.path + "/configuration"]) { $1 }.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        outputPath = try place.write("", "output")
        errorPath = try place.write("", "error")
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        let inputPath = try place.write(input ?? [], "input")
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: inputPath))
    }

    package var isRunning: Bool { process.isRunning }
    package var processIdentifier: Int32 { process.processIdentifier }

    /// The largest memory that it has had by now, in bytes; nil when it has ended.
    package var peakMemory: Int? {
        let status = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { 1024 * $0 }
    }

    /// What it has written to standard output and standard error by now.
    package var outputSoFar: String { Self.text(outputPath) }
    package var errorSoFar: String { Self.text(errorPath) }

    private static func text(_ path: String) -> String { String(decoding: (try? bytes(of: path)) ?? [], as: UTF8.self) }

    /// Sends SIGINT, as Ctrl+C does.
    package func interrupt() { kill(processIdentifier, SIGINT) }

    /// Stops the program while `body` runs, as a very slow machine would.
    package func suspended(_ body: () throws -> Void) rethrows {
        kill(processIdentifier, SIGSTOP)
        defer { kill(processIdentifier, SIGCONT) }
        try body()
    }

    /// Waits for a condition as `wait(for:look:until:)` does, but no longer than the program runs.
    @discardableResult
    package func wait<State>(
        for what: String, limit: Double = waitingLimit, look: () throws -> State,
        until isWanted: (State) throws -> Bool
    ) throws -> State {
        try TestSupport.wait(for: what, limit: limit, pause: 0.1) {
            // Asked before the look, so that what the program did last still counts.
            let isRunning = isRunning
            return (state: try look(), isRunning: isRunning)
        } until: {
            if try isWanted($0.state) { return true }
            guard $0.isRunning else {
                throw WaitingFailure("the program ended before this: \(what). Seen last: \("\($0.state)".prefix(1000))")
            }
            return false
        }.state
    }

    /// Waits until its standard error contains some words.
    package func waitForError(_ words: String) throws {
        try wait(for: "'\(words)' on standard error") {
            errorSoFar
        } until: {
            $0.contains(words)
        }
    }

    fileprivate var hasBeenKilled: Bool { lock.withLock { isHung } }

    fileprivate func killForHanging() {
        lock.withLock { isHung = true }
        kill(processIdentifier, SIGKILL)
    }
}
