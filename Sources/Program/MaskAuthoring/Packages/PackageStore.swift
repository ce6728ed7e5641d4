import Files
import Glibc
import Masks

/// Packs, unpacks, installs and removes mask packages.
package struct PackageStore {
    private let validator: PackageValidator
    /// The folder of installed masks.
    private let installed: FilePath

    /// - Parameter folder: where masks are installed.
    package init(folder: FilePath, validator: PackageValidator) {
        installed = folder
        self.validator = validator
    }

    /// Whether a mask may be installed under a name: one that every system can have and that is not hidden.
    package static func isValidName(_ name: FilePath) -> Bool { name.isPortableName && !name.isHidden }

    /// Whether an installed mask may have the name: other versions, and people, take more names than `isValidName`.
    package static func canBeInstalled(_ name: FilePath) -> Bool {
        name.staysBeneath && name.parts.count == 1 && !name.isHidden
    }

    /// A packed mask.
    package struct Packed {
        /// In bytes.
        package let size: Int
        package let warnings: MaskProblems
        /// The files of the folder that are not in it, sorted.
        package let leftOut: [FilePath]
    }

    /// Packs a folder into one file. Equal folders give equal files.
    /// - Parameter leavesOutUnused: whether files that nothing in the mask uses stay out (`MaskCheck.unusedFiles`).
    /// - Throws: `InvalidMask`, `FileError`, or `MaskArchive.WritingFailure`.
    package func pack(
        _ folder: FilePath, to path: FilePath, replacing: Bool, leavesOutUnused: Bool = false
    ) throws -> Packed {
        let (problems, names, unused) = try validator.contents(folder: folder)
        if !problems.errors.isEmpty { throw InvalidMask(errors: problems.errors) }
        let leftOut = leavesOutUnused ? unused : []
        let packed = Set(names).subtracting(leftOut)
        // An editor, which goes on writing these files, exports them too: they are protected from this writing only.
        try InputFiles.check(path, among: packed.map { folder / $0 })
        if !replacing { try AtomicFile.checkIsFree(path) }
        var files = try PackageFolder.files(in: folder)
        // Nor what has come since.
        if leavesOutUnused { files.removeAll { !packed.contains($0.name) } }
        let archive = try MaskArchive.pack(files)
        let unpacked: [MaskArchive.File]
        do {
            unpacked = try MaskArchive.unpack(archive)
        } catch {
            throw FileError(.damaged, path: folder, "cannot be unpacked: \(error)")
        }
        // libarchive spells letters in one way (Unicode NFC), and the manifest would no longer name the file.
        if let changed = Set(files.map(\.name)).subtracting(unpacked.map(\.name)).min() {
            throw FileError(
                .damaged, path: folder / changed,
                "cannot be packed under this name; spell its accents as single characters (Unicode NFC)")
        }
        try archive.withUnsafeBytes { try AtomicFile.write($0, to: path, replacing: replacing) }
        return Packed(size: archive.count, warnings: problems, leftOut: leftOut)
    }

    /// Unpacks a file into a new folder.
    /// - Returns: the number of files.
    /// - Throws: `MaskProblem`, `InvalidMask`, or `FileError`.
    package func unpack(_ path: FilePath, to folder: FilePath) throws -> Int {
        let files = try PackageFolder.unpacked(path)
        try Folder.createParent(of: folder)
        try place(files, at: folder, replacing: false)
        return files.count
    }

    /// Installs a packed mask or a mask's folder under a name.
    /// - Throws: `MaskProblem`, `InvalidMask`, or `FileError`.
    package func install(_ path: FilePath, as name: FilePath, replacing: Bool) throws {
        let files = Folder.exists(path) ? try PackageFolder.files(in: path) : try PackageFolder.unpacked(path)
        let folder = installed / name
        try Folder.createParent(of: folder)
        try place(files, at: folder, replacing: replacing, advice: "; --force replaces it")
    }

    /// - Throws: `NotInstalled`, or `FileError`.
    package func remove(_ name: FilePath) throws {
        let folder = installed / name
        guard folder.status(followsLinks: false) != nil else {
            let names = (Folder.entries(of: installed) ?? []).filter { !$0.isHidden }
            throw NotInstalled(name: name.description, installed: names.map(\.description))
        }
        // Put aside first, so that no other process finds half of the mask.
        let pending = try PendingFolder(in: installed)
        let aside = pending.path / name
        guard folder.withCString({ folder in aside.withCString { rename(folder, $0) } }) == 0 else {
            throw FileError(.unwritable, path: folder, "cannot be removed: \(systemErrorText())")
        }
    }

    package struct NotInstalled: Error {
        package let name: String
        /// The names of the installed masks.
        package let installed: [String]
    }

    /// Writes a package to a temporary folder, validates it there, and renames it.
    /// - Parameter advice: ends the error message if the folder exists.
    private func place(_ files: [MaskArchive.File], at folder: FilePath, replacing: Bool, advice: String = "") throws {
        if !replacing, folder.status(followsLinks: false) != nil {
            throw FileError(.alreadyExists, path: folder, "already exists\(advice)")
        }
        let pending = try PendingFolder(in: folder.parent)
        try PackageFolder.write(files, to: pending.path)
        try validator.requireValid(folder: pending.path, shownAs: folder.name)
        try pending.rename(to: folder, replacing: replacing)
    }
}
