import Files
import Masks

/// The known state of the package's files on disk.
struct DiskState {
    var stamps: PackageFolder.Stamps
    var lastLook = ContinuousClock.now
    /// Since when the files cannot be read completely; nil: they can.
    var incompleteSince: ContinuousClock.Instant?
    /// Textures with unsaved or saved changes by the brush that another program has changed and that cannot be read.
    var unreadable: Set<FilePath> = []
    /// The changes since the document was last read from disk.
    var changed: Set<FilePath> = []
    /// The files that this session has copied into the package, as they were then.
    var adopted: [FilePath: FileStamp] = [:]
    /// What a check of the saved files has found besides `EditedPackage.reading`'s problems.
    var problems: [MaskProblem] = []

    init(stamps: PackageFolder.Stamps) { self.stamps = stamps }
}

/// Saving, and following changes by other programs.
extension EditedPackage {
    /// How long an incomplete manifest or points file is waited for.
    private static let patience = Duration.seconds(1)

    /// Takes over what other programs have changed. Call it often; it looks at the disk after a while only.
    package func followDisk(every interval: Duration = .milliseconds(60)) {
        let now = ContinuousClock.now
        guard now - disk.lastLook > interval else { return }
        disk.lastLook = now
        if authorToKeep != nil { keepAuthor(isFirstTry: false) }
        let new = PackageFolder.stamps(folder)
        guard new != disk.stamps || disk.incompleteSince != nil else { return }
        let changed = Set(new.keys).union(disk.stamps.keys).filter { new[$0] != disk.stamps[$0] }
        disk.stamps = new
        disk.problems = []
        readRevision = -1
        disk.changed.formUnion(changed)
        // A step from before the change must not replace it unseen.
        let others = changed.filter { !isBrushed($0) }
        history.forgetFuture { state in others.contains { state.mattes[$0] != nil } }
        let ours = Set(history.saved.points.keys).union([MaskLoader.manifestName])
        if disk.incompleteSince != nil || !changed.isDisjoint(with: ours) || changed.contains(where: isBrushed) {
            takeOverDocument(now)
        }
    }

    private func takeOverDocument(_ now: ContinuousClock.Instant) {
        do {
            var (document, reading) = try Self.read(folder, loader, textures)
            let since = disk.incompleteSince ?? now
            if reading.hasUnreadablePoints, now - since <= Self.patience {
                // Another program may still be writing the file.
                disk.incompleteSince = since
                return
            }
            disk.incompleteSince = nil
            let isBrushedOver: Bool
            (document.mattes, isBrushedOver) = mattesOnDisk(disk.changed, reading)
            // Files that this program has saved itself are no change.
            guard document.files != history.saved.files || isBrushedOver else {
                disk.changed = []
                return
            }
            if history.isSaved {
                disk.changed = []
                let layer = selectedLayer
                history.change("changes by another program") { $0 = $0.replaced(by: document) }
                history.markSaved()
                // The selected layer may have another place now.
                if let layer, selectedLayer != layer {
                    selection = document.layerPaths.first { document[layer: $0] == layer } ?? selection
                }
            } else {
                question = .changedOnDisk(document)
            }
        } catch {
            if let since = disk.incompleteSince, now - since > Self.patience { show("\(error)", true) }
            disk.incompleteSince = disk.incompleteSince ?? now
        }
    }

    package func save() {
        let (files, saved) = (history.current.files, history.saved.files)
        do {
            try saveMattes()
            // The manifest last, so that the files it names exist.
            let names = files.keys.filter { $0 != MaskLoader.manifestName }.sorted() + [MaskLoader.manifestName]
            for name in names where files[name] != saved[name] || disk.stamps[name] == nil {
                try (files[name] ?? []).withUnsafeBytes {
                    try AtomicFile.write($0, to: folder / name, replacing: true)
                }
            }
            if let thumbnail = renewedThumbnail() {
                try thumbnail.withUnsafeBytes {
                    try AtomicFile.write($0, to: folder / MaskLoader.thumbnailName, replacing: true)
                }
            }
            noteAuthor()
            history.markSaved()
            removeJournal()
            disk.stamps = PackageFolder.stamps(folder)
            readRevision = -1
            let problems = MaskCheck(mesh: mesh, reference: reference)
                .problems(reading, names: disk.stamps.keys.sorted())
            disk.problems = problems.listed.filter { !reading.problems.listed.contains($0) }
            show(Self.savedText(problems), false)
        } catch {
            show("Not saved: \(error)", true)
        }
    }

    /// What the last saving has found in the files besides `reading`'s problems; none once something has changed.
    package var fileProblems: [MaskProblem] { history.isSaved ? disk.problems : [] }

    /// Keeps the author and the licence that the user has entered for the next masks (`KeptAuthor`).
    func noteAuthor() {
        guard history.current.manifest[MaskLoader.likenessKey] == nil else { return }
        func entered(_ key: String) -> String? {
            let new = history.current.manifest[key]?.string
            return new == history.saved.manifest[key]?.string ? nil : new
        }
        let (author, license) = (entered("author"), entered("license"))
        guard author != nil || license != nil else { return }
        authorToKeep = (author ?? authorToKeep?.author, license ?? authorToKeep?.license)
        keepAuthor(isFirstTry: true)
    }

    /// If the file cannot be read, somebody may be writing it: it stays as it is, and is tried again.
    private func keepAuthor(isFirstTry: Bool) {
        guard let new = authorToKeep else { return }
        do {
            var kept = try KeptAuthor(authorFile)
            try kept.keep(author: new.author, license: new.license)
            authorToKeep = nil
        } catch {
            if isFirstTry { show("The author could not be saved for other masks: \(error)", true) }
        }
    }

    private static func savedText(_ problems: MaskProblems) -> String {
        // A picture that was just added is empty until somebody paints on it.
        let listed = problems.listed.filter { $0.code != .textureEmpty }
        guard let first = listed.first(where: { $0.code.severity == .error }) ?? listed.first else { return "Saved." }
        let emptyCount = problems.listed.count - listed.count
        let counts = [("problem", problems.errorCount), ("note", problems.warningCount - emptyCount)]
        let kinds = counts.filter { $1 > 0 }.map { "\($1) \($0)\($1 == 1 ? "" : "s")" }.joined(separator: " and ")
        let isOnly = counts.reduce(0) { $0 + $1.1 } == 1
        let reason = first.reason.prefix(1).uppercased() + first.reason.dropFirst()
        return "Saved. \(kinds), listed on the left\(isOnly ? ":" : ". The first:") \(reason)"
    }
}

extension MaskReading {
    /// Whether a points file is empty, not complete, or not a points file.
    fileprivate var hasUnreadablePoints: Bool {
        problems.listed.contains { problem in
            switch problem.code {
            case .landmarksUnreadable, .landmarksCount: true
            case .fileUnreadable: problem.pointer?.hasSuffix("/landmarks") == true
            default: false
            }
        }
    }
}
