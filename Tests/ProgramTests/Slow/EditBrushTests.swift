import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// The brush in the window of `bauta mask edit`, driven as in `EditTests`.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct EditBrushTests {
        let folder: TemporaryFolder
        private let mask: String
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
            mask = folder.path + "/wölf é"
            try Repository.copyLayeredWolf(to: mask)
        }

        private func pixels() throws -> PixelBuffer { try PictureReader.read(mask + "/wolf.png").pixels.copy() }

        /// How many pixels are not opaque.
        private func transparent() throws -> Int {
            let pixels = try pixels()
            var count = 0
            for y in 0..<pixels.height {
                pixels.withRow(y) { row in for x in row.indices where row[x].w < 128 { count += 1 } }
            }
            return count
        }

        /// Across the forehead. The program gets the whole way of the mouse, also where it draws only some of its places.
        private func stroke(from left: Int, to right: Int, in window: String) throws {
            try display.move(to: left, 246, in: window)
            try display.tool(["xdotool", "sleep", "0.1", "mousedown", "1"])
            for step in 1...4 { try display.move(to: left + (right - left) * step / 4, 246, in: window) }
            try display.tool(["xdotool", "mouseup", "1"])
        }

        @Test func strokesShowAtOnceAndAreSaved() throws {
            defer { display.stop() }
            let before = try transparent()
            let run = try EditWindow.run(mask, on: display) { edited in
                let window = edited.window
                let points = try edited.chooseWolf()
                try display.press("b", "e")
                try display.waitForPicture(
                    window, .shows(EditWindow.accent, in: .brush, above: 0.005),
                    .differs(from: points, "the one with points", in: .texture, by: 0.01))
                _ = try display.settledPicture(window)
                // Without the mesh and the face, so that what changes is the picture.
                try display.press("m", "g")
                let whole = try display.settledPicture(window, count: 4)
                try stroke(from: 460, to: 640, in: window)
                try display.move(to: 20, 700, in: window)
                try display.waitForPicture(
                    window, .differs(from: whole, "the whole mask", in: .model, by: 0.005),
                    .differs(from: whole, "the whole mask", in: .texture, by: 0.005))
                let erased = try display.settledPicture(window)
                #expect(try transparent() == before, "nothing is saved before Ctrl+S")
                // A stroke is a step.
                try display.press("ctrl+z")
                try display.waitForPicture(
                    window, .equals(whole, "the whole mask", in: .model, within: 0.0001),
                    .equals(whole, "the whole mask", in: .texture, within: 0.001))
                try display.press("ctrl+shift+z")
                try display.waitForPicture(window, .equals(erased, "the erased one", in: .model, within: 0.0001))
                try display.press("ctrl+s")
                try display.wait(for: "a larger transparent part of wolf.png") {
                    try transparent()
                } until: {
                    $0 > before + 2000
                }
                let saved = try transparent()
                // The other brush, larger, brings all of it back.
                try display.press("r", "bracketright", "bracketright", "bracketright")
                try stroke(from: 450, to: 650, in: window)
                try display.press("ctrl+s")
                try display.wait(for: "a smaller transparent part of wolf.png") {
                    try transparent()
                } until: {
                    $0 < saved - 2000
                }
                // Escape leaves the brush: the points are there again.
                let brushed = try display.settledPicture(window, in: .texture)
                try display.press("Escape", "m")
                try display.waitForPicture(
                    window, .lacks(EditWindow.accent, in: .brush, below: 0.001),
                    .differs(from: brushed, "the one with the brush", in: .texture, by: 0.01))
                edited.program.interrupt()
            }
            #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.error)")
        }

        /// The program is killed in the middle of a stroke.
        @Test func strokesSurviveAKilledProgram() throws {
            defer { display.stop() }
            let journal = mask + ".journal"
            let killed = try EditWindow.run(mask, on: display) { edited in
                let whole = try edited.chooseWolf()
                try display.press("e")
                try display.waitForPicture(
                    edited.window, .shows(EditWindow.accent, in: .brush, above: 0.005),
                    .differs(from: whole, "the one with points", in: .texture, by: 0.01))
                try display.move(to: 470, 246, in: edited.window)
                try display.tool(["xdotool", "mousedown", "1"])
                try display.wait(for: "a matte in the journal") {
                    try? String(contentsOfFile: journal, encoding: .utf8)
                } until: {
                    $0?.contains("\"mattes\"") == true
                }
                kill(edited.program.processIdentifier, SIGKILL)
            }
            #expect(killed.exitCode == 1000 + SIGKILL)
            let before = try transparent()
            let again = try EditWindow.run(mask, on: display) { edited in
                try display.waitForPicture(
                    edited.window, .shows(EditWindow.button, in: .question, above: 0.2))
                // The mouse is released. Enter restores.
                try display.tool(["xdotool", "mouseup", "1"])
                try display.press("Return", "ctrl+s")
                try display.wait(for: "a larger transparent part of wolf.png") {
                    try transparent()
                } until: {
                    $0 > before + 300
                }
                try display.press("ctrl+q")
            }
            #expect(again.exitCode == 0 && !FileManager.default.fileExists(atPath: journal), "\(again.error)")
        }
    }
}
