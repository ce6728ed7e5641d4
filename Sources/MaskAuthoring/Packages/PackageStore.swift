import Files
import Glibc
import Masks

/// Packs, unpacks, installs and removes mask packages.
package struct PackageStore {
    private let validator: PackageValidator
    /// The folder of installed masks.
    private let installed: String

    /// - Parameter folder: where masks are installed.
    package init(folder: String, validator: PackageValidator) {
        installed = folder
        self.validator = validator
    }

    /// Whether a mask may be installed under a name: a file name that is not hidden.
    package static func isValidName(_ name: String) -> Bool {
        !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && !name.utf8.contains(0)
    }

    /// Packs a folder into one file. Equal folders give equal files.
    /// - Returns: the file's size in bytes.
    /// - Throws: `InvalidMask`, `FileError`, or `MaskArchive.WritingFailure`.
    package func pack(_ folder: String, to path: String, replacing: Bool) throws -> Int {
        try validator.requireValid(folder: folder)
        if !replacing { try AtomicFile.checkIsFree(path) }
        let archive = try MaskArchive.pack(try PackageFolder.files(in: folder))
        do {
            _ = try MaskArchive.unpack(archive)
        } catch {
            throw FileError(.damaged, path: folder, "could not be unpacked again: \(error)")
        }
        try archive.withUnsafeBytes { try AtomicFile.write($0, to: path, replacing: replacing) }
        return archive.count
    }

    /// Unpacks a file into a new folder.
    /// - Returns: the number of files.
    /// - Throws: `MaskProblem`, `InvalidMask`, or `FileError`.
    package func unpack(_ path: String, to folder: String) throws -> Int {
        let files = try PackageFolder.unpacked(path)
        try Folder.createParent(of: folder)
        try place(files, at: folder, replacing: false)
        return files.count
    }

    /// Installs a packed mask or a mask's folder under a name.
    /// - Throws: `MaskProblem`, `InvalidMask`, or `FileError`.
    package func install(_ path: String, as name: String, replacing: Bool) throws {
        let files = Folder.exists(path) ? try PackageFolder.files(in: path) : try PackageFolder.unpacked(path)
        let folder = "\(installed)/\(name)"
        try Folder.createParent(of: folder)
        try place(files, at: folder, replacing: replacing, advice: "; --force replaces it")
    }

    /// - Throws: `NotInstalled`, or `FileError`.
    package func remove(_ name: String) throws {
        let folder = "\(installed)/\(name)"
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            throw NotInstalled(name: name, installed: Folder.entries(of: installed) ?? [])
        }
        // Renamed first, so that no other process finds half of the mask.
        let old = "\(folder).\(getpid()).old"
        guard rename(folder, old) == 0 else {
            throw FileError(.unwritable, path: folder, "cannot be removed: \(systemErrorText())")
        }
        Folder.delete(old)
    }

    package struct NotInstalled: Error {
        package let name: String
        /// The names of the installed masks.
        package let installed: [String]
    }

    /// Writes a package to a temporary folder, validates it there, and renames it.
    /// - Parameter advice: ends the error message if the folder exists.
    private func place(_ files: [MaskArchive.File], at folder: String, replacing: Bool, advice: String = "") throws {
        var status = stat()
        let exists = lstat(folder, &status) == 0
        if exists && !replacing { throw FileError(.alreadyExists, path: folder, "is there already\(advice)") }
        let temporary = "\(folder).\(getpid()).new"
        try PackageFolder.write(files, to: temporary)
        do {
            try validator.requireValid(folder: temporary, shownAs: folder.split(separator: "/").last.map(String.init))
            let old = "\(folder).\(getpid()).old"
            if exists { _ = rename(folder, old) }
            guard rename(temporary, folder) == 0 else {
                let reason = systemErrorText()
                if exists { _ = rename(old, folder) }
                throw FileError(.unwritable, path: folder, "cannot be made: \(reason)")
            }
            if exists { Folder.delete(old) }
        } catch {
            Folder.delete(temporary)
            throw error
        }
    }
}
