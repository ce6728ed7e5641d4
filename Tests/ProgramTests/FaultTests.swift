import Foundation
import ImageFiles
import TestSupport
import Testing

/// What the system refuses, and processes that are killed. Afterwards there is no half file under a final name, every
/// original is as it was, and the next run clears what is left.
@Suite struct FaultTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the program after shell commands that take something away from it.
    private func limited(_ limits: String, _ arguments: String) throws -> ProgramRun {
        try ProgramRun.run(
            "/bin/bash", ["-c", "\(limits); exec '\(Repository.executable)' \(arguments)"], folder: folder.path)
    }

    private func copy(_ sample: String, to name: String) throws {
        try folder.write(try bytes(of: "\(Repository.root)/samples/\(sample).jpg"), name)
    }

    private func names(_ place: String) -> [String] { folder.results(in: place) }

    // MARK: What the system refuses

    @Test func filesMayNotGrow() throws {
        try copy("ada", to: "in/ada.jpg")
        // Whoever started the tests may ignore the signal, and children inherit that.
        let run = try ProgramRun.shell(
            "ulimit -f 8; exec env --default-signal=XFSZ \"$BAUTA_PROGRAM\" photo in -o out --report r.jsonl",
            folder: folder.path)
        #expect(run.exitCode == 1 && run.error.contains("File too large"), "\(run.error)")
        #expect(names("out") == [] && names("").sorted() == ["in", "out", "r.jsonl"])
    }

    @Test(.slow) func thereAreTooFewFileDescriptors() throws {
        for name in ["a", "b", "c", "d"] { try copy("ada", to: "in/\(name).jpg") }
        for count in [8, 12, 16, 20, 24, 32] {
            let run = try limited("ulimit -n \(count)", "photo in -j 4 -o 'out \(count)'")
            #expect(run.exitCode < 128, "\(count): \(run.error)")
            #expect(run.exitCode == 0 || !run.error.isEmpty)
            for name in names("out \(count)") {
                _ = try PictureReader.read("\(folder.path)/out \(count)/\(name)")
            }
        }
    }

    /// Then no folder can be listed, which does not mean that there are no masks.
    @Test(.slow) func tooFewFileDescriptorsAreNotTakenForMissingMasks() throws {
        try copy("ada", to: "ada.jpg")
        for count in 4...12 {
            let run = try limited("ulimit -n \(count)", "photo ada.jpg --force")
            #expect(!run.error.contains("there is no mask"), "\(count): \(run.error)")
            #expect(
                run.exitCode == 0 || run.exitCode == 127 || run.error.contains("Too many open files"), "\(run.error)")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aReportCannotBeWritten() throws {
        try copy("ada", to: "in/ada.jpg")
        let run = try limited("exec > /dev/full", "photo in --report -")
        #expect(run.exitCode == 73 && run.error.contains("the report cannot be written"), "\(run.error)")
        #expect(names("masked").allSatisfy { $0 == "ada.jpg" })
    }

    @Test func theFolderVanishes() throws {
        for index in 0..<60 { try copy("ada", to: "in/\(index).jpg") }
        let run = try ProgramRun.bauta(["photo", "in"], folder: folder.path) { program in
            try program.wait(for: "a first picture") {
                names("masked")
            } until: {
                !$0.isEmpty
            }
            try FileManager.default.moveItem(atPath: folder.path + "/masked", toPath: folder.path + "/moved")
            try FileManager.default.removeItem(atPath: folder.path + "/in")
        }
        #expect(run.exitCode == 1 && run.error.contains("No such file"), "\(run.error.suffix(300))")
        for place in ["masked", "moved"] {
            for name in names(place) { _ = try PictureReader.read("\(folder.path)/\(place)/\(name)") }
        }
    }

    // MARK: SIGKILL

    /// Kills a command again and again, after a time that a seeded generator chooses.
    /// - Parameter check: called after each time. It takes whether the command was killed before its end.
    private func killed(
        _ count: Int, upTo milliseconds: UInt32, _ arguments: [String], check: (Bool) throws -> Void
    ) throws {
        var state: UInt64 = 20_261_122
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let pause = UInt32(state >> 33) % milliseconds
            let run = try? ProgramRun.bauta(arguments, folder: folder.path) { program in
                usleep(1000 * pause)
                kill(program.processIdentifier, SIGKILL)
            }
            try check(run?.exitCode != 0)
        }
    }

    @Test(.slow) func photographsAreWholeAfterSIGKILL() throws {
        for index in 0..<12 { try copy(index % 2 == 0 ? "ada" : "emre", to: "in/\(index).jpg") }
        let original = try bytes(of: folder.path + "/in/0.jpg")
        let arguments = ["photo", "in", "--force", "--report", "out/r.jsonl", "-o", "out"]
        try killed(50, upTo: 4000, arguments) {
            let report = folder.path + "/out/r.jsonl"
            // A run that was killed just before its end has one, too.
            if $0, let lines = try? String(contentsOfFile: report, encoding: .utf8).split(separator: "\n") {
                #expect(lines.count == 12, "the report of a run that was killed is not whole")
            }
            try? FileManager.default.removeItem(atPath: report)
            for name in names("out") where !name.hasPrefix(".") {
                _ = try PictureReader.read("\(folder.path)/out/\(name)")
            }
        }
        try folder.leaveTemporaryFile(in: "out")
        #expect(try ProgramRun.bauta(arguments, folder: folder.path).exitCode == 0)
        #expect(names("out") == ((0..<12).map { "\($0).jpg" } + ["r.jsonl"]).sorted())
        #expect(try bytes(of: folder.path + "/in/0.jpg") == original)
    }

    /// There is always a whole mask under the name: the old one or the new one.
    @Test(.slow) func installedMasksAreWholeAfterSIGKILL() throws {
        let data = ["XDG_DATA_HOME": folder.path + "/data"]
        func run(_ arguments: String...) throws -> ProgramRun {
            try ProgramRun.bauta(["mask"] + arguments, environment: data, folder: folder.path)
        }
        #expect(try run("pack", Repository.root + "/Tests/Masks/wolf", "-o", "wolf.bauta").exitCode == 0)
        #expect(try run("install", "wolf.bauta").exitCode == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Tests/Masks/wolf").sorted()
        var state: UInt64 = 7
        for _ in 0..<50 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let pause = UInt32(state >> 33) % 1500
            _ = try? ProgramRun.bauta(
                ["mask", "install", "--force", "wolf.bauta"], environment: data, folder: folder.path
            ) { program in
                usleep(1000 * pause)
                kill(program.processIdentifier, SIGKILL)
            }
            let list = try run("list")
            #expect(list.output.split(separator: "\n").filter { $0.contains("wolf") }.count == 1, "\(list.output)")
            #expect(names("data/bauta/masks/wolf") == files)
        }
        #expect(try run("install", "--force", "wolf.bauta").exitCode == 0)
        #expect(names("data/bauta/masks") == ["wolf"])
    }

    @Test(.slow) func videosAreWholeAfterSIGKILL() throws {
        let clip = try ProgramRun.bauta(
            [
                "live", "drawn", "--headless", "--unpaced", "--frames", "40", "-o",
                "clip.mp4",
            ],
            folder: folder.path)
        #expect(clip.exitCode == 0, "\(clip.error)")
        let original = try bytes(of: folder.path + "/clip.mp4")
        let arguments = ["video", "--occluders", "none", "clip.mp4", "-o", "out", "--force"]
        #expect(try ProgramRun.bauta(arguments, folder: folder.path).exitCode == 0)
        try killed(50, upTo: 5000, arguments) { _ in
            // The index of an MP4 is written at its end.
            let isWhole = try Data(bytes(of: folder.path + "/out/clip.mp4")).range(of: Data("moov".utf8)) != nil
            #expect(isWhole)
        }
        #expect(try ProgramRun.bauta(arguments, folder: folder.path).exitCode == 0)
        #expect(names("out") == ["clip.mp4"])
        #expect(try bytes(of: folder.path + "/clip.mp4") == original)
    }
}
