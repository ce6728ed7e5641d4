import Files
import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

extension ExclusiveTests {
    /// `bauta live --control-socket`, asked with `bauta control`.
    @Suite(.serialized) struct ControlTests {
        let folder: TemporaryFolder
        private let socket: String

        init() throws {
            folder = try TemporaryFolder()
            socket = folder.path + "/control"
        }

        private func live(_ arguments: [String] = []) -> [String] {
            [
                "live", "drawn", "--rate", "10", "--occluders", "none", "--headless", "--control-socket", socket,
                "--folder", folder.path,
            ]
                + arguments
        }

        private func control(_ words: String...) throws -> ProgramRun {
            try ProgramRun.bauta(["control", "--socket", socket] + words)
        }

        /// - Returns: what the session writes.
        private func done(_ words: String...) throws -> String {
            let run = try ProgramRun.bauta(["control", "--socket", socket] + words)
            guard run.exitCode == 0 else { throw WaitingFailure("\(words): \(run.exitCode) \(run.error)") }
            return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Waits until the session has processed so many frames more.
        private func waitForFrames(_ count: Int = 1, _ program: RunningProgram) throws {
            func frames() throws -> Int? {
                let text = try control("status").output
                return text.firstMatch(of: /"frames": ([0-9]+)/).flatMap { Int($0.1) }
            }
            let before = try program.wait(for: "an answer", look: frames) { $0 != nil } ?? 0
            try program.wait(for: "\(count) frames", look: frames) { ($0 ?? 0) >= before + count }
        }

        @Test func commandsHaveTheirEffect() throws {
            var recording = ""
            let run = try ProgramRun.bauta(live()) { program in
                try waitForFrames(1, program)
                #expect(try done("mask", "skull") == "skull")
                #expect(try done("status").contains("\"mask\": \"skull\""))
                #expect(try done("next") == "space-helmet")
                #expect(try done("previous") == "skull")
                let unknown = try control("mask", "nonesuch")
                #expect(unknown.exitCode == 1 && unknown.error.contains("there is no mask 'nonesuch'"))
                #expect(try done("masks").contains("\"tiger\""))
                _ = try done("mask", "toggle")
                #expect(try done("status").contains("\"maskIsOn\": false"))
                _ = try done("mask", "on")
                #expect(try done("status").contains("\"maskIsOn\": true"))

                let snapshot = try done("snapshot")
                try program.wait(for: "the snapshot") {
                    FileManager.default.fileExists(atPath: snapshot)
                } until: {
                    $0
                }
                recording = try done("record", "on")
                #expect(try done("record", "on") == recording)
                try waitForFrames(10, program)
                _ = try done("cover", "on")
                try waitForFrames(10, program)
                _ = try done("record", "off")
                #expect(try done("status").contains("\"recording\": null"))
                _ = try done("quit")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: socket))
            #expect(try Recording.sharpness(recording, last: false, folder: folder.path) > 0.001)
            #expect(try Recording.sharpness(recording, last: true, folder: folder.path) == 0)
        }

        /// What has been written to a file that has no name any more is lost.
        @Test(.slow) func aRecordingThatIsGoneIsNotSaved() throws {
            let place = folder.path + "/recordings"
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--occluders", "none", "--headless", "--control-socket", socket, "--folder", place]
            ) { program in
                try waitForFrames(1, program)
                let recording = try done("record", "on")
                try waitForFrames(10, program)
                try FileManager.default.removeItem(atPath: place)
                let off = try control("record", "off")
                #expect(off.exitCode == 1 && off.error.contains("\(recording): is gone"), "\(off.error)")
                // The next one is made as ever.
                let next = try done("record", "on")
                try waitForFrames(5, program)
                _ = try done("record", "off")
                #expect(FileManager.default.fileExists(atPath: next))
                _ = try done("quit")
            }
            #expect(run.error.contains("is gone"), "\(run.error)")
        }

        /// Everybody gets a file of their own, which is there when the answer comes, also with --force.
        @Test(.slow, arguments: [[], ["-f"]]) func eachSnapshotIsAFile(_ options: [String]) throws {
            let run = try ProgramRun.bauta(live(options)) { program in
                try waitForFrames(1, program)
                let live = SlowLive(folder: folder.path)
                let asked = (0..<6).map { _ in live.asked("snapshot") }
                let paths = try asked.map { try $0.output() }
                #expect(Set(paths).count == 6, "\(paths)")
                for path in paths { _ = try PictureReader.read(FilePath(path)) }
                _ = try done("quit")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(folder.results(in: "").count { $0.hasSuffix(".png") } == 6)
        }

        /// Nobody is lost where many ask at once.
        @Test(.slow) func manyAskAtOnce() throws {
            let run = try ProgramRun.bauta(live()) { program in
                try waitForFrames(1, program)
                let live = SlowLive(folder: folder.path)
                let asked = (0..<30).map { _ in live.asked("status") }
                for asked in asked { #expect(try asked.output().contains("\"mask\"")) }
                _ = try done("quit")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        @Test func aSessionMayStartCovered() throws {
            let output = folder.path + "/covered.mp4"
            let run = try ProgramRun.bauta(live(["--covered", "--frames", "10", "-o", output]))
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try Recording.sharpness(output, last: false, folder: folder.path) == 0)
        }

        /// A wide picture: it is whole, between two bars.
        @Test func aPictureMayCover() throws {
            var sign = try PixelBuffer(width: 300, height: 100, format: .rgba8)
            sign.fill(SIMD4(200, 60, 30, 255))
            let picture = folder.path + "/back soon é.png"
            try PictureWriter.write(Picture(pixels: sign), to: picture, options: .init(format: .png), replacing: false)
            let output = folder.path + "/covered.mkv"
            let arguments = ["--covered", "--cover-picture", picture, "--frames", "3", "-o", output]
            let run = try ProgramRun.bauta(live(arguments))
            #expect(run.exitCode == 0, "\(run.error)")
            let shot = folder.path + "/frame.png"
            let made = try ProgramRun.run(
                "/usr/bin/env", ["ffmpeg", "-v", "error", "-i", output, "-frames:v", "1", shot])
            #expect(made.exitCode == 0, "\(made.error)")
            let frame = try PictureReader.read(FilePath(shot))
            // The lossy clip changes colours a little.
            func isNear(_ pixel: SIMD4<UInt16>, _ color: SIMD4<Float>) -> Bool {
                let difference = SIMD4<Float>(pixel) - color
                return (difference * difference).max() < 100
            }
            let (width, height) = (frame.pixels.width, frame.pixels.height)
            let (bar, red) = (SIMD4<Float>(40, 40, 44, 255), SIMD4<Float>(200, 60, 30, 255))
            #expect(isNear(frame.pixels[2, 2], bar))
            #expect(isNear(frame.pixels[width / 2, height - 3], bar))
            #expect(isNear(frame.pixels[3, height / 2], red))
            #expect(isNear(frame.pixels[width - 4, height / 2], red))
            let missing = try ProgramRun.bauta(live(["--cover-picture", folder.path + "/none.png", "--frames", "1"]))
            #expect(missing.exitCode == 66 && missing.error.contains("none.png"), "\(missing.error)")
        }

        @Test(arguments: SlowTests.areWanted ? [SIGTERM, SIGINT, SIGHUP] : [SIGTERM]) func signalsRemoveTheSocket(
            _ signal: Int32
        ) throws {
            let run = try ProgramRun.bauta(live()) {
                try waitForFrames(1, $0)
                kill($0.processIdentifier, signal)
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: socket))
        }

        @Test func mistakesAreExplained() throws {
            let nobody = try control("status")
            #expect(nobody.exitCode == 69 && nobody.error.contains("--control-socket"), "\(nobody.error)")
            for words in [["explode"], ["cover", "maybe"], ["mask"], []] {
                let run = try ProgramRun.bauta(["control", "--socket", socket] + words)
                #expect(run.exitCode == 64, "\(words): \(run.error)")
            }
            try folder.write("mine", "control")
            let taken = try ProgramRun.bauta(live(["--frames", "1"]))
            #expect(taken.exitCode == 73 && taken.error.contains("not a socket"), "\(taken.error)")
            #expect(try String(contentsOfFile: socket, encoding: .utf8) == "mine")
            let environment = ["XDG_RUNTIME_DIR": ""]
            let place = try ProgramRun.bauta(["control", "status"], environment: environment)
            #expect(place.exitCode == 64 && place.error.contains("--socket"), "\(place.error)")
            let automatic = try ProgramRun.bauta(
                ["live", "drawn", "--occluders", "none", "--headless", "--control-socket", "auto"],
                environment: environment)
            #expect(automatic.exitCode == 64 && automatic.error.contains("name a path"), "\(automatic.error)")
        }
    }
}
