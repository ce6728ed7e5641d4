import Files
import JSON
import Synchronization

/// The decisions of a person about the results in a folder: a hidden file in it, which `bauta review` writes and the next run
/// obeys (docs/reference/review.md). Any number of threads may use it.
package final class ReviewFile: Sendable {
    package static let name: FilePath = ".bauta-review.json"

    /// Whether a result cannot have that name.
    package static func isReserved(_ name: FilePath) -> Bool { name == Self.name || name == lockName }
    private static let lockName = name.withoutExtension + ".lock"

    /// What is wrong in the file: the member, as a JSON pointer without its slash at the front, and what would be right.
    struct Damage: Error {
        let place: String
        let reason: String

        init(_ place: String, _ reason: String) { (self.place, self.reason) = (place, reason) }
    }

    /// About one result.
    struct Entry: Equatable, Sendable {
        /// Of the photograph or the clip that was looked at, as `Checksum.ofFile` finds it.
        let checksum: UInt64
        let decisions: ReviewDecisions
    }

    /// Another process writes the file.
    package struct Held: Error {}

    private let path: FilePath
    /// By the path of the result below the folder.
    private let entries: Mutex<[FilePath: Entry]>
    /// Nil where nothing is written, and where there are no locks.
    private let lock: FileLock?

    /// In bytes: some 300,000 photographs.
    private static let largest = 1 << 27

    /// Reads the file; there need not be any.
    /// - Parameters:
    ///   - folder: where the results are.
    ///   - writes: whether decisions will be noted. Only one process at a time may.
    /// - Throws: `FileError` if it cannot be read or is damaged: what somebody has covered by hand must not become visible.
    ///   `Held`.
    package init(folder: FilePath, writes: Bool = false) throws {
        let folder: FilePath = folder.isEmpty ? "." : folder
        path = folder / Self.name
        if writes {
            do throws(FileLock.Held) {
                lock = try FileLock(folder / Self.lockName)
            } catch {
                throw Held()
            }
        } else {
            lock = nil
        }
        guard path.status(followsLinks: false) != nil else {
            entries = Mutex([:])
            return
        }
        let bytes = try FileContents.read(path, limit: Self.largest)
        do throws(Damage) {
            entries = Mutex(try Self.parse(bytes))
        } catch {
            throw FileError(
                .damaged, path: path,
                "\(error.place.isEmpty ? "" : "/\(error.place): ")\(error.reason). It holds what was decided by hand about faces "
                    + "(bauta review); mend it, or remove it to begin again")
        }
    }

    static func parse(_ bytes: [UInt8]) throws(Damage) -> [FilePath: Entry] {
        let value: JSONValue
        do {
            value = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            throw Damage("", "\(error)")
        }
        guard value["version"]?.number == 1 else { throw Damage("version", "must be 1") }
        guard case .array(let elements)? = value["results"] else { throw Damage("results", "must be an array") }
        var entries: [FilePath: Entry] = [:]
        for (index, element) in elements.enumerated() {
            let place = "results/\(index)/"
            guard let result = FilePath(element, key: "result"), !result.isEmpty else {
                throw Damage(place + "result", "must be the path of a result")
            }
            guard case .string(let text)? = element["checksum"], let checksum = UInt64(text, radix: 16) else {
                throw Damage(place + "checksum", "must be a hexadecimal number")
            }
            do throws(Damage) {
                entries[result] = Entry(checksum: checksum, decisions: try ReviewDecisions(element))
            } catch {
                throw Damage(place + error.place, error.reason)
            }
        }
        return entries
    }

    /// Reads bytes as the file's content, for fuzzing.
    /// - Returns: whether they are one.
    package static func accepts(_ bytes: [UInt8]) -> Bool { (try? parse(bytes)) != nil }

    /// Whether there are decisions about a result, be it of this photograph or of another one.
    package func knows(_ result: FilePath) -> Bool { entries.withLock { $0[result] != nil } }

    /// Other results of the same photograph or clip about which there are decisions, in the order of their names.
    /// - Parameter checksum: of the photograph or the clip.
    package func results(of checksum: UInt64) -> [FilePath] {
        entries.withLock { entries in entries.filter { $0.value.checksum == checksum }.map(\.key) }.sorted()
    }

    /// The decisions about a result.
    /// - Parameters:
    ///   - result: its path below the folder.
    ///   - checksum: of the photograph or the clip, as `Checksum.ofFile` finds it.
    /// - Returns: nil if there are none, or if they are about another photograph.
    package func decisions(on result: FilePath, checksum: UInt64) -> ReviewDecisions? {
        entries.withLock { entries in
            guard let entry = entries[result], entry.checksum == checksum else { return nil }
            return entry.decisions
        }
    }

    /// Notes decisions and writes the whole file, which is replaced at once.
    /// - Throws: `FileError` if it cannot be written; then the file is as it was, and the decisions are not noted.
    package func note(_ decisions: ReviewDecisions, on result: FilePath, checksum: UInt64) throws(FileError) {
        try entries.withLock { (entries) throws(FileError) in
            var changed = entries
            changed[result] = decisions.isEmpty ? nil : Entry(checksum: checksum, decisions: decisions)
            guard changed != entries else { return }
            let results = changed.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map { result, entry in
                JSONValue.object(
                    result.jsonMembers("result")
                        + [.init("checksum", .string(String(entry.checksum, radix: 16)))] + entry.decisions.members)
            }
            let value = JSONValue.object(["version": .integer(1), "results": .array(results)])
            let text = value.text(indented: true) + "\n"
            // What cannot be read again would end each later run.
            guard text.utf8.count <= Self.largest, (try? Self.parse(Array(text.utf8))) != nil else {
                throw FileError(
                    .tooLarge, path: path,
                    "cannot hold these decisions: a result has at most \(ReviewDecisions.mostMarks) marks of a kind, within a million "
                        + "pixels, and the file \(Self.largest >> 20) MiB")
            }
            try AtomicFile.write(text, to: path, replacing: true)
            entries = changed
        }
    }
}
