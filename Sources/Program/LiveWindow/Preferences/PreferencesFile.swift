import Files
import Installation
import Threads

/// Keeps `LivePreferences` from session to session. A file that cannot be read is ignored and kept.
package final class PreferencesFile {
    /// Its content when it was opened.
    package let preferences: LivePreferences
    /// Invalid entries, as sentences for the user.
    package let warnings: [String]

    private let file: ConfigurationFile
    private var isWritable = true
    private let writing = BackgroundWork()
    private var failure: FileError?

    /// Reads the file. A missing one is no error.
    package init(_ file: ConfigurationFile) {
        self.file = file
        var warnings: [String] = []
        do {
            preferences = LivePreferences(try file.read()) {
                warnings.append("\(file.path): \($0); this setting is ignored")
            }
        } catch {
            preferences = LivePreferences()
            isWritable = false
            warnings.append("\(error); the file is ignored and kept")
        }
        self.warnings = warnings
    }

    deinit { finish() }

    /// Writes what has changed, on a thread of its own, and does not wait for it nor for what is being written. The other
    /// members of the file stay, also those that another session has written meanwhile.
    /// - Returns: why an earlier call has failed; nil: it has not. After a failure nothing more is written.
    package func write(_ new: LivePreferences, changesSince old: LivePreferences) -> FileError? {
        writing.handBack()
        if let error = failure {
            (isWritable, failure) = (false, nil)
            return error
        }
        guard isWritable, new != old else { return nil }
        writing.add { [file] () -> FileError? in
            do throws(FileError) {
                try file.update { new.write(changesSince: old, into: &$0) }
                return nil
            } catch {
                return error
            }
        } finish: { [unowned self] error in
            if let error { failure = error }
        }
        return nil
    }

    /// Waits until everything has been written.
    package func finish() { writing.finish() }
}
