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
                "12", "-vf", "scale=320:-2", "-pix_fmt", "yuv444p", folder.path + "/ada.mp4",
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

    /// A pixel of the last frame of a clip with alpha, decoded with it.
    private func frameWithAlpha(of name: String) throws -> Picture {
        let decoder = name.hasSuffix("webm") ? ["-c:v", "libvpx-vp9"] : []
        let run = try ProgramRun.run(
            "/usr/bin/env",
            ["ffmpeg", "-v", "error", "-y"] + decoder + [
                "-i", folder.path + "/" + name, "-update", "1", "-pix_fmt", "rgba", folder.path + "/frame.png",
            ])
        #expect(run.exitCode == 0, "\(run.error)")
        return try PictureReader.read(folder.path + "/frame.png")
    }

    private static let live = ["live", "ada.mp4", "--headless", "--unpaced"]

    @Test(
        .slow, .enabled(if: NetworkFolder.standard.hasPerson, absence),
        arguments: [
            (["video", "ada.mp4"], "out.mov"), (["video", "ada.mp4"], "out.webm"), (live, "out.mov"),
            (live, "out.webm"),
        ])
    func videosHaveAlpha(_ arguments: [String], _ result: String) throws {
        try makeClip()
        let run = try ProgramRun.bauta(
            arguments + ["--occluders", "none", "--mask", "skull", "--output", result, "--background", "transparent"],
            folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        let person = try frameWithAlpha(of: result).pixels.withEightBits()
        #expect(person[4, 4].w < 4 && person[person.width - 5, 4].w < 4)
        #expect(person[person.width / 2, person.height - 8].w > 250)
        let alone = try ProgramRun.bauta(
            arguments + ["--occluders", "none", "--mask", "skull", "--output", "alone-" + result, "--masks-alone"],
            folder: folder.path)
        #expect(alone.exitCode == 0, "\(alone.error)")
        let mask = try frameWithAlpha(of: "alone-" + result).pixels.withEightBits()
        #expect(mask[4, 4].w < 4 && mask[mask.width / 2, mask.height - 8].w < 4)
        #expect(mask[mask.width / 2, mask.height * 9 / 20].w > 250)
    }

    @Test(.enabled(if: NetworkFolder.standard.hasPerson, absence)) func photographsHaveAlpha() throws {
        let ada = Repository.root + "/samples/ada.jpg"
        for option in [["--background", "transparent"], ["--masks-alone"]] {
            let run = try ProgramRun.bauta(
                ["photo", ada, "--mask", "skull", "--output", option[0]] + option, folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            let result = try PictureReader.read(folder.path + "/" + option[0] + "/ada.png")
            let (width, height) = (result.pixels.width, result.pixels.height)
            #expect(result.hasAlpha && result.pixels[4, 4] == .zero)
            #expect((result.pixels[width / 2, height - 8].w == 255) == (option.count == 2))
        }
    }

    @Test func whatHasNoTransparencyIsRefused() throws {
        try makeClip()
        for arguments in [
            ["video", "ada.mp4", "--output", "out.mp4"], Self.live + ["--output", "out.mp4"],
            ["photo", "ada.jpg", "--output", "out.jpg"], ["photo", "ada.jpg", "--format", "jpeg"],
            ["photo", "ada.jpg", "--layers"], ["video", "ada.mp4", "--background", "blur"],
        ] {
            let run = try ProgramRun.bauta(arguments + ["--masks-alone"], folder: folder.path)
            #expect(run.exitCode == 64, "\(arguments): \(run.exitCode) \(run.error)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out.mp4"))
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
