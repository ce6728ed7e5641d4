import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import Masking
import Masks

/// The files of a mask package on disk.
enum PackageFolder {
    /// The files of a package's folder, without hidden ones and backups.
    /// - Throws: `CommandFailure` where something is no file, which could not be packed.
    static func files(in folder: String) throws -> [MaskArchive.File] {
        try names(in: folder, refusesOthers: true).map { name in
            MaskArchive.File(
                name: name, bytes: try FileContents.read("\(folder)/\(name)", limit: MaskArchive.maximumFileSize))
        }
    }

    /// Their names, with "/" between folders, sorted folder by folder.
    /// - Parameter refusesOthers: whether links, and what lies too deep, are an error; otherwise links to files count as
    ///   files, and the rest is left out.
    static func names(
        in folder: String, refusesOthers: Bool = false, below prefix: String = "", depth: Int = 1
    ) throws -> [String] {
        guard let names = Folder.entries(of: folder) else {
            throw CommandFailure(.noInput, "\(folder): cannot be listed: \(String(cString: strerror(errno)))")
        }
        var result: [String] = []
        for name in names where !name.hasPrefix(".") && !name.hasSuffix("~") {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard (refusesOthers ? lstat(path, &status) : stat(path, &status)) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where depth < MaskArchive.maximumDepth:
                result += try self.names(
                    in: path, refusesOthers: refusesOthers, below: "\(prefix)\(name)/", depth: depth + 1)
            case S_IFREG: result.append(prefix + name)
            default:
                guard refusesOthers else { continue }
                throw CommandFailure(.dataError, "\(path): only files can be packed; this is a link or something else")
            }
        }
        return result
    }

    /// Tells whether files have changed, by their names.
    typealias Stamps = [String: FileStamp]

    static func stamps(_ folder: String) -> Stamps {
        var stamps: Stamps = [:]
        for name in (try? names(in: folder)) ?? [] { stamps[name] = FileStamp("\(folder)/\(name)") }
        return stamps
    }

    static func unpacked(_ path: String) throws -> [MaskArchive.File] {
        let archive = try FileContents.read(path, limit: MaskArchive.maximumArchiveSize)
        do {
            return try MaskArchive.unpack(archive)
        } catch {
            let entry = error.entry.map { "'\($0)': " } ?? ""
            throw MaskProblem(error.code, path: path, entry + error.reason)
        }
    }

    /// Makes a folder that is not there yet and writes files into it. On failure nothing is left of it.
    static func write(_ files: [MaskArchive.File], to folder: String) throws {
        guard mkdir(folder, 0o777) == 0 else {
            throw CommandFailure(
                .cannotCreate, "\(folder): the folder cannot be made: \(String(cString: strerror(errno)))")
        }
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

    // MARK: Checking

    /// Everything that is wrong with the mask in a folder.
    /// - Parameter name: what to call the folder in the problems.
    static func problems(_ folder: String, called name: String, data: DataFolder) throws -> [MaskProblem] {
        let reference = try data.referenceFace()
        let reading = data.maskLoader(reference).read(PackageFiles(folder: folder))
        let problems = MaskCheck(mesh: try data.mesh(), reference: reference).problems(
            reading, names: try names(in: folder))
        guard name != folder else { return problems }
        return problems.map { $0.withPath($0.path.replacingPrefix(folder, with: name)) }
    }

    /// - Throws: `CommandFailure` with all errors, if there are any.
    static func requireNoErrors(_ folder: String, called name: String, data: DataFolder) throws {
        let errors = try problems(folder, called: name, data: data).filter { $0.code.severity == .error }
        guard !errors.isEmpty else { return }
        throw CommandFailure(.dataError, errors.map { "\($0) [\($0.code.rawValue)]" }.joined(separator: "\n"))
    }
}

extension String {
    func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
