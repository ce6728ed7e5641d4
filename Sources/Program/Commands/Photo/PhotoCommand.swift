import Arguments
import Files
import ImageFiles

/// `bauta photo`: masks on photographs.
enum PhotoCommand {
    static let output = Option<FilePath>(
        "output", letter: "o", value: "folder|file", default: "masked",
        help: "The results' folder, or one file.")
    static let recursive = Flag("recursive", letter: "r", help: "Also search sub-folders.")
    static let reports = ReportOptions(
        "one line of JSON for each photograph", details: "A resumed run replaces the earlier report.")
    static let contactSheet = Option<FilePath?>(
        "contact-sheet", value: "folder", help: "A page with all photographs before and after."
    ).takes(.folder).details(
        """
        Create a folder with a page (index.html) that shows all photographs before and after, doubtful ones first. \
        With --anonymise it shows only the results.
        """)
    static let showOriginals = Flag(
        "show-originals",
        help: """
            Also show the unmasked photographs on the contact sheet of --anonymise. Keep that folder to yourself.
            """)
    static let jobs = Option<Int?>(
        "jobs", letter: "j", value: "count", in: 1...256, defaultText: "the number of cores", help: "Parallel jobs.")

    static let memory = Option<Int?>(
        "memory", value: "size", absent: nil, limits: "default: half of the machine's",
        help: """
            The memory for all photographs that are masked at the same time, such as 2G or 500M. A photograph waits \
            until it fits; one that can never fit is refused.
            """
    ) { (text) throws(InvalidValue) in try MemorySize.bytes(text) }

    static let shard = Option<PhotoShard.Choice?>(
        "shard", value: "number/count", absent: nil,
        help: """
            Process only this part of the photographs, such as 3/200, so that several machines can share the work and \
            write into one folder. The parts have about the same size and are the same on every machine. auto/200 \
            takes the number from Slurm (--array=1-200) or Kubernetes (an indexed job). --report faces.jsonl writes \
            faces.3-of-200.jsonl.
            """
    ) { (text) throws(InvalidValue) in try PhotoShard.Choice(text) }
    static let manifest = Option<FilePath?>(
        "manifest", value: "file",
        help: """
            Read the photographs from this list instead of searching the folder: find FOLDER -type f -printf \
            '%s\\t%P\\0' writes it.
            """)
    static let mergeReports = Flag(
        "merge-reports",
        help: """
            Join the reports of all shards into --report; name the reports instead of photographs. They must contain \
            every photograph exactly once. The exit status is that of the whole.
            """)

    static let definition = CommandDefinition(
        name: "photo", overview: "Put a mask on every face in photographs.",
        discussion: """
            Reads \(PictureFormat.readableNames), GIF if it is still. The results go into a folder under the same names; \
            sub-folders, format, colour profile, EXIF and XMP are kept. An input is never overwritten.
            """,
        arguments: [
            ArgumentDefinition(
                name: "input", help: "Photographs or folders; - reads a list of paths from standard input.",
                repeats: true, isOptional: true, takesPaths: true, kind: .photograph)
        ],
        groups: [
            .input(recursive, PhotoWindow.flag),
            .mask(
                PhotoOptionKeys.masks, MaskingOptions.faces, PhotoOptionKeys.smallestFace, MaskingOptions.occluders,
                PhotoOptionKeys.overlays, PhotoOptionKeys.drawsNoMask),
            .output(
                output, PhotoOptionKeys.format, PhotoOptionKeys.quality, PhotoOptionKeys.layers,
                PhotoOptionKeys.faceless,
                PhotoOptionKeys.existing, PhotoOptionKeys.force, reports.file, reports.json, contactSheet,
                MaskingOptions.quiet),
            .privacy(
                PhotoOptionKeys.anonymise, MaskingOptions.sure, MaskingOptions.careful, MaskingOptions.cover,
                PeopleOptions.people,
                PeopleOptions.only, PeopleOptions.except),
            OptionGroup(
                "Advanced",
                [
                    MaskingOptions.background, jobs, manifest, MaskingOptions.masksAlone, memory, mergeReports,
                    MaskingOptions.renderer, PhotoOptionKeys.searchesRotated,
                    shard,
                    showOriginals, PhotoOptionKeys.shuffle,
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
