import CSandbox
import Files
import Glibc
import Threads

/// A program of the desktop in which pictures are painted.
package struct PaintingProgram: Sendable {
    /// For users.
    package let name: String
    private let program: String

    /// Name, program, and the identifier on Flathub.
    private static let known = [
        ("Krita", "krita", "org.kde.krita"), ("GIMP", "gimp", "org.gimp.GIMP"),
        ("Inkscape", "inkscape", "org.inkscape.Inkscape"),
    ]

    private static let installed = known.compactMap { name, program, identifier in
        let exports = ["/var/lib/flatpak", "\(UserFolders.data?.description ?? "")/flatpak"].map {
            "\($0)/exports/bin/\(identifier)"
        }
        return ([program] + exports).lazy.compactMap(ChildLimits.program).first.map {
            PaintingProgram(name: name, program: $0)
        }
    }

    /// The first installed program for such a picture; nil: none. Looked up once: folders of `PATH` may be slow.
    package static func installed(for picture: FilePath) -> PaintingProgram? {
        installed.first { ($0.name == "Inkscape") == (picture.fileExtension == "svg") }
    }

    /// Opens a picture, and does not wait for the program.
    /// - Parameter picture: an absolute path.
    /// - Returns: whether the program has been started.
    package func open(_ picture: FilePath) -> Bool {
        guard let text = picture.string else { return false }
        let words = CStrings([program, text])
        var process = pid_t()
        guard withExtendedLifetime(words, { csandbox_spawn(&process, words.pointers, [], 0, nil) }) == 0 else {
            return false
        }
        // Its number stays taken until somebody has asked how it ended.
        _ = try? DedicatedThread.start { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
        return true
    }
}
