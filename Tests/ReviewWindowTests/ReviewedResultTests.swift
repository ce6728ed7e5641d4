import Files
import Foundation
import PhotoRecords
import ReviewWindow
import TestSupport
import Testing

/// What is shown of results, without a window.
@Suite struct ReviewedResultTests {
    let folder: TemporaryFolder
    private var results: FilePath { FilePath(folder.path + "/out") }

    init() throws { folder = try TemporaryFolder() }

    private func state(of file: FilePath) throws -> FileState {
        let file = try RegularFile(file)
        return FileState(file, try FileBytes(file))
    }

    /// Notes a result as a run does.
    /// - Parameter mask: its checksum, or "none".
    private func note(_ name: String, mask: String) throws {
        let input = FilePath(try folder.write(Array("photograph \(name)".utf8), "in/" + name))
        let output = FilePath(try folder.write(Array("result \(name)".utf8), "out/" + name))
        let journal = try PhotoJournal(
            folder: results, settings: PhotoSettings(maskName: mask, values: [("mask", mask)]))
        try journal.note(
            PhotoJob(input: input, output: output, isNamed: true), .masked, input: state(of: input),
            result: state(of: output), nil)
    }

    /// One masked photograph among anonymised ones changes nothing for these.
    @Test func eachPhotographWearsMasksOrNot() throws {
        try note("a.png", mask: "none")
        try note("b.png", mask: "1f")
        try note("c.png", mask: "none")
        let photographs = try PhotoJournal.photographs(in: results).map { ReviewedPhotograph($0, decisions: nil) }
        #expect(photographs.map(\.result) == ["a.png", "b.png", "c.png"])
        #expect(photographs.map(\.wearsMasks) == [false, true, false])
        for photograph in photographs {
            #expect(try photograph.resultChecksum == Checksum.ofFile(results / photograph.result))
        }
    }

    private func obstacle(_ name: FilePath, _ checksum: UInt64?) -> String? {
        do throws(ReviewPicture.Obstacle) {
            _ = try ReviewPicture.result(name, in: results, checksum: checksum)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func onlyWhatWasWrittenIsRead() throws {
        let bytes = try SmallSample.bytes("ada")
        let written = FilePath(try folder.write(bytes, "out/below/a.jpg"))
        try folder.write(bytes, "secret.jpg")
        let checksum = try Checksum.ofFile(written)
        #expect(obstacle("below/a.jpg", checksum) == nil)
        #expect(obstacle("below/a.jpg", nil) == "There is no result")
        #expect(obstacle("below/a.jpg", checksum ^ 1) == "The result has changed since it was made")
        // Outside of the folder, also by a link.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/out/link.jpg", withDestinationPath: folder.path + "/secret.jpg")
        for name: FilePath in ["../secret.jpg", "link.jpg", FilePath(folder.path + "/secret.jpg"), "missing.jpg"] {
            #expect(obstacle(name, checksum) == "The result cannot be read", "\(name)")
        }
        let text = FilePath(try folder.write(Array("no picture".utf8), "out/b.jpg"))
        #expect(try obstacle("b.jpg", Checksum.ofFile(text)) == "The result cannot be read")
    }
}

@Suite struct ResultViewTests {
    /// The first key on a result shows the photograph, however many come before that is drawn.
    @Test func nothingIsDecidedOnAResult() {
        var view = ResultView()
        view.begin(wearsMasks: true, hasResult: true)
        #expect(view.isDrawn && !view.hidesFaces)
        let (first, second) = (view.leave(), view.leave())
        #expect(first && second)
        view.begin(wearsMasks: true, hasResult: true)
        let again = view.leave()
        #expect(!view.isDrawn && !again)
        view.isWanted.toggle()
        view.begin(wearsMasks: true, hasResult: true)
        #expect(view.isDrawn)
    }

    @Test func withoutAResultThePhotographIsShown() {
        var view = ResultView()
        view.begin(wearsMasks: true, hasResult: false)
        let leaves = view.leave()
        #expect(!view.isDrawn && !view.hidesFaces && !leaves)
        // It is read.
        view.begin(wearsMasks: true, hasResult: true)
        #expect(view.isDrawn)
    }

    @Test func coversAreSeenThroughAtFirst() {
        var view = ResultView()
        view.begin(wearsMasks: false, hasResult: false)
        #expect(!view.hidesFaces && !view.isDrawn)
        view.isWanted = true
        view.begin(wearsMasks: false, hasResult: false)
        let leaves = view.leave()
        #expect(view.hidesFaces && !view.isDrawn && !leaves)
        // Masks between them.
        view.begin(wearsMasks: true, hasResult: true)
        #expect(view.isDrawn && !view.hidesFaces)
        view.begin(wearsMasks: false, hasResult: false)
        #expect(!view.hidesFaces && !view.isDrawn)
    }
}
