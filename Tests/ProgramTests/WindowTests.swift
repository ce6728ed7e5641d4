import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta live` in its window, on a display of its own with a window manager: the tests press keys and compare what
    /// the window shows. The program handles keys in order, so the effect of one key shows that those before it have
    /// been handled.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct WindowTests {
        let folder: TemporaryFolder

        /// The bars beside the picture, and the whole window before the first picture.
        static let background = SIMD4<UInt8>(15, 15, 18, 255)
        /// The drawn face wears the mask `bauta`, which is gold around the eyes. A pause before that would show a bare face
        /// for good.
        static var isMasked: PictureCondition { .shows(SIMD4(206, 164, 90, 255), in: .face, above: 0.15) }
        /// The box of an error.
        static let alarm = SIMD4<UInt8>(102, 15, 15, 255)
        /// The box of the help over the backdrop of the synthetic face.
        static let help = SIMD4<UInt8>(37, 38, 38, 255)

        init() throws { folder = try TemporaryFolder() }

        @Test func everyKeyDoesWhatTheHelpSays() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let results = folder.path + "/results é"
            let log = folder.path + "/stats.json"
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--rate", "10", "--occluders", "none", "--folder", results, "--report", log],
                environment: display.environment
            ) { program in
                let keys = try WindowKeys(display, program, results: results)
                let still = try keys.pauseAndHelp()
                try keys.masks(still)
                try keys.maskOffAndCover(still)
                try keys.meshMirrorAndPanel(still)
                try keys.fullScreen()
                try keys.snapshotAndRecording()
                try keys.droppedMasks(folder.path + "/my tiger é")
                // Keys of the desktop do not end the program: it still handles the next key.
                try display.press("ctrl+q", "alt+q", "1")
                try display.waitForTitle("Bauta – mask: bauta", of: keys.window)
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let files = try FileManager.default.contentsOfDirectory(atPath: results)
            let snapshot = try #require(files.first { $0.hasSuffix(".png") })
            let size = try PictureReader.read(results + "/" + snapshot).pixels.width
            #expect(size == 640)
            let recording = try #require(files.first { $0.hasSuffix(".mp4") })
            let frames = try #require(try Recording.frameCount(results + "/" + recording))
            #expect(frames >= 10, "\(frames)")
            #expect(try String(contentsOfFile: log, encoding: .utf8).contains("\"kind\":\"summary\""))
        }

        @Test(.slow) func aSmallWindowShowsTheWholePanel() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let cache = folder.path + "/cache é"
            let environment = display.environment.merging(["XDG_CACHE_HOME": cache]) { $1 }
            let thumbnails = cache + "/bauta/thumbnails"
            for start in 1...2 {
                let run = try ProgramRun.bauta(
                    ["live", "drawn", "--rate", "10", "--occluders", "none"], environment: environment
                ) {
                    program in
                    let window = try display.window(of: program)
                    try display.tool(["xdotool", "windowsize", "--sync", window, "500", "360"])
                    try display.waitForPicture(window, Self.isMasked)
                    try display.press("space", "Tab")
                    // All thumbnails are drawn, and kept for the next start.
                    try program.wait(for: "the thumbnails are kept") {
                        (try? FileManager.default.contentsOfDirectory(atPath: thumbnails)) ?? []
                    } until: {
                        try $0.count { $0.hasSuffix(".png") } == Repository.maskNames().count
                    }
                    // The end of the panel is reached with the wheel.
                    let top = try display.settledPicture(window, in: .left)
                    try display.move(to: 100, 200, in: window)
                    try display.tool(["xdotool", "click", "--repeat", "60", "--delay", "20", "5"])
                    try display.waitForPicture(window, .differs(from: top, "the top of the panel", in: .left, by: 0.2))
                    try display.press("q")
                }
                #expect(run.exitCode == 0, "start \(start): \(run.error)")
            }
        }

        @Test func closingTheWindowEndsTheProgram() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            var recording = ""
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--rate", "10", "--occluders", "none", "--record"], environment: display.environment,
                folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, .lacks(Self.background, in: .face, below: 0.5))
                recording = try Recording.waitForFrames(1, in: folder.path, of: program)
                // As a click on the title bar's cross does. The window manager may miss a key while it is busy.
                try wait(for: "the window is closed", pause: 1) {
                    try? display.press("alt+F4")
                    return program.isRunning
                } until: {
                    !$0
                }
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try #require(try Recording.frameCount(recording)) >= 1)
        }

        /// In the panel, a mask is worn while the mouse is over it; a click keeps it, and so do the arrow keys. The size of texts
        /// changes, and the last seconds are saved.
        @Test(.slow) func aMaskIsTriedOnUnderTheMouse() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let results = folder.path + "/results é"
            let run = try ProgramRun.bauta(
                [
                    "live", "drawn", "--rate", "10", "--occluders", "none", "--no-config", "--folder", results,
                    "--fade", "0",
                ],
                environment: display.environment
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, Self.isMasked)
                try display.press("space", "h", "h", "Tab")
                let still = try display.settledPicture(window, in: .face, count: 4)
                try display.move(to: 73, 427, in: window)
                try display.waitForPicture(window, .differs(from: still, "bauta", in: .face, by: 0.2))
                // Beside the panel nothing is tried on.
                try display.move(to: 900, 500, in: window)
                try display.waitForPicture(window, .equals(still, "bauta", in: .face, within: 0.001))
                try display.press("Down")
                try display.waitForPicture(window, .differs(from: still, "bauta", in: .face, by: 0.2))
                try display.press("Up")
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                try display.click(73, 427, in: window)
                try display.waitForPicture(window, .differs(from: still, "bauta", in: .face, by: 0.2))
                try display.move(to: 900, 500, in: window)
                try display.waitForPicture(
                    window, .differs(from: still, "bauta", in: .face, by: 0.2))
                let small = try display.settledPicture(window, in: .left)
                try display.press("plus")
                try display.waitForPicture(window, .differs(from: small, "small texts", in: .left, by: 0.1))
                try display.press("minus")
                try display.waitForPicture(window, .equals(small, "small texts", in: .left, within: 0.05))
                try display.press("g")
                try program.wait(for: "the last seconds in \(results)") {
                    ((try? FileManager.default.contentsOfDirectory(atPath: results)) ?? []).sorted()
                } until: {
                    $0.count == 1 && $0[0].hasSuffix(".mp4")
                }
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            for file in try FileManager.default.contentsOfDirectory(atPath: results) {
                #expect(try Recording.frameCount(results + "/" + file) ?? 0 > 0, "\(file)")
            }
        }

        /// Without a mouse: Tab goes through the controls of the panel, and what has the keyboard is framed.
        @Test(.slow) func theKeyboardReachesThePanel() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let results = folder.path + "/results é"
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--rate", "10", "--occluders", "none", "--folder", results],
                environment: display.environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 }
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, Self.isMasked)
                try display.press("space", "h", "h", "Tab")
                let panel = try display.settledPicture(window, in: .left, count: 4)
                try display.press("Tab")
                try display.waitForPicture(
                    window, .differs(from: panel, "a panel without a frame", in: .left, by: 0.001))
                // The first control covers, and is pressed with space or Enter.
                try display.press("space")
                try display.waitForPicture(window, .shows(Self.alarm, in: .banner, above: 0.1))
                try display.press("Return")
                try display.waitForPicture(window, .lacks(Self.alarm, in: .banner, below: 0.01))
                // The fourth one records, and has the keyboard still when it has another name.
                try display.press("Escape", "space", "Tab", "Tab", "Tab", "Tab", "Tab", "Return")
                _ = try Recording.waitForFrames(1, in: results, of: program)
                try display.press("Return")
                try program.waitForError("Saved")
                // From the first control, the one before is the last: it closes the window.
                try display.press("Up", "Up", "Up", "Up", "Return")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// Recordings go on while the screen does not answer.
        /// Nor does the end of the display server lose it.
        @Test(.slow) func aWindowThatHangsDelaysNoRecording() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let live = SlowLive(folder: folder.path)
            var recording = ""
            let run = try ProgramRun.bauta(
                [
                    "live", "drawn", "--occluders", "none", "--no-config", "--folder", folder.path, "--control-socket",
                    live.socket,
                ],
                environment: display.environment
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, Self.isMasked)
                _ = try live.control("record", "on")
                recording = try Recording.waitForFrames(1, in: folder.path, of: program)
                display.hang()
                try live.waitForFrames(60, program)
                #expect(try #require(try Recording.frameCount(recording)) > 30)
                display.goOn()
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                try display.press("8")
                try display.waitForTitle("Bauta – mask: frog", of: window)
                display.stop()
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try #require(try Recording.frameCount(recording)) > 60)
        }

        /// The button of the start page that has the keyboard.
        static let focus = SIMD4<UInt8>(119, 93, 39, 255)

        /// The page says what is missing, and its first button shows a face. Everything by keyboard.
        @Test func aMissingCameraIsWaitedForOnTheStartPage() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let run = try ProgramRun.bauta(["live", "Nonesuch"], environment: display.environment) {
                let window = try display.window(of: $0)
                // The pointer would be on a button, whose colour it changes.
                try display.move(to: 10, 10, in: window)
                let page = try display.waitForPicture(window, .shows(Self.focus, in: .page, above: 0.1))
                try display.press("Down")
                try display.waitForPicture(window, .differs(from: page, "the first button", in: .page, by: 0.1))
                try display.press("Up")
                // The page stays beside the panel, where the help has no room: nobody has asked for that.
                try display.press("Tab")
                try display.waitForPicture(
                    window, .differs(from: page, "no panel", in: .left, by: 0.2),
                    .shows(SIMD4(60, 60, 63, 255), in: .page, above: 0.1))
                try display.press("Escape")
                try display.waitForPicture(window, .shows(Self.focus, in: .page, above: 0.1))
                try display.press("Return")
                // The mask has the colour of the focus, too.
                try display.waitForPicture(
                    window, Self.isMasked, .differs(from: page, "the page", in: .page, by: 0.5))
                try display.press("q")
            }
            #expect(run.exitCode == 0 && run.error.contains("No camera named 'Nonesuch'"), "\(run.error)")
        }

        /// Neither a picture that cannot be read nor the end of a clip ends the program: the page offers other sources, also
        /// through the desktop's dialog.
        @Test func aSourceThatFailsLeavesTheStartPage() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let (pictures, programs) = (folder.path + "/pictures é", folder.path + "/programs é")
            for path in [pictures, programs] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            try Data("not a picture".utf8).write(to: URL(fileURLWithPath: pictures + "/broken.jpg"))
            // The first dialog is not shown, which is not the same as cancelling.
            let dialog = """
                #!/bin/sh
                printf '%s\\n' "$@" > asked
                mkdir tried 2>&- || exec printf '%s\\n' '\(Repository.root)/samples/chidi.jpg'
                echo '(zenity:1): Gtk-WARNING **: cannot open display: ' >&2
                exit 1
                """
            _ = FileManager.default.createFile(
                atPath: programs + "/zenity", contents: Data(dialog.utf8), attributes: [.posixPermissions: 0o755])
            var environment = display.environment
            environment["XDG_CONFIG_HOME"] = folder.path
            try folder.write("{\"sources\": \"\(pictures)\"}", "bauta/folders.json")
            environment["PATH"] = programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
            let run = try ProgramRun.bauta(["live", pictures], environment: environment, folder: programs) {
                let window = try display.window(of: $0)
                // The pointer would be on a button, whose colour it changes.
                try display.move(to: 10, 10, in: window)
                let page = try display.waitForPicture(window, .shows(Self.focus, in: .page, above: 0.1))
                try display.press("o")
                try $0.waitForError("The dialog cannot be shown: (zenity:1)")
                try display.press("o")
                try display.waitForPicture(
                    window, .differs(from: page, "the page", in: .page, by: 0.5),
                    .lacks(Self.background, in: .middle, below: 0.5))
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(run.error.contains("Source: \(Repository.root)/samples/chidi.jpg"), "\(run.error)")
            // It has begun where the last file was chosen, and so does the next one.
            let asked = try String(contentsOfFile: programs + "/asked", encoding: .utf8)
            #expect(asked.contains("\n--filename=\(pictures)/\n"), "\(asked)")
            let kept = try String(contentsOfFile: folder.path + "/bauta/folders.json", encoding: .utf8)
            #expect(kept.contains("/samples\""), "\(kept)")
        }
    }
}

extension ExclusiveWindowTests.WindowTests {
    /// Of a desktop that has neither zenity nor kdialog; files were chosen last among the samples.
    private func withoutDialogs(_ display: TestDisplay) throws -> [String: String] {
        var environment = display.environment
        environment["XDG_CONFIG_HOME"] = folder.path
        environment["PATH"] = folder.path
        try folder.write("{\"sources\": \"\(Repository.root)/samples\"}", "bauta/folders.json")
        return environment
    }

    /// Where the desktop has no dialog for files, the window has one of its own. Its keys are for names.
    @Test func theWindowChoosesFilesItself() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let run = try ProgramRun.bauta(["live", "Nonesuch"], environment: try withoutDialogs(display)) {
            let window = try display.window(of: $0)
            try display.move(to: 10, 10, in: window)
            let page = try display.waitForPicture(window, .shows(Self.focus, in: .page, above: 0.1))
            // Escape chooses nothing, and F12 covers in the dialog, too.
            try display.press("o", "Escape", "o", "c", "h", "i", "d", "F12", "F12", "Return")
            try display.waitForPicture(
                window, .differs(from: page, "the page", in: .page, by: 0.5),
                .lacks(Self.background, in: .middle, below: 0.5))
            try display.press("q")
        }
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.error.contains("Source: \(Repository.root)/samples/chidi.jpg"), "\(run.error)")
    }
}

extension ExclusiveWindowTests.WindowTests {
    /// While another source gives pictures, and during a pause in portrait format, which darkens what is not recorded.
    @Test(.slow) func aClipIsOpenedWhileAnotherSourceRuns() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let run = try ProgramRun.bauta(
            ["live", "drawn", "--vertical", "--occluders", "none"], environment: try withoutDialogs(display)
        ) {
            let window = try display.window(of: $0)
            try display.move(to: 10, 10, in: window)
            try display.waitForPicture(window, Self.isMasked)
            try display.press("space", "8")
            try display.waitForTitle("Bauta – mask: frog", of: window)
            let paused = try display.settledPicture(window, in: .face)
            try display.press("1")
            try display.waitForPicture(window, .differs(from: paused, "the frog", in: .face, by: 0.2))
            try display.press("space", "o", "c", "h", "i", "d", "Return")
            try $0.waitForError("Source: \(Repository.root)/samples/chidi.jpg")
            try display.press("q")
        }
        #expect(run.exitCode == 0, "\(run.error)")
    }
}

/// The steps of `everyKeyDoesWhatTheHelpSays`.
private struct WindowKeys {
    private typealias Colors = ExclusiveWindowTests.WindowTests

    let display: TestDisplay
    let window: String
    private let results: String
    private let program: RunningProgram

    init(_ display: TestDisplay, _ program: RunningProgram, results: String) throws {
        self.display = display
        self.program = program
        self.results = results
        window = try display.window(of: program)
    }

    /// - Returns: the paused picture with the mask `bauta`.
    func pauseAndHelp() throws -> Screenshot {
        try display.waitForTitle("Bauta – mask: bauta", of: window)
        try display.waitForPicture(window, Colors.isMasked)
        try display.press("space", "8")
        try display.waitForTitle("Bauta – mask: frog", of: window)
        try display.press("1")
        try display.waitForTitle("Bauta – mask: bauta", of: window)
        // The help of the first seconds goes by itself.
        try display.waitForPicture(window, .lacks(Colors.help, in: .help, below: 0.1))
        let still = try display.settledPicture(window, count: 4)
        try display.press("h")
        try display.waitForPicture(window, .shows(Colors.help, in: .help, above: 0.5))
        try display.press("h")
        try display.waitForPicture(window, .equals(still, "the paused picture", in: .help, within: 0.001))
        return still
    }

    func masks(_ still: Screenshot) throws {
        try display.press("8")
        try display.waitForTitle("Bauta – mask: frog", of: window)
        let frog = try display.waitForPicture(window, .differs(from: still, "bauta", in: .face, by: 0.2))
        try display.press("Right", "Right", "Right", "Right", "Right", "Right", "Right", "Right", "Right", "Right")
        try display.waitForTitle("Bauta – mask: robot", of: window)
        try display.waitForPicture(
            window, .differs(from: still, "bauta", in: .face, by: 0.2),
            .differs(from: frog, "frog", in: .face, by: 0.2))
        try display.press("1")
        try display.waitForTitle("Bauta – mask: bauta", of: window)
        try display.waitForPicture(window, .equals(still, "bauta", in: .face, within: 0.001))
    }

    /// During a pause. The text over the picture is not compared.
    func maskOffAndCover(_ still: Screenshot) throws {
        try display.press("0")
        let unmasked = try display.waitForPicture(window, .differs(from: still, "bauta", in: .face, by: 0.2))
        for key in ["c", "F12"] {
            try display.press(key)
            try display.waitForPicture(
                window, .shows(Colors.alarm, in: .banner, above: 0.1),
                .differs(from: unmasked, "the unmasked face", in: .middle, by: 0.2))
            // Nothing else shows it.
            try display.press("Escape", "l", "0", "0", "l")
            try display.waitForPicture(window, .shows(Colors.alarm, in: .banner, above: 0.1))
            try display.press(key)
            try display.waitForPicture(window, .equals(unmasked, "the unmasked face", in: .face, within: 0.001))
        }
        try display.press("0")
        try display.waitForPicture(window, .equals(still, "bauta", in: .face, within: 0.001))
    }

    func meshMirrorAndPanel(_ still: Screenshot) throws {
        try display.press("l")
        try display.waitForPicture(window, .differs(from: still, "the face without mesh", in: .face, by: 0.02))
        try display.press("l")
        try display.waitForPicture(window, .equals(still, "the face without mesh", in: .face, within: 0.001))
        try display.press("m")
        try display.waitForPicture(
            window, .equals(try still.mirrored(), "the mirror image", in: .face, within: 0.01),
            .differs(from: still, "the picture that is not mirrored", in: .face, by: 0.1))
        try display.press("m")
        try display.waitForPicture(window, .equals(still, "the picture as before", in: .face, within: 0.001))
        try display.press("Tab")
        try display.waitForPicture(window, .differs(from: still, "the picture without panel", in: .left, by: 0.3))
        try display.press("Escape")
        try display.waitForPicture(window, .equals(still, "the picture without panel", in: .left, within: 0.001))
    }

    func fullScreen() throws {
        try display.press("f")
        try display.waitForSize("1600x900", of: window)
        try display.press("f")
        try display.waitForSize("1280x720", of: window)
        try display.press("f")
        try display.waitForSize("1600x900", of: window)
        try display.press("Escape")
        try display.waitForSize("1280x720", of: window)
    }

    /// The snapshot during a pause, the recording after it. The program is paused again at the end.
    func snapshotAndRecording() throws {
        try display.press("s")
        try program.wait(for: "a snapshot in \(results)") {
            try FileManager.default.contentsOfDirectory(atPath: results)
        } until: {
            $0.contains { $0.hasSuffix(".png") }
        }
        try display.press("space", "r")
        _ = try Recording.waitForFrames(10, in: results, of: program)
        // Neither Esc nor one Q ends a recording.
        try display.press("Escape", "q")
        try display.waitForPicture(window, .shows(Colors.alarm, in: .middle, above: 0.1))
        try display.press("Escape")
        try display.waitForPicture(window, .lacks(Colors.alarm, in: .middle, below: 0.01))
        try display.press("r", "space", "8")
        try display.waitForTitle("Bauta – mask: frog", of: window)
    }

    /// A dropped mask or photograph is worn; a change on disk shows; if an edit fails, the last working version stays.
    /// - Parameter mask: where a copy of a mask goes, which is changed.
    func droppedMasks(_ mask: String) throws {
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/tiger", toPath: mask)
        let frog = try display.settledPicture(window, in: .face, count: 4)
        try display.drop(mask, on: window)
        try display.waitForTitle("Bauta – mask: Tiger face paint", of: window)
        try display.waitForPicture(window, .differs(from: frog, "frog", in: .face, by: 0.2))
        let tiger = try display.settledPicture(window, in: .face)

        try Data("{".utf8).write(to: URL(fileURLWithPath: mask + "/mask.json"))
        try display.waitForPicture(
            window, .shows(Colors.alarm, in: .bottom, above: 0.1),
            .equals(tiger, "the last working version", in: .face, within: 0.001))
        let painting = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/masks/skull/skull.png"))
        try painting.write(to: URL(fileURLWithPath: mask + "/tiger.png"))
        let manifest = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/masks/tiger/mask.json"))
        try manifest.write(to: URL(fileURLWithPath: mask + "/mask.json"))
        try display.waitForPicture(
            window, .differs(from: tiger, "the mask before the edit", in: .face, by: 0.2),
            .lacks(Colors.alarm, in: .bottom, below: 0.01))
        let edited = try display.settledPicture(window, in: .face)

        try display.drop(Repository.root + "/samples/chidi.jpg", on: window)
        try display.waitForTitle("Bauta – mask: chidi.jpg", of: window)
        try display.waitForPicture(window, .differs(from: edited, "the mask before", in: .face, by: 0.2))
    }
}
