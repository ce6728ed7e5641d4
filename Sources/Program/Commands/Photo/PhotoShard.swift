import Arguments
import Files

/// A part of all photographs, for one of several machines or tasks: `--shard 3/200`.
package struct PhotoShard: Equatable, Sendable {
    /// From 1 to `count`.
    package let number: Int
    package let count: Int

    package init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// For the names of files.
    var name: String { "\(number)-of-\(count)" }

    /// The value of the option.
    package enum Choice: Equatable, Sendable {
        case shard(PhotoShard)
        /// The number comes from the environment; the count, too, if it is nil.
        case automatic(count: Int?)

        package init(_ text: String) throws(InvalidValue) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let count = parts.count == 2 ? Int(parts[1]) : nil
            if let count, count > PhotoShard.largestCount {
                throw InvalidValue("has \(count) shards; the limit is \(PhotoShard.largestCount)")
            }
            let isCount = count.map { $0 >= 1 } ?? (parts.count == 1)
            if parts[0] == "auto", isCount {
                self = .automatic(count: count)
            } else if isCount, let count, let number = Int(parts[0]), (1...count).contains(number) {
                self = .shard(PhotoShard(number: number, count: count))
            } else {
                throw InvalidValue(
                    "must be NUMBER/COUNT with a number from 1 to the count, such as 3/200, or auto/200 or auto")
            }
        }
    }

    static let largestCount = 1_000_000

    /// The shard of this task of Slurm's job array, or of Kubernetes' indexed job.
    /// - Parameter environment: the value of a variable; nil if it is not set.
    /// - Throws: `InvalidValue`.
    package init(_ choice: Choice, environment: (String) -> String?) throws(InvalidValue) {
        switch choice {
        case .shard(let shard): self = shard
        case .automatic(let count):
            switch (environment(Self.slurmNumber), environment(Self.kubernetesNumber)) {
            case (let id?, nil): try self.init(slurm: id, environment, count: count)
            case (nil, let index?): try self.init(kubernetes: index, count: count)
            case (let id?, let index?):
                throw InvalidValue(
                    "is ambiguous: \(Self.slurmNumber) (\(id)) and \(Self.kubernetesNumber) (\(index)) are both set; "
                        + "unset one, or give the number, such as 3/200")
            case (nil, nil):
                throw InvalidValue(
                    "needs \(Self.slurmNumber) (a job array of Slurm) or \(Self.kubernetesNumber) (an indexed job of "
                        + "Kubernetes) in the environment")
            }
        }
    }

    private static let slurmNumber = "SLURM_ARRAY_TASK_ID"
    private static let kubernetesNumber = "JOB_COMPLETION_INDEX"

    private init(kubernetes index: String, count: Int?) throws(InvalidValue) {
        // Kubernetes tells a pod its index, but not how many there are.
        guard let count else { throw InvalidValue("must give the number of the job's completions, such as auto/200") }
        guard let number = Int(index), (0..<count).contains(number) else {
            throw InvalidValue(
                "names \(count) shards, but \(Self.kubernetesNumber) is '\(index)', not a number from 0 to \(count - 1), as "
                    + "Kubernetes sets it in a job with completionMode: Indexed and completions: \(count)")
        }
        self.init(number: number + 1, count: count)
    }

    private init(slurm id: String, _ environment: (String) -> String?, count: Int?) throws(InvalidValue) {
        func number(_ name: String) -> Int? { environment("SLURM_ARRAY_TASK_" + name).flatMap { Int($0) } }
        let (first, last) = (number("MIN"), number("MAX"))
        // The numbers of the others would be one too low, and the last shard would be missing.
        if first == 0 {
            throw InvalidValue(
                "needs a job array that begins with 1; this one begins with 0 (SLURM_ARRAY_TASK_MIN). Submit it with "
                    + "--array=1-\(count ?? (last ?? 0) + 1)")
        }
        // When some tasks are submitted again, Slurm counts only those: the parts would be others.
        guard let count = count ?? (first == 1 && number("COUNT") == last ? last : nil) else {
            throw InvalidValue(
                "works only in a job array that was submitted with --array=1-COUNT; give the count, such as auto/200")
        }
        guard let number = Int(id), (1...max(1, count)).contains(number), last ?? number <= count else {
            let end = last.map { ", and SLURM_ARRAY_TASK_MAX \($0)" } ?? ""
            throw InvalidValue(
                "names \(count) shards, but \(Self.slurmNumber) is '\(id)'\(end); these must be numbers from 1 to \(count): "
                    + "submit the job with --array=1-\(count)")
        }
        self.init(number: number, count: count)
    }

    // MARK: Which photographs

    /// The places of this shard's photographs in the list, rising, and a checksum of the whole list.
    ///
    /// The photographs, the largest first, are dealt like cards: from the first shard to the last, then back. So each has
    /// as many as any other, give or take one, and about as many bytes, whatever order they were listed in.
    package func part(of list: PhotoList) -> (photographs: [Int], checksum: UInt64) {
        list.withNames { names in
            var order = list.entries
            order.sort { a, b in
                if a.size != b.size { return a.size > b.size }
                let (name, other) = (PhotoList.name(of: a, in: names), PhotoList.name(of: b, in: names))
                // Of several folders, by their order.
                return name.elementsEqual(other) ? a.index < b.index : name.lexicographicallyPrecedes(other)
            }
            var mine: [Int] = []
            for (place, entry) in order.enumerated() {
                let (round, card) = place.quotientAndRemainder(dividingBy: count)
                if (round.isMultiple(of: 2) ? card : count - 1 - card) == number - 1 { mine.append(Int(entry.index)) }
            }
            let checksums = order.map { entry in
                Checksum.of([Checksum.of(PhotoList.name(of: entry, in: names)), UInt64(bitPattern: entry.size)])
            }
            return (mine.sorted(), Checksum.of(checksums))
        }
    }
}

extension PhotoShard {
    /// The path of this shard's part of a report or contact sheet: `faces.jsonl` becomes `faces.3-of-200.jsonl`.
    func part(of report: FilePath) -> FilePath {
        guard report != "-" else { return report }
        let report = report.withoutFinalSlashes
        let stem = report.withoutExtension
        return stem + ".\(name)" + String(decoding: report.bytes.dropFirst(stem.bytes.count), as: UTF8.self)
    }
}
