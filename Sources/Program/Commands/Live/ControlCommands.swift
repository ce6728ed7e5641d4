import Arguments
import Files
import JSON
import LiveControl

/// `bauta control`: commands for a running `bauta live`.
enum ControlCommands {
    private static let socket = Option<FilePath?>(
        "socket", value: "path",
        help: "The socket of 'bauta live'. (default: $XDG_RUNTIME_DIR/bauta.socket)")

    static let definition = CommandDefinition(
        name: "control", overview: "Control a running 'bauta live' from another program.",
        discussion: """
            For desktop hotkeys, Stream Deck and scripts. Start the session with 'bauta live --control-socket auto'. \
            Commands: \(ControlCommand.usage). snapshot and record on print the path of the file; status prints JSON.
            """,
        arguments: [
            ArgumentDefinition(
                name: "command", help: "The command with its argument.", repeats: true, takesPaths: true,
                kind: .controlCommand)
        ],
        options: [socket],
        examples: [
            "bauta control mask skull",
            "bauta control mask toggle         # mask off or on",
            "bauta control cover on            # hides the whole picture",
            "bauta control record toggle",
            "bauta control status",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let line = arguments.paths.map(\.bytes).joined(separator: [UInt8(ascii: " ")])
        let command: ControlCommand
        do {
            command = try ControlCommand(line: line)
        } catch {
            throw UsageError("\(error).", arguments.commandPath)
        }
        guard let path = arguments[socket] ?? ControlPath.automatic else {
            throw UsageError("$XDG_RUNTIME_DIR is not set; name the socket with --socket.", arguments.commandPath)
        }
        switch try ControlClient.ask(command, on: path) {
        case .refused(let reason): throw CommandFailure(.someFailed, reason)
        case .done(let text):
            if command == .status || command == .masks, let value = try? JSONValue(parsing: text) {
                Console.output(value)
            } else if !text.isEmpty {
                Console.output(text + "\n")
            }
            return .success
        }
    }
}
