import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// `bauta live` in its window, on a display of its own, with a window manager: keys are pressed, and what is to be seen
/// is compared.
@Suite(
    .serialized,
    .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
struct WindowTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyKeyDoesWhatTheHelpSays() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let results = folder.path + "/results é"
        // An artist's copy of a mask, which will change on disk.
        let mask = folder.path + "/my tiger é"
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/tiger", toPath: mask)
        let log = folder.path + "/stats.json"
        let run = try ProgramRun.bauta(
            ["live", "--source", "drawn", "--folder", results, "--stats", log], environment: display.environment
        ) { process in
            let window = try display.window(of: process)
            func title() throws -> String { try display.tool(["xdotool", "getwindowname", window]) }
            #expect(try title() == "Bauta – bauta")

            // The help is there at first, and goes.
            try display.waitForPicture(window) { $0.share(of: .face, near: SIMD4(15, 15, 18, 255)) < 0.5 }
            try display.press("h")
            usleep(1_500_000)
            try display.press("space")
            usleep(500_000)
            let still = try display.picture(window)
            usleep(300_000)
            #expect(try still.difference(display.picture(window)) < 0.0001, "a pause stands still")
            try display.press("h")
            usleep(300_000)
            #expect(try still.difference(display.picture(window), in: .middle) > 0.1, "H shows the help")
            try display.press("h")
            usleep(1_500_000)

            // Masks. The name is shown for three seconds, below the face.
            try display.press("8")
            let second = try display.picture(window, after: 0.4)
            #expect(try title() == "Bauta – skull")
            #expect(still.difference(second, in: .face) > 0.2)
            try display.press("Right", "Right")
            #expect(try title() == "Bauta – tiger")
            #expect(try still.difference(display.picture(window, after: 0.4), in: .face) > 0.2)
            try display.press("1")
            #expect(try still.difference(display.picture(window, after: 0.4), in: .face) < 0.001)
            #expect(try title() == "Bauta – bauta")

            // Mesh and landmarks, and back.
            try display.press("l")
            #expect(try still.difference(display.picture(window, after: 0.4), in: .face) > 0.02)
            try display.press("l")
            #expect(try still.difference(display.picture(window, after: 0.4), in: .face) < 0.001)

            try display.press("m")
            sleep(3)
            let mirrored = try display.picture(window)
            let rest = try still.mirrored().difference(mirrored, in: .face)
            #expect(rest < 0.01)
            #expect(still.difference(mirrored, in: .face) > 0.1)
            try display.press("m")

            try display.press("Tab")
            try display.waitForPicture(window) { still.difference($0, in: .left) > 0.3 }
            try display.press("Tab")
            #expect(try still.difference(display.picture(window, after: 0.4), in: .left) < 0.001)

            try display.press("f")
            usleep(800_000)
            #expect(try display.tool(["xdotool", "getwindowgeometry", window]).contains("1600x900"))
            try display.press("f")
            usleep(800_000)
            #expect(try display.tool(["xdotool", "getwindowgeometry", window]).contains("1280x720"))

            // During a pause too.
            try display.press("s")
            usleep(800_000)
            try display.press("space", "r")
            sleep(2)
            try display.press("r")
            usleep(500_000)
            try display.press("space")

            // What is dropped is worn; what changes on disk is taken up; a broken edit keeps what was.
            try display.drop(mask, on: window)
            usleep(700_000)
            #expect(try title() == "Bauta – Tiger face paint")
            sleep(3)
            let tiger = try display.picture(window)
            try Data("{".utf8).write(to: URL(fileURLWithPath: mask + "/mask.json"))
            usleep(600_000)
            let broken = try display.picture(window)
            #expect(tiger.difference(broken, in: .face) < 0.001)
            #expect(tiger.difference(broken, in: .bottom) > 0.1, "the error is shown")
            let skull = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/masks/skull/skull.png"))
            try skull.write(to: URL(fileURLWithPath: mask + "/tiger.png"))
            let manifest = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/masks/tiger/mask.json"))
            try manifest.write(to: URL(fileURLWithPath: mask + "/mask.json"))
            usleep(600_000)
            let mended = try display.picture(window)
            #expect(tiger.difference(mended, in: .face) > 0.2)
            #expect(tiger.difference(mended, in: .bottom) < 0.01)
            try display.drop(Repository.root + "/samples/chidi.jpg", on: window)
            sleep(2)
            #expect(try title() == "Bauta – chidi.jpg")
            #expect(try mended.difference(display.picture(window), in: .face) > 0.2)

            // A key of the desktop's is not ours.
            try display.press("ctrl+q", "alt+q")
            usleep(300_000)
            #expect(process.isRunning)
            try display.press("q")
        }
        #expect(run.exitCode == 0, "\(run.error)")
        let files = try FileManager.default.contentsOfDirectory(atPath: results)
        let snapshot = try #require(files.first { $0.hasSuffix(".png") })
        let size = try PictureReader.read(results + "/" + snapshot).pixels.width
        #expect(size == 640)
        let recording = try #require(files.first { $0.hasSuffix(".mp4") })
        let seconds = try display.tool([
            "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", results + "/" + recording,
        ])
        #expect(try #require(Double(seconds)) > 1 && #require(Double(seconds)) < 4, "\(seconds)")
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("\"kind\":\"summary\""))
    }

    @Test func closingTheWindowEndsTheProgram() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let run = try ProgramRun.bauta(
            ["live", "--source", "drawn", "--record"], environment: display.environment, folder: folder.path
        ) {
            let window = try display.window(of: $0)
            try display.waitForPicture(window) { $0.share(of: .face, near: SIMD4(15, 15, 18, 255)) < 0.5 }
            sleep(1)
            // As a click on the title bar's cross does.
            _ = try display.tool(["xdotool", "key", "--window", window, "alt+F4"])
        }
        #expect(run.exitCode == 0, "\(run.error)")
        let recording = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".mp4") })
        _ = try display.tool(["ffprobe", "-v", "error", folder.path + "/" + recording])
    }

    /// The sentence is to be seen, and the window goes on answering.
    @Test func aMissingCameraIsWaitedFor() throws {
        let display = try TestDisplay(folder: folder.path)
        defer { display.stop() }
        let run = try ProgramRun.bauta(["live", "--camera", "Nonesuch"], environment: display.environment) { process in
            let window = try display.window(of: process)
            usleep(1_500_000)
            try display.press("h")
            usleep(1_500_000)
            let picture = try display.picture(window)
            #expect(picture.share(of: .middle, near: SIMD4(102, 15, 15, 255)) > 0.1)
            try display.press("Escape")
        }
        #expect(run.exitCode == 0 && run.error.contains("There is no camera called 'Nonesuch'"), "\(run.error)")
    }
}
