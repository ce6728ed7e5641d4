import CSandbox
import Files
import Glibc

/// A painting program, installed as a package or as a Flatpak.
struct PaintingProgram: Sendable {
    let name: String
    /// The command up to the file's path, and behind it.
    private let words: (before: [String], behind: [String])

    /// Those that are installed here. It looks into folders, which may be slow.
    static func installed() -> [PaintingProgram] {
        [find("Krita", "krita", "org.kde.krita"), find("GIMP", "gimp", "org.gimp.GIMP")].compactMap { $0 }
    }

    /// - Parameters:
    ///   - command: its name in `PATH`.
    ///   - flatpak: its name on Flathub.
    private static func find(_ name: String, _ command: String, _ flatpak: String) -> PaintingProgram? {
        if let program = program(command) { return PaintingProgram(name: name, words: ([program], [])) }
        let home = FilePath(environment: "XDG_DATA_HOME") ?? FilePath(environment: "HOME").map { $0 / ".local/share" }
        let places: [FilePath] = [home.map { $0 / "flatpak/app" }, "/var/lib/flatpak/app"].compactMap { $0 }
        guard let starter = program("flatpak"), places.contains(where: { ($0 / FilePath(flatpak)).exists }) else {
            return nil
        }
        // Its sandbox gets this file, wherever it lies.
        return PaintingProgram(
            name: name, words: ([starter, "run", "--file-forwarding", flatpak, "@@"], ["@@"]))
    }

    private static func program(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0 && !Folder.exists($0)
        }
    }

    /// Opens a file in it, and waits until it ends. The program goes on when this one ends.
    /// - Parameter fail: is called if it cannot be started, or ends with an error in the first three seconds.
    func open(_ file: FilePath, fail: () -> Void) {
        // With a slash in it, no file's name is an option.
        guard let path = (file.isAbsolute ? file : FilePath(".") / file).string else { return fail() }
        let strings = (words.before + [path] + words.behind).map { strdup($0) }
        defer { for string in strings { free(string) } }
        var process = pid_t()
        guard csandbox_spawn(&process, strings + [nil], [], 0, nil) == 0 else { return fail() }
        let start = ContinuousClock.now
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        // Most run until their window is closed.
        if status != 0, .now - start < .seconds(3) { fail() }
    }
}
