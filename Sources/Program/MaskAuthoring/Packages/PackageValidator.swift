import FaceGeometry
import Files
import Masks

/// Validates mask packages: folders, and packed files.
package struct PackageValidator: Sendable {
    private let loader: MaskLoader
    private let check: MaskCheck

    package init(loader: MaskLoader, reference: ReferenceFace, mesh: FaceMesh) {
        self.loader = loader
        check = MaskCheck(mesh: mesh, reference: reference)
    }

    /// The problems of the mask in a folder.
    /// - Parameter name: the path to show in the problems instead of the folder's; nil: the folder's.
    package func problems(folder: FilePath, shownAs name: FilePath? = nil) throws(FileError) -> MaskProblems {
        let problems = try contents(folder: folder).problems
        guard let name, name != folder else { return problems }
        return problems.map { problem in
            FilePath(problem.path).relative(to: folder).map { problem.withPath(name / $0) }
                ?? problem.withPath(problem.path)
        }
    }

    /// The problems of the mask in a folder, the names of its files, and those of them that nothing uses, sorted.
    func contents(
        folder: FilePath
    ) throws(FileError) -> (problems: MaskProblems, names: [FilePath], unused: [FilePath]) {
        let reading = loader.read(PackageFiles(folder: folder))
        let names = try PackageFolder.names(in: folder)
        return (check.problems(reading, names: names), names, check.unusedFiles(reading, among: names).sorted())
    }

    /// The problems of a packed mask. It is unpacked to a temporary folder, which is deleted afterwards.
    package func problems(archive path: FilePath) throws -> MaskProblems {
        do {
            let files = try PackageFolder.unpacked(path)
            let pending = try PendingFolder(in: FilePath(environment: "TMPDIR") ?? "/tmp")
            try PackageFolder.write(files, to: pending.path)
            return try problems(folder: pending.path, shownAs: path)
        } catch let problem as MaskProblem {
            return MaskProblems([problem])
        }
    }

    /// - Returns: the warnings.
    /// - Throws: `InvalidMask`.
    @discardableResult
    package func requireValid(folder: FilePath, shownAs name: FilePath? = nil) throws -> MaskProblems {
        let problems = try problems(folder: folder, shownAs: name)
        let errors = problems.errors
        if !errors.isEmpty { throw InvalidMask(errors: errors) }
        return problems
    }
}

/// A mask with errors, which can be neither packed nor installed.
package struct InvalidMask: Error, CustomStringConvertible {
    package let errors: MaskProblems

    /// One line per error that is listed.
    package var description: String {
        var lines = errors.listed.map { "\($0) [\($0.code.rawValue)]" }
        if errors.omittedCount > 0 { lines.append("and \(errors.omittedCount) more errors") }
        return lines.joined(separator: "\n")
    }
}
