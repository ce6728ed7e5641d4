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
    /// Standard output could not be written whole.
    package static let ioError = ExitCode(rawValue: EX_IOERR)
    /// 128 + SIGINT.
    package static let interrupted = ExitCode(rawValue: 130)
}
