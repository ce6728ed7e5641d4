import Foundation
import ImageFiles
import NeuralNetworks
import Pixels
import TestSupport
import Testing

private let absence: Comment = "MediaPipe's networks of people are not installed; scripts/fetch-networks fetches them"

/// `--background`, in videos and live.
@Suite struct BackgroundTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeClip() throws {
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", Repository.root + "/samples/ada.jpg", "-t", "0.5", "-r",
                "12", "-pix_fmt", "yuv444p", folder.path + "/ada.mp4",
            ])
        #expect(run.exitCode == 0, "\(run.error)")
    }

    /// The last frame of a clip.
    private func frame(of name: String) throws -> Picture {
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-y", "-i", folder.path + "/" + name, "-update", "1",
                folder.path + "/frame.png",
            ])
        #expect(run.exitCode == 0, "\(run.error)")
        return try PictureReader.read(folder.path + "/frame.png")
    }

    private func isGreen(_ pixel: SIMD4<UInt16>) -> Bool { pixel.x < 40 && pixel.y > 215 && pixel.z < 40 }

    private func check(_ result: String) throws {
        let after = try frame(of: result)
        let (width, height) = (after.pixels.width, after.pixels.height)
        #expect(isGreen(after.pixels[4, 4]) && isGreen(after.pixels[width - 5, 4]), "\(result)")
        #expect(!isGreen(after.pixels[width / 2, height / 2]), "\(result)")
        #expect(!isGreen(after.pixels[width / 2, height - 8]), "\(result)")
    }

    @Test(
        .enabled(if: NetworkFolder.standard.hasPerson, absence),
        arguments: [
            ["video", "ada.mp4", "--output", "out.mp4"],
            ["video", "ada.mp4", "--output", "out.mp4", "--anonymise", "--detector", "hog"],
            ["live", "ada.mp4", "--output", "out.mp4", "--headless", "--unpaced"],
        ])
    func aColourIsBehindThePerson(_ arguments: [String]) throws {
        try makeClip()
        let run = try ProgramRun.bauta(arguments + ["--background", "#00ff00"], folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        try check("out.mp4")
    }

    @Test func whatIsMissingIsNamed() throws {
        try makeClip()
        func run(_ background: String, _ environment: [String: String] = [:]) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["video", "ada.mp4", "--output", "out.mp4", "--landmarks", "cascade", "--background", background],
                environment: environment, folder: folder.path)
        }
        #expect(try run("#12").exitCode == 64)
        let without = try run("blur", ["XDG_DATA_HOME": folder.path])
        #expect(without.exitCode == 69 && without.error.contains("bauta fetch-networks"), "\(without.error)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out.mp4"))
        guard NetworkFolder.standard.hasPerson else { return }
        let lost = try run("beach at night.png")
        #expect(lost.exitCode == 66 && lost.error.contains("beach at night.png"), "\(lost.error)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out.mp4"))
    }
}
