import CommandLine
import Commands
import Files
import Foundation
import Masking
import Testing

/// Which photographs are masked, and where the results go, before anything is read.
@Suite final class PhotoJobsTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "photo jobs é \(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/in/deep", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func create(_ names: String...) throws {
        for name in names { try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
    }

    private var output: FilePath { FilePath(folder + "/out") }

    @Test func namedFilesKeepTheirNames() throws {
        let jobs = try PhotoJobs(output: output).jobs(for: ["/a/b/c d.jpg", "e.png"])
        #expect(jobs.map(\.output) == [output / "c d.jpg", output / "e.png"])
        #expect(jobs.allSatisfy { $0.isNamed && $0.obstacle == nil })
    }

    @Test(arguments: [false, true]) func foldersAreSearched(_ recursive: Bool) throws {
        try create("in/b.jpg", "in/a.png", "in/.hidden.jpg", "in/deep/c.jpg")
        let jobs = try PhotoJobs(recursive: recursive, output: output).jobs(for: [FilePath(folder + "/in/")])
        let expected = ["a.png", "b.jpg"] + (recursive ? ["deep/c.jpg"] : [])
        #expect(jobs.map(\.input) == expected.map { FilePath(folder + "/in/" + $0) })
        #expect(jobs.map(\.output) == expected.map { output / FilePath($0) })
        #expect(jobs.allSatisfy { !$0.isNamed })
    }

    @Test func resultsOfAnEarlierRunAreNotSearched() throws {
        try create("in/a.jpg", "in/deep/old.jpg")
        let jobs = try PhotoJobs(recursive: true, output: FilePath(folder + "/in/deep")).jobs(for: [
            FilePath(folder + "/in")
        ])
        #expect(jobs.map(\.input) == [FilePath(folder + "/in/a.jpg")])
    }

    @Test func linksToFoldersAreNotFollowed() throws {
        try create("in/a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/in/deep/loop", withDestinationPath: folder + "/in")
        let jobs = try PhotoJobs(recursive: true, output: output).jobs(for: [FilePath(folder + "/in")])
        #expect(jobs.map(\.input) == [FilePath(folder + "/in/a.jpg")])
    }

    @Test func anotherFormatReplacesOnlyThePictureExtension() throws {
        let jobs = try PhotoJobs(format: .png, output: output).jobs(for: ["a.jpg", "b.png", "v1.2"])
        #expect(jobs.map(\.output) == ["a.png", "b.png", "v1.2.png"].map { output / FilePath($0) })
    }

    @Test func aResultThatWouldOverwriteAnInputHasAnObstacle() throws {
        try create("in/a.jpg")
        let jobs = try PhotoJobs(output: FilePath(folder + "/in")).jobs(for: [FilePath(folder + "/in/a.jpg")])
        #expect(jobs.count == 1)
        #expect(try #require(jobs.first?.obstacle).contains("would overwrite an input"))
    }

    @Test func ofTwoInputsWithOneResultTheSecondHasAnObstacle() throws {
        let jobs = try PhotoJobs(output: output).jobs(for: ["x/a.jpg", "y/a.jpg"])
        #expect(jobs.map { $0.obstacle == nil } == [true, false])
        #expect(try #require(jobs.last?.obstacle).contains("would overwrite that of x/a.jpg"))
    }

    @Test func anInputThatIsNamedTwiceIsOneJob() throws {
        #expect(try PhotoJobs(output: output).jobs(for: ["a.jpg", "a.jpg"]).count == 1)
    }

    @Test func severalPhotographsDoNotGoIntoOneFile() throws {
        let jobs = PhotoJobs(output: FilePath(folder + "/one.png"))
        #expect(try jobs.jobs(for: ["a.jpg"]).map(\.output) == [FilePath(folder + "/one.png")])
        #expect(throws: CommandFailure.self) { try jobs.jobs(for: ["a.jpg", "b.jpg"]) }
    }

    @Test func aMissingFolderIsAFileName() throws {
        let jobs = try PhotoJobs(output: output).jobs(for: [FilePath(folder + "/missing/")])
        #expect(jobs.map(\.isNamed) == [true])
    }

    @Test func equalIsWhatHasTheSameBytes() throws {
        let jobs = try PhotoJobs(output: output).jobs(for: ["x/caf\u{E9}.jpg", "x/cafe\u{301}.jpg"])
        #expect(jobs.count == 2 && jobs.allSatisfy { $0.obstacle == nil })
        #expect(jobs[0].output.bytes != jobs[1].output.bytes)
    }

    /// The slash before a combining mark separates folders.
    @Test func resultsStayInTheFolder() throws {
        let jobs = try PhotoJobs(output: output).jobs(for: ["../\u{301}a.jpg", "b/../\u{FE0F}c.jpg"])
        #expect(jobs.map(\.output) == [output / "\u{301}a.jpg", output / "\u{FE0F}c.jpg"])
    }
}
