import Foundation
import TestSupport
import Testing

/// Completions in the real shells, on a real screen: tmux shows what somebody would see.
@Suite(
    .enabled(
        if: ["tmux", "zsh", "fish"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") },
        "tmux, zsh and fish are not installed; scripts/test installs them"))
struct CompletionShellTests {
    @Test(arguments: ["bash", "zsh", "fish"]) func wordsAreCompleted(_ shell: String) throws {
        let folder = try TemporaryFolder()
        let path = (Repository.executable as NSString).deletingLastPathComponent + ":/usr/bin:/bin"
        let run = try ProgramRun.run(
            Repository.root + "/Tests/Completions/in-a-terminal", [shell, folder.path], environment: ["PATH": path])
        #expect(run.exitCode == 0 && run.output.contains("lines completed"), "\(run.output) \(run.error)")
    }
}
