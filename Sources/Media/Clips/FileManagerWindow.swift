import CSandbox
import Files
import Glibc

/// Folders in the desktop's file manager.
package enum FileManagerWindow {
    package struct Failure: Error, Equatable, CustomStringConvertible {
        let folder: FilePath
        package var description: String { "No file manager could be opened. The folder is \(folder)" }
    }

    /// Opens a window with a folder, by xdg-open. It waits for up to three seconds for an error.
    package static func open(_ folder: FilePath) throws(Failure) {
        // With a slash in it, no folder's name is an option.
        let path = folder.isAbsolute ? folder : FilePath(".") / folder
        guard let program = ChildLimits.program("xdg-open"), let text = path.string else {
            throw Failure(folder: folder)
        }
        let words = CStrings([program, text])
        var process = pid_t()
        guard withExtendedLifetime(words, { csandbox_spawn(&process, words.pointers, [], 0, nil) }) == 0 else {
            throw Failure(folder: folder)
        }
        // Some file managers run until their window is closed.
        for _ in 0..<30 {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                if status != 0 { throw Failure(folder: folder) }
                return
            }
            usleep(100_000)
        }
    }
}
