import FaceGeometry
import Files
import Glibc
import Masks

/// Validates mask packages: folders, and packed files.
package struct PackageValidator {
    private let loader: MaskLoader
    private let check: MaskCheck

    package init(loader: MaskLoader, reference: ReferenceFace, mesh: FaceMesh) {
        self.loader = loader
        check = MaskCheck(mesh: mesh, reference: reference)
    }

    /// All problems of the mask in a folder.
    /// - Parameter name: the path to show in the problems instead of the folder's; nil: the folder's.
    package func problems(folder: String, shownAs name: String? = nil) throws(FileError) -> [MaskProblem] {
        let reading = loader.read(PackageFiles(folder: folder))
        let problems = check.problems(reading, names: try PackageFolder.names(in: folder))
        guard let name, name != folder else { return problems }
        return problems.map {
            $0.withPath($0.path.hasPrefix(folder) ? name + $0.path.dropFirst(folder.count) : $0.path)
        }
    }

    /// All problems of a packed mask. It is unpacked to a temporary folder, which is deleted afterwards.
    package func problems(archive path: String) throws -> [MaskProblem] {
        do {
            let files = try PackageFolder.unpacked(path)
            let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
            var template = Array("\(parent)/bauta.XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else {
                throw FileError(.unwritable, path: parent, "no folder can be made in it: \(systemErrorText())")
            }
            let temporary = String(cString: made)
            defer { Folder.delete(temporary) }
            try PackageFolder.write(files, to: temporary + "/mask")
            return try problems(folder: temporary + "/mask", shownAs: path)
        } catch let problem as MaskProblem {
            return [problem]
        }
    }

    /// - Throws: `InvalidMask` with all errors; warnings do not count.
    package func requireValid(folder: String, shownAs name: String? = nil) throws {
        let errors = try problems(folder: folder, shownAs: name).filter { $0.code.severity == .error }
        if !errors.isEmpty { throw InvalidMask(errors: errors) }
    }
}

/// A mask with errors, which can be neither packed nor installed.
package struct InvalidMask: Error, CustomStringConvertible {
    package let errors: [MaskProblem]

    /// One line per error.
    package var description: String { errors.map { "\($0) [\($0.code.rawValue)]" }.joined(separator: "\n") }
}
