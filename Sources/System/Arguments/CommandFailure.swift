/// Why a command stops: a sentence for the user, and the exit status.
package struct CommandFailure: Error, CustomStringConvertible {
    package let exitCode: ExitCode
    package let description: String

    package init(_ exitCode: ExitCode, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }
}
