import Glibc

/// The exit status of the program, as in `sysexits.h`; 130 after an interrupt, as the shell reports it.
package struct ExitCode: Error, Equatable, Sendable {
    package let rawValue: Int32

    package static let success = ExitCode(rawValue: 0)
    /// Some inputs failed, the others are done.
    package static let someFailed = ExitCode(rawValue: 1)
    package static let usage = ExitCode(rawValue: EX_USAGE)
    package static let dataError = ExitCode(rawValue: EX_DATAERR)
    package static let noInput = ExitCode(rawValue: EX_NOINPUT)
    package static let unavailable = ExitCode(rawValue: EX_UNAVAILABLE)
    package static let softwareError = ExitCode(rawValue: EX_SOFTWARE)
    package static let cannotCreate = ExitCode(rawValue: EX_CANTCREAT)
    /// Standard output could not be written whole, or the machine failed where another try may succeed.
    package static let ioError = ExitCode(rawValue: EX_IOERR)
    /// Another process does the same.
    package static let busy = ExitCode(rawValue: EX_TEMPFAIL)
    /// 128 + SIGINT.
    package static let interrupted = ExitCode(rawValue: 130)

    /// All of them with their meanings, in the order of their numbers: for the manual and
    /// `docs/reference/exit-codes.md`.
    package static let meanings: [(code: ExitCode, meaning: String)] = [
        (.success, "Everything was done."),
        (
            .someFailed,
            "Some inputs failed, the others were done; fewer pictures were captured than requested; or a running "
                + "session refused a command."
        ),
        (
            .usage,
            "The command line is wrong: an unknown option, a value out of range, options that exclude each other."
        ),
        (.dataError, "An input is invalid: a damaged file, a mask with errors, a picture without faces."),
        (.noInput, "An input does not exist or cannot be read, or no mask has that name."),
        (
            .unavailable,
            "A resource is missing or busy: a package, a landmark model, a camera, a display, memory, "
                + "threads, a session that listens."
        ),
        (.softwareError, "A library failed. Please report it."),
        (.cannotCreate, "A result cannot be written, or it exists and must not be replaced."),
        (
            .ioError,
            "Standard output could not be written completely, for example because the disk is full; or photographs "
                + "of a shard failed because of I/O or memory. Rerun the command to try these again."
        ),
        (.busy, "Another process is working on the same shard of photographs; try again later."),
        (
            .interrupted,
            "Interrupted by Ctrl-C, SIGTERM or the end of the terminal before the work was done. Commands that run "
                + "until they are stopped (live, capture, track with a camera) then exit with status 0."
        ),
    ]

    /// A table of `meanings` in Markdown.
    package static var markdown: String {
        "| status | meaning |\n|---:|---|\n"
            + meanings.map { "| \($0.code.rawValue) | \($0.meaning) |\n" }.joined()
    }
}
