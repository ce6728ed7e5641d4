import CommandLine
import Files
import Glibc
import Masking

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
            let isCount = count.map { (1...PhotoShard.largestCount).contains($0) } ?? (parts.count == 1)
            if parts[0] == "auto", isCount {
                self = .automatic(count: count)
            } else if isCount, let count, let number = Int(parts[0]), (1...count).contains(number) {
                self = .shard(PhotoShard(number: number, count: count))
            } else {
                throw InvalidValue(
                    "must be NUMBER/COUNT with a number from 1 to the count, like 3/200, or auto/200 or auto")
            }
        }
    }

    private static let largestCount = 1_000_000

    /// The shard of this task of Slurm's job array, or of Kubernetes' indexed job.
    /// - Parameter environment: the value of a variable; nil if it is not set.
    /// - Throws: `InvalidValue`.
    package init(_ choice: Choice, environment: (String) -> String?) throws(InvalidValue) {
        switch choice {
        case .shard(let shard): self = shard
        case .automatic(let count):
            if environment("SLURM_ARRAY_TASK_ID") != nil {
                try self.init(slurm: environment, count: count)
            } else if let index = environment("JOB_COMPLETION_INDEX") {
                // Kubernetes tells a pod its index, but not how many there are.
                guard let count else { throw InvalidValue("must name the job's completions, like auto/200") }
                guard let index = Int(index), (0..<count).contains(index) else {
                    throw InvalidValue("counts \(count), but JOB_COMPLETION_INDEX is \(index), which counts from 0")
                }
                self.init(number: index + 1, count: count)
            } else {
                throw InvalidValue(
                    "needs SLURM_ARRAY_TASK_ID (a job array of Slurm) or JOB_COMPLETION_INDEX (an indexed job of "
                        + "Kubernetes) in the environment")
            }
        }
    }

    private init(slurm environment: (String) -> String?, count: Int?) throws(InvalidValue) {
        func number(_ name: String) -> Int? { environment("SLURM_ARRAY_TASK_" + name).flatMap { Int($0) } }
        guard let id = number("ID") else { throw InvalidValue("needs a number in SLURM_ARRAY_TASK_ID") }
        if let count {
            guard (1...count).contains(id) else {
                throw InvalidValue(
                    "counts \(count), but SLURM_ARRAY_TASK_ID is \(id); submit the job with --array=1-\(count)")
            }
            self.init(number: id, count: count)
        } else {
            // When some tasks are submitted again, Slurm counts only those: the parts would be others.
            guard number("MIN") == 1, let last = number("MAX"), number("COUNT") == last, (1...last).contains(id) else {
                throw InvalidValue(
                    "is clear only in a job array that was submitted with --array=1-COUNT; name the count, like auto/200"
                )
            }
            self.init(number: id, count: last)
        }
    }

    // MARK: Which photographs

    /// The photographs of this shard, in their old order, and a checksum of the list of all.
    ///
    /// The photographs, the largest first, are dealt like cards: from the first shard to the last, then back. So each has
    /// as many as any other, give or take one, and about as many bytes, whatever order they were listed in.
    /// - Parameter folder: of the results.
    package func part(of jobs: [PhotoJob], below folder: FilePath) -> (jobs: [PhotoJob], list: UInt64) {
        let order = jobs.indices.sorted { jobs[$0].precedes(jobs[$1], folder) }
        var mine: [Int] = []
        for (place, index) in order.enumerated() {
            let (round, card) = place.quotientAndRemainder(dividingBy: count)
            if (round.isMultiple(of: 2) ? card : count - 1 - card) == number - 1 { mine.append(index) }
        }
        let list = Checksum.of(order.map { jobs[$0].checksum(folder) })
        return (mine.sorted().map { jobs[$0] }, list)
    }
}

/// What decides about the shard of a photograph.
extension PhotoJob {
    /// The same on every machine.
    private func key(_ folder: FilePath) -> FilePath { output.isEmpty ? input : output.relative(to: folder) ?? output }

    fileprivate func precedes(_ other: PhotoJob, _ folder: FilePath) -> Bool {
        size != other.size ? size > other.size : (key(folder), input) < (other.key(folder), other.input)
    }

    fileprivate func checksum(_ folder: FilePath) -> UInt64 {
        Checksum.of([key(folder).bytes.withUnsafeBytes { Checksum.of($0) }, UInt64(bitPattern: size)])
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
