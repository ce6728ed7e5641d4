import CommandLine
import Files
import Glibc
import ImageFiles
import Masking

/// Turns inputs into jobs: searches folders, decides on output paths, and finds clashes before anything is written.
package struct PhotoJobs {
    /// Whether folders inside the input folders are searched.
    package var recursive: Bool
    /// Nil: each result has the format of its input.
    package var format: PictureFormat?
    /// A folder, or for a single photograph a file.
    package var output: FilePath

    /// A folder of something else that Bauta writes.
    package var skipped: FilePath?

    package init(
        recursive: Bool = false, format: PictureFormat? = nil, output: FilePath, skipped: FilePath? = nil
    ) {
        self.skipped = skipped
        self.recursive = recursive
        self.format = format
        self.output = output
    }

    /// Whether `output` names the result itself: it ends like a picture and is not a folder.
    package static func isFile(_ output: FilePath) -> Bool {
        PictureFormat(path: output) != nil && !output.endsWithSlash && !Folder.exists(output)
    }

    /// - Throws: `CommandFailure` if several photographs would go into one file.
    package func jobs(for inputs: [FilePath]) throws -> [PhotoJob] {
        var jobs: [PhotoJob] = []
        for input in inputs {
            if Folder.exists(input) {
                collect(input.withoutFinalSlashes, below: "", into: &jobs)
            } else {
                let size = Int64(input.status()?.st_size ?? 0)
                jobs.append(PhotoJob(input: input, output: path(for: input.name, input), isNamed: true, size: size))
            }
        }
        if Self.isFile(output) {
            guard jobs.count == 1 else {
                throw CommandFailure(
                    .usage, "\(output): \(jobs.count) photographs cannot go into one file; name a folder")
            }
            jobs[0].output = output
        }
        markClashes(&jobs)
        return jobs
    }

    /// The photographs of a manifest. Of most, nothing is asked of the file system: the list may be long.
    /// - Parameter folder: where the photographs are.
    /// - Throws: `CommandFailure` if the results would lie among the photographs.
    package func jobs(
        for manifest: [PhotoManifest.Entry], in folder: FilePath
    ) throws(CommandFailure) -> [PhotoJob] {
        var there = output.withoutFinalSlashes
        while !there.isEmpty, !there.exists { there = there.parent.withoutFinalSlashes }
        let place = (there.isEmpty ? "." : there).resolved
        if let root = folder.resolved, let place, place == root || place.relative(to: root) != nil {
            throw CommandFailure(
                .usage, "\(output): with --manifest, the results must lie outside of the photographs (\(folder))")
        }
        var results: Set<FilePath> = []
        return manifest.map { entry in
            let input = folder / entry.path
            var job = PhotoJob(
                input: input, output: path(for: entry.path, input), isNamed: false, size: entry.size)
            if !results.insert(job.output).inserted {
                job.obstacle = "not masked: the result would overwrite that of another photograph (\(job.output))"
            }
            return job
        }
    }

    /// Every file becomes a job, whatever its name and kind: none is left out silently.
    private func collect(_ root: FilePath, below: FilePath, into jobs: inout [PhotoJob]) {
        let folder = below.isEmpty ? root : root / below
        guard let names = Folder.entries(of: folder) else {
            let reason = "cannot be listed: \(systemErrorText())"
            jobs.append(PhotoJob(input: folder, output: "", isNamed: true, obstacle: reason))
            return
        }
        // Skip the results of an earlier run.
        if !below.isEmpty, let here = Identity(folder),
            here == Identity(output) || here == skipped.flatMap(Identity.init)
        {
            return
        }
        for name in names where !name.isHidden {
            let path = folder / name
            let status = path.status()
            if status?.type == S_IFDIR {
                let isLink = path.status(followsLinks: false)?.type == S_IFLNK
                if recursive && !isLink { collect(root, below: below / name, into: &jobs) }
            } else {
                let (output, size) = (self.path(for: below / name, path), Int64(status?.st_size ?? 0))
                jobs.append(PhotoJob(input: path, output: output, isNamed: false, size: size))
            }
        }
    }

    private func path(for relative: FilePath, _ input: FilePath) -> FilePath {
        let format = format ?? formatInstead(of: relative, input)
        guard let format, PictureFormat(path: relative) != format else { return output / relative }
        let stem = PictureFormat.isPictureName(relative) ? relative.withoutExtension : relative
        return output / (stem + ".\(format.fileExtension)")
    }

    /// The format of a result whose input is in one that is not written: a GIF becomes a PNG.
    private func formatInstead(of name: FilePath, _ input: FilePath) -> PictureFormat? {
        // The content decides, but few files are worth opening.
        guard name.fileExtension == "gif", let header = PictureHeader(path: input), header.format == nil else {
            return nil
        }
        return .png
    }

    /// Marks jobs that would overwrite an input or another result.
    private func markClashes(_ jobs: inout [PhotoJob]) {
        let inputs = Set(jobs.compactMap { Identity($0.input) })
        var outputs: [FilePath: Int] = [:]
        var seen: Set<FilePath> = []
        jobs = jobs.filter { seen.insert($0.input).inserted }
        for index in jobs.indices where jobs[index].obstacle == nil {
            let output = jobs[index].output
            if let there = Identity(output), inputs.contains(there) {
                jobs[index].obstacle =
                    "not masked: the result would overwrite an input (\(output)); choose another --output"
            } else if let other = outputs[output] {
                jobs[index].obstacle =
                    "not masked: the result would overwrite that of \(jobs[other].input) (\(output)); mask them into "
                    + "different folders"
            } else {
                outputs[output] = index
            }
        }
    }

    /// Identifies a file independently of its names.
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: FilePath) {
            guard let status = path.status() else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }
}
