import Arguments
import Commands
import Files
import Foundation
import PhotoRecords
import TestSupport
import Testing

/// `bauta photo --shard`, and joining the parts of reports.
@Suite struct PhotoShardTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func photo(_ arguments: [String], environment: [String: String] = [:]) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["photo", "--occluders", "none"] + arguments, environment: environment, folder: folder.path)
    }

    private func job(_ name: String, _ size: Int64) -> PhotoJob {
        PhotoJob(input: FilePath("/in/" + name), output: FilePath("out/" + name), isNamed: false, size: size, in: "/in")
    }

    // MARK: Parts

    @Test func partsAreBalancedDisjointAndIndependentOfTheOrder() {
        let sizes = (0..<1000).map { Int64(1000 + ($0 * 7919) % 4001) }
        let items = sizes.enumerated().map { job("é\($0)", $1) }
        let total = sizes.reduce(0, +)
        var seen: Set<FilePath> = []
        var lists: Set<UInt64> = []
        for number in 1...7 {
            let shard = PhotoShard(number: number, count: 7)
            let (mine, list) = shard.part(of: PhotoList(items))
            let others = shard.part(of: PhotoList(items.reversed()))
            let mirrored: [Int] = others.photographs.map { 999 - $0 }.reversed()
            #expect(mine == mirrored && list == others.checksum)
            lists.insert(list)
            for place in mine { #expect(seen.insert(items[place].input).inserted) }
            #expect((142...143).contains(mine.count))
            let bytes = mine.reduce(0) { $0 + items[$1].size }
            #expect(abs(bytes - total / 7) < 5001)
        }
        #expect(seen.count == 1000 && lists.count == 1)
        // Another mount point is the same list; another size is not.
        let elsewhere = sizes.enumerated().map {
            PhotoJob(input: FilePath("/mnt/é\($0)"), output: "x", isNamed: false, size: $1, in: "/mnt")
        }
        let shard = PhotoShard(number: 3, count: 7)
        let (here, there) = (shard.part(of: PhotoList(items)), shard.part(of: PhotoList(elsewhere)))
        #expect(here == there)
        #expect(shard.part(of: PhotoList(items.dropLast() + [job("é999", 1)])).checksum != here.checksum)
        #expect(PhotoShard(number: 9, count: 9).part(of: PhotoList(Array(items.prefix(3)))).photographs.isEmpty)
    }

    @Test(arguments: [
        ("3/200", [:], "3/200"), ("auto/8", ["SLURM_ARRAY_TASK_ID": "8"], "8/8"),
        (
            "auto",
            [
                "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "5",
                "SLURM_ARRAY_TASK_COUNT": "5",
            ], "2/5"
        ),
        ("auto/4", ["JOB_COMPLETION_INDEX": "0"], "1/4"),
        // Only some of the tasks, submitted again.
        (
            "auto",
            [
                "SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "4", "SLURM_ARRAY_TASK_MAX": "9",
                "SLURM_ARRAY_TASK_COUNT": "2",
            ], "give the count, such as auto/200"
        ),
        ("auto/8", ["SLURM_ARRAY_TASK_ID": "0"], "--array=1-8"),
        ("auto/8", ["SLURM_ARRAY_TASK_ID": "9"], "--array=1-8"),
        ("auto", ["JOB_COMPLETION_INDEX": "0"], "such as auto/200"),
        ("auto/4", ["JOB_COMPLETION_INDEX": "4"], "is '4', not a number from 0 to 3"),
        ("auto/4", [:], "SLURM_ARRAY_TASK_ID"), ("0/4", [:], "must be"), ("5/4", [:], "must be"), ("3", [:], "must be"),
        ("3/4/5", [:], "must be"), ("auto/0", [:], "must be"), ("1/1000000", [:], "1/1000000"),
        ("1/1000001", [:], "has 1000001 shards; the limit is 1000000"),
        ("auto/1000001", [:], "the limit is 1000000"),
        ("auto/4", ["JOB_COMPLETION_INDEX": ""], "JOB_COMPLETION_INDEX is '', not a number from 0 to 3"),
        ("auto/4", ["JOB_COMPLETION_INDEX": "one"], "JOB_COMPLETION_INDEX is 'one', not a number from 0 to 3"),
        ("auto/4", ["SLURM_ARRAY_TASK_ID": ""], "SLURM_ARRAY_TASK_ID is ''"),
        (
            "auto/4", ["SLURM_ARRAY_TASK_ID": "1", "JOB_COMPLETION_INDEX": "1"],
            "SLURM_ARRAY_TASK_ID (1) and JOB_COMPLETION_INDEX (1) are both set"
        ),
        // All tasks of an array that counts from 0, not only the first: the others would do wrong parts.
        (
            "auto/3", ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "2"],
            "begins with 0 (SLURM_ARRAY_TASK_MIN). Submit it with --array=1-3"
        ),
        (
            "auto", ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "2"],
            "Submit it with --array=1-3"
        ),
        (
            "auto/3", ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "5"],
            "SLURM_ARRAY_TASK_MAX 5"
        ),
        ("auto/9", ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "7", "SLURM_ARRAY_TASK_MAX": "9"], "7/9"),
        ("auto/x", [:], "must be"), ("", [:], "must be"),
    ])
    func shardsAreNamed(_ text: String, _ environment: [String: String], _ expected: String) {
        do throws(InvalidValue) {
            let shard = try PhotoShard(PhotoShard.Choice(text)) { environment[$0] }
            #expect("\(shard.number)/\(shard.count)" == expected)
        } catch {
            #expect(error.reason.contains(expected), "\(error.reason)")
        }
    }

    @Test func manifestsAreRead() throws {
        func names(_ text: String) throws -> [FilePath] {
            let list = try PhotoManifest.parse(Array(text.utf8), path: "list")
            return (0..<list.count).map { list[$0].name }
        }
        #expect(try names("12\ta.jpg\n7\tb/c d.png\n") == ["a.jpg", "b/c d.png"])
        #expect(try names("12\ta.jpg") == ["a.jpg"])
        #expect(try names("12\ta\n7\tb.jpg\u{0}0\tc.jpg\u{0}") == ["a\n7\tb.jpg", "c.jpg"])
        for part in ["a\n/", "a/"] {
            let deep = String(repeating: part, count: 3000) + "b"
            #expect(try names("1\t\(deep)\u{0}") == [FilePath(deep)])
        }
        let long = String(repeating: "1\ta.jpg\n", count: 1000)
        for (text, reason) in [
            ("a.jpg\n", "entry 1, 'a.jpg', is not a size"), ("1\ta\n-3\tb\n", "entry 2, '-3\\x09b', is not a size"),
            ("1\t../a\n", "entry 1, '1\\x09../a', is not a path below"), ("1\t/a\n", "is not a path below"),
            ("\n", "lists no photograph"), ("9999999999999999999\ta\n", "is not a size"),
            // find -print0
            ("a.jpg\u{0}b.jpg\u{0}", "entry 1, 'a.jpg', is not a size in bytes, a tab and a path; find FOLDER"),
            // A name with a line break in a list whose entries end with those.
            (
                "1\ta\n1\tb\nc.jpg\n",
                "entry 3, 'c.jpg', is not a size in bytes, a tab and a path (entries end with line"
            ),
            ("1\ta.jpg\u{0}22\tb.j", "entry 2, '22\\x09b.j', does not end with NUL, so it may be cut off; find FOLDER"),
            (long + "\u{0}", "is too long for a path, and each of its lines is an entry (entries end with NUL here"),
            ("1\ta.jpg\n2\tb.jpg\n3\ta.jpg\n", "a.jpg is in the list twice, as entries 1 and 3"),
        ] {
            #expect { try names(text) } throws: { "\($0)".contains(reason) }
        }
    }

    @Test func aManifestIsAFile() throws {
        let run = try photo([".", "--manifest", "-", "-o", "out", "--shard", "1/2"])
        #expect(run.exitCode == 64 && run.error.contains("find FOLDER -type f -printf"), "\(run.error)")
    }
}
