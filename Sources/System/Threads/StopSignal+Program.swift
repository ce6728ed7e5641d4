extension StopSignal {
    /// Stops when the user asks the program to end: `Interrupt` stops it after Ctrl-C, SIGTERM or SIGHUP. Whatever waits
    /// for something outside of the program, such as another program's answer, gives up then.
    package static let program = StopSignal()
}
