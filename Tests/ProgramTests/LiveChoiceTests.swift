import Foundation
import JSON
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// What is chosen in the window of `bauta live` and dropped on it.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct LiveChoiceTests {
        let folder: TemporaryFolder
        private let display: TestDisplay
        private var environment: [String: String] {
            display.environment.merging([
                "XDG_CONFIG_HOME": folder.path + "/configuration é", "XDG_DATA_HOME": folder.path + "/data",
                "HOME": folder.path + "/home",
            ]) { $1 }
        }
        private var configuration: String { folder.path + "/configuration é/bauta/live.json" }

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        private func configurationText() throws -> String { try String(contentsOfFile: configuration, encoding: .utf8) }

        /// Runs a session up to Q.
        @discardableResult
        private func session(
            _ arguments: [String] = [], beginsWith mask: String,
            _ body: @escaping (String, RunningProgram) throws -> Void = { _, _ in }
        ) throws -> ProgramRun {
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--rate", "10", "--occluders", "none"] + arguments, environment: environment,
                folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – mask: \(mask)", of: window)
                try body(window, program)
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            return run
        }

        /// A test picture with many edges.
        private func makeClip(seconds: Int) throws -> String {
            let clip = folder.path + "/a clip é.mp4"
            let source = "testsrc2=size=320x240:rate=25"
            let made = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-t", "\(seconds)", "-pix_fmt", "yuv420p",
                    clip,
                ])
            #expect(made.exitCode == 0, "\(made.error)")
            return clip
        }

        @Test func choicesAreKeptForTheNextSession() throws {
            defer { display.stop() }
            try session(beginsWith: "bauta") { window, _ in
                try display.press("9")
                try display.waitForTitle("Bauta – mask: gentleman", of: window)
            }
            let kept = try configurationText()
            #expect(kept.contains("\"mask\": \"gentleman\""))
            try session(beginsWith: "gentleman")
            // Options come first, and are not kept.
            try session(["--mask", "skull", "--faces", "largest"], beginsWith: "skull")
            #expect(try configurationText() == kept)
            try session(["--no-config"], beginsWith: "bauta") { window, _ in
                try display.press("Right")
                try display.waitForTitle("Bauta – mask: cartoon", of: window)
            }
            #expect(try configurationText() == kept)
        }

        /// The folder from which a window was opened is none of the user's choice.
        @Test(arguments: SlowTests.areWanted ? [true, false] : [true]) func snapshotsGoToTheFolderOfTheDesktop(
            isNamed: Bool
        ) throws {
            defer { display.stop() }
            let videos = folder.path + (isNamed ? "/My \"Vidéos\"" : "/home/Videos")
            try FileManager.default.createDirectory(atPath: videos, withIntermediateDirectories: true)
            if isNamed {
                try folder.write(
                    "# by hand\nXDG_VIDEOS_DIR=\"\(folder.path)/My \\\"Vidéos\\\"\"\n", "configuration é/user-dirs.dirs"
                )
            }
            try session(beginsWith: "bauta") { _, program in
                try display.press("s")
                try program.waitForError("Snapshot: ")
            }
            func pictures(_ folder: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: folder).count { $0.hasSuffix(".png") }
            }
            #expect(try pictures(videos) == 1)
            #expect(try pictures(folder.path) == 0)
        }

        /// The box of a text at the upper edge.
        private static let box = SIMD4<UInt8>(25, 26, 25, 255)

        @Test(.slow) func aMaskForTwoSaysSo() throws {
            defer { display.stop() }
            try session(["--mask", Repository.root + "/Tests/Masks/swap"], beginsWith: "Swap") { window, _ in
                try display.waitForPicture(window, .shows(Self.box, in: .state, above: 0.4))
                // One that has no hat, which may be as dark.
                try display.press("3")
                try display.waitForPicture(window, .lacks(Self.box, in: .state, below: 0.05))
            }
        }

        @Test(.slow) func keysDoWhatTheUserHasChosen() throws {
            defer { display.stop() }
            try folder.write(
                "{\"keys\": {\"F5\": \"mask owl\", \"9\": \"mask tiger\", \"x\": \"mask none\", \"F12\": \"quit\"}}",
                "configuration é/bauta/live.json")
            let run = try session(beginsWith: "bauta") { window, program in
                try display.press("F5")
                try display.waitForTitle("Bauta – mask: owl", of: window)
                try display.press("9")
                try display.waitForTitle("Bauta – mask: tiger", of: window)
                try display.press("x")
                try program.waitForError("there is no mask 'none'")
            }
            #expect(run.error.contains("'F12': F12 always covers everything; this setting is ignored"), "\(run.error)")
        }

        @Test(.slow) func favouritesComeFirst() throws {
            defer { display.stop() }
            try folder.write(
                #"{"mask": "nonesuch", "favourites": ["wolf", "gone", "tiger"]}"#, "configuration é/bauta/live.json")
            let run = try session(beginsWith: "bauta") { window, _ in
                for (key, mask) in [("1", "wolf"), ("2", "tiger"), ("3", "bauta"), ("Left", "tiger"), ("Left", "wolf")]
                {
                    try display.press(key)
                    try display.waitForTitle("Bauta – mask: \(mask)", of: window)
                }
            }
            let words = "the mask of the last session cannot be loaded: there is no mask"
            #expect(run.error.contains(words), "\(run.error)")
            // Of a broken file nothing is used, and nothing is lost.
            try folder.write("{\"mask\": ", "configuration é/bauta/live.json")
            let broken = try session(beginsWith: "bauta") { window, _ in
                try display.press("1", "2")
                try display.waitForTitle("Bauta – mask: cartoon", of: window)
            }
            #expect(broken.error.contains("the file is ignored and kept"), "\(broken.error)")
            #expect(try configurationText() == "{\"mask\": ")
        }

        @Test(.slow) func droppedFilesDoTheObvious() throws {
            defer { display.stop() }
            let clip = try makeClip(seconds: 4)
            try folder.write("no film", "text.mp4")
            try folder.write("no archive", "broken.bauta")
            let packed = folder.path + "/my tiger.bauta"
            let pack = try ProgramRun.bauta(["mask", "pack", Repository.root + "/masks/tiger", "-o", packed])
            #expect(pack.exitCode == 0, "\(pack.error)")
            let socket = folder.path + "/control"
            try session(["--control-socket", socket], beginsWith: "bauta") { window, program in
                func waitForStatus(_ words: String) throws {
                    try program.wait(for: words) {
                        try ProgramRun.bauta(["control", "--socket", socket, "status"]).output
                    } until: {
                        $0.contains(words)
                    }
                }
                try display.drop(packed, on: window)
                try display.waitForTitle("Bauta – mask: Tiger face paint", of: window)
                // Once more, it is no other mask.
                try display.drop(packed, on: window)
                try program.wait(for: "the mask is on again") {
                    program.errorSoFar.components(separatedBy: "is on. To install").count
                } until: {
                    $0 == 3
                }
                let masks = try ProgramRun.bauta(["control", "--socket", socket, "masks"]).output
                #expect(masks.components(separatedBy: "Tiger face paint").count == 2, "\(masks)")
                for file in ["broken.bauta", "text.mp4"] {
                    try display.drop(folder.path + "/" + file, on: window)
                    try program.waitForError("\(folder.path)/\(file)")
                }
                try waitForStatus("\"mask\": \"Tiger face paint\"")
                try waitForStatus("\"source\": \"drawn face\"")
                try display.drop(clip, on: window)
                try waitForStatus("\"source\": \"a clip é.mp4\"")
                try display.drop(Repository.root + "/samples", on: window)
                try waitForStatus("\"source\": \"\(Repository.root)/samples\"")
            }
            // It has been worn, not installed.
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bauta/masks"))
            #expect(!((try? configurationText()) ?? "").contains("iger"))
        }

        /// The threads that load what was dropped, find faces in it and read it are in turn the first one that the system
        /// does not give. The old source goes on. (A source that has begun, and then lacks a thread, ends the session.)
        @Test(.slow) func withoutThreadsTheSourceStays() throws {
            defer { display.stop() }
            let clip = try makeClip(seconds: 4)
            let gate = try FaultInjection(folder: folder.path).gate("thread", error: EAGAIN)
            let socket = folder.path + "/control"
            func status() throws -> (source: String, frames: Double) {
                let text = try ProgramRun.bauta(["control", "--socket", socket, "status"]).output
                let status = try JSONValue(parsing: text)
                guard case .string(let source)? = status["source"], case .number(let frames)? = status["frames"] else {
                    throw Missing(text: text)
                }
                return (source, frames)
            }
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--rate", "10", "--occluders", "none", "--control-socket", socket],
                environment: environment.merging(gate.environment) { $1 }, folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                // By then it has all its threads.
                try program.wait(for: "frames") {
                    try status().frames
                } until: {
                    $0 > 20
                }
                for number in 1...3 {
                    try gate.close(from: number)
                    try display.drop(clip, on: window)
                    try program.wait(for: "the message") {
                        program.errorSoFar.components(separatedBy: "the system cannot start more threads").count
                    } until: {
                        $0 == number + 1
                    }
                    gate.open()
                    let before = try status()
                    #expect(before.source == "drawn face", "\(number)")
                    try program.wait(for: "further frames") {
                        try status().frames
                    } until: {
                        $0 > before.frames + 5
                    }
                }
                try display.drop(clip, on: window)
                try program.wait(for: "the clip") {
                    try status().source
                } until: {
                    $0 == "a clip é.mp4"
                }
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        private struct Missing: Error {
            let text: String
        }

        /// A program in place of ffmpeg that takes frames for the virtual camera, and knows two microphones.
        private func makeFakeFFmpeg() throws -> String {
            let programs = folder.path + "/programs"
            try folder.write(
                """
                #!/bin/sh
                case "$*" in
                *"-sources pulse"*) printf '%s\\n' 'Auto-detected sources for pulse:' '* two [Headset] (none)' ;;
                *"-f v4l2"*) exec cat > /dev/null ;;
                *) exec /usr/bin/ffmpeg "$@" ;;
                esac
                """, "programs/ffmpeg")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: programs + "/ffmpeg")
            return programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        }

        /// The virtual camera, the renderer and the detector of the last session are there again. What is missing is said.
        @Test(.slow) func devicesAreThereNextTime() throws {
            defer { display.stop() }
            let path = try makeFakeFFmpeg()
            let kept = #"{"virtualCamera": "/dev/null", "renderer": "opengl", "detector": "lbp", "folder": "results"}"#
            try folder.write(kept, "configuration é/bauta/live.json")
            let log = folder.path + "/stats"
            func run(_ arguments: [String]) throws -> ProgramRun {
                try ProgramRun.bauta(
                    ["live", "drawn", "--occluders", "none", "--frames", "8", "--report", log] + arguments,
                    environment: environment.merging(["PATH": path]) { $1 }, folder: folder.path)
            }
            let first = try run([])
            #expect(first.exitCode == 0, "\(first.error)")
            #expect(first.error.contains("Renderer: ") && first.error.contains("OpenGL"), "\(first.error)")
            let written = try String(contentsOfFile: log, encoding: .utf8)
            #expect(written.firstMatch(of: /"target":"\/dev\/null","frames":[1-9]/) != nil, "\(written)")
            try folder.write(
                kept.replacing("/dev/null", with: "/dev/none").replacing("lbp", with: "unknown"),
                "configuration é/bauta/live.json")
            let missing = try run([])
            #expect(missing.exitCode == 0, "\(missing.error)")
            #expect(missing.error.contains("/dev/none: the device does not exist"), "\(missing.error)")
            #expect(try configurationText().contains("/dev/none"))
        }

        /// The last picture of a clip wears what is chosen after its end.
        @Test(.slow) func masksChangeAfterTheEndOfAClip() throws {
            defer { display.stop() }
            let (clip, socket) = (folder.path + "/face é.mp4", folder.path + "/control")
            let made = try ProgramRun.bauta(
                [
                    "live", "drawn", "--occluders", "none", "--headless", "--frames", "12", "--mask", "natural",
                    "--output", clip,
                ])
            try #require(made.exitCode == 0, "\(made.error)")
            let run = try ProgramRun.bauta(
                [
                    "live", clip, "--occluders", "none", "--mask", "skull", "--control-socket", socket, "--folder",
                    folder.path + "/out",
                ],
                environment: environment
            ) { program in
                func control(_ words: String...) throws -> String {
                    try ProgramRun.bauta(["control", "--socket", socket] + words).output
                }
                try program.wait(for: "the end") {
                    try control("status")
                } until: {
                    $0.contains("\"hasEnded\": true")
                }
                func picture() throws -> Data {
                    let path = try control("snapshot").split(separator: "\n").first.map(String.init) ?? ""
                    return try Data(contentsOf: URL(fileURLWithPath: path))
                }
                let skull = try picture()
                _ = try control("mask", "wolf")
                #expect(try picture() != skull)
                _ = try control("quit")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// What everyone sees last is covered, also if the source gives no new frame: in a pause, and at the end of a clip.
        @Test(arguments: SlowTests.areWanted ? [true, false] : [true]) func theCoverNeedsNoFrame(isPaused: Bool) throws
        {
            defer { display.stop() }
            let clip = try makeClip(seconds: 1)
            let (output, socket) = (folder.path + "/out.mp4", folder.path + "/control")
            let state = isPaused ? "\"isPaused\": true" : "\"hasEnded\": true"
            let run = try ProgramRun.bauta(
                ["live", clip, "--occluders", "none", "-o", output, "--control-socket", socket]
                    + (isPaused ? ["--loop"] : []),
                environment: environment
            ) { program in
                func control(_ words: String...) throws -> String {
                    try ProgramRun.bauta(["control", "--socket", socket] + words).output
                }
                let window = try display.window(of: program)
                try program.wait(for: "frames") {
                    try control("status")
                } until: {
                    $0.firstMatch(of: /"frames": [1-9]/) != nil
                }
                if isPaused { try display.press("space") }
                try program.wait(for: state) {
                    try control("status")
                } until: {
                    $0.contains(state)
                }
                let sharp = try display.settledPicture(window, in: .bottom)
                if isPaused {
                    // What is changed while nobody sees the window is there when it comes back.
                    try display.minimize(window)
                    _ = try control("cover", "on")
                    try display.restore(window)
                } else {
                    try display.press("c")
                }
                // After the end comes the start page; the message is above it then.
                try display.waitForPicture(
                    window, .differs(from: sharp, "the picture before", in: .bottom, by: 0.2),
                    .shows(WindowTests.alarm, in: isPaused ? .banner : .state, above: isPaused ? 0.05 : 0.4))
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let (first, last) = (
                try Recording.sharpness(output, last: false, folder: folder.path),
                try Recording.sharpness(output, last: true, folder: folder.path)
            )
            #expect(first > 0.01 && last < 0.1 * first, "\(first) \(last)")
        }
    }
}
