import Compositing
import FaceGeometry
import Files
import Foundation
import ImageFiles
import JSON
import PhotoRecords
import Pixels
import Records
import TestSupport
import Testing

/// What a person has decided about results of `bauta photo --anonymise`, the next run does. With dlib's detector, so that no
/// network is needed.
@Suite struct ReviewedPhotosTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try SmallSample.bytes("ada"), "in/ada.jpg")
        let rows = (0..<120).map { (y: Int) -> [UInt8] in
            (0..<360).map { (x: Int) -> UInt8 in UInt8(60 + (x + y) % 90) }
        }
        try folder.write(PNGBuilder(width: 120, height: 120, colorType: 2, rows: rows).bytes, "in/wall.png")
    }

    private var results: FilePath { FilePath(folder.path + "/out") }

    private func run() throws -> (lines: [String: JSONValue], error: String) {
        let run = try ProgramRun.bauta(
            ["photo", "--anonymise", "in", "-o", "out", "--json"], folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        let lines = try run.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        return (Dictionary(uniqueKeysWithValues: lines.map { ($0["path"]?.string ?? "", $0) }), run.error)
    }

    private func picture(_ name: String) throws -> Picture { try PictureReader.read(folder.path + "/" + name) }

    private func isCovered(_ x: Int, _ y: Int, in name: String) throws -> Bool {
        let pixel = try picture(name).pixels[x, y]
        return (0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(FaceCover.color[$0])) <= 6 }
    }

    @Test func decisionsAreObeyedOnce() throws {
        _ = try run()
        let found = try PhotoJournal.photographs(in: results)
        #expect(found.map(\.result) == ["ada.jpg", "wall.png"] && found.map(\.status) == [.masked, .noFace])
        #expect(found[0].source == FilePath(folder.path + "/in/ada.jpg").resolved)
        let box = try #require(found[0].findings?.boxes.first)
        let (x, y) = (Int(box.center.x), Int(box.center.y))
        #expect(try isCovered(x, y, in: "out/ada.jpg") && !isCovered(12, 280, in: "out/ada.jpg"))

        let file = try ReviewFile(folder: results, writes: true)
        var decisions = ReviewDecisions()
        decisions.uncovered = try #require(found[0].findings).boxes.map { .init(box: $0) }
        decisions.covered = [.init(box: FaceBox(x: 2, y: 270, width: 20, height: 20))]
        try file.note(decisions, on: "ada.jpg", checksum: found[0].checksum)
        var nobody = ReviewDecisions()
        nobody.isReviewed = true
        try file.note(nobody, on: "wall.png", checksum: found[1].checksum)

        let second = try run()
        #expect(second.lines["in/ada.jpg"]?["status"]?.string == "masked")
        #expect(try !isCovered(x, y, in: "out/ada.jpg") && isCovered(12, 280, in: "out/ada.jpg"))
        #expect(
            try PictureDifference(picture("in/wall.png").pixels, picture("out/wall.png").pixels).share(above: 0) == 0)
        #expect(second.lines["in/wall.png"]?["doubt"]?.number == 0, "\(second.lines)")
        #expect(!second.error.contains("No face was found"), "\(second.error)")

        // Nothing has changed since, and nothing is done.
        let state = try FileManager.default.attributesOfItem(atPath: folder.path + "/out/ada.jpg")
        let third = try run()
        #expect(third.error.contains("earlier run"), "\(third.error)")
        let later = try FileManager.default.attributesOfItem(atPath: folder.path + "/out/ada.jpg")
        #expect(later[.modificationDate] as? Date == state[.modificationDate] as? Date)

        // Taken back: everything is as at first.
        try file.note(ReviewDecisions(), on: "ada.jpg", checksum: found[0].checksum)
        _ = try run()
        #expect(try isCovered(x, y, in: "out/ada.jpg") && !isCovered(12, 280, in: "out/ada.jpg"))
    }

    /// Another photograph of the same name may show somebody else.
    @Test func decisionsHoldForOnePhotograph() throws {
        _ = try run()
        let found = try PhotoJournal.photographs(in: results)
        let boxes = try #require(found[0].findings).boxes
        let box = try #require(boxes.first)
        var decisions = ReviewDecisions()
        (decisions.uncovered, decisions.isReviewed) = (boxes.map { .init(box: $0) }, true)
        try ReviewFile(folder: results, writes: true).note(decisions, on: "ada.jpg", checksum: found[0].checksum)
        _ = try run()
        #expect(try !isCovered(Int(box.center.x), Int(box.center.y), in: "out/ada.jpg"))
        try folder.write(try SmallSample.bytes("ada") + [0], "in/ada.jpg")
        let other = try run()
        #expect(other.error.contains("1 photograph has changed since the review"), "\(other.error)")
        let line = try #require(other.lines["in/ada.jpg"])
        #expect(try isCovered(Int(box.center.x), Int(box.center.y), in: "out/ada.jpg"))
        #expect(line["doubt"]?.number ?? 0 > 0)
    }

    /// What was covered when somebody said that all is right stays covered, whatever a later search finds; also where the result
    /// is a file of its own.
    @Test func whatWasConfirmedStaysCovered() throws {
        _ = try run()
        let found = try PhotoJournal.photographs(in: results)
        var decisions = ReviewDecisions()
        decisions.isReviewed = true
        decisions.confirmed = [.init(box: FaceBox(x: 2, y: 270, width: 20, height: 20))]
        try ReviewFile(folder: results, writes: true).note(decisions, on: "ada.jpg", checksum: found[0].checksum)
        _ = try run()
        #expect(try isCovered(12, 280, in: "out/ada.jpg"))
        let single = try ProgramRun.bauta(
            ["photo", "--anonymise", "in/ada.jpg", "-o", "out/ada.jpg", "--force"],
            folder: folder.path)
        #expect(single.exitCode == 0, "\(single.error)")
        #expect(try isCovered(12, 280, in: "out/ada.jpg"))
    }

    /// What somebody has covered by hand does not become visible because a file is damaged.
    @Test func damagedDecisionsEndTheRun() throws {
        try folder.write(Array(#"{"version": 1, "results": [{}]}"#.utf8), "out/.bauta-review.json")
        let run = try ProgramRun.bauta(
            ["photo", "--anonymise", "in", "-o", "out"], folder: folder.path)
        #expect(run.exitCode == 65 && run.error.contains("out/.bauta-review.json: /results/0/result"), "\(run.error)")
        #expect(folder.results(in: "out") == [".bauta-review.json"])
    }
}
