import Foundation
import ImageFiles
import TestSupport
import Testing

/// `bauta capture`.
@Suite struct CaptureCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip of a sample at rest, or that moves by `motion` pixels a second.
    private func clip(seconds: Double, motion: Int = 0) throws -> String {
        let clip = folder.path + "/clip-\(motion).mkv"
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-framerate", "15", "-t", "\(seconds)", "-i",
                Repository.root + "/samples/ada.jpg", "-vf",
                "scale=400:-2,crop=320:400:'40+30*sin(t*\(motion)/30)':40", "-c:v", "ffv1", clip,
            ])
        #expect(run.exitCode == 0, "\(run.error)")
        return clip
    }

    private func capture(_ clip: String, _ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["capture", clip, "--headless", "--output", folder.path + "/out"] + arguments)
    }

    @Test func picturesAreTakenOfWhatIsStillAndNeverReplaced() throws {
        let clip = try clip(seconds: 6)
        let report = folder.path + "/report.jsonl"
        try folder.write("mine", "out/picture-0001.png")
        let run = try capture(
            clip, "--count", "2", "--countdown", "0.5", "--interval", "0.5", "--format", "png", "--report", report)
        #expect(run.exitCode == 0, "\(run.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").sorted()
        #expect(names == ["picture-0001.png", "picture-0002.png", "picture-0003.png"])
        #expect(try String(contentsOfFile: folder.path + "/out/picture-0001.png", encoding: .utf8) == "mine")
        let picture = try PictureReader.read(folder.path + "/out/picture-0003.png")
        #expect(picture.pixels.width == 320 && picture.pixels.height == 400)
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect((json["faces"] as? [Any])?.count == 1)
            #expect(try #require(json["motion"] as? Double) <= 1)
            #expect(try #require(json["blur"] as? Double) <= 0.55)
        }
    }

    /// The report gets its name at the end, where a picture must not lie by then.
    @Test(.slow) func aReportReplacesNoPicture() throws {
        let report = folder.path + "/out/picture-0001.jpg"
        let run = try capture(try clip(seconds: 4), "--count", "1", "--countdown", "0", "--force", "--report", report)
        #expect(run.exitCode == 0 && run.output.contains("out/picture-0002.jpg"), "\(run.output) \(run.error)")
        #expect(try String(contentsOfFile: report, encoding: .utf8).hasPrefix("{"))
    }

    @Test(.slow) func aBoothMakesAStripWithMasksByTurns() throws {
        let clip = try clip(seconds: 6)
        let run = try capture(
            clip, "--booth", "--count", "2", "--mask", "skull,tiger", "--countdown", "0.5", "--interval", "0.3",
            "--format",
            "png")
        #expect(run.exitCode == 0, "\(run.error)")
        let strip = try PictureReader.read(folder.path + "/out/strip-0001.png")
        #expect(strip.pixels.width == 660 && strip.pixels.height == 2 * (750 + 30) + 30)
        let pictures = try ["0001", "0002"].map { try bytes(of: folder.path + "/out/picture-\($0).png") }
        #expect(pictures[0] != pictures[1])
        let json = try capture(clip, "--countdown", "0.5", "--json")
        #expect(
            json.exitCode == 0 && json.output.hasPrefix("{") && json.output.count { $0 == "\n" } == 1, "\(json.output)")
        let without = try capture(clip, "--mask", "skull")
        #expect(without.exitCode == 64 && without.error.contains("needs --booth"), "\(without.error)")
    }

    @Test(.slow) func missingConditionsAreReportedAndNothingIsTaken() throws {
        let moving = try capture(try clip(seconds: 4, motion: 200), "--countdown", "0.5")
        #expect(moving.exitCode == 65 && moving.error.contains("bauta: Keep still\n"), "\(moving.error)")
        #expect(moving.error.contains("0 of 1 pictures were taken: "))
        let open = try capture(try clip(seconds: 3), "--countdown", "0.5", "--when", "frontal,smiling", "--count", "9")
        #expect(open.exitCode != 0 && open.error.contains("Smile"), "\(open.error)")
        let wrong = try capture(folder.path + "/clip-0.mkv", "--when", "still,pretty")
        #expect(wrong.exitCode == 64 && wrong.error.contains("one or more of still, frontal"), "\(wrong.error)")
    }
}
