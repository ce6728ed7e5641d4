import Foundation
import TestSupport
import Testing

extension ExclusiveTests {
    /// `bauta live --control`, asked with `bauta control`.
    @Suite(.serialized) struct ControlTests {
        let folder: TemporaryFolder
        private let socket: String

        init() throws {
            folder = try TemporaryFolder()
            socket = folder.path + "/control"
        }

        private func live(_ arguments: [String] = []) -> [String] {
            ["live", "--source", "drawn", "--headless", "--control", socket, "--folder", folder.path] + arguments
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
                #expect(try done("next") == "sugar-skull")
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

        @Test func aSessionMayStartCovered() throws {
            let output = folder.path + "/covered.mp4"
            let run = try ProgramRun.bauta(live(["--covered", "--frames", "10", "-o", output]))
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try Recording.sharpness(output, last: false, folder: folder.path) == 0)
        }

        @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalsRemoveTheSocket(_ signal: Int32) throws {
            let run = try ProgramRun.bauta(live()) {
                try waitForFrames(1, $0)
                kill($0.processIdentifier, signal)
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: socket))
        }

        @Test func mistakesAreExplained() throws {
            let nobody = try control("status")
            #expect(nobody.exitCode == 69 && nobody.error.contains("--control"), "\(nobody.error)")
            for words in [["explode"], ["cover", "maybe"], ["mask"], []] {
                let run = try ProgramRun.bauta(["control", "--socket", socket] + words)
                #expect(run.exitCode == 64, "\(words): \(run.error)")
            }
            try folder.write("mine", "control")
            let taken = try ProgramRun.bauta(live(["--frames", "1"]))
            #expect(taken.exitCode == 73 && taken.error.contains("no socket"), "\(taken.error)")
            #expect(try String(contentsOfFile: socket, encoding: .utf8) == "mine")
            let camera = try ProgramRun.bauta(["live", "--headless", "--control", "exposure=200"])
            #expect(camera.exitCode == 64 && camera.error.contains("--camera-control"), "\(camera.error)")
            let environment = ["XDG_RUNTIME_DIR": ""]
            let place = try ProgramRun.bauta(["control", "status"], environment: environment)
            #expect(place.exitCode == 64 && place.error.contains("--socket"), "\(place.error)")
            let automatic = try ProgramRun.bauta(
                ["live", "--source", "drawn", "--headless", "--control", "auto"], environment: environment)
            #expect(automatic.exitCode == 64 && automatic.error.contains("name a path"), "\(automatic.error)")
        }
    }
}
