import Files
import Glibc
import JSON
import Synchronization

/// What was done to the photographs whose results are in a folder: hidden files in it, to one of which every run appends a
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

    /// What is known about the result of a photograph.
    package enum Standing: Equatable, Sendable {
        /// There is no result.
        case missing
        /// The result is there, and nothing that decides about it has changed.
        case done(PhotoOutcome.Status)
        /// The result is as it was written here, but the photograph has changed since.
        case outdated
        /// There is a file that must not be replaced unasked. A sentence says why.
        case kept(String)
    }

    private struct State: ~Copyable {
        /// By the path of the result below the folder.
        var records: [FilePath: [PhotoRecord]]
        /// By their identifiers.
        var settings: [String: PhotoSettings]
        var writer: GrowingJournal?
        var problem: String?
        /// The files that have not been read.
        var unread: [FilePath]
    }

    private let folder: FilePath
    private let name: FilePath
    private let isPart: Bool
    private let settings: PhotoSettings
    private let state: Mutex<State>

    /// Larger files are not read: they would list some five million photographs.
    private static let largest = 1 << 30

    /// - Parameters:
    ///   - folder: where the results are; it need not exist.
    ///   - settings: of this run.
    ///   - part: see `name(part:)`. The files of other parts are read when there is a result that this part has not made:
    ///     there may be thousands, with millions of lines.
    package init(folder: FilePath, settings: PhotoSettings, part: String? = nil) {
        self.folder = folder
        name = Self.name(part: part)
        isPart = part != nil
        self.settings = settings
        let names = Folder.entries(of: folder.isEmpty ? "." : folder) ?? []
        var state = State(records: [:], settings: [:], writer: nil, problem: nil, unread: [])
        for other in names where other.bytes.starts(with: Self.prefix.utf8) && other.fileExtension == Self.suffix {
            if !isPart || other == name {
                Self.read(folder / other, &state)
            } else {
                state.unread.append(folder / other)
            }
        }
        self.state = Mutex(state)
    }

    /// Why the file could not be read or written; then a later run does not know what is done.
    package var problem: String? { state.withLock { $0.problem } }

    // MARK: Reading

    private static func read(_ path: FilePath, _ state: inout State) {
        do throws(FileError) {
            let file = try RegularFile(path)
            guard file.count > 0 else { return }
            let bytes = try FileBytes(file, maximumCount: largest)
            bytes.withUnsafeBytes { parse($0, &state.records, &state.settings) }
        } catch {
            state.problem = "\(error)"
        }
    }

    /// Reads what other parts have done.
    private func readOthers() {
        state.withLock { state in
            for path in state.unread { Self.read(path, &state) }
            state.unread = []
        }
    }

    /// Takes in the lines of a file. What is not a line of a journal is left out: the last one may have been cut off.
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

    /// What is known about the result of a job.
    /// - Throws: `FileError` if the photograph has to be read for that and cannot be.
    package func standing(of job: PhotoJob) throws(FileError) -> Standing {
        let key = key(job)
        let (records, known, isAllRead) = state.withLock {
            ($0.records[key] ?? [], $0.settings, $0.unread.isEmpty)
        }
        let there = job.output.status(followsLinks: false)
        guard let there else {
            // There was nothing to write, or somebody has removed it.
            guard let last = records.last, last.result == nil, last.settings == settings.identifier,
                try isUnchanged(job.input, since: last)
            else { return .missing }
            return .done(last.status)
        }
        let identity = FileIdentity(there)
        let exact = records.last { $0.result == identity }
        // A copy of the folder has other times. But a file of another size is not what was made here: it may be bare.
        guard let record = exact ?? records.last(where: { $0.result?.size == identity.size }) else {
            if !isAllRead {
                readOthers()
                return try standing(of: job)
            }
            return .kept(
                records.contains { $0.result != nil }
                    ? "has been changed since it was made; --existing replace makes it again"
                    : "is there already, and not from an earlier run; --existing replace replaces it")
        }
        guard record.settings == settings.identifier else {
            let difference = known[record.settings].map { settings.difference(from: $0) } ?? "it is not known which"
            return .kept(
                "was made with other settings (\(difference)); --existing replace makes it again, another --output "
                    + "keeps both")
        }
        if try isUnchanged(job.input, since: record) { return .done(record.status) }
        if exact != nil { return .outdated }
        return .kept(
            "has been changed since it was made, and so has \(job.input); --existing replace makes it again")
    }

    private func isUnchanged(_ input: FilePath, since record: PhotoRecord) throws(FileError) -> Bool {
        guard let status = input.status() else { return false }
        let identity = FileIdentity(status)
        if identity == record.input { return true }
        // Copied, or restored from a backup.
        guard identity.size == record.input.size else { return false }
        return try Checksum.ofFile(input) == record.checksum
    }

    private func key(_ job: PhotoJob) -> FilePath {
        FilePath(bytes: job.output.bytes.dropFirst((folder / "").bytes.count))
    }

    // MARK: Writing

    /// Notes what a photograph has become; not if the photograph has changed meanwhile.
    /// - Parameters:
    ///   - input: the photograph before it was read.
    ///   - result: the complete file, just before it gets its name; nil if none is written.
    package func note(_ job: PhotoJob, _ status: PhotoOutcome.Status, input: FileIdentity?, result: stat?) {
        guard let input, let checksum = try? Checksum.ofFile(job.input),
            job.input.status().map(FileIdentity.init) == input
        else { return }
        let record = PhotoRecord(
            output: key(job), status: status, settings: settings.identifier, input: input, checksum: checksum,
            result: result.map(FileIdentity.init))
        state.withLock { state in
            guard state.problem == nil else { return }
            do throws(FileError) {
                if state.writer == nil { state.writer = try GrowingJournal(folder / name, first: settings.json) }
                try state.writer?.append(record.json)
                // Many machines crash more often than one, and files on a network disk reach it in any order.
                if isPart { try state.writer?.synchronise() }
            } catch {
                state.problem = "\(error)"
            }
        }
    }
}

/// A file to which lines are appended, each in one call of the system, so that several processes may do so.
private final class GrowingJournal {
    private let path: FilePath
    private let descriptor: Int32

    /// - Parameter first: the first line of this run.
    init(_ path: FilePath, first: JSONValue) throws(FileError) {
        self.path = path
        try Folder.createParent(of: path)
        descriptor = path.withCString {
            open($0, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
        }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.type == S_IFREG else {
            throw FileError(
                .unwritable, path: path,
                "cannot be written: \(descriptor < 0 ? systemErrorText() : "it is not a regular file")")
        }
        // The last line of a killed run may be cut off.
        try append(first, onNewLine: status.st_size > 0)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ line: JSONValue, onNewLine: Bool = false) throws(FileError) {
        let bytes = Array(((onNewLine ? "\n" : "") + line.text() + "\n").utf8)
        guard bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }

    /// Waits until the lines are on the disk.
    func synchronise() throws(FileError) {
        guard fdatasync(descriptor) == 0 else {
            throw FileError(.unwritable, path: path, "cannot be written: \(systemErrorText())")
        }
    }
}
