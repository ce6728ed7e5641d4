import Compositing
import Foundation
import ImageFiles
import JSON
import Pixels
import TestSupport
import Testing

extension ExclusiveTests {
    /// `bauta live --anonymise`. With dlib's detector, so that no network is needed.
    @Suite(.serialized) struct AnonymiseLiveTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func ffmpeg(_ arguments: [String]) throws {
            let run = try ProgramRun.run("/usr/bin/env", ["ffmpeg", "-v", "error", "-y"] + arguments)
            #expect(run.exitCode == 0, "\(run.error)")
        }

        private func live(
            _ arguments: [String], whileRunning: ((RunningProgram) throws -> Void)? = nil
        ) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["live", "--anonymise", "--headless", "--detector", "hog"] + arguments, folder: folder.path,
                whileRunning: whileRunning)
        }

        private static func isCover(_ pixel: SIMD4<UInt16>) -> Bool {
            (0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(FaceCover.color[$0])) <= 12 }
        }

        /// A face is there from frame 7 on, which is not searched. Its middle moves by 3 pixels a frame.
        @Test func aFaceIsCoveredInEveryFrameInWhichItCanBeSeen() throws {
            try ffmpeg([
                "-f", "lavfi", "-i", "color=gray:s=480x360:r=12:d=3", "-loop", "1", "-i",
                Repository.root + "/samples/ada.jpg", "-filter_complex",
                "[1]scale=240:-1[face];[0][face]overlay=x=20+36*t:y=20:shortest=1:enable='gte(n\\,7)'[v]", "-map",
                "[v]", "-t", "3",
                "-pix_fmt", "yuv420p", folder.path + "/in.mkv",
            ])
            let run = try live(["in.mkv", "--unpaced", "-o", "out.mkv", "--report", "-"])
            #expect(run.exitCode == 0, "\(run.error)")
            let summary = try JSONValue(parsing: String(run.output.split(separator: "\n").last ?? ""))
            #expect(summary["frames"]?.number == 36, "\(run.output)")
            try ffmpeg(["-i", folder.path + "/out.mkv", folder.path + "/%d.png"])
            for number in 7..<36 {
                let picture = try PictureReader.read(folder.path + "/\(number + 1).png")
                let middle = 140 + 3 * number
                // Eyes and mouth.
                let uncovered = (middle - 40...middle + 40).count { x in
                    stride(from: 130, through: 220, by: 6).contains { !Self.isCover(picture.pixels[x, $0]) }
                }
                #expect(uncovered == 0, "frame \(number): \(uncovered) columns")
                // The rest of the picture is there.
                #expect(!Self.isCover(picture.pixels[450, 180]))
            }
        }

        /// In its own time, with commands of other programs: the picture is late, no mask is worn, and everything can be covered.
        @Test func commandsAndTimesAreThoseOfALivePicture() throws {
            let control = SlowLive(folder: folder.path)
            let run = try live(["drawn", "--control-socket", control.socket, "-o", "out.mp4", "--report", "report"]) {
                program in
                try control.waitForFrames(20, program)
                let mask = try control.control("mask", "skull")
                #expect(mask.exitCode == 1 && mask.error.contains("no mask is drawn"), "\(mask.error)")
                #expect(try control.control("mask", "toggle").exitCode == 1)
                #expect(try control.control("status").output.contains("\"maskIsOn\": false"))
                let snapshot = try control.control("snapshot")
                let path = snapshot.output.trimmingCharacters(in: .whitespacesAndNewlines)
                let picture = try PictureReader.read(path)
                let middle = picture.pixels[320, 240]
                #expect(Self.isCover(middle) || abs(Int(middle.x) - Int(picture.pixels[318, 240].x)) < 3, "\(middle)")
                #expect(try control.control("cover", "on").exitCode == 0)
                try control.waitForFrames(20, program)
                _ = try control.control("quit")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try Recording.sharpness(folder.path + "/out.mp4", last: true, folder: folder.path) == 0)
            let report = try String(contentsOfFile: folder.path + "/report", encoding: .utf8)
            let delay = report.split(separator: "\n").last?.firstMatch(of: /"delay":\{"median":([0-9.]+)/)
            #expect((delay.flatMap { Double($0.1) } ?? 0) >= 400, "\(report)")
        }

        /// What is recorded of a microphone waits for the picture.
        @Test func soundIsAsLateAsThePicture() throws {
            try folder.write("#!/bin/sh\necho \"$@\" >&2\nexit 1\n", "programs/ffmpeg")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/programs/ffmpeg")
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            for (options, isLate) in [(["--anonymise", "--detector", "hog"], true), ([], false)] {
                let run = try ProgramRun.bauta(
                    ["live", "drawn", "--headless", "--frames", "3", "--audio", "-o", "out.mp4", "--force"] + options,
                    environment: ["PATH": folder.path + "/programs:" + path], folder: folder.path)
                #expect(run.error.contains("-f pulse"), "\(run.error)")
                #expect(run.error.contains("-itsoffset 0.4 -thread_queue_size 1024 -f pulse") == isLate, "\(run.error)")
            }
        }

        @Test(arguments: [
            ["--mask", "skull"], ["--faces", "largest"], ["--min-face", "40px"], ["--when-lost", "blur"],
            ["--renderer", "software"], ["--occluders", "hands"], ["--fade", "1"], ["--osc", "127.0.0.1:9"],
            ["--sound", "none"],
        ])
        func whatWouldShowAFaceOrHasNoEffectIsRefused(_ options: [String]) throws {
            let run = try live(["drawn", "--frames", "1"] + options)
            #expect(run.exitCode == 64 && run.error.contains("contradict each other"), "\(run.error)")
        }

        @Test func coversAreForAnonymising() throws {
            let run = try ProgramRun.bauta(["live", "drawn", "--headless", "--frames", "1", "--cover", "blur"])
            #expect(run.exitCode == 64 && run.error.contains("--cover needs --anonymise"), "\(run.error)")
        }

        @Test func itNeedsCenterFaceUnlessTheUserAcceptsLess() throws {
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--headless", "--frames", "1", "--anonymise"],
                environment: ["XDG_DATA_HOME": folder.path])
            #expect(run.exitCode == 69 && run.error.contains("bauta fetch-networks"), "\(run.error)")
        }
    }
}
