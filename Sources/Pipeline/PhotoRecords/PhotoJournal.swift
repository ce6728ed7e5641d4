import Files
import Glibc
import JSON
import Records
import Synchronization

/// The record of the photographs whose results are in a folder: hidden files in it, to one of which every run appends a
/// line for each photograph. With it, a later run goes on where one was stopped or killed.
///
/// The line for a result is written when the result is complete, just before it gets its name: a line without its
/// result says nothing, and a result without a line is not from here.
package final class PhotoJournal: Sendable {
    package static let name: FilePath = ".bauta-photo.jsonl"
    private static let (prefix, suffix) = (".bauta-photo.", "jsonl")

    /// The name of the file of one part of the photographs, to which other machines do not write: on shared disks, lines
    /// that two of them append at the same time overwrite each other.
    /// - Parameter part: for example "3-of-200"; nil: the whole.
    package static func name(part: String?) -> FilePath { part.map { FilePath(prefix + $0 + "." + suffix) } ?? name }

    /// The state of a photograph's result.
    package enum ResultState: Equatable, Sendable {
        /// There is no result.
        case missing
        /// The result is there, and nothing that decides about it has changed.
        case done(PhotoOutcome.Status, PhotoFindings?)
        /// The result is as it was written here, but the photograph has changed since.
        case outdated
        /// The result is as it was written here, but a person has decided otherwise about it since.
        case redecided
        /// The result is as this session has written it, but the user has chosen otherwise since.
        case rechosen
        /// There is a file that must not be replaced unasked. A sentence says why.
        case kept(String)
    }

    private struct State: ~Copyable {
        /// By the path of the result below the folder.
        var records: [FilePath: [PhotoRecord]]
        /// By their identifiers.
        var settings: [String: PhotoSettings]
        var writer: GrowingJournal?
        /// Why the file could not be written; then a later run does not know what is done.
        var writingFailure: FileError?
        /// Why files could not be read; what they say is not known.
        var unreadable: [FileError] = []
        /// The files that have not been read.
        var unread: [FilePath] = []
    }

    /// Another process does this part of the photographs.
    package struct Held: Error {}

    /// Where the results are.
    private let folder: FilePath
    private let name: FilePath
    /// Of this run's file.
    package var path: FilePath { folder / name }
    private let isPart: Bool
    private let settings: PhotoSettings
    private let session: SessionResults?
    /// What a person decided about the results.
    package let review: ReviewFile
    /// Nil for the whole, and where there are no locks.
    private let lock: FileLock?
    private let state: Mutex<State>

    /// Larger files are not read: they would list some five million photographs.
    static let largest = 1 << 30

    /// - Parameters:
    ///   - folder: where the results are; it need not exist.
    ///   - settings: of this run.
    ///   - part: see `name(part:)`. The files of other parts are read when there is a result that this part has not made:
    ///     there may be thousands, with millions of lines. Only one process at a time does a part.
    ///   - session: that may replace its own results; nil: results stay.
    /// - Throws: `Held`, or `FileError` if there is something in the place of this run's file that is none, or if the file of
    ///   decisions cannot be used.
    package init(
        folder: FilePath, settings: PhotoSettings, part: String? = nil, session: SessionResults? = nil
    ) throws {
        (self.folder, self.session) = (folder, session)
        name = Self.name(part: part)
        isPart = part != nil
        self.settings = settings
        let place: FilePath = folder.isEmpty ? "." : folder
        if isPart {
            // Where no folder can be made, each photograph says so.
            try? Folder.create(place)
            try Self.checkIsFile(place / (name.withoutExtension + ".lock"))
            do throws(FileLock.Held) {
                lock = try FileLock(place / (name.withoutExtension + ".lock"))
            } catch {
                throw Held()
            }
        } else {
            lock = nil
        }
        try Self.checkIsFile(place / name)
        review = try ReviewFile(folder: place)
        var state = State(records: [:], settings: [:])
        for other in Folder.entries(of: place) ?? [] where Self.isName(other) {
            if !isPart || other == name {
                Self.read(folder / other, &state)
            } else {
                state.unread.append(folder / other)
            }
        }
        self.state = Mutex(state)
    }

    /// Whether a file of that name is what a run remembers.
    package static func isName(_ name: FilePath) -> Bool {
        name.bytes.starts(with: prefix.utf8) && name.fileExtension == suffix
    }

    /// Whether a result cannot have that name: what runs remember, and what killed ones leave, have such names.
    package static func isReserved(_ name: FilePath) -> Bool {
        name.bytes.starts(with: prefix.utf8) || name == Self.name || ReviewFile.isReserved(name)
            || TemporaryFile.isName(name)
    }

    private static func checkIsFile(_ path: FilePath) throws(FileError) {
        guard let status = path.status(followsLinks: false) else { return }
        let type = status.type
        if type == S_IFREG, status.st_nlink > 1 { throw GrowingJournal.hardLink(path) }
        if type == S_IFREG { return }
        let kind = type == S_IFLNK ? "a link" : type == S_IFDIR ? "a folder" : "a pipe, a socket or a device"
        throw FileError(
            .unwritable, path: path,
            "is \(kind), but this run needs a file of that name for its records; remove it or choose another --output")
    }

    /// Sentences about files that could not be read or written, each once.
    package func takeProblems() -> [String] {
        state.withLock { state in
            defer { (state.unreadable, state.writingFailure) = ([], nil) }
            return state.unreadable.map { "\($0); its records are ignored" }
                + (state.writingFailure.map { ["\($0); a later run cannot resume this one"] } ?? [])
        }
    }

    /// Names the settings of this run.
    package var settingsName: String { settings.identifier }

    // MARK: Reading

    private static func read(_ path: FilePath, _ state: inout State) {
        do throws(FileError) {
            let file = try RegularFile(path)
            guard file.count > 0 else { return }
            let bytes = try FileBytes(file, maximumCount: largest)
            bytes.withUnsafeBytes { parse($0, &state.records, &state.settings) }
        } catch {
            state.unreadable.append(error)
        }
    }

    /// Reads what other parts have done.
    private func readOthers() {
        state.withLock { state in
            for path in state.unread { Self.read(path, &state) }
            state.unread = []
        }
    }

    /// Takes in the lines of a file. Other lines are left out: the last one may have been cut off.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, _ records: inout [FilePath: [PhotoRecord]],
        _ settings: inout [String: PhotoSettings]
    ) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let value = try? JSONValue(parsing: UnsafeRawBufferPointer(rebasing: line)) else { continue }
            if let found = PhotoSettings(value) {
                settings[found.identifier] = found
            } else if let record = PhotoRecord(value) {
                records[record.output, default: []].append(record)
            }
        }
    }

    // MARK: Asking

    /// The state of a job's result.
    /// - Throws: `FileError` if the photograph has to be read for that and cannot be.
    package func resultState(of job: PhotoJob) throws(FileError) -> ResultState {
        let (key, settings) = (key(job), settings(of: job))
        let (records, known, isAllRead) = state.withLock {
            ($0.records[key] ?? [], $0.settings, $0.unread.isEmpty)
        }
        let there = job.output.status(followsLinks: false)
        guard let there else {
            // There was nothing to write, or somebody has removed it.
            guard let last = records.last, last.result == nil, last.settings == settings.identifier,
                try last.input.isState(of: job.input), obeysDecisions(last)
            else { return .missing }
            return .done(last.status, last.findings)
        }
        let identity = FileIdentity(there)
        let exact = records.last { $0.result == identity }
        var made = exact
        // A copy of the folder has other times. But a file of another content is not what was made here: it may be
        // unmasked.
        if made == nil { made = try recordOfCopy(job.output, size: identity.size, among: records) }
        guard let record = made else {
            if !isAllRead {
                readOthers()
                return try resultState(of: job)
            }
            return .kept(
                records.contains { $0.result != nil }
                    ? "was changed after it was made; --existing replace replaces it"
                    : "already exists and is not from an earlier run; --existing replace replaces it")
        }
        guard record.settings == settings.identifier else {
            if exact != nil, session?.contains(job.output, there) ?? false { return .rechosen }
            let difference = known[record.settings].map { settings.difference(from: $0) } ?? "unknown"
            return .kept(
                "was made with other settings (\(difference)); --existing replace replaces it, another --output "
                    + "keeps both")
        }
        if try record.input.isState(of: job.input) {
            return obeysDecisions(record) ? .done(record.status, record.findings) : .redecided
        }
        if exact != nil { return .outdated }
        return .kept(
            "was changed after it was made, and so was \(job.input); --existing replace replaces it")
    }

    /// Those of this run, and what the user has chosen for this photograph: others keep their results when that changes.
    private func settings(of job: PhotoJob) -> PhotoSettings {
        job.byHand.map { settings.with("by hand", $0) } ?? settings
    }

    /// Removes the result of a photograph that gets none any more, if this session has written it and nobody has changed it
    /// since.
    /// - Parameter folder: in which the result lies.
    /// - Returns: whether there was one.
    package func takeBack(_ job: PhotoJob, in folder: borrowing OpenFolder) -> Bool {
        let name = job.output.name
        guard let status = folder.status(of: name), session?.contains(job.output, status) ?? false else { return false }
        return folder.remove(name)
    }

    /// Whether nobody has decided anything else since a result was made.
    private func obeysDecisions(_ record: PhotoRecord) -> Bool {
        record.decisions == review.decisions(on: record.output, checksum: record.input.checksum)?.identifier
    }

    private func recordOfCopy(
        _ result: FilePath, size: Int64, among records: [PhotoRecord]
    ) throws(FileError) -> PhotoRecord? {
        let candidates = records.filter { $0.result?.size == size }
        if candidates.isEmpty { return nil }
        let checksum = try Checksum.ofFile(result)
        return candidates.last { $0.resultChecksum == checksum }
    }

    /// Whether what is known last about a photograph is of a run with the settings of this one.
    package func isOfSameSettings(_ job: PhotoJob) -> Bool {
        let key = key(job)
        return state.withLock { $0.records[key]?.last?.settings == settings(of: job).identifier }
    }

    /// The number that a photograph had in the list when it was masked last; nil: nobody knows.
    package func lastNumber(of job: PhotoJob) -> Int? {
        let key = key(job)
        return state.withLock { $0.records[key]?.last?.number }
    }

    /// The path of a result below the folder.
    package func key(_ job: PhotoJob) -> FilePath {
        FilePath(bytes: job.output.bytes.dropFirst((folder / "").bytes.count))
    }

    // MARK: Writing

    /// Whether results must be on the disk before their lines are written: the lines are, at once.
    package var synchronises: Bool { isPart }

    /// Notes what a photograph has become.
    /// - Parameters:
    ///   - input: the photograph as it was read.
    ///   - result: the complete file, just before it gets its name; nil if none is written.
    ///   - findings: nil if they are not known.
    ///   - decisions: those about this photograph; nil: there are none.
    /// - Throws: `FileError` if the photograph has changed meanwhile: what has become of it is of another one. Also if the
    ///   line of a part cannot be written: when that is repeated, a result without its line would be taken for somebody
    ///   else's.
    package func note(
        _ job: PhotoJob, _ status: PhotoOutcome.Status, input: FileState, result: FileState?,
        _ findings: PhotoFindings?,
        obeying decisions: ReviewDecisions? = nil
    ) throws(FileError) {
        guard job.input.status().map(FileIdentity.init) == input.identity else {
            throw FileError(.changed, path: job.input, "changed while it was being masked; mask it again")
        }
        let used = settings(of: job)
        let record = PhotoRecord(
            output: key(job), status: status, settings: used.identifier, input: input,
            result: result?.identity, resultChecksum: result?.checksum, findings: findings,
            source: job.input.absolute, decisions: decisions?.identifier, number: job.number)
        let failure = state.withLock { state -> FileError? in
            guard state.writingFailure == nil else { return nil }
            do throws(FileError) {
                if state.writer == nil {
                    state.writer = try GrowingJournal(path, first: settings.json)
                    state.settings[settings.identifier] = settings
                }
                // Of a choice by hand, which a later run has to be told about.
                if state.settings[used.identifier] == nil {
                    try state.writer?.append(used.json)
                    state.settings[used.identifier] = used
                }
                try state.writer?.append(record.json)
                // Many machines crash more often than one, and files on a network disk reach it in any order.
                if isPart { try state.writer?.synchronise() }
                return nil
            } catch {
                if isPart { return error }
                state.writingFailure = error
                return nil
            }
        }
        if let failure { throw failure }
        if let result { session?.note(job.output, result.identity) }
    }
}
