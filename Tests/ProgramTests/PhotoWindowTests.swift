import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta photo --window`, with keys only, and with dlib's detector, so that no network is needed.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct PhotoWindowTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func names(_ place: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + place))?
                .filter { !$0.hasPrefix(".") }.sorted() ?? []
        }

        /// Closes the window once nothing is being masked, which it asks about.
        private func quit(_ program: RunningProgram, _ display: TestDisplay) throws {
            while program.isRunning {
                try display.press("q", "Escape")
                usleep(300_000)
            }
        }

        /// Opens a folder "Holiday" with photographs, and does something once one is shown.
        private func openHoliday(
            _ photographs: [String], _ display: TestDisplay, _ body: @escaping (RunningProgram) throws -> Void
        ) throws -> ProgramRun {
            for name in photographs { try folder.write(try SmallSample.bytes("ada"), "Holiday/\(name)") }
            return try ProgramRun.bauta(
                ["photo", "--window", "--occluders", "none", "--jobs", "1", folder.path + "/Holiday"],
                environment: display.environment.merging(["XDG_CACHE_HOME": folder.path + "/cache"]) { $1 }, limit: 60
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, .lacks(WindowTests.background, in: .photograph, below: 0.5))
                try body(program)
            }
        }

        @Test func whoHasOnlyLookedIsNotAsked() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let run = try openHoliday(["a.jpg"], display) { _ in try display.press("q") }
            #expect(run.exitCode == 0 && run.output.isEmpty, "\(run.error)\(run.output)")
        }

        @Test func anUnansweredQuestionClosesNothing() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let all = (0..<8).map { "\($0).jpg" }
            let run = try openHoliday(all, display) { program in
                try display.press("Return", "q")
                #expect(names("Holiday masked").count < all.count, "it was not asked")
                try display.wait(for: "the results") {
                    names("Holiday masked")
                } until: {
                    $0 == all
                }
                // Until the last one is told.
                sleep(2)
                #expect(program.isRunning)
                try quit(program, display)
            }
            #expect(run.exitCode == 0 && run.output.contains("Holiday masked: 8 masked"), "\(run.error)\(run.output)")
        }

        @Test func photographsAreMaskedBesideThemselves() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            for name in ["ada", "bruno"] {
                try folder.write(try SmallSample.bytes(name), "My Holiday é/\(name).jpg")
            }
            try folder.write(Array("notes".utf8), "My Holiday é/notes.txt")
            let before = try bytes(of: folder.path + "/My Holiday é/ada.jpg")
            // Nothing is ever overwritten.
            try folder.write(Array("mine".utf8), "My Holiday é masked")
            let environment = display.environment.merging(["XDG_CACHE_HOME": folder.path + "/cache"]) { $1 }
            let run = try ProgramRun.bauta(
                ["photo", "--window", "--occluders", "none", folder.path + "/My Holiday é"], environment: environment
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – photographs", of: window)
                try display.waitForPicture(window, .lacks(WindowTests.background, in: .photograph, below: 0.5))
                // F6 goes to the first control of a section, which shows the other photograph; back from there and on, both
                // times past the end.
                let one = try display.settledPicture(window, in: .photograph, count: 10)
                try display.press("F6", "Return")
                try display.waitForPicture(window, .differs(from: one, "the first", in: .photograph, by: 0.1))
                try display.press("shift+F6", "F6", "Return")
                try display.waitForPicture(window, .equals(one, "the first", in: .photograph, within: 0.05))
                try display.press("Escape")
                try display.press("Return")
                try display.wait(for: "the results") {
                    names("My Holiday é masked 2")
                } until: {
                    $0 == ["ada.jpg", "bruno.jpg"]
                }
                // The same masks again: what is missing comes into the same folder. While the first ones are being told,
                // nothing is begun.
                try FileManager.default.removeItem(atPath: folder.path + "/My Holiday é masked 2/bruno.jpg")
                try display.wait(for: "the missing result") {
                    if names("My Holiday é masked 2").count < 2 { try display.press("Return") }
                    return names("My Holiday é masked 2")
                } until: {
                    $0 == ["ada.jpg", "bruno.jpg"]
                }
                #expect(names("").count { $0.hasPrefix("My Holiday") } == 3, "no third folder")
                // Those of another mask replace them.
                let first = try bytes(of: folder.path + "/My Holiday é masked 2/ada.jpg")
                try display.press("Right")
                try display.wait(for: "the other results") {
                    func current() -> [UInt8] {
                        (try? bytes(of: folder.path + "/My Holiday é masked 2/ada.jpg")) ?? first
                    }
                    try display.press("Return")
                    // Another Return, soon after, might come when all is done, and begin a run that finds nothing new.
                    for _ in 0..<30 where current() == first { usleep(100_000) }
                    return current()
                } until: {
                    $0 != first
                }
                try quit(program, display)
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(run.output.contains("My Holiday é masked 2: 2 masked"), "\(run.output)")
            #expect(try bytes(of: folder.path + "/My Holiday é/ada.jpg") == before && names("My Holiday é").count == 3)
            // The next session goes on where one with the same masks has ended, and replaces nothing of others.
            let texts = [("cartoon", "2: Nothing new: 2 masked"), ("bauta", "3: 2 masked")]
            for (mask, text) in texts {
                let again = try ProgramRun.bauta(
                    ["photo", "--window", "--occluders", "none", "--mask", mask, folder.path + "/My Holiday é"],
                    environment: environment
                ) { program in
                    let window = try display.window(of: program)
                    try display.waitForPicture(window, .lacks(WindowTests.background, in: .photograph, below: 0.5))
                    try display.press("Return")
                    try quit(program, display)
                }
                #expect(again.output.contains("My Holiday é masked \(text)"), "\(again.output)")
            }
            func picture(_ ending: String) throws -> Picture {
                try PictureReader.read(folder.path + "/My Holiday é\(ending)/ada.jpg")
            }
            for (one, other) in [("", " masked 2"), ("", " masked 3"), (" masked 2", " masked 3")] {
                let difference = try PictureDifference(picture(one).pixels, picture(other).pixels)
                #expect(difference.share(above: 30) > 0.02, "\(one), \(other)")
            }
        }

        @Test(.slow) func aPhotographIsMagnifiedAndSeenAsItIs() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            try folder.write(try SmallSample.bytes("ada"), "ada.jpg")
            let environment = display.environment.merging(["XDG_CACHE_HOME": folder.path + "/cache"]) { $1 }
            let run = try ProgramRun.bauta(
                ["photo", "--window", "--occluders", "none", "--mask", "skull", "ada.jpg"], environment: environment,
                folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, .lacks(WindowTests.background, in: .photograph, below: 0.5))
                let whole = try display.settledPicture(window, in: .photograph, count: 10)
                try display.press("plus", "plus", "plus")
                try display.waitForPicture(window, .differs(from: whole, "the whole", in: .photograph, by: 0.2))
                try display.press("0")
                try display.waitForPicture(window, .equals(whole, "the whole", in: .photograph, within: 0.05))
                try display.tool(["xdotool", "keydown", "b"])
                try display.waitForPicture(window, .differs(from: whole, "the mask", in: .photograph, by: 0.05))
                try display.tool(["xdotool", "keyup", "b"])
                try display.waitForPicture(window, .equals(whole, "the mask", in: .photograph, within: 0.05))
                // The next mask with this letter.
                try display.press("w")
                try display.waitForPicture(window, .differs(from: whole, "the skull", in: .photograph, by: 0.05))
                // The first one asks, because the photograph is not masked.
                try display.press("q", "q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        @Test(.slow) func photographsAreDroppedOnTheWindow() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            for name in ["ada", "bruno"] { try folder.write(try SmallSample.bytes(name), "\(name).jpg") }
            try folder.write(try SmallSample.bytes("bruno"), "other/ada.jpg")
            try folder.write(Array("no picture".utf8), "hat.glb")
            let environment = display.environment.merging(["XDG_CACHE_HOME": folder.path + "/cache"]) { $1 }
            let run = try ProgramRun.bauta(["photo", "--window", "--occluders", "none"], environment: environment) {
                program in
                let window = try display.window(of: program)
                try display.tool(["xdotool", "windowsize", "--sync", window, "420", "320"])
                let empty = try display.settledPicture(window, in: .photograph)
                try display.drop(folder.path + "/ada.jpg", on: window)
                try display.waitForPicture(
                    window, .differs(from: empty, "the empty window", in: .photograph, by: 0.2))
                // Many equal pictures: the preview follows the photograph.
                let one = try display.settledPicture(window, in: .photograph, count: 10)
                // What is no photograph leaves the list as it is, and another photograph adds to it.
                try display.drop(folder.path + "/hat.glb", on: window)
                try display.drop(folder.path + "/bruno.jpg", on: window)
                try display.waitForPicture(window, .differs(from: one, "the first", in: .photograph, by: 0.2))
                let two = try display.settledPicture(window, in: .photograph, count: 10)
                try display.press("Prior")
                try display.waitForPicture(window, .differs(from: two, "the second", in: .photograph, by: 0.1))
                // It would have the first one's result.
                try display.drop(folder.path + "/other/ada.jpg", on: window)
                // Two masks in turn.
                try display.press("space", "Right", "Return")
                try display.wait(for: "the results") {
                    names("Photographs masked")
                } until: {
                    $0 == ["ada.jpg", "bruno.jpg"]
                }
                try quit(program, display)
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(run.output.contains("Photographs masked: 2 masked"), "\(run.output)")
            let same = try ProgramRun.bauta(
                ["photo", "--occluders", "none", "--mask", "bauta,cartoon", "ada.jpg", "bruno.jpg", "-o", "expected"],
                folder: folder.path)
            #expect(same.exitCode == 0, "\(same.error)")
            for name in ["ada", "bruno"] {
                let difference = try PictureDifference(
                    PictureReader.read(folder.path + "/Photographs masked/\(name).jpg").pixels,
                    PictureReader.read(folder.path + "/expected/\(name).jpg").pixels)
                #expect(difference.share(above: 30) < 0.005, "\(name)")
            }
        }

        /// In the window's own dialog, where the desktop has none. What lies on its side is turned, and so is the result. What is
        /// typed at once is all in the field for searching.
        @Test func aPhotographIsChosenAndTurned() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            try folder.write(try SmallSample.bytes("ada"), "ada.jpg")
            let upright = try PictureReader.read(folder.path + "/ada.jpg")
            // Without loss: the same face is found in both.
            for (name, turn) in [("upright", Orientation.upright), ("lying", .turnLeft)] {
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/" + name, withIntermediateDirectories: true)
                try PictureWriter.write(
                    Picture(pixels: try upright.pixels.turned(from: turn)), to: folder.path + "/\(name)/ada.png",
                    options: .init(format: .png), replacing: false)
            }
            var environment = display.environment
            environment["XDG_CACHE_HOME"] = folder.path + "/cache"
            environment["XDG_CONFIG_HOME"] = folder.path
            environment["PATH"] = folder.path
            try folder.write("{\"photographs\": \"\(folder.path)/lying\"}", "bauta/folders.json")
            let run = try ProgramRun.bauta(["photo", "--window", "--occluders", "none"], environment: environment) {
                program in
                let window = try display.window(of: program)
                let empty = try display.settledPicture(window, in: .photograph)
                try display.press("ctrl+o", "a", "d", "Return")
                try display.waitForPicture(
                    window, .differs(from: empty, "the empty window", in: .photograph, by: 0.2))
                // Escape loses nothing, however often.
                try display.press("bracketright", "Escape", "Escape", "Escape")
                // "K" alone is another mask's.
                try display.tool(["xdotool", "key", "--delay", "0", "ctrl+f", "s", "k"])
                try display.press("Return")
                try display.wait(for: "the result") {
                    if names("lying/ada masked").isEmpty { try display.press("Return") }
                    return names("lying/ada masked")
                } until: {
                    $0 == ["ada.png"]
                }
                try quit(program, display)
            }
            #expect(run.exitCode == 0 && run.output.contains("ada masked: 1 masked"), "\(run.error)\(run.output)")
            let same = try ProgramRun.bauta(
                ["photo", "--occluders", "none", "--mask", "skull", "upright/ada.png", "-o", "expected.png"],
                folder: folder.path)
            #expect(same.exitCode == 0, "\(same.error)")
            let difference = try PictureDifference(
                PictureReader.read(folder.path + "/lying/ada masked/ada.png").pixels,
                PictureReader.read(folder.path + "/expected.png").pixels)
            #expect(difference.share(above: 30) < 0.01)
        }

        @Test func otherOptionsAreRefused() throws {
            for options in [["--output", "out"], ["--anonymise"], ["--report", "r.jsonl"], ["--shuffle", "7"]] {
                let run = try ProgramRun.bauta(["photo", "--window"] + options, folder: folder.path)
                #expect(run.exitCode == 64 && run.error.contains("--window"), "\(run.error)")
            }
        }
    }
}
