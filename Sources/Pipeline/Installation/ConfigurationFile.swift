import Files
import Glibc
import JSON

/// A file of the user's choices: a JSON object in `$XDG_CONFIG_HOME/bauta` (XDG Base Directory Specification), for people
/// to read and to edit. One that cannot be read is never overwritten.
package struct ConfigurationFile: Sendable {
    package let path: FilePath

    private static let limit = 1 << 20

    package init(_ path: FilePath) { self.path = path }

    /// - Parameter name: of the file.
    /// - Returns: nil if there is no home folder.
    package init?(named name: FilePath) {
        guard let folder = UserFolders.configuration else { return nil }
        path = folder / "bauta" / name
    }

    /// - Returns: an object, without members if there is no file.
    /// - Throws: `FileError` if the file cannot be read, or is no JSON object.
    package func read() throws(FileError) -> JSONValue {
        // A link that leads nowhere counts as missing: it is replaced.
        if path.isMissing { return .object([] as [JSONValue.Member]) }
        let bytes = try FileContents.read(path, limit: Self.limit)
        let json: JSONValue
        do {
            json = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            throw FileError(.damaged, path: path, "\(error)")
        }
        guard case .object = json else { throw FileError(.damaged, path: path, "must be a JSON object") }
        return json
    }

    /// Reads the file, changes it and writes it in one step. Nothing is written if nothing changes.
    /// - Throws: `FileError`; as `read`, or if it cannot be written.
    package func update(_ change: (inout JSONValue) -> Void) throws(FileError) {
        let old = try read()
        var new = old
        change(&new)
        guard new != old else { return }
        // A link to a file elsewhere stays a link.
        let place = path.resolved ?? path
        try Folder.createParent(of: place)
        try AtomicFile.write(new.text(indented: true) + "\n", to: place, replacing: true)
    }
}
