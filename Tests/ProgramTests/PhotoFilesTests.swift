import Files
import Foundation
import PhotoRecords
import Photographs
import PictureMasking
import TestSupport
import Testing

/// What `bauta photo` replaces, and what it refuses to: reports, parts of them, journals, results behind links.
@Suite struct PhotoFilesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a", "b"] { try wall("in/\(name).png") }
    }

    /// A photograph without a face, which is done quickly.
    private func wall(_ name: String) throws {
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 270), count: 90)
        try folder.write(PNGBuilder(width: 90, height: 90, colorType: 2, rows: rows).bytes, name)
    }

    private func photo(_ arguments: String...) throws -> ProgramRun { try photo(arguments) }

    private func photo(_ arguments: [String]) throws -> ProgramRun {
        // Without a search for what is in front of faces, which takes as long as all else.
        let quick = arguments.contains("--anonymise") ? [] : ["--occluders", "none"]
        return try ProgramRun.bauta(["photo"] + quick + arguments, folder: folder.path)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    private func refuses(
        _ run: ProgramRun, _ words: String, _ status: Int32 = 73, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(
            run.exitCode == status && run.error.contains(words), "\(run.exitCode) \(run.error)", sourceLocation: place)
        #expect(!run.error.contains("--force"), "\(run.error)", sourceLocation: place)
    }

    // MARK: Reports

    @Test(.slow) func partsOfReportsReplaceOnlyTheirOwn() throws {
        // An input of any shard.
        for number in 1...2 { try wall("in/x.\(number)-of-2.png") }
        let input = try bytes(of: folder.path + "/in/x.1-of-2.png")
        for number in 1...2 {
            refuses(try photo("in", "--shard", "\(number)/2", "--report", "in/x.png", "-f"), "is an input")
            #expect(try bytes(of: folder.path + "/in/x.\(number)-of-2.png") == input)
        }
        refuses(try photo("in", "--shard", "1/2", "--report", "masked/x.png"), "would be the same file", 64)
        // The list.
        let list = "\(input.count)\ta.png\n"
        try folder.write(list, "list.1-of-1")
        refuses(
            try photo("in", "--manifest", "list.1-of-1", "-o", "out", "--shard", "1/1", "--report", "list"),
            "is an input")
        #expect(try text("list.1-of-1") == list)
        // What somebody else has written, and the part of another shard.
        let head = #"{"shard":2,"of":2,"photographs":0,"all":0,"list":"1a"}"#
        for content in [#"{"shard":1}"#, #"{"path":"in/a.png","status":"masked"}"#, head, ""] {
            try folder.write(content, "r.1-of-2.jsonl")
            for force in ["-q", "-f"] {
                refuses(
                    try photo("in", "--shard", "1/2", "--report", "r.jsonl", force), "is not the report of shard 1/2")
            }
            #expect(try text("r.1-of-2.jsonl") == content)
        }
        // Its own.
        for _ in 0..<2 { #expect(try photo("in", "--shard", "2/2", "--report", "r.jsonl").exitCode == 0) }
        #expect(try !text("r.2-of-2.jsonl").contains("notDone"))
    }

    @Test(.slow) func goingOnReplacesTheReportOfTheSameRun() throws {
        let command = ["photo", "--occluders", "none", "in", "--report", "r.jsonl", "--contact-sheet", "sheet"]
        func goOn(_ more: String...) throws -> ProgramRun { try ProgramRun.bauta(command + more, folder: folder.path) }
        #expect(try goOn().exitCode == 0)
        try wall("in/c.png")
        let again = try goOn()
        #expect(again.exitCode == 0 && again.error.contains("3 done (2 in an earlier run)"), "\(again.error)")
        #expect(try text("r.jsonl").split(separator: "\n").count == 3)
        #expect(try text("sheet/index.html").contains("c.png"))
        // Of other settings.
        let report = try text("r.jsonl")
        refuses(try goOn("--no-face", "blur"), "r.jsonl: already exists and is not a report of the same photographs")
        refuses(try goOn("--existing", "fail"), "r.jsonl: already exists; name another file")
        // Of a photograph that is not among these.
        try FileManager.default.removeItem(atPath: folder.path + "/in/c.png")
        refuses(try goOn(), "is about in/c.png, which is not among these photographs; name another file")
        #expect(try text("r.jsonl") == report)
        for content in ["a letter\n", "[1]\n", #"{"path":"in/a.png","status":"lost"}"# + "\n"] {
            try folder.write(content, "r.jsonl")
            refuses(try goOn(), "r.jsonl: already exists and is not a report")
            #expect(try text("r.jsonl") == content)
        }
        let forced = try goOn("--existing", "replace")
        #expect(forced.exitCode == 0, "\(forced.error)")
        // The contact sheet of another run.
        refuses(try photo("in/a.png", "--contact-sheet", "sheet"), "is the contact sheet of another run")
    }

    @Test func aReportIsNoPipeAndNoJournal() throws {
        mkfifo(folder.path + "/pipe", 0o600)
        let pipe = try photo("in", "--report", "pipe")
        refuses(pipe, "pipe: is not a regular file; name another file, or remove this one")
        #expect(!pipe.error.contains("--existing"), "\(pipe.error)")
        #expect(try photo("in").exitCode == 0)
        let journal = try text("masked/.bauta-photo.jsonl")
        refuses(try photo("in", "--report", "masked/.bauta-photo.jsonl", "-f"), "is reserved for the records of runs")
        #expect(try text("masked/.bauta-photo.jsonl") == journal)
    }

    // MARK: Journals

    @Test(arguments: ["link", "pipe", "folder"]) func aJournalThatIsNoFileIsSaidAtOnce(_ kind: String) throws {
        for (name, options) in [(".bauta-photo.jsonl", []), (".bauta-photo.1-of-1.jsonl", ["--shard", "1/1"])] {
            mkdir(folder.path + "/masked", 0o700)
            let path = folder.path + "/masked/" + name
            switch kind {
            case "link": symlink("/dev/null", path)
            case "pipe": mkfifo(path, 0o600)
            default: mkdir(path, 0o700)
            }
            let run = try ProgramRun.bauta(["photo", "--occluders", "none", "in"] + options, folder: folder.path)
            refuses(run, "\(name): is a \(kind)")
            #expect(!run.error.contains("a.png"), "\(run.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/masked") == [name])
            try FileManager.default.removeItem(atPath: folder.path + "/masked")
        }
    }

    @Test func otherJournalsThatCannotBeReadAreSaid() throws {
        mkdir(folder.path + "/masked", 0o700)
        mkfifo(folder.path + "/masked/.bauta-photo.2-of-2.jsonl", 0o600)
        let run = try photo("in")
        #expect(run.exitCode == 0 && !run.error.contains("a later run"), "\(run.error)")
        #expect(run.error.contains("2-of-2.jsonl: is not a regular file; its records are ignored"))
        // What is done now is known later.
        #expect(try photo("in").error.contains("2 done (2 in an earlier run)"))
    }

    /// What is appended to a file with two names changes somebody else's.
    @Test(.slow) func journalsWithTwoNamesAreNotWrittenTo() throws {
        try folder.write("mine\n", "mine")
        mkdir(folder.path + "/masked", 0o700)
        for (name, options) in [
            (".bauta-photo.jsonl", []), (".bauta-photo.1-of-1.jsonl", ["--shard", "1/1"]),
        ] {
            #expect(link(folder.path + "/mine", folder.path + "/masked/" + name) == 0)
            refuses(try photo(["in"] + options), "\(name): has another name (a hard link) elsewhere")
            #expect(try text("mine") == "mine\n")
            #expect(unlink(folder.path + "/masked/" + name) == 0)
        }
        #expect(folder.results(in: "masked") == [])
        // One that appears later.
        let results = FilePath(folder.path) / "out"
        let input = FilePath(folder.path) / "in/a.png"
        let job = PhotoJob(input: input, output: results / "a.png", isNamed: true)
        let settings = try PhotoSettings(PhotoOptions(), masks: [FilePath(Repository.root + "/masks/bauta")])
        let state = FileState(FileIdentity(try #require(input.status())), checksum: try Checksum.ofFile(input))
        let journal = try PhotoJournal(folder: results, settings: settings)
        mkdir(folder.path + "/out", 0o700)
        #expect(link(folder.path + "/mine", folder.path + "/out/.bauta-photo.jsonl") == 0)
        try journal.note(job, .noFace, input: state, result: nil, nil)
        #expect(journal.takeProblems().map { $0.contains("a hard link") } == [true])
        #expect(try text("mine") == "mine\n")
    }

    /// A result without its line would be taken for somebody else's when the shard is repeated.
    @Test(.slow) func aShardMakesNoResultWithoutItsLine() throws {
        let results = FilePath(folder.path) / "out"
        let input = FilePath(folder.path) / "in/a.png"
        let job = PhotoJob(input: input, output: results / "a.png", isNamed: true)
        let settings = try PhotoSettings(PhotoOptions(), masks: [FilePath(Repository.root + "/masks/bauta")])
        let state = FileState(FileIdentity(try #require(input.status())), checksum: try Checksum.ofFile(input))
        let part = try PhotoJournal(folder: results, settings: settings, part: "1-of-1")
        let whole = try PhotoJournal(folder: results, settings: settings)
        for name in [".bauta-photo.1-of-1.jsonl", ".bauta-photo.jsonl"] { mkdir(folder.path + "/out/" + name, 0o700) }
        #expect(throws: FileError.self) { try part.note(job, .noFace, input: state, result: nil, nil) }
        try whole.note(job, .noFace, input: state, result: nil, nil)
        #expect(whole.takeProblems().map { $0.hasSuffix("a later run cannot resume this one") } == [true])
        rmdir(folder.path + "/out/.bauta-photo.1-of-1.jsonl")
        try part.note(job, .noFace, input: state, result: nil, nil)
        #expect(try part.resultState(of: job) == .missing)
    }

    // MARK: Shards that are not done

    @Test(.slow) func aShardIsDoneByOneTask() throws {
        mkdir(folder.path + "/masked", 0o700)
        let lock = folder.path + "/masked/.bauta-photo.1-of-1.lock"
        let descriptor = open(lock, O_RDWR | O_CREAT, 0o600)
        #expect(flock(descriptor, LOCK_EX) == 0)
        refuses(
            try photo("in", "--shard", "1/1", "--report", "r.jsonl"),
            "another process is working on shard 1/1 of masked", 75)
        #expect(try folder.names().filter { !$0.hasPrefix("in") } == ["masked", "masked/.bauta-photo.1-of-1.lock"])
        // Other shards are not concerned, and a lock that nobody holds any more does not count.
        #expect(try photo("in", "--shard", "1/2").exitCode == 0)
        close(descriptor)
        #expect(try photo("in", "--shard", "1/1").exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: lock))
    }

    @Test(.slow) func aShardThatTheMachineFailsIsNotDone() throws {
        #expect(try photo("in", "--memory", "1M").exitCode == 1)
        refuses(try photo("in", "--memory", "1M", "--shard", "1/1"), "2 failed", 74)
        #expect(try photo("in", "--shard", "1/1").exitCode == 0)
        // A damaged photograph stays damaged.
        try folder.write("x", "in/c.png")
        #expect(try photo("in", "--shard", "1/1").exitCode == 1)
        let script = Repository.root + "/scripts/batch/run-shard"
        for (status, expected) in [(0, 0), (1, 0), (74, 74), (75, 75)] as [(Int32, Int32)] {
            // Debian's sh would wait forever: threads of tests block SIGCHLD, and children inherit that.
            let run = try ProgramRun.run(
                "/bin/bash", [script, "--done", folder.path + "/done \(status)", "sh", "-c", "exit \(status)"])
            #expect(run.exitCode == expected)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/done \(status)") == (expected == 0))
        }
    }

    @Test(.slow) func aShardWithoutItsDiskIsNotDone() throws {
        try folder.write("10\tin/x.png\0" + "10\tin/y.png\0", "list")
        mkdir(folder.path + "/empty", 0o700)
        let shard = ["--manifest", "list", "-o", "out", "--shard", "1/1"]
        refuses(try photo(["empty"] + shard), "2 failed", 74)
        refuses(try photo(["nowhere"] + shard), "nowhere: the folder does not exist", 66)
        // What is missing alone stays missing, and a pipe stays a pipe.
        try wall("empty/in/x.png")
        #expect(try photo(["empty"] + shard).exitCode == 1)
        mkfifo(folder.path + "/empty/in/y.png", 0o600)
        #expect(try photo(["empty"] + shard).exitCode == 1)
    }

    // MARK: What is from before

    /// It may be unmasked.
    @Test(arguments: ["skip", "fail"]) func oldResultsDoNotPassForNewOnes(_ faceless: String) throws {
        #expect(try photo("in").exitCode == 0)
        for options in [["-f"], ["-f", "--anonymise"]] {
            let run = try photo(["in", "--no-face", faceless] + options)
            refuses(run, "masked/a.png: exists from an earlier run, perhaps unmasked, but in/a.png shows no face", 1)
        }
        try FileManager.default.removeItem(atPath: folder.path + "/masked/a.png")
        try FileManager.default.removeItem(atPath: folder.path + "/masked/b.png")
        #expect(try photo(["in", "--no-face", faceless, "-f"]).exitCode == (faceless == "skip" ? 0 : 1))
    }

    @Test func aMergedReportReplacesOnlyReports() throws {
        #expect(try photo("in", "--shard", "1/1", "--report", "r.jsonl").exitCode == 0)
        for place in ["in/a.png", "masked/a.png", "masked/.bauta-photo.1-of-1.jsonl"] {
            let before = try bytes(of: folder.path + "/" + place)
            refuses(try photo("--merge-reports", "r.1-of-1.jsonl", "--report", place, "-f"), "already exists", 73)
            #expect(try bytes(of: folder.path + "/" + place) == before)
        }
    }

    @Test func halfAReportIsNone() throws {
        for number in 0..<40 { try wall("in/\(number) \(String(repeating: "x", count: 200)).png") }
        let run = try ProgramRun.run(
            "/bin/bash",
            [
                "-c",
                "ulimit -f 8; exec '\(Repository.executable)' photo --detector hog --no-face skip in --report r.jsonl",
            ], folder: folder.path)
        refuses(run, "the report cannot be written")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/r.jsonl"))
        #expect(try photo("in", "--no-face", "skip", "--report", "r.jsonl").exitCode == 0)
    }

    @Test func photographsWithNamesOfOurOwnFilesAreSpared() throws {
        let names = [".bauta-temporary-0123456789abcdef", ".bauta-photo.1-of-1.lock", ".bauta-photo.1-of-1.jsonl"]
        for name in names { try wall("in/" + name) }
        let run = try photo(["--report", "in/r.jsonl"] + names.map { "in/" + $0 })
        refuses(run, "its name is reserved for Bauta's own files", 1)
        for name in names { #expect(FileManager.default.fileExists(atPath: folder.path + "/in/" + name), "\(name)") }
    }

    @Test func hiddenPhotographsAreSaid() throws {
        try wall("in/.c.png")
        let run = try photo("in")
        #expect(run.exitCode == 0)
        #expect(run.error.contains("1 hidden photograph was left out, because its name begins"), "\(run.error)")
        try wall("in/.d/e.png")
        for name in ["a", "b"] { try FileManager.default.removeItem(atPath: "\(folder.path)/in/\(name).png") }
        let nothing = try photo("-r", "in")
        #expect(nothing.exitCode == 66)
        let words = "no photographs to mask in in; 1 hidden photograph and 1 hidden folder were left out"
        #expect(nothing.error.contains(words))
        #expect(try photo("in/.c.png", "-o", "named").error.contains("1 done"))
    }

    // MARK: Links

    @Test func resultsDoNotLeaveTheirFolder() throws {
        try wall("in/sub/deep/c.png")
        try folder.write("mine", "elsewhere/deep/c.png")
        mkdir(folder.path + "/real", 0o700)
        // The folder of the results may be a link.
        symlink("real", folder.path + "/masked")
        symlink("../elsewhere", folder.path + "/real/sub")
        for options in [["--existing", "replace"], ["--existing", "fail"], [], ["--shard", "1/1"]] {
            let run = try ProgramRun.bauta(["photo", "--occluders", "none", "-r", "in"] + options, folder: folder.path)
            refuses(
                run, "masked/sub/deep/c.png: is not written: masked/sub is a link", options.contains("1/1") ? 74 : 1)
        }
        #expect(try text("elsewhere/deep/c.png") == "mine")
        try FileManager.default.removeItem(atPath: folder.path + "/elsewhere/deep")
        #expect(try photo("-r", "in").exitCode == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere").isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/real/a.png"))
    }
}
