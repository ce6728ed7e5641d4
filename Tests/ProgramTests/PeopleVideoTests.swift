import FaceRecognition
import Foundation
import ImageFiles
import NeuralNetworks
import Pixels
import TestSupport
import Testing

extension ExclusiveTests {
    /// Who is who in moving pictures.
    @Suite(
        .enabled(
            if: FaceEmbedder.isInstalled() && NetworkFolder.standard.isUsable,
            "the networks are not installed; scripts/fetch-networks and scripts/fetch-networks --people fetch them"))
    struct PeopleVideoTests {
        /// A video of one person who stays unmasked, and of another who is masked from the first frame on.
        @Test func videosSpareWhoHasAgreed() throws {
            let people = try PeopleTests()
            try people.checkVideo()
        }

        /// A face that is left unmasked on purpose is no face that was not found.
        @Test(.slow) func sparedFacesCountAsFound() throws {
            let people = try PeopleTests()
            try people.checkSparedOnly()
        }

        @Test(.slow) func aMaskThatIsChosenLaterAsksWhoWearsIt() throws {
            let people = try PeopleTests()
            try people.checkMaskChosenLater()
        }
    }
}

extension PeopleTests {
    fileprivate func checkVideo() throws {
        try enroll()
        let before = try party()
        let made = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", folder.path + "/party.png", "-frames:v", "20", "-r", "20",
                "-pix_fmt", "yuv420p", "-crf", "10", folder.path + "/party.mp4",
            ])
        #expect(made.exitCode == 0, "\(made.error)")
        let run = try bauta([
            "video", "party.mp4", "--occluders", "none", "-o", "masked.mp4", "--quiet", "--except", "Eileen Ö",
        ])
        #expect(run.exitCode == 0, "\(run.error)")
        for frame in [0, 10, 19] {
            let picked = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-y", "-i", folder.path + "/masked.mp4", "-vf", "select=eq(n\\,\(frame))",
                    "-frames:v", "1", folder.path + "/frame.png",
                ])
            #expect(picked.exitCode == 0, "\(picked.error)")
            let after = try PictureReader.read(folder.path + "/frame.png")
            let unmasked = difference(150..<300, before, after.pixels)
            let masked = difference(680..<860, before, after.pixels)
            #expect(unmasked < 6 && masked > 20, "frame \(frame): \(unmasked), \(masked)")
        }
    }

    fileprivate func checkSparedOnly() throws {
        try enroll()
        let made = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", portrait, "-frames:v", "10", "-r", "20", "-pix_fmt",
                "yuv420p", folder.path + "/her.mp4",
            ])
        #expect(made.exitCode == 0, "\(made.error)")
        let run = try bauta(["video", "her.mp4", "--occluders", "none", "-o", "masked.mp4", "--except", "Eileen Ö"])
        #expect(run.exitCode == 0 && run.error.contains("10 frames, 0 masked"), "\(run.error)")
        #expect(!run.error.contains("No face was found"), "\(run.error)")
        let isSaid = run.error.contains("Faces were found in 10 frames, but the options leave all of them unmasked")
        #expect(isSaid, "\(run.error)")
    }

    /// A layer for one person in a mask that is chosen while the session runs: she wears it, the other does not.
    fileprivate func checkMaskChosenLater() throws {
        try enroll()
        let before = try party()
        let mask = folder.path + "/bauta/masks/hers"
        try FileManager.default.createDirectory(atPath: folder.path + "/bauta/masks", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/skull", toPath: mask)
        let manifest = try String(contentsOfFile: mask + "/mask.json", encoding: .utf8)
        let layers = manifest.replacing(#""type": "warp","#, with: #""type": "warp", "faces": "person:Eileen Ö","#)
        #expect(layers != manifest)
        try layers.write(toFile: mask + "/mask.json", atomically: true, encoding: .utf8)
        let made = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", folder.path + "/party.png", "-frames:v", "600", "-r", "10",
                "-c:v", "libx264rgb", "-qp", "0", "-preset", "ultrafast", folder.path + "/party.mkv",
            ])
        #expect(made.exitCode == 0, "\(made.error)")
        let environment = ["XDG_DATA_HOME": folder.path]
        let socket = folder.path + "/control"
        func control(_ words: String...) throws -> String {
            let run = try ProgramRun.bauta(["control", "--socket", socket] + words, environment: environment)
            return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let run = try ProgramRun.bauta(
            [
                "live", "party.mkv", "--occluders", "none", "--headless", "--control-socket", socket, "--folder",
                folder.path,
                "--mask",
                "wolf", "--no-config",
            ], environment: environment, folder: folder.path
        ) { program in
            try program.wait(for: "an answer") {
                try control("status")
            } until: {
                $0.contains("frames")
            }
            #expect(try control("mask", "hers") == "hers")
            try program.wait(for: "her face to be recognised") {
                let snapshot = try control("snapshot")
                // It is written after the answer.
                try program.wait(for: snapshot) {
                    FileManager.default.fileExists(atPath: snapshot)
                } until: {
                    $0
                }
                return try changes(String(snapshot.split(separator: "/").last ?? ""), before)
            } until: {
                $0.left > 5000 && $0.right == 0
            }
            _ = try control("quit")
        }
        #expect(run.exitCode == 0, "\(run.error)")
    }

    /// The mean difference in rows of the faces, in grey values.
    private func difference(
        _ columns: Range<Int>, _ before: borrowing PixelBuffer, _ after: borrowing PixelBuffer
    ) -> Int {
        var sum = 0
        for y in 150..<350 { for x in columns { sum += abs(Int(before[x, y].y) - Int(after[x, y].y)) } }
        return sum / (200 * columns.count)
    }
}
