import Files
import Glibc
import JSON
import Records

/// Tells one state of a file from another: its size, and the time of its last change.
package struct FileIdentity: Equatable, Sendable {
    package let size: Int64
    package let seconds: Int64
    package let nanoseconds: Int64

    package init(_ status: stat) {
        size = Int64(status.st_size)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
    }

    /// Reads "SIZE SECONDS NANOSECONDS".
    fileprivate init?(_ value: JSONValue?) {
        guard case .string(let text)? = value else { return nil }
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard numbers.count == 3, let size = numbers[0], let seconds = numbers[1], let nanoseconds = numbers[2] else {
            return nil
        }
        (self.size, self.seconds, self.nanoseconds) = (size, seconds, nanoseconds)
    }

    /// As text: numbers in JSON have 53 bits.
    fileprivate var json: JSONValue { .string("\(size) \(seconds) \(nanoseconds)") }
}

/// A file as it was read or written: what the system said about it, and a checksum of its content.
package struct FileState: Equatable, Sendable {
    package let identity: FileIdentity
    /// As `Checksum.ofFile` finds it.
    package let checksum: UInt64

    package init(_ identity: FileIdentity, checksum: UInt64) {
        self.identity = identity
        self.checksum = checksum
    }

    /// Whether the content of a file is still as it was.
    /// - Throws: `FileError` if it has to be read for that and cannot be.
    func isState(of path: FilePath) throws(FileError) -> Bool {
        guard let status = path.status() else { return false }
        let now = FileIdentity(status)
        if now == identity { return true }
        // Copied, or restored from a backup.
        guard now.size == identity.size else { return false }
        return try Checksum.ofFile(path) == checksum
    }

    /// - Parameter bytes: all of the file.
    package init(_ file: borrowing RegularFile, _ bytes: borrowing FileBytes) {
        self.init(FileIdentity(file.status), checksum: bytes.withUnsafeBytes { Checksum.ofContent($0) })
    }
}

/// A line of `PhotoJournal`: what a photograph has become.
package struct PhotoRecord: Equatable, Sendable {
    /// The path of the result below the folder of results.
    let output: FilePath
    let status: PhotoOutcome.Status
    /// The identifier of a `PhotoSettings`.
    let settings: String
    let input: FileState
    /// Nil if no file was written.
    let result: FileIdentity?
    /// Nil if no file was written.
    let resultChecksum: UInt64?
    let findings: PhotoFindings?
    /// The absolute path of the photograph; nil in records of earlier versions.
    let source: FilePath?
    /// Of the `ReviewDecisions` that were obeyed; nil: there were none.
    let decisions: String?
    /// Of the photograph in the list of its run, which decides about several masks in turn; nil in records of earlier versions.
    let number: Int?

    init(
        output: FilePath, status: PhotoOutcome.Status, settings: String, input: FileState, result: FileIdentity?,
        resultChecksum: UInt64?, findings: PhotoFindings?, source: FilePath?, decisions: String?, number: Int?
    ) {
        self.output = output
        self.status = status
        self.settings = settings
        self.input = input
        self.result = result
        self.resultChecksum = resultChecksum
        self.findings = findings
        self.source = source
        self.decisions = decisions
        self.number = number
    }

    init?(_ value: JSONValue) {
        guard let output = FilePath(value, key: "output"), case .string(let word)? = value["status"],
            let status = PhotoOutcome.Status(rawValue: word), case .string(let settings)? = value["settings"],
            let input = FileIdentity(value["input"]), let checksum = Self.checksum(value["checksum"])
        else { return nil }
        let (result, resultChecksum) = (FileIdentity(value["result"]), Self.checksum(value["resultChecksum"]))
        guard (result == nil) == (resultChecksum == nil) else { return nil }
        self.init(
            output: output, status: status, settings: settings, input: FileState(input, checksum: checksum),
            result: result, resultChecksum: resultChecksum, findings: PhotoFindings(value["findings"]),
            source: FilePath(value, key: "source"), decisions: value["decisions"]?.string,
            number: value["number"]?.number.flatMap(Int.init(exactly:)))
    }

    var json: JSONValue {
        .object(
            output.jsonMembers("output") + [
                .init("status", .string(status.rawValue)), .init("settings", .string(settings)),
                .init("input", input.identity.json), .init("checksum", Self.json(input.checksum)),
                .init("result", result?.json ?? .null),
                .init("resultChecksum", resultChecksum.map(Self.json) ?? .null),
                .init("findings", findings?.json ?? .null),
            ] + (source?.jsonMembers("source") ?? [])
                + (decisions.map { [.init("decisions", .string($0))] } ?? [])
                + (number.map { [.init("number", .number(Double($0)))] } ?? []))
    }

    private static func checksum(_ value: JSONValue?) -> UInt64? {
        if case .string(let text)? = value { UInt64(text, radix: 16) } else { nil }
    }

    private static func json(_ checksum: UInt64) -> JSONValue { .string(String(checksum, radix: 16)) }
}

/// The settings that decide how the result of a photograph looks, as names and values of options.
package struct PhotoSettings: Equatable, Sendable {
    /// For messages. The checksum decides whether it is the same mask, whatever its name.
    private let maskName: String
    /// In the order of the options; the first is the mask's checksum.
    private let values: [JSONValue.Member]
    let identifier: String

    /// - Parameter values: the names and values of the options; the first is `mask`, whose value is `checksum(ofMask:)`.
    package init(maskName: String, values: [(name: String, value: String)]) {
        self.init(maskName: maskName, values: values.map { JSONValue.Member($0.name, .string($0.value)) })
    }

    private init(maskName: String, values: [JSONValue.Member]) {
        self.maskName = maskName
        self.values = values
        let text = JSONValue.object(values).text()
        identifier = String(Array(text.utf8).withUnsafeBytes { Checksum.of($0) }, radix: 16)
    }

    /// Whether faces wear masks, and are not covered in their place.
    var drawsMasks: Bool { values.first.map { $0.key == "mask" && $0.value != .string("none") } ?? false }

    init?(_ value: JSONValue) {
        guard case .string(let maskName)? = value["maskName"], case .object(let values)? = value["options"] else {
            return nil
        }
        self.init(maskName: maskName, values: values)
    }

    /// The same settings with one more.
    package func with(_ name: String, _ value: String) -> PhotoSettings {
        PhotoSettings(maskName: maskName, values: values + [JSONValue.Member(name, .string(value))])
    }

    var json: JSONValue { .object(["maskName": .string(maskName), "options": .object(values)]) }

    /// The difference from older settings: "mask: wolf, now tiger".
    func difference(from old: PhotoSettings) -> String {
        let parts = values.compactMap { member -> String? in
            let before = old.values.first { $0.key == member.key }?.value
            guard before != member.value, member.key != "rules" else { return nil }
            if member.key == "mask", old.maskName == maskName { return "the mask \(maskName) has changed" }
            func text(_ value: JSONValue?, _ maskName: String) -> String {
                if member.key == "mask" { return maskName }
                guard case .string(let text)? = value else { return "not known" }
                return text.isEmpty ? "none" : text
            }
            return "\(member.key): \(text(before, old.maskName)), now \(text(member.value, maskName))"
        }
        // Options that are not at their defaults.
        let gone = old.values.filter { member in
            member.key != "rules" && !values.contains { $0.key == member.key }
        }.map { member in
            if case .string(let text) = member.value { "\(member.key): \(text), now none" } else { member.key }
        }
        let all = parts + gone
        return all.isEmpty ? "another version of Bauta" : all.joined(separator: "; ")
    }

    /// Tells a mask from others.
    /// - Parameter folder: the mask's.
    /// - Throws: `FileError` if a file of the mask cannot be read.
    package static func checksum(ofMask folder: FilePath) throws(FileError) -> String {
        String(try checksum(folder), radix: 16)
    }

    /// Of the names and contents of all files in a folder and its sub-folders. Links to folders are not followed: they
    /// may lead back.
    private static func checksum(_ folder: FilePath, depth: Int = 0) throws(FileError) -> UInt64 {
        var sums: [UInt64] = []
        for name in Folder.entries(of: folder) ?? [] where !name.isHidden {
            let path = folder / name
            guard let status = path.status() else { continue }
            let sum: UInt64
            if status.type == S_IFREG {
                // A mask has no file that large, but its folder may.
                let isLarge = status.st_size > 64 << 20
                sum = isLarge ? UInt64(status.st_size) : try Checksum.ofFile(path)
            } else if path.status(followsLinks: false)?.type == S_IFDIR, depth < 8 {
                sum = try checksum(path, depth: depth + 1)
            } else {
                continue
            }
            sums += [name.bytes.withUnsafeBytes { Checksum.of($0) }, sum]
        }
        return Checksum.of(sums)
    }
}
