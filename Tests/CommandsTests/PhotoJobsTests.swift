import Arguments
import Commands
import Files
import Foundation
import FrameProcessing
import PhotoRecords
import TestSupport
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

    /// In the window, a photograph's number is its place among those that are shown.
    @Test func numbersCountPicturesOnly() throws {
        try create("in/a.txt", "in/b.jpg", "in/c", "in/d.png")
        try Data(try SmallSample.bytes("ada")).write(to: URL(fileURLWithPath: folder + "/in/photograph"))
        var search = PhotoJobs(output: output)
        search.onlyPictures = true
        let jobs = try search.jobs(for: [FilePath(folder + "/in")])
        #expect(jobs.map(\.input.name) == ["b.jpg", "d.png", "photograph"] && jobs.map(\.number) == [0, 1, 2])
    }

    /// Of what is hidden, photographs and folders are counted; other files, and our own, are not.
    @Test(arguments: [false, true]) func hiddenPhotographsAreCounted(_ recursive: Bool) throws {
        try create("in/a.jpg", "in/.text.jpg", "in/.bauta-photo.jsonl")
        let picture = Data(try SmallSample.bytes("ada"))
        let names = [".b", ".c.png", "deep/.d.jpg", ".hidden/e.jpg", ".bauta-temporary-0123456789abcdef/f.jpg"]
        for name in names {
            let url = URL(fileURLWithPath: folder + "/in/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try picture.write(to: url)
        }
        var leftOut = PhotoJobs.LeftOut()
        let jobs = try PhotoJobs(recursive: recursive, output: output).jobs(
            for: [FilePath(folder + "/in")], leavingOut: &leftOut)
        #expect(jobs.map(\.input) == [FilePath(folder + "/in/a.jpg")])
        #expect(leftOut.photographs == (recursive ? 3 : 2) && leftOut.folders == (recursive ? 1 : 0))
    }

    @Test func resultsOfAnEarlierRunAreNotSearched() throws {
        try create("in/a.jpg", "in/deep/old.jpg")
        let jobs = try PhotoJobs(recursive: true, output: FilePath(folder + "/in/deep")).jobs(for: [
            FilePath(folder + "/in")
        ])
        #expect(jobs.map(\.input) == [FilePath(folder + "/in/a.jpg")])
    }

    /// A result is left out and counted if its photograph becomes a job, and never otherwise: not if it has been changed, not
    /// what else is in its folder, not in a folder that is given.
    @Test func resultsOfPhotographsThatAreMaskedAreLeftOut() throws {
        try create("in/a.jpg", "in/b.jpg", "gone.jpg")
        let (photographs, folder) = (FilePath(folder + "/in"), FilePath(folder))
        for name in ["a.jpg", "b.jpg"] as [FilePath] {
            try EarlierRun.note(photographs / name, as: name, in: photographs / "deep")
            try EarlierRun.note(photographs / "deep" / name, as: "deep" / name, in: photographs / "again")
        }
        try EarlierRun.note(folder / "gone.jpg", as: "gone.jpg", in: photographs / "deep")
        try create("in/deep/mine.jpg", "in/deep/b.jpg", "in/deep/b.jpg~")
        try Data("painted over".utf8).write(to: URL(fileURLWithPath: self.folder + "/in/deep/b.jpg"))

        var leftOut = PhotoJobs.LeftOut()
        func names(_ inputs: [FilePath], masksResults: Bool = false) throws -> [FilePath] {
            var search = PhotoJobs(recursive: true, output: output)
            search.masksResults = masksResults
            leftOut = .init()
            return try search.jobs(for: inputs, leavingOut: &leftOut).map { $0.input.relative(to: folder) ?? "" }
        }
        let changed: [FilePath] = ["in/deep/b.jpg", "in/deep/b.jpg~", "in/deep/gone.jpg", "in/deep/mine.jpg"]
        let all: [FilePath] = ["in/again/deep/a.jpg", "in/again/deep/b.jpg", "in/deep/a.jpg"]
        // The result of what has been painted over since is none of the photograph that is there now.
        #expect(try Set(names([photographs])) == Set(["in/a.jpg", "in/b.jpg", "in/again/deep/b.jpg"] + changed))
        #expect(leftOut.results == 2)
        #expect(try Set(names([photographs], masksResults: true)) == Set(["in/a.jpg", "in/b.jpg"] + changed + all))
        #expect(leftOut.results == 0)
        #expect(try Set(names([photographs / "deep"])) == Set(changed + ["in/deep/a.jpg"]))
        #expect(leftOut == .init())
        // Both are given, and so nothing of the second is left out.
        #expect(try Set(names([photographs, photographs / "deep"])).isSuperset(of: ["in/deep/a.jpg"]))
        #expect(leftOut.results == 1)
    }

    /// It decides which of several masks a photograph wears, and so whether a later run may go on.
    @Test func theNumberOfAPhotographIsRecorded() throws {
        try create("in/a.jpg", "in/b.jpg")
        let (photographs, results) = (FilePath(folder + "/in"), FilePath(folder + "/out"))
        try EarlierRun.note(photographs / "a.jpg", as: "a.jpg", in: results, number: 7)
        let jobs = try PhotoJobs(output: results).jobs(for: [photographs])
        let journal = try PhotoJournal(folder: results, settings: EarlierRun.settings)
        #expect(jobs.map { journal.lastNumber(of: $0) } == [7, nil])
    }

    /// Records that somebody else has written leave out nothing but what is made from other photographs.
    @Test func resultsOfEachOtherAreMasked() throws {
        let photographs = FilePath(folder + "/in")
        try create("in/deep/a.jpg", "in/deep/b.jpg")
        for (one, other) in [("a.jpg", "b.jpg"), ("b.jpg", "a.jpg")] as [(FilePath, FilePath)] {
            try EarlierRun.note(photographs / "deep" / one, as: other, in: photographs / "deep")
        }
        #expect(try PhotoJobs(recursive: true, output: output).jobs(for: [photographs]).count == 2)
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

    // MARK: Manifests

    private func list(_ names: String...) throws -> PhotoList {
        let text = names.map { "1\t\($0)\u{0}" }.joined()
        return try PhotoManifest.parse(Array(text.utf8), path: "list")
    }

    /// Only a shard's own GIFs are opened, and those whose results may have the name of another one.
    @Test func fewFilesOfAManifestAreOpened() throws {
        let gif = GIFBuilder(width: 9, height: 9) { x, y in x + y }.bytes
        for name in ["a.gif", "b.gif", "clash.gif", "same.gif"] {
            try Data(gif).write(to: URL(fileURLWithPath: folder + "/in/" + name))
        }
        // No GIF but for its name, which it keeps.
        try Data(SmallSample.bytes("ada")).write(to: URL(fileURLWithPath: folder + "/in/other.gif"))
        try create("in/clash.png", "in/other.png", "in/same.jpg")
        let photographs = try list(
            "a.gif", "b.gif", "clash.gif", "clash.png", "other.png", "other.gif", "same.gif", "same.jpg")
        let opened = Opened(folder + "/in")
        let in_ = FilePath(folder + "/in")
        let mine = try PhotoJobs(output: output).jobs(for: photographs, [1, 3, 5, 7], in: in_)
        #expect(opened.names() == ["b.gif", "clash.gif", "other.gif"])
        #expect(mine.map(\.output) == ["b.png", "clash.png", "other.gif", "same.jpg"].map { output / FilePath($0) })
        #expect(mine.map { $0.obstacle == nil } == [true, false, true, true])
        #expect(try #require(mine[1].obstacle).contains("would overwrite that of \(in_ / "clash.gif")"))
        // With one format for all, nothing is looked at.
        let tiffs = try PhotoJobs(format: .tiff, output: output).jobs(for: photographs, nil, in: in_)
        #expect(tiffs.map { $0.obstacle == nil } == [true, true, true, false, true, false, true, false])
        #expect(opened.names() == [])
    }

    /// The photographs are in the folder of results: `Pictures/x.jpg` of the photographs would become one of them.
    @Test func resultsOfAManifestDoNotLieAmongThePhotographs() throws {
        let photographs = try list("in/a.jpg", "b.jpg")
        let jobs = try PhotoJobs(output: FilePath(folder)).jobs(for: photographs, nil, in: FilePath(folder + "/in"))
        #expect(jobs.map { $0.obstacle == nil } == [false, true])
        #expect(throws: CommandFailure.self) {
            try PhotoJobs(output: FilePath(folder + "/in/new")).jobs(
                for: photographs, nil, in: FilePath(folder + "/in"))
        }
    }
}

/// The files of a folder that are opened.
private struct Opened: ~Copyable {
    private let descriptor = inotify_init1(Int32(IN_NONBLOCK))

    init(_ folder: String) { inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) }

    deinit { close(descriptor) }

    /// Their names, each once, since the last call.
    borrowing func names() -> [String] {
        var names: Set<String> = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return names.sorted() }
            bytes.withUnsafeBytes { bytes in
                var place = 0
                while place < count {
                    // Descriptor of the watch, mask, cookie, length of the name, and the name with NULs at its end.
                    let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let name = bytes[(place + 16)..<(place + 16 + length)].prefix { $0 != 0 }
                    if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
                    place += 16 + length
                }
            }
        }
    }
}
