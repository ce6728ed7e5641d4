import CommandLine
import Files
import JSON
import Masking

/// Joins the parts of a report that shards have written: `bauta photo --merge-reports`. Every photograph must be there
/// exactly once.
struct ReportMerge {
    private struct Part {
        let path: FilePath
        let head: PhotoReportPart
    }

    private var parts: [Part] = []
    /// By the checksums of their paths: the number of the part that each photograph is in.
    private var known: [UInt64: Int] = [:]
    private var statuses: [String: Int] = [:]
    private(set) var problems: [String] = []
    /// More are only counted.
    private static let mostProblems = 20
    private static let longestList = 10

    /// Reads and checks all parts.
    /// - Throws: `FileError` if one cannot be read, or is not a part of a report.
    init(_ paths: [FilePath]) throws(FileError) {
        for path in paths { try read(path) }
        // The order in which they are joined.
        parts.sort { ($0.head.shard.number, $0.path) < ($1.head.shard.number, $1.path) }
        checkWhole()
    }

    /// Whether the lines of each part are photographs, each once.
    private mutating func read(_ path: FilePath) throws(FileError) {
        let bytes = try FileBytes(path: path, maximumCount: 8 << 30)
        var (head, count, isWhole, lines): (PhotoReportPart?, Int, Bool, Int) = (nil, 0, true, 0)
        var notDone: [FilePath] = []
        try bytes.withUnsafeBytes { (bytes) throws(FileError) in
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                lines += 1
                let value = try? JSONValue(parsing: UnsafeRawBufferPointer(rebasing: line))
                guard head != nil else {
                    head = value.flatMap { PhotoReportPart($0) }
                    if head == nil {
                        throw FileError(
                            .damaged, path: path,
                            "is not a part of a report: its first line does not name a shard (--shard with --report "
                                + "writes one)")
                    }
                    continue
                }
                guard let value, let photograph = FilePath(value, key: "path"), let status = value["status"]?.string
                else {
                    isWhole = false
                    note("\(path): line \(lines) is not a line of a report")
                    continue
                }
                count += 1
                note(photograph, in: path)
                if status == PhotoReport.notDone { notDone.append(photograph) }
                statuses[status, default: 0] += 1
            }
        }
        guard let head else { throw FileError(.damaged, path: path, "is empty") }
        parts.append(Part(path: path, head: head))
        if !notDone.isEmpty {
            let rest = notDone.count - Self.longestList
            note(
                "\(path): \(notDone.count) photographs of shard \(head.shard.number)/\(head.shard.count) were not done: "
                    + notDone.prefix(Self.longestList).map(\.description).joined(separator: ", ")
                    + (rest > 0 ? " and \(rest) more" : ""))
        }
        if isWhole, count != head.photographs {
            note(
                "\(path): has \(count) of the \(head.photographs) photographs of shard \(head.shard.number)/"
                    + "\(head.shard.count); run it again")
        }
    }

    private mutating func note(_ photograph: FilePath, in path: FilePath) {
        // Paths would take too much memory; that two of a million have the same checksum is as likely as 1 in 37 million.
        let key = photograph.bytes.withUnsafeBytes { Checksum.of($0) }
        guard let other = known.updateValue(parts.count, forKey: key) else { return }
        let place = other == parts.count ? "twice in \(path)" : "in \(parts[other].path) and in \(path)"
        note("\(photograph): is \(place)")
    }

    private mutating func note(_ problem: String) { problems.append(problem) }

    /// Whether the parts are those of one whole.
    private mutating func checkWhole() {
        guard let first = parts.first else { return }
        for part in parts.dropFirst() {
            if part.head.shard.count != first.head.shard.count {
                note(
                    "\(part.path): is of \(part.head.shard.count) shards, but \(first.path) of "
                        + "\(first.head.shard.count)")
            } else if part.head.list != first.head.list {
                note(
                    "\(part.path): its shard saw other photographs (\(part.head.all)) than that of \(first.path) "
                        + "(\(first.head.all)); files were added, removed or changed meanwhile, which --manifest avoids"
                )
            }
        }
        for (part, next) in zip(parts, parts.dropFirst()) where part.head.shard == next.head.shard {
            note("shard \(part.head.shard.number)/\(part.head.shard.count) is there twice: \(part.path), \(next.path)")
        }
        let count = first.head.shard.count
        let there = Set(parts.map(\.head.shard.number))
        let missing = (1...count).filter { !there.contains($0) }
        if let one = missing.first {
            let photographs = first.head.all - parts.reduce(0) { $0 + $1.head.photographs }
            let names =
                missing.count == 1 ? "shard \(one) of \(count) is" : "shards \(Self.ranges(missing)) of \(count) are"
            note("\(names) missing (\(photographs) photographs); run --shard \(one)/\(count) again, and so on")
        }
    }

    /// "4, 7 to 9".
    static func ranges(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
            .joined(separator: ", ")
    }

    /// Writes the whole, without the first lines of the parts.
    /// - Throws: `FileError`.
    private func write(to path: FilePath, replacing: Bool) throws {
        for part in parts { InputFiles.protect(part.path) }
        let file = try GrowingFile(path, replacing: replacing)
        for part in parts {
            let bytes = try FileBytes(path: part.path, maximumCount: 8 << 30)
            try bytes.withUnsafeBytes { bytes in
                for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
                    try file.write(String(decoding: line, as: UTF8.self) + "\n")
                }
            }
        }
        try file.finish()
    }

    /// - Returns: the exit status of all shards together.
    static func run(_ paths: [FilePath], report: FilePath, replacing: Bool) throws -> ExitCode {
        let merge = try ReportMerge(paths)
        guard merge.problems.isEmpty else {
            for problem in merge.problems.prefix(mostProblems) { Console.failure("\(problem)") }
            let rest = merge.problems.count - mostProblems
            throw CommandFailure(
                .dataError, (rest > 0 ? "and \(rest) more of this kind; " : "") + "nothing was written to \(report)")
        }
        try merge.write(to: report, replacing: replacing)
        let all = merge.statuses.values.reduce(0, +)
        func count(_ status: PhotoOutcome.Status) -> Int { merge.statuses[status.rawValue] ?? 0 }
        Console.error(
            "\(merge.parts.count) parts, \(all) photographs: \(count(.masked)) masked, \(count(.noFace)) no face, "
                + "\(count(.failed)) failed, \(count(.ignored)) not pictures -> \(report)\n")
        return count(.failed) > 0 ? .someFailed : .success
    }
}
