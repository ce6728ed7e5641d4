import Files
import Glibc
import Masks

/// The folder of a mask package on disk. Hidden files and backups (`name~`) are not part of the package.
package enum PackageFolder {
    /// All files with their content, for packing.
    /// - Throws: `FileError` if something is neither a file nor a folder (a link, for example), or too large.
    package static func files(in folder: String) throws(FileError) -> [MaskArchive.File] {
        var files: [MaskArchive.File] = []
        for name in try names(in: folder, refusesOthers: true) {
            let bytes = try FileContents.read("\(folder)/\(name)", limit: MaskArchive.maximumFileSize)
            files.append(MaskArchive.File(name: name, bytes: bytes))
        }
        return files
    }

    /// The names of all files, with "/" between folders, sorted folder by folder.
    /// - Parameter refusesOthers: whether links, other special files and folders nested too deeply are an error. If not,
    ///   links to files count as files, and the rest is left out.
    package static func names(in folder: String, refusesOthers: Bool = false) throws(FileError) -> [String] {
        try names(in: folder, refusesOthers: refusesOthers, below: "", depth: 1)
    }

    private static func names(
        in folder: String, refusesOthers: Bool, below prefix: String, depth: Int
    ) throws(FileError) -> [String] {
        guard let entries = Folder.entries(of: folder) else {
            throw FileError(.unreadable, path: folder, "cannot be listed: \(systemErrorText())")
        }
        var result: [String] = []
        for name in entries where !name.hasPrefix(".") && !name.hasSuffix("~") {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard (refusesOthers ? lstat(path, &status) : stat(path, &status)) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where depth < MaskArchive.maximumDepth:
                result += try names(
                    in: path, refusesOthers: refusesOthers, below: "\(prefix)\(name)/", depth: depth + 1)
            case S_IFREG: result.append(prefix + name)
            default:
                guard refusesOthers else { continue }
                throw FileError(.damaged, path: path, "only files can be packed; this is a link or something else")
            }
        }
        return result
    }

    /// The state of all files by name, to detect changes by other programs.
    package typealias Stamps = [String: FileStamp]

    /// Empty if the folder cannot be read.
    package static func stamps(_ folder: String) -> Stamps {
        var stamps: Stamps = [:]
        for name in (try? names(in: folder)) ?? [] { stamps[name] = FileStamp("\(folder)/\(name)") }
        return stamps
    }

    /// The files of a packed mask.
    /// - Throws: `FileError`, or `MaskProblem` if the archive is refused.
    package static func unpacked(_ path: String) throws -> [MaskArchive.File] {
        let archive = try FileContents.read(path, limit: MaskArchive.maximumArchiveSize)
        do {
            return try MaskArchive.unpack(archive)
        } catch {
            let entry = error.entry.map { "'\($0)': " } ?? ""
            throw MaskProblem(error.code, path: path, entry + error.reason)
        }
    }

    /// Creates a folder and writes files into it. On failure, nothing is left of it.
    /// - Throws: `FileError`.
    package static func write(_ files: [MaskArchive.File], to folder: String) throws {
        try create(folder)
        do {
            for file in files {
                let path = "\(folder)/\(file.name)"
                try Folder.createParent(of: path)
                try file.bytes.withUnsafeBytes { try AtomicFile.write($0, to: path, replacing: false) }
            }
        } catch {
            Folder.delete(folder)
            throw error
        }
    }

    /// - Throws: `FileError` if the folder exists or cannot be created.
    static func create(_ folder: String) throws(FileError) {
        guard mkdir(folder, 0o777) == 0 else {
            throw FileError(.unwritable, path: folder, "the folder cannot be made: \(systemErrorText())")
        }
    }
}
