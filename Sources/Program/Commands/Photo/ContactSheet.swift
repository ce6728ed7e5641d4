import Arguments
import Files
import Glibc
import PhotoRecords
import Synchronization

/// The folder of `--contact-sheet`: `index.html`, which shows every photograph before and after, the doubtful ones first,
/// and the thumbnails beside it. The folder appears when it is complete. The page has no script and loads nothing from
/// elsewhere.
final class ContactSheet: Sendable {
    static let page: FilePath = "index.html"
    static let thumbnails: FilePath = "thumbnails"

    private struct Entry {
        let rank: Int
        let doubt: Double
        let path: FilePath
        let html: String
    }

    private struct State: ~Copyable {
        /// While it is filled; nil once it is complete.
        var folder: PendingFolder?
        /// Of the next photograph.
        var number = 1
        var entries: [Entry] = []
        var counts = ContactSheetHTML.Counts()
        /// Why it cannot be complete.
        var failure: FileError?
    }

    private let path: FilePath
    private let replacement: Replacement
    private let html: ContactSheetHTML
    /// Where the folder is while it is filled.
    private let root: FilePath
    /// The folder that links start from, without links.
    private let base: FilePath?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isForced: whether the sheet of any run may be replaced. No other folder ever is.
    ///   - run: tells this run from others: its own sheet is replaced. Nil: that of no run is.
    ///   - notice: a sentence for the top of the page.
    /// - Throws: `FileError`.
    init(path: FilePath, isForced: Bool, run: String?, success: String, notice: String?) throws(FileError) {
        let path = path.withoutFinalSlashes
        self.path = path
        replacement = Replacement(
            check: { path throws(FileError) in
                let found = try Self.runOfSheet(path)
                guard !isForced, run == nil || found != run else { return }
                let reason = run == nil ? "" : " and is the contact sheet of another run"
                throw FileError(.alreadyExists, path: path, "already exists" + reason)
            },
            advice: "name another folder, or remove this one", adviceOnForce: Replacement.onForce)
        html = ContactSheetHTML(run: run ?? "", success: success, notice: notice)
        _ = try replacement.isNeeded(at: path)
        try Folder.createParent(of: path)
        let parent: FilePath = path.parent.isEmpty ? "." : path.parent
        let folder = try PendingFolder(in: parent)
        base = parent.resolved.map { $0 / path.name }
        root = folder.path
        try Folder.create(folder.path / Self.thumbnails)
        state = Mutex(State(folder: consume folder))
    }

    /// Adds a photograph. Several threads may do so at the same time.
    /// - Throws: `FileError` if a thumbnail cannot be written.
    func add(_ outcome: PhotoOutcome) throws(FileError) {
        var entry = ContactSheetHTML.Entry(outcome)
        let number = state.withLock { state in
            defer { state.number += 1 }
            return String(state.number)
        }
        let stem = String(repeating: "0", count: max(0, 6 - number.count)) + number
        for (thumbnail, side, place) in [
            (outcome.thumbnailBefore, Self.sides[0], \ContactSheetHTML.Entry.before),
            (outcome.thumbnailAfter, Self.sides[1], \ContactSheetHTML.Entry.after),
        ] {
            guard let thumbnail else { continue }
            let name = Self.thumbnails / FilePath(stem + Self.suffix(side))
            do {
                try write(thumbnail.bytes, to: root / name)
            } catch {
                let failure = named(error)
                state.withLock { $0.failure = $0.failure ?? failure }
                throw failure
            }
            entry[keyPath: place] = ContactSheetHTML.Entry.Picture(
                source: name.percentEncoded, width: thumbnail.width, height: thumbnail.height)
        }
        entry.photograph = link(to: outcome.input)
        entry.result = outcome.output.flatMap { link(to: $0) }
        let item = Entry(rank: entry.rank, doubt: entry.doubt ?? 0, path: outcome.input, html: html.item(entry))
        state.withLock { state in
            state.counts.note(entry)
            state.entries.append(item)
        }
    }

    /// Writes the page and gives the folder its name.
    /// - Throws: `FileError`; then nothing is left of the contact sheet.
    func finish(summary: String) throws(FileError) {
        let (unsorted, counts) = state.withLock { ($0.entries, $0.counts) }
        guard let folder = state.withLock({ $0.folder.take() }) else { return }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let entries = unsorted.sorted { ($0.rank, -$0.doubt, $0.path) < ($1.rank, -$1.doubt, $1.path) }
        do {
            let file = try GrowingFile(root / Self.page, replacing: false)
            try file.write(html.beginning(counts, summary: summary))
            for entry in entries { try file.write(entry.html) }
            try file.write(html.end)
            try file.finish()
        } catch {
            throw named(error)
        }
        // Somebody may have put something there meanwhile.
        try folder.rename(to: path, replacing: replacement.isNeeded(at: path))
    }

    /// The error of a file in the folder: the folder in which it was goes with this run, and nobody knows its name.
    private func named(_ error: any Error) -> FileError {
        (error as? FileError).map { FileError($0.kind, path: path, $0.reason) }
            ?? FileError(.unwritable, path: path, "cannot be written: \(error)")
    }

    private func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileError) {
                try AtomicFile.write(bytes, to: path, replacing: false)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    // MARK: Sheets of earlier runs

    /// The run that has made a contact sheet.
    /// - Throws: `FileError` if the folder is not a contact sheet, or has anything else in it.
    private static func runOfSheet(_ path: FilePath) throws(FileError) -> String {
        func type(_ path: FilePath) -> mode_t? { path.status(followsLinks: false)?.type }
        guard type(path) == S_IFDIR, let page = try? RegularFile(path / page),
            let run = ContactSheetHTML.run(ofPage: page), let names = Folder.entries(of: path),
            type(path / thumbnails) == S_IFDIR, let pictures = Folder.entries(of: path / thumbnails)
        else { throw FileError(.unwritable, path: path, "is not a contact sheet, and is not replaced") }
        let own = [Self.page, thumbnails]
        let foreign =
            names.first { !own.contains($0) }
            ?? pictures.first { !isThumbnail($0) || type(path / thumbnails / $0) != S_IFREG }.map { thumbnails / $0 }
        guard let foreign else { return run }
        throw FileError(
            .unwritable, path: path,
            "contains a file that does not belong to the contact sheet (\(foreign)), and is not replaced")
    }

    /// Whether `add` makes such names.
    private static func isThumbnail(_ name: FilePath) -> Bool {
        let digits = name.bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.count >= 6 && sides.contains { name.bytes[digits.count...].elementsEqual(suffix($0).utf8) }
    }

    private static let sides = ["before", "after"]
    private static func suffix(_ side: String) -> String { "-\(side).jpg" }

    // MARK: Links

    /// A relative URL, so that the sheet can be moved together with the photographs.
    private func link(to file: FilePath) -> String? {
        guard let base, let target = file.resolved else { return nil }
        let (from, to) = (base.parts, target.parts)
        let common = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: FilePath(".."), count: from.count - common) + to[common...]
        guard let first = steps.first else { return nil }
        return steps.dropFirst().reduce(first) { $0 / $1 }.percentEncoded
    }
}
