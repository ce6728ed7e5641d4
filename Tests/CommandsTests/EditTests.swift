import FaceGeometry
import Foundation
import JSON
import TestSupport
import Testing

/// `bauta mask edit` in its window, driven as `WindowTests` drives the other one. What is done shows in the journal and
/// in the files; places are those of a window of 1280 × 800.
@Suite(
    .serialized,
    .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
struct EditTests {
    let folder: TemporaryFolder
    private let mask: String

    init() throws {
        folder = try TemporaryFolder()
        mask = folder.path + "/wölf é"
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/wolf", toPath: mask)
    }

    private func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: String(contentsOfFile: path, encoding: .utf8))
    }

    private var journal: JSONValue? { try? json(mask + ".journal") }

    /// The wolf's face: the third layer from below.
    private func wolf(_ manifest: JSONValue?) throws -> JSONValue {
        let layers = try #require(manifest?["layers"]?.elements)
        return try #require(layers.first { $0["texture"] == .string("wolf.png") })
    }

    private func point(_ index: Int) -> Point? {
        guard let pair = journal?["points"]?["wolf.pts"]?.elements[index].elements.compactMap(\.number), pair.count == 2
        else { return nil }
        return Point(Float(pair[0]), Float(pair[1]))
    }

    private func edit(
        _ display: TestDisplay, _ arguments: [String] = [], _ body: @escaping (Process, String) throws -> Void
    ) throws -> ProgramRun {
        try ProgramRun.bauta(["mask", "edit", mask] + arguments, environment: display.environment) { process in
            let window = try display.window(of: process)
            try display.waitForPicture(window) { $0.share(of: .model, near: SIMD4(15, 15, 15, 255)) < 0.3 }
            try body(process, window)
        }
    }

    private static let row = (x: 90, y: 110)
    private static let brow = (x: 456, y: 350)

    @Test func pointsLayersStepsAndTheJournal() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let killed = try edit(display) { process, window in
            try display.click(Self.row.x, Self.row.y, in: window)
            let before = try display.picture(window)
            #expect(before.share(of: .status, near: SIMD4(255, 255, 255, 255)) > 0.02, "the size is written there")

            // The outer end of the right brow; its partner goes with it. Without snapping, to know where.
            try display.press("n")
            try display.drag(from: Self.brow, to: (Self.brow.x - 20, Self.brow.y + 12), in: window)
            let moved = try #require(point(17))
            let partner = try #require(point(26))
            let reference = try Repository.referenceFace().vertices[17]
            let way = moved - 1024 * reference
            // 435 pixels of the window show the sheet's 1024.
            #expect(abs(way.x + 20 * 2.35) < 4 && abs(way.y - 12 * 2.35) < 4, "\(way)")
            #expect(abs(moved.x + partner.x - 1024) < 1 && abs(moved.y - partner.y) < 1, "\(moved) \(partner)")
            #expect(try wolf(journal?["manifest"])["landmarks"] == .string("wolf.pts"))
            let after = try display.picture(window)
            #expect(before.difference(after, in: .texture) > 0.0005 && before.difference(after, in: .model) > 0.0005)
            #expect(!FileManager.default.fileExists(atPath: mask + "/wolf.pts"), "nothing is saved unasked")

            // The whole way of the point is one step.
            try display.press("ctrl+z")
            usleep(500_000)
            #expect(journal == nil, "what is as it was needs no journal")
            let undone = try display.picture(window)
            #expect(before.difference(undone, in: .model) < 0.0001)
            try display.press("ctrl+shift+z")
            usleep(500_000)
            #expect(point(17) == moved)

            // Another blend mode, from the list.
            try display.click(116, 271, in: window)
            try display.click(40, 313, in: window)
            #expect(try wolf(journal?["manifest"])["blend"] == .string("multiply"))
            let multiplied = try display.picture(window)
            #expect(after.difference(multiplied, in: .model) > 0.05)

            try display.press("ctrl+s")
            usleep(800_000)
            #expect(journal == nil)
            let saved = try wolf(json(mask + "/mask.json"))
            #expect(saved["blend"] == .string("multiply") && saved["landmarks"] == .string("wolf.pts"))
            let points = try PointsFile.parse(String(contentsOfFile: mask + "/wolf.pts", encoding: .utf8))
            #expect(points.count == 79 && (points[17] - moved).length < 0.01)

            // A second window on the same mask is refused.
            let second = try ProgramRun.bauta(["mask", "edit", mask], environment: display.environment)
            #expect(second.exitCode == 73 && second.error.contains("is being edited"), "\(second.error)")

            // Hidden, and then the program is killed.
            try display.click(17, Self.row.y, in: window)
            #expect(try wolf(journal?["manifest"])["hidden"] == .bool(true))
            kill(process.processIdentifier, SIGKILL)
        }
        #expect(killed.exitCode == 1000 + SIGKILL)
        #expect(try wolf(json(mask + "/mask.json"))["hidden"] == nil)
        #expect(journal != nil)

        // What was not saved is offered.
        let again = try edit(display) { _, window in
            let question = try display.picture(window)
            #expect(question.share(of: .question, near: SIMD4(36, 69, 112, 255)) > 0.2, "the buttons are there")
            try display.click(473, 405, in: window)
            let taken = try display.picture(window)
            #expect(question.difference(taken, in: .question) > 0.2)
            #expect(question.difference(taken, in: .model) > 0.1, "the wolf's face is hidden again")
            try display.press("ctrl+s")
            usleep(800_000)
            #expect(try wolf(json(mask + "/mask.json"))["hidden"] == .bool(true))

            // Unsaved changes are asked for at the end.
            try display.click(17, Self.row.y, in: window)
            try display.press("ctrl+q")
            usleep(500_000)
            try display.click(600, 391, in: window)
        }
        #expect(again.exitCode == 0, "\(again.error)")
        #expect(journal == nil)
        #expect(try wolf(json(mask + "/mask.json"))["hidden"] == .bool(true))
        let check = try ProgramRun.bauta(["mask", "check", "--strict", mask])
        #expect(check.exitCode == 0, "\(check.output)")
    }

    /// Saved from another program, by halves as some do: it is taken up, and the view stays as it is.
    @Test func otherProgramsAreFollowed() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let run = try edit(display) { process, window in
            try display.click(Self.row.x, Self.row.y, in: window)
            try display.move(to: 520, 500, in: window)
            try display.tool(["xdotool", "click", "--repeat", "4", "4"])
            try display.move(to: 20, 700, in: window)
            let before = try display.picture(window, after: 0.5)
            let painting = try bytes(of: Repository.root + "/masks/skull/skull.png")
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: mask + "/wolf.png"))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: painting.prefix(painting.count / 2))
            let half = try display.picture(window, after: 0.4)
            #expect(before.difference(half, in: .model) < 0.002, "half a picture is not worn")
            try file.write(contentsOf: painting.dropFirst(painting.count / 2))
            try file.close()
            try display.waitForPicture(window) { before.difference($0, in: .model) > 0.05 }
            let after = try display.picture(window)
            #expect(before.difference(after, in: .texture) > 0.05)
            let green = SIMD4<UInt8>(0, 230, 120, 255)
            let points = before.share(of: .texture, near: green)
            let kept = before.share(of: .texture, near: green, alsoIn: after)
            #expect(points > 0.001 && kept > 0.95 * points, "zoom and place are as they were: \(kept) of \(points)")

            // The manifest too: the texture goes, the change can be undone.
            let manifest = try String(contentsOfFile: mask + "/mask.json", encoding: .utf8)
            try manifest.replacingOccurrences(of: "wolf.png", with: "left-ear.png")
                .write(toFile: mask + "/mask.json", atomically: true, encoding: .utf8)
            try display.waitForPicture(window) { after.difference($0, in: .model) > 0.05 }
            #expect(journal == nil)
            try display.press("ctrl+z")
            try display.waitForPicture(window) { after.difference($0, in: .model) < 0.002 }
            #expect(try wolf(journal?["manifest"])["texture"] == .string("wolf.png"))

            // An interrupt keeps what is not saved.
            kill(process.processIdentifier, SIGINT)
        }
        #expect(run.exitCode == 0 && run.error.contains("unsaved changes are kept in"), "\(run.error)")
        #expect(journal != nil)
    }

    @Test func whatCannotBeEditedIsSaid() throws {
        try folder.write("{", "broken/mask.json")
        let broken = try ProgramRun.bauta(["mask", "edit", folder.path + "/broken"])
        #expect(broken.exitCode == 65 && broken.error.contains("[manifest-not-json]"), "\(broken.error)")
        let missing = try ProgramRun.bauta(["mask", "edit", folder.path + "/none"])
        #expect(missing.exitCode == 66)
        let file = try folder.write("x", "a.bauta")
        let packed = try ProgramRun.bauta(["mask", "edit", file])
        #expect(packed.exitCode == 66 && packed.error.contains("bauta mask unpack"), "\(packed.error)")
    }
}
