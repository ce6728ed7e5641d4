import Foundation
import Synchronization
import TestSupport
import Testing

extension ExclusiveTests {
    /// What `bauta live` waits for: a disk, a program or a network that does not answer. Meanwhile frames go on.
    @Suite(.serialized) struct LiveDelayTests {
        let folder: TemporaryFolder
        private let faults: FaultInjection
        private let live: SlowLive

        init() throws {
            folder = try TemporaryFolder()
            faults = try FaultInjection(folder: folder.path)
            live = SlowLive(folder: folder.path)
        }

        private func run(
            _ arguments: [String] = [], _ environment: [String: String],
            whileRunning body: @escaping (RunningProgram) throws -> Void
        ) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["live", "drawn", "--headless", "--control-socket", live.socket] + arguments,
                environment: environment.merging(["XDG_DATA_HOME": faults.folder + "/data"]) { $1 }, folder: folder.path
            ) { program in
                try body(program)
                _ = try live.control("quit")
            }
        }

        private func makeMask(_ name: String, of other: String = "tiger") throws {
            let masks = folder.path + "/data/bauta/masks"
            try FileManager.default.createDirectory(atPath: masks, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Repository.root + "/masks/" + other, toPath: masks + "/" + name)
        }

        /// A mask is read at the first use and when its files change. The newest choice wins, a command is answered when its
        /// mask is there, and one that cannot be read leaves the one before.
        @Test func masks() throws {
            try makeMask("slow")
            try folder.write("{", "data/bauta/masks/broken/mask.json")
            let gate = faults.gate("open", place: "data/bauta/masks/slow")
            let run = try run([], gate.environment) { program in
                try live.waitForFrames(1, program)
                try gate.close()
                let first = live.asked("mask", "slow")
                try live.waitForFrames(60, program, while: gate)
                #expect(!first.isAnswered)
                let second = live.asked("mask", "skull")
                // It has had its effect: the newer choice has another one.
                #expect(try first.output() == "slow")
                try live.waitForFrames(5, program)
                #expect(!second.isAnswered)
                gate.open()
                #expect(try second.output() == "skull")
                #expect(try live.control("status").output.contains("\"mask\": \"skull\""))

                #expect(try live.control("mask", "slow").output == "slow\n")
                try gate.close()
                let manifest = folder.path + "/data/bauta/masks/slow/mask.json"
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: manifest)
                try live.waitForFrames(60, program, while: gate)
                gate.open()
                let broken = try live.control("mask", "broken")
                #expect(broken.exitCode == 1 && broken.error.contains("broken/mask.json"), "\(broken.error)")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// What is covered stays so while a mask is loaded, and afterwards.
        @Test func theCoverStays() throws {
            try makeMask("slow")
            let gate = faults.gate("open", place: "data/bauta/masks/slow")
            let output = folder.path + "/out.mp4"
            let run = try run(["--covered", "-o", output], gate.environment) { program in
                try live.waitForFrames(1, program)
                try gate.close()
                let asked = live.asked("mask", "slow")
                try live.waitForFrames(10, program, while: gate)
                gate.open()
                #expect(try asked.output() == "slow")
                try live.waitForFrames(5, program)
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try Recording.sharpness(output, last: false, folder: folder.path) == 0)
            #expect(try Recording.sharpness(output, last: true, folder: folder.path) == 0)
        }

        /// Snapshots, recordings, and the file of --report. Commands are answered when the file is there.
        @Test func resultFiles() throws {
            let gate = faults.gate("open", place: "results")
            let run = try run(["--folder", folder.path + "/results"], gate.environment) { program in
                try live.waitForFrames(1, program)
                try gate.close()
                let snapshot = live.asked("snapshot")
                try live.waitForFrames(60, program, while: gate)
                #expect(!snapshot.isAnswered)
                gate.open()
                #expect(try FileManager.default.fileExists(atPath: snapshot.output()))
                try gate.close()
                let recording = live.asked("record", "on")
                try live.waitForFrames(60, program, while: gate)
                #expect(!recording.isAnswered)
                gate.open()
                let path = try recording.output()
                try live.waitForFrames(10, program)
                _ = try live.control("record", "off")
                #expect(try #require(try Recording.frameCount(path)) >= 10)
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        @Test func statistics() throws {
            try folder.write("", "results/stats")
            let gate = faults.gate("write", place: "results")
            let run = try run(["--report", folder.path + "/results/stats"], gate.environment) { program in
                try live.waitForFrames(1, program)
                try gate.close()
                try live.waitForFrames(60, program, while: gate)
                gate.open()
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let text = try String(contentsOfFile: folder.path + "/results/stats", encoding: .utf8)
            let lines = text.split(separator: "\n")
            #expect(lines.count >= 2 && lines.last?.contains("summary") == true)
        }

        /// ffmpeg is asked for its encoders before the first recording, and reads moving pictures of masks.
        @Test(arguments: [["record", "on"], ["mask", "moving"]]) func programs(_ command: [String]) throws {
            try folder.write(
                #"{"format": 1, "name": "x", "layers": [{"type": "warp", "animation": {"file": "moving.gif"}}]}"#,
                "data/bauta/masks/moving/mask.json")
            let made = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=5:duration=1",
                    folder.path + "/data/bauta/masks/moving/moving.gif",
                ])
            #expect(made.exitCode == 0, "\(made.error)")
            let gate = folder.path + "/gate"
            try folder.write(
                """
                #!/bin/sh
                while [ -e '\(gate)' ]; do sleep 0.05; done
                exec /usr/bin/ffmpeg "$@"
                """, "programs/ffmpeg")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/programs/ffmpeg")
            try folder.write("", "gate")
            let path = folder.path + "/programs:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
            let run = try run(["--folder", folder.path + "/results"], ["PATH": path]) { program in
                try live.waitForFrames(1, program)
                let asked = live.asked(command)
                try live.waitForFrames(60, program)
                #expect(!asked.isAnswered)
                try FileManager.default.removeItem(atPath: gate)
                let answer = try asked.output()
                #expect(answer == "moving" || answer.hasSuffix(".mp4"))
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// The session begins before the receiver of signals has been found. One that there is not ends it.
        @Test func addresses() throws {
            let receiver = try UDPSocket()
            let gate = faults.gate("lookup")
            try gate.close()
            defer { gate.open() }
            let run = try run(["--osc", "localhost:\(receiver.port)"], gate.environment) { program in
                try live.waitForFrames(60, program, while: gate)
                gate.open()
                var readable = pollfd(fd: receiver.descriptor, events: Int16(POLLIN), revents: 0)
                try program.wait(for: "a message") {
                    poll(&readable, 1, 0)
                } until: {
                    $0 == 1
                }
            }
            #expect(run.exitCode == 0, "\(run.error)")
            // A source that drops nothing waits, but not for ever.
            try gate.close()
            let waiting = try ProgramRun.bauta(
                [
                    "live", "drawn", "--unpaced", "--headless", "--osc",
                    "localhost:\(receiver.port)",
                ], environment: gate.environment, folder: folder.path
            ) { program in
                try program.wait(for: "the lookup") {
                    gate.isReached
                } until: {
                    $0
                }
                program.interrupt()
            }
            #expect(waiting.error.isEmpty, "\(waiting.error)")
            gate.open()
            let unknown = try ProgramRun.bauta([
                "live", "drawn", "--headless", "--osc", "host.invalid:9000",
            ])
            #expect(unknown.exitCode == 69, "\(unknown.error)")
            #expect(unknown.error.components(separatedBy: "host.invalid:9000").count == 2, "\(unknown.error)")
        }
    }
}

extension ExclusiveWindowTests {
    /// The same in the window.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct WindowDelayTests {
        let folder: TemporaryFolder
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        /// What is chosen is written beside the picture, the newest last, and a message names a snapshot that is there.
        @Test(arguments: [("rename", "configuration"), ("open", "results")])
        func choicesAndSnapshots(_ call: String, _ place: String) throws {
            defer { display.stop() }
            let live = SlowLive(folder: folder.path)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/configuration", withIntermediateDirectories: false)
            let gate = try FaultInjection(folder: folder.path).gate(call, place: place)
            let environment = gate.environment.merging([
                "XDG_CONFIG_HOME": folder.path + "/configuration", "XDG_DATA_HOME": folder.path + "/data",
            ]) { $1 }
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--control-socket", live.socket, "--folder", folder.path + "/results"],
                environment: display.environment.merging(environment) { $1 }, folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                try live.waitForFrames(1, program)
                try gate.close()
                try display.press("8", "s")
                try display.waitForTitle("Bauta – mask: frog", of: window)
                try live.waitForFrames(5, program, while: gate)
                // With the preferences of the first choice on their way, the next ones follow.
                try display.press("2")
                try display.waitForTitle("Bauta – mask: cartoon", of: window)
                try live.waitForFrames(60, program)
                let hasSnapshot = program.errorSoFar.contains("Snapshot: ")
                #expect(hasSnapshot == (place == "configuration"))
                gate.open()
                try program.waitForError("Snapshot: ")
                let message = program.errorSoFar.firstMatch(of: /Snapshot: (.*)/)?.1
                #expect(FileManager.default.fileExists(atPath: String(try #require(message))))
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let kept = try String(contentsOfFile: folder.path + "/configuration/bauta/live.json", encoding: .utf8)
            #expect(kept.contains("\"mask\": \"cartoon\""), "\(kept)")
        }
    }
}
