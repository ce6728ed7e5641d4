import Files
import Glibc
import Masks

/// The folder of a mask package on disk. Hidden files and backups (`name~`) are not part of the package.
package enum PackageFolder {
    /// All files with their content, for packing.
    /// - Throws: `FileError` if something is neither a file nor a folder (a link, for example), or too large.
    package static func files(in folder: FilePath) throws(FileError) -> [MaskArchive.File] {
        var files: [MaskArchive.File] = []
        let opened = try OpenFolder(folder)
        for name in try names(in: folder, refusesOthers: true) {
            let bytes = try FileContents.read(opened.open(name), limit: MaskArchive.maximumFileSize)
            files.append(MaskArchive.File(name: name, bytes: bytes))
        }
        return files
    }

    /// The names of all files, with "/" between folders, sorted folder by folder.
    /// - Parameter refusesOthers: whether links, other special files and folders nested too deeply are an error. If not,
    ///   links to files count as files, and the rest is left out.
    package static func names(in folder: FilePath, refusesOthers: Bool = false) throws(FileError) -> [FilePath] {
        try names(in: folder, refusesOthers: refusesOthers, below: "", depth: 1)
    }

    private static func names(
        in folder: FilePath, refusesOthers: Bool, below prefix: FilePath, depth: Int
    ) throws(FileError) -> [FilePath] {
        let entries = try Folder.list(folder)
        var result: [FilePath] = []
        for name in entries where !name.isHidden && name.bytes.last != UInt8(ascii: "~") {
            let path = folder / name
            guard let status = path.status(followsLinks: !refusesOthers) else { continue }
            switch status.type {
            case S_IFDIR where depth < MaskArchive.maximumDepth:
                result += try names(
                    in: path, refusesOthers: refusesOthers, below: prefix / name, depth: depth + 1)
            case S_IFREG: result.append(prefix / name)
            default:
                guard refusesOthers else { continue }
                throw FileError(.damaged, path: path, "is not a regular file; only regular files can be packed")
            }
        }
        return result
    }

    /// The state of all files by name, to detect changes by other programs.
    package typealias Stamps = [FilePath: FileStamp]

    /// Empty if the folder cannot be read.
    package static func stamps(_ folder: FilePath) -> Stamps {
        var stamps: Stamps = [:]
        for name in (try? names(in: folder)) ?? [] { stamps[name] = FileStamp(folder / name) }
        return stamps
    }

    /// The files of a packed mask.
    /// - Throws: `FileError`, or `MaskProblem` if the archive is refused.
    package static func unpacked(_ path: FilePath) throws -> [MaskArchive.File] {
        let archive = try FileContents.read(path, limit: MaskArchive.maximumArchiveSize)
        do {
            return try MaskArchive.unpack(archive)
        } catch {
            let entry = error.entry.map { "'\($0)': " } ?? ""
            throw MaskProblem(error.code, path: path, entry + error.reason)
        }
    }

    /// Writes files into an empty folder, none of them anywhere else.
    /// - Throws: `FileError`.
    package static func write(_ files: [MaskArchive.File], to folder: FilePath) throws(FileError) {
        let opened = try OpenFolder(folder)
        for file in files { try opened.create(file.name, file.bytes) }
    }
}
