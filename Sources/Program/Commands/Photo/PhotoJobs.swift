import Arguments
import Files
import Glibc
import ImageFiles
import PhotoRecords

/// Turns inputs into jobs: searches folders, decides on output paths, and finds clashes before anything is written.
package struct PhotoJobs {
    /// Whether folders inside the input folders are searched.
    package var recursive: Bool
    /// Nil: each result has the format of its input.
    package var format: PictureFormat?
    /// A folder, or for a single photograph a file.
    package var output: FilePath

    /// Whether results are OpenRaster files, whatever `format` says.
    package var isLayered = false
    /// Whether of the files in folders only those become jobs whose name or content is that of a picture.
    package var onlyPictures = false
    /// Whether results of earlier runs become jobs though their photographs do.
    package var masksResults = false
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
        (PictureFormat(path: output) != nil || isLayered(output)) && !output.endsWithSlash && !Folder.exists(output)
    }

    /// Whether a file's name says that it is an OpenRaster file.
    package static func isLayered(_ output: FilePath) -> Bool { output.fileExtension == layeredExtension }

    private static let layeredExtension = "ora"

    /// - Throws: `CommandFailure` if several photographs would go into one file.
    package func jobs(for inputs: [FilePath]) throws -> [PhotoJob] {
        var leftOut = LeftOut()
        return try jobs(for: inputs, leavingOut: &leftOut)
    }

    /// - Parameter leftOut: counts what is left out.
    /// - Throws: `CommandFailure` if several photographs would go into one file.
    package func jobs(for inputs: [FilePath], leavingOut leftOut: inout LeftOut) throws -> [PhotoJob] {
        var (jobs, results): ([PhotoJob], [FilePath]) = ([], [])
        for input in inputs {
            if Folder.exists(input) {
                let root = input.withoutFinalSlashes
                var found = Found(leftOut: leftOut)
                collect(root, below: "", [], into: &found)
                if !masksResults { results += found.leaveOutResults() }
                jobs += found.jobs
                leftOut = found.leftOut
            } else {
                let size = Int64(input.status()?.st_size ?? 0)
                let result = output / resultName(of: input.name, input)
                jobs.append(PhotoJob(input: input, output: result, isNamed: true, size: size))
            }
        }
        let masked = Set(jobs.map(\.input))
        leftOut.results += results.count { !masked.contains($0) }
        if onlyPictures {
            jobs.removeAll {
                !$0.isNamed && !PictureFormat.isPictureName($0.input) && PictureHeader(path: $0.input) == nil
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
        for index in jobs.indices { jobs[index].number = index }
        return jobs
    }

    /// The photographs of a manifest. Of most, nothing is asked of the file system: the list may be long.
    /// - Parameters:
    ///   - chosen: their places in the list; nil: all. The others are not looked at, but for what they are called.
    ///   - folder: where the photographs are.
    /// - Throws: `CommandFailure` if the results would lie among the photographs.
    package func jobs(
        for list: PhotoList, _ chosen: [Int]?, in folder: FilePath
    ) throws(CommandFailure) -> [PhotoJob] {
        let barred = try placeOfPhotographs(folder)
        let clashes = clashes(in: list, folder)
        return (chosen ?? Array(0..<list.count)).map { index in
            let (name, size) = list[index]
            let input = folder / name
            let result = resultName(of: name, input)
            var job = PhotoJob(input: input, output: output / result, isNamed: false, size: size, in: folder)
            job.number = index
            if let other = clashes[index] {
                job.obstacle = Self.clash(job.output, with: folder / other)
            } else if let barred, result.relative(to: barred) != nil {
                job.obstacle =
                    "not masked: the result would be among the photographs (\(job.output)); choose another "
                    + "--output"
            }
            return job
        }
    }

    /// Where the photographs of a manifest are below the folder of results, among which their results must not be; nil if
    /// they are elsewhere.
    /// - Throws: `CommandFailure` if the results would all lie among the photographs.
    private func placeOfPhotographs(_ folder: FilePath) throws(CommandFailure) -> FilePath? {
        var there = output.withoutFinalSlashes
        while !there.isEmpty, !there.exists { there = there.parent.withoutFinalSlashes }
        guard let root = folder.resolved, let place = (there.isEmpty ? "." : there).resolved else { return nil }
        if place == root || place.relative(to: root) != nil {
            throw CommandFailure(
                .usage, "\(output): with --manifest, the results must be outside the folder of photographs (\(folder))")
        }
        // Of a folder that is not there yet, nothing is below.
        return output.exists ? root.relative(to: place) : nil
    }

    /// The photographs of a manifest whose results would overwrite that of another one, by their places, with that one's
    /// name. They are the same for all shards.
    private func clashes(in list: PhotoList, _ folder: FilePath) -> [Int: FilePath] {
        let checksums = list.withNames { names in
            list.entries.map { entry in
                let bytes = PhotoList.name(of: entry, in: names)
                if format == nil, !isLayered, !Self.mayBecomePNG(bytes) { return Checksum.of(bytes) }
                return resultName(of: FilePath(bytes: bytes), nil).bytes.withUnsafeBytes { Checksum.of($0) }
            }
        }
        let repeated = PhotoList.repeated(checksums)
        if repeated.isEmpty { return [:] }
        var (clashes, results): ([Int: FilePath], [FilePath: FilePath]) = ([:], [:])
        for index in checksums.indices where repeated.contains(checksums[index]) {
            let name = list[index].name
            let result = resultName(of: name, folder / name)
            if let other = results[result] { clashes[index] = other } else { results[result] = name }
        }
        return clashes
    }

    private static func clash(_ output: FilePath, with other: FilePath) -> String {
        "not masked: the result would overwrite that of \(other) (\(output)); mask them into different folders"
    }

    /// What was found in a folder that was given.
    private struct Found {
        var jobs: [PhotoJob] = []
        var leftOut: LeftOut
        /// The photographs from which jobs were made, by the indices of these jobs.
        var originals: [Int: Identity] = [:]

        init(leftOut: LeftOut) { self.leftOut = leftOut }

        /// Leaves out results whose photographs are jobs, too: nothing is lost by that.
        /// - Returns: their paths.
        mutating func leaveOutResults() -> [FilePath] {
            if originals.isEmpty { return [] }
            let places = Dictionary(
                jobs.indices.compactMap { index in Identity(jobs[index].input).map { ($0, index) } }
            ) { first, _ in first }
            func isMade(fromJobAt index: Int) -> Bool {
                var index = index
                // Of results, there may be results. Records that others have written may lead in a circle.
                for _ in 0..<8 {
                    guard let original = originals[index] else { return true }
                    guard let next = places[original] else { return false }
                    index = next
                }
                return false
            }
            let results = Set(originals.keys.filter(isMade(fromJobAt:)))
            defer {
                jobs = jobs.indices.filter { !results.contains($0) }.map { jobs[$0] }
                originals = [:]
            }
            return results.map { jobs[$0].input }
        }
    }

    /// Every file becomes a job, whatever its name and kind, and of hidden ones the pictures are counted: none is left out
    /// silently.
    /// - Parameter results: those of earlier runs in the folders around this one, without the given one.
    private func collect(_ root: FilePath, below: FilePath, _ results: [EarlierResults], into found: inout Found) {
        let folder = below.isEmpty ? root : root / below
        let names: [FilePath]
        do throws(FileError) {
            names = try Folder.list(folder)
        } catch {
            found.jobs.append(PhotoJob(input: folder, output: "", isNamed: true, obstacle: error.reason))
            return
        }
        // Skip the results of an earlier run.
        if !below.isEmpty, let here = Identity(folder),
            here == Identity(output) || here == skipped.flatMap(Identity.init)
        {
            return
        }
        var results = results
        if !masksResults, !below.isEmpty, let here = EarlierResults(in: folder, names) { results.append(here) }
        for name in names {
            let path = folder / name
            let status = path.status()
            if name.isHidden {
                if PhotoJournal.isReserved(name) { continue }
                if status?.type == S_IFDIR {
                    found.leftOut.folders += recursive ? 1 : 0
                } else if PictureHeader(path: path) != nil {
                    found.leftOut.photographs += 1
                }
            } else if status?.type == S_IFDIR {
                let isLink = path.status(followsLinks: false)?.type == S_IFLNK
                if recursive && !isLink { collect(root, below: below / name, results, into: &found) }
            } else {
                for one in results {
                    guard let original = one.photograph(of: path) else { continue }
                    found.originals[found.jobs.count] = Identity(original)
                    break
                }
                let (result, size) = (output / resultName(of: below / name, path), Int64(status?.st_size ?? 0))
                found.jobs.append(PhotoJob(input: path, output: result, isNamed: false, size: size, in: root))
            }
        }
    }

    /// The name of a result below the folder of results.
    /// - Parameters:
    ///   - name: of the photograph, below the folder that was given.
    ///   - input: its file, which is looked into if the name does not tell; nil: the most likely name.
    private func resultName(of name: FilePath, _ input: FilePath?) -> FilePath {
        if isLayered {
            let stem = PictureFormat.isPictureName(name) ? name.withoutExtension : name
            return stem + ".\(Self.layeredExtension)"
        }
        let format = format ?? formatInstead(of: name, input)
        guard let format, PictureFormat(path: name) != format else { return name }
        let stem = PictureFormat.isPictureName(name) ? name.withoutExtension : name
        return stem + ".\(format.fileExtension)"
    }

    /// The format of a result whose input is in one that is not written: it becomes a PNG.
    private func formatInstead(of name: FilePath, _ input: FilePath?) -> PictureFormat? {
        // The content decides, but few files are worth opening.
        guard PictureFormat.readOnlyExtensions.contains(name.fileExtension) else { return nil }
        guard let input else { return .png }
        guard let header = PictureHeader(path: input), header.format == nil else { return nil }
        return .png
    }

    /// Sooner told of millions than with `FilePath`.
    private static func mayBecomePNG(_ name: UnsafeRawBufferPointer) -> Bool {
        let ending = name.suffix(4)
        return readOnlyEndings.contains { ending.elementsEqual($0) { $0 == $1 || ($0 | 0x20) == $1 } }
    }

    /// With the dot, in lower case.
    private static let readOnlyEndings = PictureFormat.readOnlyExtensions.map { Array(".\($0)".utf8) }

    /// Marks jobs that would overwrite an input or another result.
    private func markClashes(_ jobs: inout [PhotoJob]) {
        let inputs = Set(jobs.compactMap { Identity($0.input) })
        var outputs: [FilePath: Int] = [:]
        var places: [FilePath: Bool] = [:]
        var seen: Set<FilePath> = []
        jobs = jobs.filter { seen.insert($0.input).inserted }
        for index in jobs.indices where jobs[index].obstacle == nil {
            let output = jobs[index].output
            // What killed runs left is removed, and these lie in it.
            let parent = jobs[index].input.parent
            if places[parent] == nil { places[parent] = TemporaryFile.hasName(in: parent) }
            if places[parent] == true { InputFiles.protect(jobs[index].input) }
            if PhotoJournal.isReserved(output.name) {
                InputFiles.protect(jobs[index].input)
                jobs[index].obstacle = "not masked: its name is reserved for Bauta's own files; rename it"
            } else if let there = Identity(output), inputs.contains(there) {
                jobs[index].obstacle =
                    "not masked: the result would overwrite an input (\(output)); choose another --output"
            } else if let other = outputs[output] {
                jobs[index].obstacle = Self.clash(output, with: jobs[other].input)
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
