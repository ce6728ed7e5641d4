import Files
import Glibc
import JSON
import Threads

/// The file that keeps `LivePreferences` from session to session: `$XDG_CONFIG_HOME/bauta/live.json` (XDG Base Directory
/// Specification). A file that cannot be read is never overwritten.
package final class PreferencesFile {
    /// What was in it when it was opened.
    package let preferences: LivePreferences
    /// What was not as it should be, as sentences for the user.
    package let warnings: [String]

    private let path: FilePath
    private var isWritable: Bool
    private var writing: DedicatedThread.Handle?
    private let failure = Mailbox<FileError>()

    /// The default place; nil if there is no home folder.
    package static var automaticPath: FilePath? { UserFolders.configuration.map { $0 / "bauta/live.json" } }

    private static let limit = 1 << 20

    /// Reads the file. A missing one is no error.
    package init(_ path: FilePath) {
        self.path = path
        var warnings: [String] = []
        do {
            let json = try Self.read(path)
            let read = LivePreferences(json) { warnings.append("\(path): \($0); this is ignored") }
            preferences = read ?? LivePreferences()
            isWritable = read != nil
            if read == nil { warnings.append("\(path): it must be a JSON object; the file is ignored and kept") }
        } catch {
            preferences = LivePreferences()
            isWritable = false
            warnings.append("\(error); the file is ignored and kept")
        }
        self.warnings = warnings
    }

    deinit { finish() }

    /// An empty object if there is no file.
    private static func read(_ path: FilePath) throws(FileError) -> JSONValue {
        // A link that leads nowhere counts as missing: it is replaced.
        if !path.exists, errno == ENOENT { return .object([] as [JSONValue.Member]) }
        let text = try FileContents.text(path, limit: limit)
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw FileError(.damaged, path: path, "\(error)")
        }
    }

    /// Writes what has changed, on a thread of its own. The other members of the file stay, also those that another session
    /// has written meanwhile.
    /// - Returns: why an earlier call has failed; nil: it has not. After a failure nothing more is written.
    package func write(_ new: LivePreferences, changesSince old: LivePreferences) -> FileError? {
        if let error = failure.take(waiting: 0) {
            isWritable = false
            return error
        }
        guard isWritable, new != old else { return nil }
        finish()
        writing = DedicatedThread.start { [path, failure] in
            do throws(FileError) {
                var json = try Self.read(path)
                guard case .object = json else { return }
                new.write(changesSince: old, into: &json)
                // A link to a file elsewhere stays a link.
                let path = path.resolved ?? path
                try Folder.createParent(of: path)
                try AtomicFile.write(json.text(indented: true) + "\n", to: path, replacing: true)
            } catch {
                _ = failure.replace(error)
            }
        }
        return nil
    }

    /// Waits until everything has been written.
    package func finish() {
        writing?.join()
        writing = nil
    }
}
