import CSandbox
import Cameras
import Files
import Glibc
import Threads

/// `bauta live` with the edited mask: a process of its own, which goes on when the editor ends.
package final class LiveRun {
    private var process: pid_t?
    /// The folder of the mask that it was opened with.
    private var mask: FilePath?
    /// What it writes to its standard error, in a file without a name: a pipe would end it when nobody reads that any more.
    private var errors: UnsafeMutablePointer<FILE>?
    /// Whether the user wants it, and the mask is still to be saved.
    var isWanted = false
    /// Whether the mask is being saved for it.
    var isSaving = false
    /// Whether it has been started once.
    package private(set) var hasStarted = false
    private let looking = BackgroundWork()
    /// This program's file, as it was found at the start: once an update has replaced it, its place is the same, but
    /// the system does not say that place any more.
    private let program: FilePath?

    /// - Parameter program: the file of this program; nil: it cannot be found.
    package init(program: FilePath? = ThisProgram.path) { self.program = program }

    /// Whether cameras are being looked for, on another thread.
    var isLooking: Bool { looking.isWorking }

    /// Finds out whether there is a camera, on another thread: opening devices, and asking PipeWire, can take seconds. This
    /// fulfils the wish.
    /// - Parameter finish: is called by `handBack`.
    func findCameras(finish: @escaping (_ hasCamera: Bool) -> Void) {
        (isWanted, isSaving) = (false, false)
        guard !looking.isBusy else { return }
        looking.add({ !Camera.all().isEmpty }, finish: finish)
    }

    /// To be called for each frame.
    func handBack() { looking.handBack() }

    /// - Parameter wearer: the arguments of `bauta live` that name who wears the mask; none: the first camera that works.
    /// - Returns: what the user is told; `isAlarm` if it cannot be started.
    package func start(_ mask: FilePath, on wearer: [String]) -> (text: String, isAlarm: Bool) {
        (isWanted, isSaving) = (false, false)
        if process != nil, let worn = self.mask {
            // It may be recording: the user ends it.
            return worn == mask
                ? ("The live window wears the mask already. It follows when you save", false)
                : ("The live window still wears \(worn.name). Close it to wear \(mask.name) live", true)
        }
        guard mask.string != nil else {
            return ("The live window could not be opened: the mask's path is not UTF-8", true)
        }
        guard let program, program.isAccessible(X_OK) else {
            return (
                "The live window could not be opened: Bauta's program was moved or removed. Save, and start the editor again",
                true
            )
        }
        errors = tmpfile()
        let words = ([program, "live", "--try-mask", "--mask", mask] + wearer.map { FilePath($0) }).map { word in
            word.withCString { strdup($0) }
        }
        defer { for word in words { free(word) } }
        let handed = errors.map { [csandbox_descriptor(here: fileno($0), there: 2)] } ?? []
        var child = pid_t()
        let code = csandbox_spawn(&child, words + [nil], handed, handed.count, nil)
        guard code == 0 else {
            closeErrors()
            return ("The live window could not be opened: \(systemErrorText(code))", true)
        }
        (process, self.mask, hasStarted) = (child, mask, true)
        return ("Opening the live window … It follows when you save", false)
    }

    /// To be called for each frame.
    /// - Returns: why it has ended, for the user; nil: it has not, or nothing was wrong.
    package func failure() -> String? {
        guard let child = process else { return nil }
        var status: Int32 = 0
        guard waitpid(child, &status, WNOHANG) == child else { return nil }
        process = nil
        defer { closeErrors() }
        let signal = status & 0x7F
        guard signal == 0 else {
            // These come from the user. Of a crash, or of memory that has run out, nobody has been told.
            if [SIGINT, SIGTERM, SIGHUP].contains(signal) { return nil }
            let name = strsignal(signal).map { String(cString: $0) } ?? "unknown"
            return "The live window was ended by signal \(signal) (\(name))"
        }
        guard status >> 8 & 0xFF != 0 else { return nil }
        return "The live window has ended: \(lastError ?? "it said nothing")"
    }

    private var lastError: String? {
        guard let file = errors.map({ fileno($0) }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let end = lseek(file, 0, SEEK_END)
        let count = pread(file, &bytes, bytes.count, max(0, end - off_t(bytes.count)))
        guard count > 0 else { return nil }
        let line = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").last
        return line.map { String($0.hasPrefix("bauta: ") ? $0.dropFirst(7) : $0) }
    }

    private func closeErrors() {
        if let errors { fclose(errors) }
        errors = nil
    }

    deinit { closeErrors() }
}
