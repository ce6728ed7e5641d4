import Arguments
import Commands
import Files
import Foundation
import FrameProcessing
import TestSupport
import Testing

/// What all shards make together, and how their reports are joined.
extension PhotoShardTests {
    private func write() throws {
        for (index, name) in ["ada", "bruno", "chidi", "dalia", "emre", "finn", "ada", "emre"].enumerated() {
            let sample = try SmallSample.bytes(name)
            try folder.write(sample, "in/\(index % 3)/\(name) \(index).jpg")
        }
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 270), count: 90)
        try folder.write(PNGBuilder(width: 90, height: 90, colorType: 2, rows: rows).bytes, "in/wall.png")
    }

    private func merge(_ parts: [Int], to report: String) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["photo", "--merge-reports"] + parts.map { "r.\($0)-of-3.jsonl" } + ["--report", report],
            folder: folder.path)
    }

    private func lines(_ report: String) throws -> Set<Substring> {
        let text = try String(contentsOfFile: folder.path + "/" + report, encoding: .utf8)
        // Times differ from run to run.
        return Set(text.split(separator: "\n").map { $0.components(separatedBy: #","milliseconds""#)[0][...] })
    }

    /// Three shards at the same time, one of them killed and repeated, make the same files and the same report as one run.
    @Test(.slow) func shardsTogetherAreTheWhole() throws {
        try write()
        #expect(try photo(["in", "-r", "-o", "out", "--report", "whole.jsonl"]).exitCode == 0)
        try FileManager.default.moveItem(atPath: folder.path + "/out", toPath: folder.path + "/whole")
        func arguments(_ number: Int) -> [String] {
            [
                "in", "-r", "-o", "out", "--shard", "\(number)/3", "--report", "r.jsonl", "--contact-sheet", "sheet/",
                "-j", "1",
            ]
        }
        // Just before its second result, or its third, is on the disk: the first one is whole.
        let killed = try ProgramRun.bauta(
            ["photo", "--occluders", "none"] + arguments(2),
            environment: FaultInjection(folder: folder.path).environment(.init("sync"), number: 3),
            folder: folder.path)
        #expect(killed.exitCode == 1000 + SIGKILL)
        // Two at the same time.
        let third = try ProgramRun.bauta(["photo", "--occluders", "none"] + arguments(3), folder: folder.path) { _ in
            let first = try photo(arguments(1))
            #expect(first.exitCode == 0, "\(first.error)")
        }
        #expect(third.exitCode == 0, "\(third.error)")
        let missing = try merge([1, 3], to: "all.jsonl")
        #expect(missing.exitCode == 65 && missing.error.contains("shard 2 of 3 is missing (3 photographs)"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/all.jsonl"))
        let repeated = try photo(arguments(2))
        #expect(repeated.exitCode == 0 && repeated.error.contains("in an earlier run"), "\(repeated.error)")
        for number in 1...3 {
            #expect(FileManager.default.fileExists(atPath: folder.path + "/sheet.\(number)-of-3/index.html"))
        }
        let merged = try merge([3, 2, 1], to: "all.jsonl")
        #expect(merged.exitCode == 0, "\(merged.error)")
        #expect(merged.error.contains("3 parts, 9 photographs: 8 masked, 1 no face, 0 failed"))
        func results(_ place: String) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/" + place)
                .filter { $0.hasSuffix("g") }.sorted()
        }
        #expect(try results("out") == results("whole"))
        for name in try results("whole") {
            #expect(try bytes(of: folder.path + "/out/" + name) == bytes(of: folder.path + "/whole/" + name))
        }
        func paths(_ report: String) throws -> Set<Substring> {
            Set(try lines(report).map { $0.components(separatedBy: #","output""#)[0][...] })
        }
        #expect(try paths("all.jsonl") == paths("whole.jsonl"))
        // A run without shards knows what they have done.
        #expect(try photo(["in", "-r", "-o", "out"]).error.contains("9 done (9 in an earlier run)"))
        // A manifest makes the same parts, without looking at the files.
        let list = try ProgramRun.run(
            "/usr/bin/find", ["in", "-type", "f", "-printf", #"%s\t%P\0"#], folder: folder.path)
        try folder.write(list.output, "list")
        let listed = try photo(
            ["in", "--manifest", "list", "-o", "out", "--shard", "auto/3", "--report", "m.jsonl"],
            environment: ["JOB_COMPLETION_INDEX": "1"])
        #expect(listed.exitCode == 0, "\(listed.error)")
        #expect(try paths("m.2-of-3.jsonl") == paths("r.2-of-3.jsonl"))
    }

    @Test func missingAndDuplicatePartsAreNamed() throws {
        func part(_ number: Int, _ paths: [String], of count: Int = 2, list: String = "1a", status: String = "masked") {
            let head = #"{"shard":\#(number),"of":\#(count),"photographs":2,"all":4,"list":"\#(list)"}"#
            let lines = paths.map { #"{"path":"\#($0)","output":null,"status":"\#(status)"}"# }
            _ = try? folder.write(([head] + lines).joined(separator: "\n") + "\n", "p\(number)")
        }
        func merge(_ names: String...) throws -> ProgramRun {
            try ProgramRun.bauta(["photo", "--merge-reports"] + names + ["--report", "all"], folder: folder.path)
        }
        func fails(_ run: ProgramRun, _ words: String) {
            #expect(run.exitCode == 65 && run.error.contains(words), "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/all"))
        }
        part(1, ["a", "b"])
        part(2, ["c", "a"])
        fails(try merge("p1", "p2"), "a: is in p1 and in p2")
        part(2, ["c"])
        fails(try merge("p1", "p2"), "p2: has 1 of the 2 photographs of shard 2/2")
        // What occurs twice comes first, and is not counted as missing.
        let twice = try merge("p1", "p1")
        fails(twice, "shard 1/2 occurs twice: p1, p1")
        fails(twice, "shard 2 of 2 is missing (2 photographs)")
        #expect(!twice.error.contains("a: is"), "\(twice.error)")
        part(2, ["c", "d"], list: "2b")
        fails(try merge("p1", "p2"), "saw other photographs")
        part(2, ["c", "d"], of: 3)
        fails(try merge("p1", "p2"), "is of 3 shards")
        part(2, ["c", "d"], status: "notDone")
        fails(try merge("p1", "p2"), "2 photographs of shard 2/2 were not done: c, d")
        part(2, ["c", "d"], status: "lost")
        fails(try merge("p1", "p2"), #"p2: line 2 has the status "lost", which is unknown"#)
        part(2, ["c", "d"], of: 1_000_000)
        fails(try merge("p2"), "shards 1, 3 to 1000000 of 1000000 are missing (2 photographs)")
        part(2, ["c", "d"], of: 1_000_000_000)
        fails(try merge("p2"), "is not a partial report")
        try folder.write("nonsense\n", "p3")
        fails(try merge("p1", "p3"), "is not a partial report")
        part(2, ["c", "d"], status: "failed")
        let run = try merge("p1", "p2")
        #expect(run.exitCode == 1 && run.error.contains("4 photographs: 2 masked, 0 no face, 2 failed"), "\(run.error)")
        #expect(try lines("all").count == 4)
        // Again into its own result, but into nothing else.
        #expect(try merge("p1", "p2").exitCode == 1)
        for content in ["mine\n", #"{"path":"e","output":null,"status":"masked"}"# + "\n"] {
            try folder.write(content, "all")
            let refused = try merge("p1", "p2")
            #expect(refused.exitCode == 73 && refused.error.contains("all: already exists and is not a report"))
            #expect(try bytes(of: folder.path + "/all") == Array(content.utf8))
        }
        let own = try ProgramRun.bauta(
            ["photo", "--merge-reports", "p1", "p2", "--report", "p1", "-f"], folder: folder.path)
        #expect(own.exitCode == 73 && own.error.contains("is an input"), "\(own.error)")
        #expect(try ProgramRun.bauta(["photo", "--merge-reports", "p1"], folder: folder.path).exitCode == 64)
    }

    /// SIGTERM, twice as Slurm and `timeout` send it: the part says what is not done.
    @Test(.slow) func anInterruptedShardListsTheRest() throws {
        try write()
        let run = try ProgramRun.bauta(
            ["photo", "--occluders", "none", "in", "-r", "--shard", "1/1", "--report", "r.jsonl", "-j", "1"],
            folder: folder.path
        ) { program in
            try program.wait(for: "a picture") {
                (0..<3).flatMap { folder.results(in: "masked/\($0)") }
            } until: {
                $0.contains { !$0.hasPrefix(".") }
            }
            for _ in 0..<2 {
                kill(program.processIdentifier, SIGTERM)
                usleep(5000)
            }
        }
        #expect(run.exitCode == 130, "\(run.error)")
        let text = try String(contentsOfFile: folder.path + "/r.1-of-1.jsonl", encoding: .utf8)
        #expect(text.contains(#""status":"notDone""#) && text.split(separator: "\n").count == 10, "\(text)")
        // A line for each photograph would fill the disk with logs.
        #expect(!run.error.contains("-> masked/") && run.error.contains("interrupted after"), "\(run.error)")
    }

    /// With another number of shards, or another list, photographs belong to other shards than those that have done them.
    @Test(.slow) func journalsOfOtherShardsAreReadWhenNeeded() throws {
        try folder.write(try SmallSample.bytes("ada"), "in/ada.jpg")
        try folder.write(try SmallSample.bytes("emre"), "in/emre.jpg")
        for number in 1...2 { #expect(try photo(["in", "--shard", "\(number)/2"]).exitCode == 0) }
        let whole = try photo(["in", "--shard", "1/1"])
        #expect(whole.error.contains("2 done (2 in an earlier run)"), "\(whole.error)")
        // Not otherwise: there may be thousands. One that cannot be read shows it.
        try FileManager.default.removeItem(atPath: folder.path + "/masked/.bauta-photo.2-of-2.jsonl")
        mkdir(folder.path + "/masked/.bauta-photo.2-of-2.jsonl", 0o700)
        let first = try photo(["in", "--shard", "1/2"])
        #expect(first.error.contains("1 done (1 in an earlier run)"), "\(first.error)")
        #expect(!first.error.contains("2-of-2"), "\(first.error)")
    }
}
