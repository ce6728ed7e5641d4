import Commands
import Foundation
import TestSupport
import Testing

/// What `scripts/release` refuses, in a repository with as few files as it needs.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "git is not installed"))
struct ReleaseTests {
    let folder: TemporaryFolder
    private static let tag = "v\(Program.version)"

    init() throws {
        folder = try TemporaryFolder()
        for file in ["scripts/release", "Sources/Pipeline/Installation/Release.swift"] {
            try folder.write(try Repository.text(file), file)
        }
        try writeChangelog("## [\(Program.version)] – unreleased")
        try git("init", "--quiet")
        try commit()
    }

    private func git(_ words: String...) throws {
        let name = ["-c", "user.name=A. Tester", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
        let run = try ProgramRun.run("/usr/bin/git", ["-C", folder.path] + name + words)
        guard run.exitCode == 0 else { throw WaitingFailure("git \(words): \(run.error)") }
    }

    private func commit() throws {
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "A commit")
    }

    private func writeChangelog(_ heading: String) throws {
        try folder.write("# Changelog\n\n\(heading)\n\n- A change.\n", "CHANGELOG.md")
    }

    private func release() throws -> ProgramRun {
        try ProgramRun.run("/bin/sh", ["scripts/release", "--dry-run"], folder: folder.path)
    }

    @Test func aReleaseNeedsTagChangelogAndACleanTree() throws {
        let early = try release()
        #expect(early.exitCode == 65 && early.error.contains("the tag \(Self.tag)"), "\(early.error)")
        #expect(early.error.contains("the newest heading of CHANGELOG.md must be"), "\(early.error)")
        #expect(!early.error.contains("not committed"))

        try writeChangelog("## [\(Program.version)] – 2026-01-31")
        #expect(try release().error.contains("not committed"))
        try commit()
        try git("tag", Self.tag)
        let ready = try release()
        #expect(ready.exitCode == 0 && ready.error.isEmpty, "\(ready.error)")

        try folder.write("", "forgotten")
        #expect(try release().error.contains("files that git does not know"))
        try commit()
        let late = try release()
        #expect(late.exitCode == 65 && late.error.contains("the tag \(Self.tag) is on commit"), "\(late.error)")
    }
}
