import Foundation
import ImageFiles
import NeuralNetworks
import TestSupport
import Testing

/// Systems that lack what most have: `/proc`, threads, a home folder.
@Suite struct BareSystemTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try bytes(of: Repository.root + "/samples/ada.jpg"), "ada.jpg")
    }

    // MARK: /proc

    /// Words that run a shell command in a place without `/proc`; nil: this user may not make one.
    private static let withoutProc: [String]? = [["-m"], ["-rm"]].map { ["unshare"] + $0 + ["/bin/sh", "-c"] }
        .first { words in
            let run = try? ProgramRun.run("/usr/bin/env", words + [hiding + "test ! -e /proc/self"])
            return run?.exitCode == 0
        }
    private static let hiding = "mount -t tmpfs none /proc && "

    private func runWithoutProc(_ command: String, environment: [String: String] = [:]) throws -> ProgramRun {
        let words = try #require(Self.withoutProc)
        return try ProgramRun.run(
            "/usr/bin/env", words + [Self.hiding + command],
            environment: environment.merging(["BAUTA_PROGRAM": Repository.executable]) { $1 }, folder: folder.path)
    }

    @Test(.enabled(if: withoutProc != nil, "this user may not hide /proc (unshare -m, unshare -rm)"))
    func argumentsAndDataAreFoundWithoutProc() throws {
        let version = try runWithoutProc(#"exec "$BAUTA_PROGRAM" --version"#)
        #expect(version.exitCode == 0 && version.output.hasPrefix("bauta "), "\(version.output) \(version.error)")
        let photo = try runWithoutProc(
            #"exec "$BAUTA_PROGRAM" photo --detector lbp --landmarks cascade --output "a result" ada.jpg"#)
        #expect(photo.exitCode == 0 && folder.results(in: "a result") == ["ada.jpg"], "\(photo.error)")
        let wrong = try runWithoutProc(#"exec "$BAUTA_PROGRAM" photo --no-such-option"#)
        #expect(wrong.exitCode == 64, "\(wrong.error)")
    }

    /// As somebody calls it who stands beside it.
    @Test(.enabled(if: withoutProc != nil, "this user may not hide /proc (unshare -m, unshare -rm)"))
    func aRelativePathOfTheProgramIsEnoughWithoutProc() throws {
        let run = try runWithoutProc(
            #"cd "$(dirname "$BAUTA_PROGRAM")" && exec ./"$(basename "$BAUTA_PROGRAM")" mask list"#)
        #expect(run.exitCode == 0 && run.output.contains("domino"), "\(run.error)")
    }

    /// XNNPACK reads there what the processor can do.
    @Test(
        .enabled(if: withoutProc != nil, "this user may not hide /proc (unshare -m, unshare -rm)"),
        .enabled(if: NetworkFolder.standard.isUsable, "the networks are not installed"))
    func networksThatCannotRunWithoutProcAreSaid() throws {
        let doctor = try runWithoutProc(#"exec "$BAUTA_PROGRAM" doctor"#)
        let line = doctor.output.split(separator: "\n").first { $0.contains("face networks:") } ?? ""
        let areUsed = line.hasPrefix("ok")
        #expect(!line.contains("not installed") && (areUsed || line.contains("/proc/cpuinfo")), "\(doctor.output)")
        let photo = try runWithoutProc(#"exec "$BAUTA_PROGRAM" photo --output out ada.jpg"#)
        let isSaid = photo.error.contains("warning: continuing without the face networks")
        #expect(photo.exitCode == 0 && isSaid != areUsed, "\(photo.error)")
        let wanted = try runWithoutProc(#"exec "$BAUTA_PROGRAM" photo --detector network --output out ada.jpg"#)
        #expect(wanted.exitCode == (areUsed ? 0 : 69), "\(wanted.exitCode) \(wanted.error)")
    }

    // MARK: Threads

    private static let live = ["live", "drawn", "--unpaced", "--headless", "--frames", "5"]

    /// Commands that need threads.
    private static let threaded = [
        ["photo", "--detector", "hog", "--landmarks", "cascade", "--output", "out/ada.png", "ada.jpg"],
        live + ["--output", "out/live.mp4"], live + ["--record", "--folder", "out"],
        [
            "live", "drawn", "--headless", "--frames", "5", "--anonymise", "--detector", "hog", "--output",
            "out/live.mp4",
        ],
    ]

    /// Each thread in turn is the first one that the system does not give, as where a container limits processes. The command
    /// does without, or says what is missing.
    @Test(.slow, arguments: threaded.indices) func aMissingThreadIsSaid(
        _ index: Int
    ) throws {
        let command = Self.threaded[index]
        let faults = try FaultInjection(folder: folder.path)
        var codes: Set<Int32> = []
        try faults.each(.init("thread", EAGAIN), 1...10) { number, environment in
            let run = try ProgramRun.bauta(command, environment: environment, folder: folder.path, limit: 120)
            codes.insert(run.exitCode)
            // A photograph fails by itself if a library of others needs a thread for it.
            let isLibrarys = run.exitCode == 1 && run.error.contains("pthread_create has failed")
            let isSaid = run.exitCode == 69 && run.error.contains("the system cannot start more threads")
            let isWell = run.exitCode == 0 || isSaid || isLibrarys
            #expect(isWell, "\(number): \(run.exitCode) \(run.error)")
            #expect(folder.results(in: "out").allSatisfy { !$0.hasPrefix(".bauta") }, "\(number)")
            try? FileManager.default.removeItem(atPath: folder.path + "/out")
        }
        #expect(codes.contains(69))
    }

    // MARK: The home folder

    /// Data in the working folder would be another store in each of them.
    @Test(.slow, arguments: [nil, "home", "", "./home"] as [String?])
    func withoutAHomeFolderNothingIsKept(_ home: String?)
        throws
    {
        let setting = home.map { "HOME='\($0)'" } ?? "-u HOME"
        func bauta(_ words: String) throws -> ProgramRun {
            try ProgramRun.shell(
                "exec env -u XDG_DATA_HOME -u XDG_CACHE_HOME -u XDG_CONFIG_HOME \(setting) \"$BAUTA_PROGRAM\" \(words)",
                folder: folder.path)
        }
        let wolf = Repository.root + "/Tests/Masks/wolf"
        let install = try bauta("mask install '\(wolf)'")
        #expect(install.exitCode == 73 && install.error.contains("HOME: is not the absolute path"), "\(install.error)")
        let people = try bauta("people list")
        #expect(people.exitCode == 66 && people.error.contains("HOME: is not the absolute path"), "\(people.error)")
        let networks = try bauta("fetch-networks")
        #expect(networks.exitCode == 69 && networks.error.contains("HOME: is not the absolute path"))
        let photo = try bauta("photo --detector lbp --landmarks cascade ada.jpg")
        #expect(photo.exitCode == 0, "\(photo.error)")
        let pack = try bauta("mask pack '\(wolf)' -o wolf.bauta")
        #expect(pack.exitCode == 0, "\(pack.error)")
        #expect(folder.results(in: "").filter { !$0.hasPrefix(".fault") } == ["ada.jpg", "masked", "wolf.bauta"])
    }

    // MARK: errno

    /// Some C libraries change `errno` whenever memory is freed. What is decided and said stays the same.
    @Test(.slow) func errnoIsReadBeforeMemoryChangesIt() throws {
        let faults = try FaultInjection(folder: folder.path)
        try folder.write("no mask", "empty/file")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "no.png"}]}"#, "bad/mask.json")
        try folder.write("", "file")
        let commands = [
            ["mask", "show", "./empty"], ["mask", "show", "bad"], ["mask", "show", "nothing"],
            ["mask", "check", "bad"],
            ["people", "list"], ["people", "forget", "Ada"], ["video", "missing.mp4"], ["video", "missing/film.mp4"],
            ["video", "ada.jpg/film.mp4"], ["control", "--socket", "missing", "status"],
            ["mask", "new", "mine", "--author", "A", "--license", "CC0-1.0"], ["mask", "list"],
            ["photo", "missing.jpg"], ["photo", "--output", "file/below.png", "ada.jpg"],
            ["photo", "--output", "/proc/no.png", "ada.jpg"],
            ["live", "missing.mp4", "--headless", "-o", "x.mp4"],
        ]
        for command in commands {
            func bauta(_ environment: [String: String]) throws -> ProgramRun {
                for name in ["mine", "config", "data"] {
                    try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
                }
                let own = ["XDG_DATA_HOME": folder.path + "/data", "XDG_CONFIG_HOME": folder.path + "/config"]
                return try ProgramRun.bauta(
                    command, environment: own.merging(environment) { $1 }, folder: folder.path)
            }
            let expected = try bauta([:])
            for code in [ENOENT, EIO, EEXIST] {
                let found = try bauta(faults.environment(.init("errno", code), number: 0))
                #expect(found.exitCode == expected.exitCode, "\(command): \(found.error)")
                let (errors, expectedErrors) = (reasons(found), reasons(expected))
                #expect(errors == expectedErrors && found.output == expected.output, "\(command): \(found.error)")
            }
        }
    }

    /// What the program says of errors, without the sum at the end, which has the time that it took.
    private func reasons(_ run: ProgramRun) -> [Substring] {
        run.error.split(separator: "\n").filter { !$0.contains(" done: ") }
    }
}
