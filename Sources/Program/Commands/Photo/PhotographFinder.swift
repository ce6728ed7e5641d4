import Arguments
import Clips
import Files
import ImageFiles
import PhotoRecords
import PhotographWindow

/// Finds the photographs of the window among files and folders, and says what their results are called.
package struct PhotographFinder: Sendable {
    private let recursive: Bool
    private let format: PictureFormat?

    /// - Parameters:
    ///   - recursive: whether folders inside folders are searched.
    ///   - format: of the results; nil: each has that of its photograph.
    package init(recursive: Bool, format: PictureFormat?) { (self.recursive, self.format) = (recursive, format) }

    /// Of a folder, what is no picture is left out.
    func jobs(_ inputs: [FilePath], into output: FilePath) throws -> [PhotoJob] {
        var (jobs, leftOut) = (
            PhotoJobs(recursive: recursive, format: format, output: output), PhotoJobs.LeftOut()
        )
        jobs.onlyPictures = true
        return try jobs.jobs(for: inputs, leavingOut: &leftOut)
    }

    /// Leaves out what is no photograph, and whatever would have the same result as a photograph of another input, and says
    /// so.
    /// - Parameter opened: the files and folders that are in the window already.
    package func find(_ inputs: [FilePath], besides opened: [FilePath]) throws -> PhotographSelection {
        var (accepted, refusals): ([FilePath], [String]) = ([], [])
        var photographs: [FilePath] = []
        let inputs = inputs.map(Self.canonical)
        let output = Self.base(opened + inputs) + PhotographRun.ending(nil)
        /// By the paths of their results.
        var known: [FilePath: FilePath] = [:]
        func remember(_ jobs: [PhotoJob]) {
            for job in jobs where job.obstacle == nil { known[job.output] = job.input }
        }
        remember(try jobs(opened, into: output))
        for input in inputs {
            if !input.exists {
                refusals.append("\(input) does not exist")
            } else if !Folder.exists(input), PictureHeader(path: input) == nil {
                let isClip = ClipInformation.extensions.contains(input.fileExtension)
                refusals.append("\(input.name) is not a photograph" + (isClip ? ": 'bauta video' masks clips" : ""))
            } else {
                // Results of earlier runs are left out silently: their photographs are there, and nothing is to be done.
                let jobs = try jobs([input], into: output)
                if jobs.isEmpty {
                    refusals.append("There are no photographs in \(input.name)")
                } else if let (one, other) = Self.clash(jobs, known) {
                    refusals.append(
                        "The results of \(one) and \(other) would have the same name: \(input) is left out")
                } else {
                    accepted.append(input)
                    photographs += jobs.map(\.input)
                    remember(jobs)
                }
            }
        }
        // Of many, the first say enough.
        let most = 3
        let more = refusals.count - most
        let refusal = refusals.prefix(most).joined(separator: "\n") + (more > 0 ? "\nand \(more) more" : "")
        return PhotographSelection(
            inputs: accepted, photographs: photographs, refusal: refusals.isEmpty ? nil : refusal,
            base: opened.isEmpty && accepted.isEmpty ? nil : Self.base(opened + accepted))
    }

    /// A photograph whose result would have the path of that of another one, and the other one.
    private static func clash(_ jobs: [PhotoJob], _ known: [FilePath: FilePath]) -> (one: FilePath, other: FilePath)? {
        for job in jobs where job.obstacle == nil {
            if let other = known[job.output], other != job.input { return (job.input, other) }
        }
        return nil
    }

    /// The same path for the same file. A link keeps its own name.
    private static func canonical(_ input: FilePath) -> FilePath {
        if Folder.exists(input) { return input.resolved ?? input }
        let parent: FilePath = input.parent.isEmpty ? "." : input.parent
        return parent.resolved.map { $0 / input.name } ?? input
    }

    /// The folders of results that are there, in the order in which they were made.
    static func resultFolders(_ run: PhotographRun) -> [FilePath] {
        let first = resultFolder(run)
        // A file of that name, or a folder that was deleted, does not end the row.
        return (1..<100).map { Folder.numbered(first, $0) }.filter(Folder.exists)
    }

    /// What the user has chosen, or else "Holiday masked" beside the folder Holiday, "ada covered" beside ada.jpg,
    /// "Photographs masked" beside the first of several.
    static func resultFolder(_ run: PhotographRun) -> FilePath {
        run.chosenFolder ?? base(run.inputs) + PhotographRun.ending(run.cover)
    }

    /// The path of a folder for results without its ending: named after the one photograph, or after the folder that all
    /// photographs are in that were opened; otherwise no name of one of them says what it holds.
    private static func base(_ inputs: [FilePath]) -> FilePath {
        let all = inputs.map { $0.resolved ?? $0 }
        guard let first = all.first else { return "./Photographs" }
        let folder = all.first { one in
            Folder.exists(one) && all.allSatisfy { $0 == one || $0.relative(to: one) != nil }
        }
        if let folder { return folder.parent / folder.name }
        return first.parent / (all.count > 1 ? "Photographs" : first.name.withoutExtension)
    }
}
