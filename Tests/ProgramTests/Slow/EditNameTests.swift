import Foundation
import JSON
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// Names in the window of `bauta mask edit`.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct EditNameTests {
        let folder: TemporaryFolder
        private let mask: String
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
            mask = folder.path + "/wölf é"
            try Repository.copyLayeredWolf(to: mask)
        }

        /// Dear ImGui takes what follows "##" for something that is not shown. Names of files are shown whole: in the list
        /// of layers, in a closed list, above the picture, and in the list of problems.
        @Test func namesAreShownWhole() throws {
            defer { display.stop() }
            let manifest = try String(contentsOfFile: mask + "/mask.json", encoding: .utf8)
            for number in [1, 2] {
                try FileManager.default.copyItem(atPath: mask + "/wolf.png", toPath: mask + "/wolf##\(number).png")
            }
            func use(_ name: String) throws {
                try manifest.replacingOccurrences(of: "wolf.png", with: name)
                    .write(toFile: mask + "/mask.json", atomically: true, encoding: .utf8)
            }
            try use("wolf##1.png")
            let run = try EditWindow.run(mask, on: display) { edited in
                let first = try edited.chooseWolf()
                try use("wolf##2.png")
                try display.waitForPicture(
                    edited.window, .differs(from: first, "the other name", in: .layerRow, by: 0.001),
                    .differs(from: first, "the other name", in: .pictureChoice, by: 0.001),
                    .differs(from: first, "the other name", in: .status, by: 0.001))
                // A name that no file has is in the text of a problem.
                try use("wolf##3.png")
                try display.waitForPicture(
                    edited.window, .shows(EditWindow.problem, in: .problems, above: 0.001))
                let problem = try display.settledPicture(edited.window, in: .problemLines)
                try use("wolf##4.png")
                try display.waitForPicture(
                    edited.window, .differs(from: problem, "the other name", in: .problemLines, by: 0.0002))
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// What cannot be a name is said, and the dialog stays.
        @Test func masksAreSavedUnderAnyPortableName() throws {
            defer { display.stop() }
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    .filter { FileManager.default.fileExists(atPath: folder.path + "/\($0)/mask.json") }.sorted()
            }
            let run = try EditWindow.run(mask, on: display) { edited in
                let window = edited.window
                let plain = try display.settledPicture(window, in: .question)
                try display.click(120, 21, in: window)
                try display.waitForPicture(
                    window, .differs(from: plain, "the one without dialog", in: .question, by: 0.2))
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/taken", withIntermediateDirectories: false)
                let field = 566
                for name in ["a:b", "..", "taken"] {
                    try type(name, into: field, of: edited)
                    try display.waitForPicture(window, .lacks(EditWindow.problem, in: .trouble, below: 0.0001))
                    try display.press("Return")
                    try display.waitForPicture(window, .shows(EditWindow.problem, in: .trouble, above: 0.0005))
                    #expect(try names() == ["wölf é"])
                }
                try type("my ##2. wolf", into: field, of: edited, accepts: true)
                try display.wait(for: "the mask under its new name") {
                    try names()
                } until: {
                    $0 == ["my ##2. wolf", "wölf é"]
                }
                // The new one is edited now.
                try display.waitForPicture(
                    window, .equals(plain, "the one without dialog", in: .question, within: 0.001))
                try edited.clickEye()
                try display.wait(for: "a journal of the new mask") {
                    FileManager.default.fileExists(atPath: folder.path + "/my ##2. wolf.journal")
                } until: {
                    $0
                }
                edited.program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: mask + ".journal"))
        }

        /// Replaces the text of the field at a height in the window, while the program draws no frame: however slow it is,
        /// it misses no key, and keys after a click are for what was clicked.
        private func type(_ text: String, into y: Int, of edited: EditWindow, accepts: Bool = false) throws {
            _ = try display.settledPicture(edited.window)
            try edited.program.suspended {
                try display.click(700, y, in: edited.window)
                try display.tool(["xdotool", "key", "ctrl+a"])
                try display.tool(["xdotool", "type", "x" + text.dropLast()])
                // The first letter has been written over the old text: it is taken back, and the text stays.
                try display.tool(["xdotool", "key", "Home", "Delete", "End"])
                try display.tool(["xdotool", "type", String(text.suffix(1))])
                if accepts { try display.tool(["xdotool", "key", "Return"]) }
            }
        }
    }
}
