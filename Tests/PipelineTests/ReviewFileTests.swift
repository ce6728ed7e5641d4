import FaceGeometry
import Files
import Foundation
import Records
import TestSupport
import Testing

/// The decisions of a person about the results in a folder.
@Suite struct ReviewFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func decisions() -> ReviewDecisions {
        var decisions = ReviewDecisions()
        decisions.isReviewed = true
        decisions.uncovered = [.init(box: FaceBox(x: 10, y: 20, width: 30, height: 40))]
        decisions.covered = [.init(box: FaceBox(x: -5, y: 2.25, width: 8, height: 8), frame: 7)]
        return decisions
    }

    @Test func decisionsAreReadAgain() throws {
        let names: [FilePath] = ["a/b é.jpg", FilePath(bytes: [0xFF, 0x2E, 0x6A]), "c.jpg"]
        let file = try ReviewFile(folder: FilePath(folder.path), writes: true)
        for name in names { try file.note(Self.decisions(), on: name, checksum: .max) }
        try file.note(ReviewDecisions(), on: names[2], checksum: .max)
        let again = try ReviewFile(folder: FilePath(folder.path))
        for name in names.prefix(2) {
            #expect(again.decisions(on: name, checksum: .max) == Self.decisions())
            #expect(again.decisions(on: name, checksum: 1) == nil && again.knows(name), "another photograph")
        }
        #expect(!again.knows(names[2]), "what says nothing is not kept")
        #expect(Self.decisions().identifier != ReviewDecisions().identifier)
    }

    @Test(arguments: [
        ("", "line 1"), ("[]", "/version"), (#"{"version": 2, "results": []}"#, "/version: must be 1"),
        (#"{"version": 1}"#, "/results: must be an array"),
        (#"{"version": 1, "results": [{"result": ""}]}"#, "/results/0/result: must be"),
        (#"{"version": 1, "results": [{"result": "a", "checksum": "x"}]}"#, "/results/0/checksum: must be"),
        (#"{"version": 1, "results": [{"result": "a", "checksum": "0"}]}"#, "/results/0/reviewed: must be"),
        (
            #"{"version": 1, "results": [{"result": "a", "checksum": "0", "reviewed": true, "uncovered": [{}]}]}"#,
            "/results/0/uncovered/0/frame: must be"
        ),
    ])
    func whatIsDamagedIsAnError(_ text: String, _ reason: String) throws {
        try folder.write(Array((text.isEmpty ? "{" : text).utf8), ".bauta-review.json")
        let error = try #require(throws: FileError.self) { try ReviewFile(folder: FilePath(folder.path)) }
        #expect(error.kind == .damaged && error.description.contains(reason), "\(error)")
        #expect(error.description.contains("bauta review"))
    }

    /// Two windows would each write what the other one has not read.
    @Test func oneWritesAtATime() throws {
        let first = try ReviewFile(folder: FilePath(folder.path), writes: true)
        #expect(throws: ReviewFile.Held.self) { try ReviewFile(folder: FilePath(folder.path), writes: true) }
        _ = try ReviewFile(folder: FilePath(folder.path))
        try withExtendedLifetime(first) { try first.note(Self.decisions(), on: "a", checksum: 1) }
    }

    @Test func whatCannotBeWrittenIsNotNoted() throws {
        let file = try ReviewFile(folder: FilePath(folder.path), writes: true)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/.bauta-review.json", withIntermediateDirectories: false)
        #expect(throws: FileError.self) { try file.note(Self.decisions(), on: "a", checksum: 1) }
        #expect(!file.knows("a"))
    }

    /// A mark names one face, the nearest, and nobody beside it.
    @Test func aMarkUncoversOneFace() {
        let boxes = [100, 118, 300].map { OrientedBox(center: Point($0, 50), side: 60, roll: 0) }
        var decisions = ReviewDecisions()
        decisions.uncovered = [.init(box: FaceBox(boxes[1]))]
        #expect(decisions.uncoveredIndices(of: boxes) == [1])
        decisions.uncovered.append(decisions.uncovered[0])
        #expect(decisions.uncoveredIndices(of: boxes) == [0, 1], "said twice, of two around one face")
        decisions.uncovered = [.init(box: FaceBox(x: 200, y: 20, width: 60, height: 60))]
        #expect(decisions.uncoveredIndices(of: boxes).isEmpty)
    }
}
