import CFiles

/// The information that the system gave this program about itself at the start. Unlike Swift's list of arguments, it
/// needs no `/proc`, which some containers and jails lack.
package enum ThisProgram {
    /// Without the program's name. Paths among them may not be UTF-8.
    package static var arguments: [FilePath] {
        (1..<max(1, cfiles_argument_count())).compactMap { cfiles_argument($0).map { FilePath(cString: $0) } }
    }

    /// The program's file, without links; nil if it cannot be found. To be asked before the working folder changes.
    package static var path: FilePath? {
        FilePath("/proc/self/exe").resolved ?? cfiles_program().flatMap { FilePath(cString: $0).resolved }
    }
}
