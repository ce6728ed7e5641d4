import Arguments
import JSON
import PhotoBenchmarks

/// The output of `bauta lab bench photo FOLDER`.
enum PhotoThroughputReport {
    static func json(_ result: PhotoThroughput) -> JSONValue {
        func rounded(_ value: Double, digits: Int = 3) -> JSONValue {
            .number(DecimalText.rounded(value, digits: digits))
        }
        let total = result.stages.reduce(0) { $0 + $1.total }
        let stages = result.stages.map { stage in
            JSONValue.Member(
                stage.name,
                .object(StageTable.members(stage) + [.init("share", rounded(stage.total / max(1e-9, total)))]))
        }
        let idle = PhotoThroughput.Obstacle.allCases.map { obstacle in
            JSONValue.Member(obstacle.rawValue, rounded(result.idleSeconds[obstacle] ?? 0))
        }
        return .object([
            "photographs": .integer(result.photographs), "masked": .integer(result.counts[.masked] ?? 0),
            "noFace": .integer(result.counts[.noFace] ?? 0), "failed": .integer(result.counts[.failed] ?? 0),
            "ignored": .integer(result.counts[.ignored] ?? 0), "seconds": rounded(result.seconds),
            "photographsPerSecond": rounded(result.photographsPerSecond), "threads": .integer(result.threads),
            "cores": .integer(result.cores), "processorSeconds": rounded(result.processorSeconds),
            "readySeconds": rounded(result.readySeconds), "idleSeconds": .object(idle),
            "coreSecondsPerPhotograph": rounded(result.processorSecondsPerPhotograph, digits: 4),
            "coreHoursPerMillion": rounded(coreHoursPerMillion(result), digits: 1),
            "shareOfMachine": rounded(result.shareOfMachine),
            "shareOfThreads": rounded(result.shareOfThreads, digits: 4),
            "limit": .string(result.limit?.rawValue ?? "processor"), "peakMemory": .integer(result.peakMemory),
            "peakMemoryOfChildren": .integer(result.peakMemoryOfChildren), "milliseconds": .object(stages),
        ])
    }

    private static func coreHoursPerMillion(_ result: PhotoThroughput) -> Double {
        result.processorSecondsPerPhotograph * 1e6 / 3600
    }

    static func text(_ result: PhotoThroughput) -> String {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        func percent(_ share: Double) -> String { DecimalText.fixed(100 * share, digits: 1) + " %" }
        func mebibytes(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20) MiB" }
        let total = result.stages.reduce(0) { $0 + $1.total }
        var table = TextTable(
            [
                .left("ms", width: 10), .right("median", width: 9), .right("95%", width: 9), .right("99%", width: 9),
                .right("share", width: 9),
            ], separator: "")
        table.rows = result.stages.map { StageTable.row($0) + [percent($0.total / max(1e-9, total))] }
        let children = result.peakMemoryOfChildren
        let decoders = children > 0 ? ", and up to \(mebibytes(children)) in a process that decodes or encodes" : ""
        return """
            \(counted(result.photographs, "photograph")) in \(DurationText.text(result.seconds)): \
            \(DecimalText.fixed(result.photographsPerSecond, digits: 1)) a second with \
            \(counted(result.threads, "thread")) on \(counted(result.cores, "core"))
            \(result.counts[.masked] ?? 0) masked, \(result.counts[.noFace] ?? 0) no face, \
            \(result.counts[.failed] ?? 0) failed, \(result.counts[.ignored] ?? 0) not pictures

            machine    \(percent(result.shareOfMachine)) of the time of all cores
            threads    \(percent(result.shareOfThreads)) of their time working, or ready but without a core
            memory     \(mebibytes(result.peakMemory)) at most\(decoders)
            cost       \(DecimalText.fixed(result.processorSecondsPerPhotograph, digits: 3)) core-seconds a photograph, \
            \(DecimalText.fixed(coreHoursPerMillion(result), digits: 0)) core-hours a million
            limit      \(limit(result))

            \(table.text)
            """
    }

    /// The limiting resource, in words.
    private static func limit(_ result: PhotoThroughput) -> String {
        let seconds = result.limit.flatMap { result.idleSeconds[$0] } ?? 0
        let share = DecimalText.fixed(100 * seconds / max(1e-9, result.seconds * Double(result.threads)), digits: 0)
        let start = "threads waited \(share) % of the time"
        return switch result.limit {
        case nil: "the processor"
        case .memory: "memory: \(start) until other photographs freed memory (--memory)"
        case .drawing: "drawing: \(start) for the thread that draws all masks"
        case .ends: "too few photographs: \(start) at the start, while models load, and at the end"
        case .files: "files: \(start) for reading and writing files"
        }
    }
}
