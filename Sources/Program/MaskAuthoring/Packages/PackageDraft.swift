import Files
import Glibc
import Masks

/// A mask that is made for somebody who is about to edit it: a copy of another one, or a new one.
package struct PackageDraft: Equatable, Sendable {
    package let folder: FilePath
    /// As they were made.
    private let files: [MaskArchive.File]

    /// Makes the copy, under the first name that is free.
    /// - Parameters:
    ///   - original: the mask's folder.
    ///   - parent: where the copy comes, made if it is not there yet.
    /// - Throws: what is wrong with the mask, or `FileError` if nothing can be written.
    package init(of original: FilePath, in parent: FilePath) throws {
        try Folder.create(parent)
        folder = Self.free("my-\(original.name)", in: parent)
        files = try PackageFolder.files(in: original)
        let pending = try PendingFolder(in: parent)
        try PackageFolder.write(files, to: pending.path)
        try pending.rename(to: folder, replacing: false)
    }

    /// - Parameter folder: of a new mask, which has just been made.
    /// - Throws: `FileError` if it cannot be read.
    package init(new folder: FilePath) throws { (self.folder, files) = (folder, try PackageFolder.files(in: folder)) }

    /// The name, or the first with a number that is free.
    package static func free(_ name: String, in folder: FilePath) -> FilePath {
        var (path, number) = (folder / FilePath(name), 1)
        while path.exists {
            number += 1
            path = folder / FilePath("\(name)-\(number)")
        }
        return path
    }

    /// Removes the mask if no program has changed anything in it: one that was only looked at, or saved under another name,
    /// leaves none.
    package func removeIfUntouched() {
        guard !EditJournal(folder: folder).path.exists,
            files == (try? PackageFolder.files(in: folder)),
            // Nor is there anything that is no part of a mask.
            Self.hasOnly(Set(files.map(\.name)), in: folder, below: "")
        else { return }
        Folder.delete(folder)
    }

    /// Whether a folder has nothing but files of these names, hidden ones and backups included, and the folders around them.
    private static func hasOnly(_ names: Set<FilePath>, in folder: FilePath, below prefix: FilePath) -> Bool {
        guard let entries = Folder.entries(of: folder) else { return false }
        return entries.allSatisfy { entry in
            let (path, name) = (folder / entry, prefix / entry)
            switch path.status(followsLinks: false)?.type {
            case S_IFREG: return names.contains(name)
            case S_IFDIR:
                let within = names.filter { $0.relative(to: name) != nil }
                return !within.isEmpty && hasOnly(within, in: path, below: name)
            default: return false
            }
        }
    }
}
