import Files
import Foundation
import PhotoRecords
import TestSupport
import Testing

/// What a session may take back of the results that it has written.
@Suite struct SessionResultsTests {
    private let folder: TemporaryFolder
    private let root: FilePath

    init() throws {
        folder = try TemporaryFolder()
        root = FilePath(folder.path).resolved ?? FilePath(folder.path)
        try folder.write("photograph", "in/a.jpg")
    }

    private func state(_ path: FilePath) throws -> FileState {
        FileState(FileIdentity(try #require(path.status())), checksum: try Checksum.ofFile(path))
    }

    /// A result, noted as the session's own.
    private func made(_ name: FilePath, _ journal: PhotoJournal) throws -> PhotoJob {
        try folder.write("result", "out/\(name)")
        let job = PhotoJob(input: root / "in/a.jpg", output: root / "out" / name, isNamed: false)
        try journal.note(job, .masked, input: state(job.input), result: state(job.output), nil)
        return job
    }

    @Test func onlyWhatTheSessionHasWrittenIsTakenBack() throws {
        let journal = try PhotoJournal(
            folder: root / "out", settings: EarlierRun.settings, session: SessionResults())
        func takeBack(_ job: PhotoJob) throws -> Bool {
            try journal.takeBack(job, in: OpenFolder(ofFile: job.output))
        }
        let own = try made("own.jpg", journal)
        #expect(try takeBack(own) && !own.output.exists)
        #expect(try !takeBack(own), "it is gone")
        let changed = try made("changed.jpg", journal)
        try folder.write("the user's", "out/changed.jpg")
        #expect(try !takeBack(changed) && changed.output.exists)
        // In its place there is a link to what looks the same.
        let linked = try made("linked.jpg", journal)
        try FileManager.default.moveItem(atPath: linked.output.description, toPath: folder.path + "/elsewhere.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: linked.output.description, withDestinationPath: folder.path + "/elsewhere.jpg")
        #expect(try !takeBack(linked) && linked.output.exists)
        // Another session has written none of them.
        let foreign = try made("foreign.jpg", journal)
        let other = try PhotoJournal(
            folder: root / "out", settings: EarlierRun.settings, session: SessionResults())
        #expect(try !other.takeBack(foreign, in: OpenFolder(ofFile: foreign.output)) && foreign.output.exists)
    }

    /// A later run is told how its settings differ from a choice by hand.
    @Test func choicesByHandAreNamed() throws {
        func journal() throws -> PhotoJournal { try PhotoJournal(folder: root / "out", settings: EarlierRun.settings) }
        try folder.write("result", "out/a.jpg")
        var job = PhotoJob(input: root / "in/a.jpg", output: root / "out/a.jpg", isNamed: false)
        job.turn = .turnRight
        try journal().note(job, .masked, input: state(job.input), result: state(job.output), nil)
        #expect(try journal().resultState(of: job) == .done(.masked, nil))
        job.turn = .upright
        guard case .kept(let reason) = try journal().resultState(of: job) else {
            Issue.record("it would be replaced")
            return
        }
        #expect(reason.contains("by hand: turnRight, now none"), "\(reason)")
    }
}
