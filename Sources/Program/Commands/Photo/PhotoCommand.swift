import Arguments
import Files
import ImageFiles

/// `bauta photo`: masks on photographs.
enum PhotoCommand {
    static let output = Option<FilePath>(
        "output", letter: "o", value: "folder|file", default: "masked",
        help: "The folder for the results; for a single photograph also a file.")
    static let recursive = Flag("recursive", letter: "r", help: "Search folders with all their sub-folders.")
    static let reports = ReportOptions(
        "one line of JSON for each photograph", details: "A run that resumes replaces the earlier report.")
    static let contactSheet = Option<FilePath?>(
        "contact-sheet", value: "folder", help: "A page that shows all photographs before and after."
    ).takes(.folder).details(
        """
        Make a folder with a page (index.html) that shows all photographs before and after, the doubtful ones first. With \
        --anonymise it shows the results only.
        """)
    static let showOriginals = Flag(
        "show-originals",
        help: """
            Show the unmasked photographs, too, on the contact sheet of --anonymise: keep that folder to yourself.
            """)
    static let jobs = Option<Int?>(
        "jobs", letter: "j", value: "count", in: 1...256, defaultText: "the number of cores", help: "Parallel jobs.")

    static let memory = Option<Int?>(
        "memory", value: "size", absent: nil, limits: "default: half of the machine's",
        help: """
            What all photographs that are masked at the same time may take together, like 2G or 500M. One that does not \
            fit beside the others waits; a larger one is refused.
            """
    ) { (text) throws(InvalidValue) in try MemorySize.bytes(text) }

    static let shard = Option<PhotoShard.Choice?>(
        "shard", value: "number/count", absent: nil,
        help: """
            Do only this part of the photographs, like 3/200: for several machines that write into one folder. The parts \
            have about the same size, and are the same on every machine. auto/200 takes the number from Slurm \
            (--array=1-200) or Kubernetes (an indexed job). --report faces.jsonl writes faces.3-of-200.jsonl.
            """
    ) { (text) throws(InvalidValue) in try PhotoShard.Choice(text) }
    static let manifest = Option<FilePath?>(
        "manifest", value: "file",
        help: """
            Take the photographs from this list, not from looking into the folder that is given: \
            find FOLDER -type f -printf '%s\\t%P\\0' writes it.
            """)
    static let mergeReports = Flag(
        "merge-reports",
        help: """
            Join the reports of all shards, which are given instead of photographs, to --report. Every photograph must \
            be there exactly once. The exit status is that of the whole.
            """)

    static let definition = CommandDefinition(
        name: "photo", overview: "Put a mask on every face of photographs.",
        discussion: """
            Reads \(PictureFormat.allCases.map(\.name).joined(separator: ", ")) and still GIF. The results go into a \
            folder under the same names; sub-folders, format, colour profile, EXIF and XMP are kept. An input is never overwritten.
            """,
        arguments: [
            ArgumentDefinition(
                name: "input", help: "Photographs or folders; - reads a list of paths from standard input.",
                repeats: true, takesPaths: true, kind: .photograph)
        ],
        groups: [
            .input(recursive),
            .mask(
                MaskingOptions.mask, MaskingOptions.faces, PhotoOptionKeys.smallestFace, MaskingOptions.occluders,
                PhotoOptionKeys.overlays, PhotoOptionKeys.drawsNoMask),
            .output(
                output, PhotoOptionKeys.format, PhotoOptionKeys.quality, PhotoOptionKeys.faceless,
                PhotoOptionKeys.existing, PhotoOptionKeys.force, reports.file, reports.json, contactSheet,
                MaskingOptions.quiet),
            .privacy(
                PhotoOptionKeys.anonymise, PeopleOptions.people, PeopleOptions.only, PeopleOptions.except),
            OptionGroup(
                "Advanced",
                [
                    jobs, manifest, memory, mergeReports, MaskingOptions.renderer, PhotoOptionKeys.searchesRotated,
                    shard,
                    showOriginals,
                ], describedIn: "'bauta help photo'"),
            ModelOptions.group,
        ],
        examples: [
            "bauta photo portrait.jpg                   # writes masked/portrait.jpg",
            "bauta photo --mask skull --recursive Pictures --output Masked",
            "bauta photo --anonymise --recursive Pictures --output ToLookAt",
            "find . -name '*.jpg' -print0 | bauta photo -   # any list of paths",
        ],
        run: run)
}
