import Arguments
import Files
import Glibc
import PhotoRecords

/// Joins the parts of a report that shards have written: `bauta photo --merge-reports`. Every photograph must be there
/// exactly once.
struct ReportMerge {
    private struct Part {
        let path: FilePath
        let head: PhotoReportPart
    }

    /// The problems, in the order of reporting. Only the first problems are kept: there may be millions.
    private struct Problems {
        private static let most = 20
        private var count = 0
        private var first: [String] = []

        var isEmpty: Bool { count == 0 }

        mutating func note(_ problem: String) {
            count += 1
            if first.count < Self.most { first.append(problem) }
        }

        /// Puts what follows from these problems behind them.
        mutating func append(_ other: Problems) {
            for problem in other.first { note(problem) }
            count += other.count - other.first.count
        }

        func say() -> String {
            for problem in first { Console.failure(problem) }
            return count > first.count ? "and \(count - first.count) more of this kind; " : ""
        }
    }

    private var parts: [Part] = []
    /// By the numbers of their shards: their places in `parts`.
    private var places: [Int: Int] = [:]
    /// By the checksums of their paths: the place of the part that each photograph is in.
    private var known: [UInt64: Int] = [:]
    private var counts: [PhotoOutcome.Status: Int] = [:]
    private var problems = Problems()
    private static let longestList = 10

    /// Reads and checks all parts.
    /// - Throws: `FileError` if one cannot be read, or is not a part of a report.
    private init(_ paths: [FilePath]) throws(FileError) {
        var details = Problems()
        for path in paths { try read(path, &details) }
        checkWhole()
        problems.append(details)
        // The order in which they are joined.
        parts.sort { $0.head.shard.number < $1.head.shard.number }
    }

    /// Whether the lines of each part are photographs, each once.
    private mutating func read(_ path: FilePath, _ details: inout Problems) throws(FileError) {
        var lines = try FileLines(path)
        guard let first = try lines.next() else { throw FileError(.damaged, path: path, "is empty") }
        guard let head = PhotoReportPart(first) else {
            throw FileError(
                .damaged, path: path,
                "is not a partial report: its first line does not name a shard (--shard with --report writes one)")
        }
        let shard = "shard \(head.shard.number)/\(head.shard.count)"
        if let other = places[head.shard.number], parts[other].head.shard == head.shard {
            return problems.note("\(shard) occurs twice: \(parts[other].path), \(path)")
        }
        places[head.shard.number] = parts.count
        parts.append(Part(path: path, head: head))
        var (count, isWhole): (Int, Bool) = (0, true)
        var (notDone, namesOfNotDone): (Int, [FilePath]) = (0, [])
        while let bytes = try lines.next() {
            do throws(PhotoReportLine.Malformed) {
                let line = try PhotoReportLine(bytes)
                count += 1
                note(line.photograph, in: path, &details)
                if let status = line.status {
                    counts[status, default: 0] += 1
                } else {
                    notDone += 1
                    if namesOfNotDone.count < Self.longestList { namesOfNotDone.append(line.photograph) }
                }
            } catch {
                isWhole = false
                details.note("\(path): line \(lines.number) \(error.reason)")
            }
        }
        if notDone > 0 {
            let rest = notDone - namesOfNotDone.count
            details.note(
                "\(path): \(notDone) photographs of \(shard) were not done: "
                    + namesOfNotDone.map(\.description).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
        }
        if isWhole, count != head.photographs {
            details.note("\(path): has \(count) of the \(head.photographs) photographs of \(shard); run it again")
        }
    }

    private mutating func note(_ photograph: FilePath, in path: FilePath, _ details: inout Problems) {
        let place = parts.count - 1
        guard let other = known.updateValue(place, forKey: photograph.checksum) else { return }
        details.note(
            "\(photograph): is \(other == place ? "twice in \(path)" : "in \(parts[other].path) and in \(path)")")
    }

    /// Whether the parts are those of one whole.
    private mutating func checkWhole() {
        guard let first = parts.first else { return }
        let (count, all) = (first.head.shard.count, first.head.all)
        for part in parts.dropFirst() {
            if part.head.shard.count != count {
                problems.note("\(part.path): is of \(part.head.shard.count) shards, but \(first.path) of \(count)")
            } else if part.head.list != first.head.list {
                problems.note(
                    "\(part.path): its shard saw other photographs (\(part.head.all)) than that of \(first.path) "
                        + "(\(all)); files were added, removed or changed meanwhile; --manifest avoids that")
            }
        }
        let missing = Self.missing(in: Set(parts.map(\.head.shard.number)), of: count)
        guard let one = missing.first?.lowerBound else { return }
        let photographs = max(0, all - parts.reduce(0) { $0 + $1.head.photographs })
        let shards =
            missing.count == 1 && missing[0].count == 1
            ? "shard \(one) of \(count) is" : "shards \(Self.text(missing)) of \(count) are"
        problems.note(
            "\(shards) missing (\(photographs) photographs); run --shard \(one)/\(count) again, and so on")
    }

    /// The numbers from 1 to a count that are not there.
    static func missing(in numbers: Set<Int>, of count: Int) -> [ClosedRange<Int>] {
        var (ranges, next): ([ClosedRange<Int>], Int) = ([], 1)
        for number in numbers.sorted() + [count + 1] where number <= count + 1 {
            if next < number { ranges.append(next...(number - 1)) }
            next = number + 1
        }
        return ranges
    }

    /// "4, 7 to 9"; of many, the first ones.
    private static func text(_ ranges: [ClosedRange<Int>]) -> String {
        ranges.prefix(longestList)
            .map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
            .joined(separator: ", ") + (ranges.count > longestList ? " and more" : "")
    }

    /// Writes the whole, without the first lines of the parts.
    /// - Throws: `FileError`.
    private func write(to path: FilePath, isForced: Bool) throws {
        for part in parts { InputFiles.protect(part.path) }
        let known = known
        // Even then it must be a report: photographs and their results are in the parts, too.
        let replacement = Replacement.ofReport(
            part: nil, isForced: false,
            onForce: isForced ? "" : " (--existing replace replaces reports of any photographs)"
        ) { line in
            isForced || known[line.photograph.checksum] != nil
                ? nil : "is about \(line.photograph), which is in none of the parts"
        }
        // Other things than files are written to directly.
        let isFile = path != "-" && path.status()?.type == S_IFREG
        let file = try GrowingFile(path, replacing: isFile && replacement.isNeeded(at: path))
        for part in parts {
            var lines = try FileLines(part.path)
            _ = try lines.next()
            while let line = try lines.next() { try file.write(String(decoding: line, as: UTF8.self) + "\n") }
        }
        try file.finish()
    }

    /// - Parameter isForced: whether any report may be replaced, and not only one of the same photographs.
    /// - Returns: the exit status of all shards together.
    static func run(_ paths: [FilePath], report: FilePath, isForced: Bool) throws -> ExitCode {
        let merge = try ReportMerge(paths)
        guard merge.problems.isEmpty else {
            throw CommandFailure(.dataError, merge.problems.say() + "nothing was written to \(report)")
        }
        try merge.write(to: report, isForced: isForced)
        let all = merge.counts.values.reduce(0, +)
        func count(_ status: PhotoOutcome.Status) -> Int { merge.counts[status] ?? 0 }
        Console.error(
            "\(merge.parts.count) parts, \(all) photographs: \(count(.masked)) masked, \(count(.noFace)) no face, "
                + "\(count(.failed)) failed, \(count(.ignored)) not pictures -> \(report)\n")
        return count(.failed) > 0 ? .someFailed : .success
    }
}
