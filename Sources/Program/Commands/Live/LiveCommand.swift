import Arguments
import Files
import Installation
import LiveWindow

/// `bauta live`: masks in a window, a recording or a video call.
enum LiveCommand {
    static let definition = CommandDefinition(
        name: "live", overview: "Wear a mask in a window, a recording or a video call.",
        discussion: """
            Shows a camera, a clip, a photograph or a folder of pictures in a window and puts a mask on every face. A file or \
            folder takes precedence over a camera of the same name; write ./drawn for a file named drawn. Keys: Left, \
            Right and 1 to 9 choose the mask, 0 turns it off and on, C or F12 covers \
            everything: the whole picture is blurred in the window and in all outputs and recordings until you press \
            C again. L shows mesh and landmarks, M mirrors, F toggles full screen, S saves a snapshot, R starts and \
            stops a recording, G saves the last ten seconds, O opens the folder of results, + and - change the size of \
            texts, space pauses, Tab opens the panel, H shows the keys, Esc leaves full screen and closes \
            help and panel, Q quits. Drop a mask (a folder or a .bauta file) or a portrait photograph on the window \
            to wear it, or a clip or a folder of pictures to show it. A mask is reloaded when its files change.
            """,
        arguments: [SourceArgument.withPictures], groups: LiveOptions.groups,
        examples: [
            "bauta live                               # the first camera that works",
            "bauta live drawn --mask skull            # needs no camera",
            "bauta live --virtual-camera auto         # for video-call apps",
            "bauta live --control-socket auto         # then: bauta control cover on",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        var settings = try LiveOptions.settings(arguments)
        settings.worn.people = try PeopleOptions.settings(arguments)
        if !settings.window.isHeadless, !arguments[LiveOptions.ignoresPreferences] {
            settings.preferences = ConfigurationFile(named: "live.json").map { PreferencesFile($0) }
        }
        settings.source.input = settings.source.input.showingPhotographs
        if case .pictures(let folder) = settings.source.input {
            InputFiles.protect(folder)
            for name in Folder.entries(of: folder) ?? [] { InputFiles.protect(folder / name) }
        }
        let headless = settings.window.isHeadless
        let (outcome, report) = try LiveSession.open(
            settings, data: try DataFolder.find(), echoesMessages: headless || !Console.errorIsTerminal,
            log: { Console.error("bauta: \($0)\n") },
            body: { [hasLimit = settings.frameLimit != nil] session in
                // An existing report is replaced only once everything else is known to work.
                let report = try LiveOptions.reports.place(arguments).map {
                    try LiveReport($0, replaces: arguments[MaskingOptions.force])
                }
                if headless, !hasLimit, Console.errorIsTerminal {
                    Console.error("bauta: running without a window; Ctrl+C ends it\n")
                }
                let outcome = try session.run(isCancelled: { Interrupt.isRequested }) {
                    report?.write($0, kind: "second")
                }
                return (outcome, report)
            })
        report?.write(outcome.statistics, kind: "summary", outputs: outcome.outputs)
        let asksForOutput =
            settings.outputs.target != nil || settings.outputs.virtualCamera != nil || settings.outputs.recordsAtOnce
        if Interrupt.isRequested, asksForOutput, outcome.failure == nil, outcome.outputs.allSatisfy({ $0.frames == 0 })
        {
            throw CommandFailure(.interrupted, "interrupted before the first frame; nothing was written")
        }
        if let failure = outcome.failure {
            guard outcome.failureIsLogged else { throw failure }
            return CommandFailure(classifying: failure).exitCode
        }
        if let failure = report?.failure { throw failure }
        // An interrupt is a normal end of a live session.
        return .success
    }
}
