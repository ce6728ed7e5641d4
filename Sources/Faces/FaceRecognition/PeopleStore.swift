import Files
import Glibc

/// The folder that holds who is enrolled: `people.json`, and pictures only where they were asked for. It is for its owner
/// alone.
///
///     people/                 0700
///       people.json           0600
///       pictures/3a…/001.png  0600, with enrol's --keep-pictures
package struct PeopleStore: Sendable {
    /// Another process changes the store.
    package struct Busy: Error, CustomStringConvertible {
        package let path: FilePath

        package var description: String { "\(path): another process is changing the enrolled people; try again" }
    }

    package let folder: FilePath
    package var path: FilePath { folder / "people.json" }

    /// Others may neither read nor enter nor write.
    private static let others: mode_t = 0o077

    package init(folder: FilePath) { self.folder = folder }

    /// `$XDG_DATA_HOME/bauta/people`.
    /// - Throws: `FileError` if there is no home folder.
    package static func standard() throws(FileError) -> PeopleStore {
        guard let folder = UserFolders.data else { throw UserFolders.missing(.unreadable) }
        return PeopleStore(folder: folder / "bauta/people")
    }

    // MARK: Reading

    /// The enrolled people; none if no store exists.
    /// - Parameter report: takes sentences about permissions that were wrong and are right now.
    /// - Throws: `FileError` if the store cannot be read, is damaged, or belongs to somebody else.
    package func load(report: (String) -> Void) throws(FileError) -> EnrolledPeople {
        var code: Int32 = 0
        guard folder.status(followsLinks: false, failure: &code) != nil else {
            guard code == ENOENT else {
                throw FileError(.unreadable, path: folder, "cannot be read: \(systemErrorText(code))")
            }
            return EnrolledPeople()
        }
        try closeToOthers(folder, mode: 0o700, report)
        // A link that leads nowhere is no empty store.
        guard path.status(followsLinks: false) != nil else { return EnrolledPeople() }
        try closeToOthers(path, mode: 0o600, report)
        let bytes = try FileContents.read(path, limit: EnrolledPeople.largestFile)
        do {
            return try bytes.withUnsafeBytes { try EnrolledPeople(parsing: $0) }
        } catch {
            throw FileError(.damaged, path: path, "\(error)")
        }
    }

    /// Makes sure that nobody else can read a file or folder, which must be the user's own.
    private func closeToOthers(
        _ path: FilePath, mode: mode_t, _ report: (String) -> Void
    ) throws(FileError) {
        var code: Int32 = 0
        guard let status = path.status(followsLinks: false, failure: &code) else {
            throw FileError(.unreadable, path: path, "cannot be read: \(systemErrorText(code))")
        }
        let type = mode == 0o700 ? S_IFDIR : S_IFREG
        guard status.type == type else {
            let kind = type == S_IFDIR ? "a folder" : "a file"
            throw FileError(.unreadable, path: path, "must be \(kind) of its own, not a link or anything else")
        }
        guard status.st_uid == geteuid() else {
            throw FileError(.unreadable, path: path, "belongs to another user, who could change the enrolled people")
        }
        guard status.st_mode & Self.others != 0 else { return }
        guard path.withCString({ chmod($0, mode) }) == 0 else {
            throw FileError(
                .unreadable, path: path, "other users can read it, and that cannot be changed: \(systemErrorText())")
        }
        report("\(path): other users could read it; now only you can")
    }

    // MARK: Changing

    /// Reads the store, changes it, and writes it in one step. Nothing is written if nothing changes.
    /// - Parameter report: as in `load`.
    /// - Throws: `Busy`, `FileError`, or what `change` throws.
    package func update(
        report: (String) -> Void, _ change: (inout EnrolledPeople) throws -> Void
    ) throws {
        try Folder.createParent(of: folder)
        let code = folder.withCString { mkdir($0, 0o700) == 0 ? 0 : errno }
        guard code == 0 || code == EEXIST else {
            throw FileError(.unwritable, path: folder, "the folder cannot be created: \(systemErrorText(code))")
        }
        try closeToOthers(folder, mode: 0o700, report)
        let lock: FileLock?
        do throws(FileLock.Held) {
            lock = try FileLock(folder / ".lock")
        } catch {
            throw Busy(path: path)
        }
        try withExtendedLifetime(lock) {
            let old = try load(report: report)
            var new = old
            try change(&new)
            guard new != old else { return }
            try Array(new.text.utf8).withUnsafeBytes { bytes in
                try AtomicFile.write(bytes, to: path, replacing: true, mode: 0o600)
            }
        }
    }

    // MARK: Pictures

    /// Where the pictures of a person are, if any were kept.
    /// - Parameter name: with its accents encoded as they are enrolled.
    package func pictures(of name: PersonName) -> FilePath {
        let digits = name.text.utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return folder / "pictures" / FilePath(digits)
    }

    /// Adds a picture to those of a person.
    /// - Parameters:
    ///   - bytes: of a PNG file.
    /// - Returns: its path.
    package func keep(_ bytes: [UInt8], of name: PersonName) throws(FileError) -> FilePath {
        let place = pictures(of: name)
        for made in [folder, place.parent, place] { _ = made.withCString { mkdir($0, 0o700) } }
        for number in 1...9999 {
            let path = place / FilePath("\(String("000\(number)".suffix(4))).png")
            if path.status(followsLinks: false) != nil { continue }
            var failure: FileError?
            bytes.withUnsafeBytes { bytes in
                do throws(FileError) {
                    try AtomicFile.write(bytes, to: path, replacing: false, mode: 0o600)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            return path
        }
        throw FileError(.unwritable, path: place, "has room for no more pictures")
    }

    /// Deletes the pictures of a person.
    /// - Throws: `FileError` if some are still there.
    package func deletePictures(of name: PersonName) throws(FileError) {
        let place = pictures(of: name)
        Folder.delete(place)
        guard place.status(followsLinks: false) == nil else {
            throw FileError(.unwritable, path: place, "cannot be deleted; delete it yourself")
        }
    }
}
