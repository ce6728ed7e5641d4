import CFiles
import Glibc

enum FolderRenaming {
    /// Gives a temporary folder its final name. A folder that is replaced then has the temporary name, or is deleted.
    /// - Parameter path: changes to a temporary name that is right for both.
    static func rename(_ path: inout FilePath, to target: FilePath, replacing: Bool) throws(FileError) {
        guard let there = target.status(followsLinks: false) else { return try rename(path, to: target) }
        guard replacing else { throw FileError(.alreadyExists, path: target, "already exists") }
        if let own = path.status(followsLinks: false) {
            let both = path.parent / TemporaryNames.name(of: own, exchangedFor: there)
            try rename(path, to: both)
            path = both
        }
        let code = path.withCString { path in target.withCString { cfiles_exchange(path, $0) == 0 ? 0 : errno } }
        if code == 0 { return }
        guard [EINVAL, ENOSYS, EPERM].contains(code) else { throw cannotBeMade(target, code) }
        // File systems that cannot exchange: the old folder is put aside, and back again after an error.
        let old = target.parent / TemporaryNames.name(of: there)
        try rename(target, to: old)
        do throws(FileError) {
            try rename(path, to: target)
        } catch {
            try? rename(old, to: target)
            throw error
        }
        Folder.delete(old)
    }

    /// `rename` of the system does not replace a folder that has files in it.
    static func rename(_ path: FilePath, to target: FilePath) throws(FileError) {
        guard path.withCString({ path in target.withCString { Glibc.rename(path, $0) } }) == 0 else {
            throw cannotBeMade(target)
        }
    }

    private static func cannotBeMade(_ target: FilePath, _ code: Int32 = errno) -> FileError {
        FileError(.unwritable, path: target, "cannot be created: \(systemErrorText(code))")
    }
}
