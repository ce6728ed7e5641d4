import Arguments
import Files
import Glibc
import ImageFiles
import PhotoRecords
import PictureMasking

/// Which photographs a run has to do.
extension PhotoCommand {
    struct Work {
        let jobs: [PhotoJob]
        /// Nil if these are all photographs.
        let part: PhotoReportPart?
        /// Those of all shards that the report might overwrite: the ones whose names begin as its name does, at least.
        let namesakes: [PhotoJob]
        /// The files that were left out of the searched folders.
        let leftOut: PhotoJobs.LeftOut

        init(jobs: [PhotoJob], leftOut: PhotoJobs.LeftOut = .init()) {
            (self.jobs, part, namesakes, self.leftOut) = (jobs, nil, jobs, leftOut)
        }

        init(
            jobs: [PhotoJob], _ shard: PhotoShard, all: Int, list: UInt64, namesakes: [PhotoJob],
            leftOut: PhotoJobs.LeftOut = .init()
        ) {
            self.jobs = jobs
            self.namesakes = namesakes
            self.leftOut = leftOut
            part = PhotoReportPart(shard: shard, photographs: jobs.count, all: all, list: list)
        }
    }

    static func work(
        _ arguments: ParsedArguments, _ options: PhotoOptions, output: FilePath
    ) throws -> Work {
        try check(output)
        for folder in [PhotoJobs.isFile(output) ? output.parent : output, arguments[contactSheet]] {
            try folder.map(checkIsNotReserved)
        }
        if arguments[contactSheet] == "" { throw arguments.invalid(contactSheet, "must name a folder") }
        if arguments.paths.contains("") { throw UsageError("'': the path is empty.", arguments.commandPath) }
        if arguments[manifest] == "-" {
            throw arguments.invalid(manifest, "must be a file: \(PhotoManifest.remedy)")
        }
        let shard = try chosenShard(arguments, output)
        let inputs = arguments.paths.flatMap { $0 == "-" ? InputList.read() : [$0] }
        var list = PhotoJobs(
            recursive: arguments[recursive], format: options.result.format, output: output,
            skipped: arguments[contactSheet])
        list.isLayered = options.isLayered
        // All shards must find the same photographs, whatever else is masked meanwhile.
        list.masksResults = shard != nil
        guard let manifest = arguments[manifest] else {
            var leftOut = PhotoJobs.LeftOut()
            let jobs = try list.jobs(for: inputs, leavingOut: &leftOut)
            guard !jobs.isEmpty else {
                let place =
                    inputs.isEmpty
                    ? "standard input, which lists no file" : inputs.map(\.description).joined(separator: ", ")
                let rest = leftOut.text.isEmpty ? "" : "; \(leftOut.text.dropLast())"
                throw CommandFailure(.noInput, "no photographs to mask in \(place)\(rest)")
            }
            guard let shard else { return Work(jobs: jobs, leftOut: leftOut) }
            let (places, checksum) = shard.part(of: PhotoList(jobs))
            return Work(
                jobs: places.map { jobs[$0] }, shard, all: jobs.count, list: checksum, namesakes: jobs, leftOut: leftOut
            )
        }
        if inputs.count == 1, !inputs[0].exists {
            throw CommandFailure(.noInput, "\(inputs[0]): the folder does not exist; check that its disk is mounted")
        }
        guard inputs.count == 1, Folder.exists(inputs[0]) else {
            throw UsageError(
                "--manifest needs one folder, which contains the photographs of the list.", arguments.commandPath)
        }
        InputFiles.protect(manifest)
        let photographs = try PhotoManifest.read(manifest)
        guard let shard else { return Work(jobs: try list.jobs(for: photographs, nil, in: inputs[0])) }
        let (places, checksum) = shard.part(of: photographs)
        let jobs = try list.jobs(for: photographs, places, in: inputs[0])
        let alike = try reports.place(arguments).map { photographs.places(ofNamesLike: shard.part(of: $0)) } ?? []
        let namesakes = alike.isEmpty ? [] : try list.jobs(for: photographs, alike, in: inputs[0])
        return Work(jobs: jobs, shard, all: photographs.count, list: checksum, namesakes: namesakes)
    }

    private static func chosenShard(_ arguments: ParsedArguments, _ output: FilePath) throws(UsageError) -> PhotoShard?
    {
        guard let choice = arguments[shard] else { return nil }
        if PhotoJobs.isFile(output) {
            throw UsageError("--shard is for many photographs, so --output must be a folder.", arguments.commandPath)
        }
        do throws(InvalidValue) {
            return try PhotoShard(choice) { name in getenv(name).map { String(cString: $0) } }
        } catch {
            throw arguments.invalid(shard, error.reason)
        }
    }

    /// A folder in the place of the file in which a run remembers what it has done would be in the way of later runs.
    private static func checkIsNotReserved(_ folder: FilePath) throws(CommandFailure) {
        guard folder.parts.contains(where: PhotoJournal.isReserved) else { return }
        throw CommandFailure(.cannotCreate, "\(folder): has a name reserved for Bauta's own files; name another folder")
    }

    private static func check(_ output: FilePath) throws(CommandFailure) {
        if !PhotoJobs.isFile(output), PictureFormat.isPictureName(output), !output.endsWithSlash, !Folder.exists(output)
        {
            throw CommandFailure(
                .usage,
                "\(output): results are \(PictureFormat.list()); name a file with such an extension (.jpg, .png), or a folder "
                    + "(\(output)/)")
        }
        if !PhotoJobs.isFile(output), output.exists, !Folder.exists(output) {
            throw CommandFailure(
                .cannotCreate,
                "\(output): is a file, but must be a folder, or a file that ends in .jpg or .png")
        }
    }
}
