import Foundation
import TestSupport
import Testing

/// What `scripts/batch/slurm` says before anything is submitted. `scripts/test-slurm` does the rest, with a real Slurm.
@Suite struct SlurmScriptTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("x", "in/a.jpg")
        try folder.write("x", "in/b.jpg")
        // A machine where Slurm is installed and not configured.
        try programs(["scontrol", "sbatch", "squeue"], "echo nonsense of Slurm >&2; exit 1")
    }

    private func programs(_ names: [String], _ script: String) throws {
        for name in names { chmod(try folder.write("#!/bin/sh\n\(script)\n", "bin/\(name)"), 0o755) }
    }

    private func slurm(_ arguments: [String]) throws -> ProgramRun {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try ProgramRun.run(
            "/bin/sh", [Repository.root + "/scripts/batch/slurm"] + arguments,
            environment: ["BAUTA": Repository.executable, "PATH": "\(folder.path)/bin:\(path)"], folder: folder.path)
    }

    private func isUntouched() throws -> Bool {
        try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting(["link"]) == ["bin", "in"]
            && folder.names().filter { $0.hasPrefix("in/") } == ["in/a.jpg", "in/b.jpg"]
    }

    @Test func mistakesAreReportedBeforeAnythingIsWritten() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/in")
        for (arguments, status, words) in [
            (["--dry-run", "in", "--no-such"], 64, "--no-such"), (["in", "--no-such"], 64, "--no-such"),
            (["--dry-run", "in", "--mask", "none-such"], 66, "none-such"),
            (["in", "--dry-run"], 64, "--dry-run comes before the folder of the photographs"),
            (["in", "--mask", "wolf", "--shards=3"], 64, "--shards=3 comes before the folder"),
            (["-o", "in/new", "in"], 64, "in/new: must lie outside of the photographs"),
            (["-o", "link/new", "in"], 64, "link/new: must lie outside of the photographs"),
            (["-o", "in", "in"], 64, "in: must lie outside of the photographs"),
            (["--work", "in/batch", "in"], 64, "in/batch: must lie outside"),
            (["--shards", "1000001", "in"], 64, "--shards must be a number from 1 to 1000000, not '1000001'"),
            (["--shards", "0", "in"], 64, "--shards must be a number"),
            (["in"], 69, "Slurm does not answer: nonsense of Slurm"), (["bin/none"], 66, "there is no such folder"),
        ] {
            let run = try slurm(arguments)
            #expect(run.exitCode == status && run.error.contains(words), "\(arguments): \(run.exitCode) \(run.error)")
            #expect(try isUntouched(), "\(arguments)")
        }
        #expect(try slurm(["in", "--help"]).output.contains("usage: slurm"))
    }

    @Test func aDryRunNeedsNoSlurm() throws {
        let run = try slurm([
            "--dry-run", "--shards", "2", "in", "--contact-sheet", "sheet", "--detector", "hog", "--", "--time=3",
        ])
        #expect(run.exitCode == 0 && !run.error.contains("nonsense"), "\(run.error)")
        #expect(run.error.contains("no Slurm answers here") && run.error.contains("--array=1-2"), "\(run.error)")
        #expect(run.error.components(separatedBy: "\nsbatch ").count == 4, "\(run.error)")
        #expect(try isUntouched())
    }

    @Test func aListOfAnotherKindIsKept() throws {
        try programs(["scontrol"], "echo 'MaxArraySize = 1001'")
        let list = try folder.write("1\ta.jpg\n1\tb.jpg\n", "masked.batch/list")
        let run = try slurm(["in"])
        #expect(run.exitCode == 65 && run.error.contains("masked.batch/list: does not end with NUL"), "\(run.error)")
        #expect(try String(contentsOfFile: list, encoding: .utf8).contains("b.jpg"))
    }
}
