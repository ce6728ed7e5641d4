import FaceGeometry
import Foundation
import JSON
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta mask edit` in its window, driven as in `WindowTests`. Its effects show in the window, in the journal and in
    /// the files. Places are pixels of the window, which is 1280 × 800.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct EditTests {
        let folder: TemporaryFolder
        private let mask: String

        init() throws {
            folder = try TemporaryFolder()
            mask = folder.path + "/wölf é"
            try Repository.copyLayeredWolf(to: mask)
        }

        private func json(_ path: String) throws -> JSONValue {
            try JSONValue(parsing: String(contentsOfFile: path, encoding: .utf8))
        }

        private var journal: JSONValue? { try? json(mask + ".journal") }

        /// The wolf's face: the third layer from below.
        private func wolf(_ manifest: JSONValue?) -> JSONValue? {
            manifest?["layers"]?.elements.first { $0["texture"] == .string("wolf.png") }
        }

        private func point(_ index: Int) -> Point? {
            guard let pair = journal?["points"]?["wolf.pts"]?.elements[index].elements.compactMap(\.number),
                pair.count == 2
            else { return nil }
            return Point(Float(pair[0]), Float(pair[1]))
        }

        private func edit(
            _ display: TestDisplay, _ body: @escaping (EditWindow) throws -> Void
        ) throws -> ProgramRun {
            try EditWindow.run(mask, on: display, body)
        }

        private func waitForJournal(
            _ what: String, in edited: EditWindow, until isWanted: (JSONValue?) throws -> Bool
        ) throws {
            try edited.display.wait(for: "\(what) in \(mask).journal") {
                journal
            } until: {
                try isWanted($0)
            }
        }

        @Test(.slow) func pointsLayersStepsAndTheJournal() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let killed = try edit(display) { edited in
                let before = try edited.chooseWolf()
                let (moved, after) = try dragBrow(edited, before)
                try undoAndRedo(edited, moved, before)
                try chooseMultiply(edited, after)
                try save(edited, moved)

                // A second window on the same mask is refused.
                let second = try ProgramRun.bauta(["mask", "edit", mask], environment: display.environment)
                #expect(second.exitCode == 73 && second.error.contains("is already open"), "\(second.error)")

                // Hidden, and then the program is killed.
                try edited.clickEye()
                try waitForJournal("the hidden wolf", in: edited) {
                    wolf($0?["manifest"])?["hidden"] == .bool(true)
                }
                kill(edited.program.processIdentifier, SIGKILL)
            }
            #expect(killed.exitCode == 1000 + SIGKILL)
            #expect(try #require(wolf(json(mask + "/mask.json")))["hidden"] == nil)
            #expect(journal != nil)

            let again = try edit(display) { try takeJournal($0) }
            #expect(again.exitCode == 0, "\(again.error)")
            #expect(journal == nil)
            #expect(try wolf(json(mask + "/mask.json"))?["hidden"] == .bool(true))
            let check = try ProgramRun.bauta(["mask", "check", "--strict", mask])
            #expect(check.exitCode == 0, "\(check.output)")
        }

        /// Drags the outer end of the right brow; its partner moves with it.
        private func dragBrow(_ edited: EditWindow, _ before: Screenshot) throws -> (moved: Point, picture: Screenshot)
        {
            // Without snapping, so that the place is known.
            try edited.display.press("n")
            let brow = (x: 456, y: 303)
            try edited.display.drag(from: brow, to: (brow.x - 20, brow.y + 12), in: edited.window, changing: .texture)
            let reference = try Repository.referenceFace().vertices[17]
            // 435 pixels of the window show 1024 of the texture.
            let way = Point(-20 * 2.35, 12 * 2.35)
            try waitForJournal("point 17 moved by \(way)", in: edited) { _ in
                guard let moved = point(17) else { return false }
                let error = moved - 1024 * reference - way
                return abs(error.x) < 4 && abs(error.y) < 4
            }
            let moved = try #require(point(17))
            let partner = try #require(point(26))
            #expect(abs(moved.x + partner.x - 1024) < 1 && abs(moved.y - partner.y) < 1, "\(moved) \(partner)")
            #expect(wolf(journal?["manifest"])?["landmarks"] == .string("wolf.pts"))
            let after = try edited.display.waitForPicture(
                edited.window, .differs(from: before, "the one before the drag", in: .texture, by: 0.0005),
                .differs(from: before, "the one before the drag", in: .model, by: 0.0005))
            #expect(!FileManager.default.fileExists(atPath: mask + "/wolf.pts"), "nothing is saved before Ctrl+S")
            return (moved, after)
        }

        /// The whole drag is one step.
        private func undoAndRedo(_ edited: EditWindow, _ moved: Point, _ before: Screenshot) throws {
            try edited.display.press("ctrl+z")
            try waitForJournal("no journal, because nothing is changed,", in: edited) { $0 == nil }
            try edited.display.waitForPicture(
                edited.window, .equals(before, "the one before the drag", in: .model, within: 0.0001))
            try edited.display.press("ctrl+shift+z")
            try waitForJournal("point 17 at \(moved)", in: edited) { _ in point(17) == moved }
        }

        /// Chooses another blend mode from the list, with keys.
        private func chooseMultiply(_ edited: EditWindow, _ before: Screenshot) throws {
            try edited.display.waitForPicture(
                edited.window, .equals(before, "the one after the drag", in: .model, within: 0.0001))
            let closed = try edited.display.settledPicture(edited.window, in: .list)
            try edited.display.click(180, 413, in: edited.window)
            try edited.display.waitForPicture(
                edited.window, .differs(from: closed, "the closed list", in: .list, by: 0.02))
            _ = try edited.display.settledPicture(edited.window, in: .list)
            try edited.display.press("Down", "Return")
            try waitForJournal("the blend mode multiply", in: edited) {
                wolf($0?["manifest"])?["blend"] == .string("multiply")
            }
            try edited.display.waitForPicture(
                edited.window, .differs(from: before, "the one with blend mode normal", in: .model, by: 0.05))
        }

        private func save(_ edited: EditWindow, _ moved: Point) throws {
            try edited.display.press("ctrl+s")
            try waitForJournal("no journal, because all is saved,", in: edited) { $0 == nil }
            let saved = try #require(try wolf(json(mask + "/mask.json")))
            #expect(saved["blend"] == .string("multiply") && saved["landmarks"] == .string("wolf.pts"))
            let points = try PointsFile.parse(String(contentsOfFile: mask + "/wolf.pts", encoding: .utf8))
            #expect(points.count == 79 && (points[17] - moved).length < 0.01)
        }

        /// The mask's name is typed without a mouse: in the first section, the first field. It is saved from there.
        @Test func controlsAreReachedWithTheKeyboard() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let run = try edit(display) { edited in
                let closed = try display.settledPicture(edited.window, in: .list)
                // Over "save as", "export" and "keys"; what cannot be pressed is left out.
                try display.press("Tab", "Tab", "Tab", "Tab", "Return")
                try display.waitForPicture(
                    edited.window, .differs(from: closed, "the closed section", in: .list, by: 0.02))
                try display.press("Tab", "ctrl+a", "r", "e", "x")
                try waitForJournal("the name", in: edited) { $0?["manifest"]?["name"] == .string("rex") }
                try display.press("y", "ctrl+s")
                try waitForJournal("no journal, because all is saved,", in: edited) { $0 == nil }
                #expect(try json(mask + "/mask.json")["name"] == .string("rexy"))
                kill(edited.program.processIdentifier, SIGKILL)
            }
            #expect(run.exitCode == 1000 + SIGKILL)
        }

        /// An existing file is replaced only if the user says so once more.
        @Test(.slow) func aMaskIsExportedAsOneFile() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let exported = mask + ".bauta"
            let environment = ["XDG_CONFIG_HOME": folder.path + "/config"]
            let run = try EditWindow.run(mask, on: display, environment: environment) { edited in
                let window = edited.window
                let before = try display.settledPicture(window, in: .question)
                func open() throws {
                    try display.press("ctrl+e")
                    try display.waitForPicture(
                        window, .differs(from: before, "the one without dialog", in: .question, by: 0.2))
                }
                // One press, though the name is being typed.
                try open()
                _ = try display.settledPicture(window, in: .question)
                try display.press("Escape")
                try display.waitForPicture(
                    window, .equals(before, "the one without dialog", in: .question, within: 0.05))
                try open()
                try display.press("Return")
                try display.wait(for: "the packed mask") {
                    FileManager.default.fileExists(atPath: exported)
                } until: {
                    $0
                }
                try display.waitForPicture(
                    window, .equals(before, "the one without dialog", in: .question, within: 0.05))
                try Data("mine".utf8).write(to: URL(fileURLWithPath: exported))
                try open()
                try display.press("Return")
                try display.waitForPicture(window, .shows(EditWindow.problem, in: .trouble, above: 0.001))
                #expect(try bytes(of: exported) == Array("mine".utf8))
                try display.press("Return")
                try display.wait(for: "the replaced mask") {
                    try bytes(of: exported).count
                } until: {
                    $0 > 1000
                }
                try display.waitForPicture(
                    window, .equals(before, "the one without dialog", in: .question, within: 0.05))
                // The mask is saved as before.
                try edited.clickEye()
                try waitForJournal("the hidden wolf", in: edited) { $0 != nil }
                try display.press("ctrl+s")
                try display.wait(for: "the hidden wolf in \(mask)/mask.json") {
                    try wolf(json(mask + "/mask.json"))?["hidden"]
                } until: {
                    $0 == .bool(true)
                }
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let check = try ProgramRun.bauta(["mask", "check", exported])
            #expect(check.exitCode == 0, "\(check.output)")
        }

        /// A layer is chosen and hidden, and a question answered, without the mouse.
        @Test(.slow) func theKeyboardReachesAllControls() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let manifest = try bytes(of: mask + "/mask.json")
            let run = try edit(display) { edited in
                let first = try display.settledPicture(edited.window)
                // Save as, export, two headings, fourteen buttons for layers, the help, a layer, and the wolf's.
                for _ in 0..<23 { try display.press("Tab") }
                try display.press("Return")
                try display.waitForPicture(
                    edited.window, .differs(from: first, "the first layer", in: .texture, by: 0.01))
                #expect(journal == nil)
                try display.press("shift+Tab", "space")
                try waitForJournal("the hidden wolf", in: edited) {
                    wolf($0?["manifest"])?["hidden"] == .bool(true)
                }
                let last = try display.settledPicture(edited.window, in: .question)
                try display.press("ctrl+q")
                try display.waitForPicture(
                    edited.window, .differs(from: last, "the one without question", in: .question, by: 0.2))
                // Not the button that is framed at first, which saves.
                try display.press("Tab", "Return")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try bytes(of: mask + "/mask.json") == manifest && journal == nil)
        }

        /// All that the mouse does comes within one frame.
        @Test(.slow) func aQuickDragEndsWhereTheMouseIsReleased() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let run = try edit(display) { edited in
                _ = try edited.chooseWolf()
                let opacity = (y: 441, start: 245, end: 168)
                try display.move(to: opacity.start, opacity.y, in: edited.window)
                _ = try display.settledPicture(edited.window)
                try edited.program.suspended {
                    try display.tool(["xdotool", "mousedown", "1"])
                    for x in [230, 190, opacity.end] { try display.move(to: x, opacity.y, in: edited.window) }
                    try display.tool(["xdotool", "mouseup", "1"])
                    try display.move(to: 220, 600, in: edited.window)
                }
                try waitForJournal("an opacity of about 0.22", in: edited) {
                    abs((wolf($0?["manifest"])?["opacity"]?.number ?? 1) - 0.22) < 0.06
                }
                edited.program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// The editor offers changes that were not saved, and asks about unsaved changes at the end.
        private func takeJournal(_ edited: EditWindow) throws {
            let (display, window) = (edited.display, edited.window)
            try display.waitForPicture(window, .shows(EditWindow.button, in: .question, above: 0.2))
            let question = try display.settledPicture(window)
            try display.click(EditWindow.restore.x, EditWindow.restore.y, in: window)
            // The wolf's face is hidden again.
            try display.waitForPicture(
                window, .differs(from: question, "the one with the question", in: .question, by: 0.2),
                .differs(from: question, "the one with the question", in: .model, by: 0.1))
            try display.press("ctrl+s")
            try display.wait(for: "the hidden wolf in \(mask)/mask.json") {
                try wolf(json(mask + "/mask.json"))?["hidden"]
            } until: {
                $0 == .bool(true)
            }
            try edited.clickEye()
            try waitForJournal("the wolf that is no longer hidden", in: edited) { $0 != nil }
            let last = try display.settledPicture(window, in: .question)
            try display.press("ctrl+q")
            try display.waitForPicture(
                window, .differs(from: last, "the one without question", in: .question, by: 0.2))
            _ = try display.settledPicture(window, in: .question)
            try display.click(617, 440, in: window)
        }

        /// The window leaves room on a small screen, takes 80 % of a large one, and shows all that belongs to the brush.
        @Test(arguments: [("1280x800", "1152x720"), ("1920x1080", "1536x864")].prefix(SlowTests.areWanted ? 2 : 1))
        func theWindowFitsTheScreen(_ screen: String, _ size: String) throws {
            let display = try TestDisplay(folder: folder.path, screen: screen)
            defer { display.stop() }
            let run = try edit(display) { edited in
                try display.waitForSize(size, of: edited.window)
                let before = try display.settledPicture(edited.window)
                try edited.clickWolf()
                try display.waitForPicture(
                    edited.window, .differs(from: before, "the one before the click", in: .texture, by: 0.01))
                try display.press("b")
                try display.waitForPicture(edited.window, .shows(EditWindow.accent, in: .brush, above: 0.005))
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// Who names no mask chooses one: here a new one, which is then worn by name.
        @Test func aMaskIsChosenInAWindow() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let data = folder.path + "/data é"
            let environment = display.environment.merging(["XDG_DATA_HOME": data]) { $1 }
            let run = try ProgramRun.bauta(["mask", "edit"], environment: environment) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – masks", of: window)
                try display.press("Down", "Up", "Return")
                try display.wait(for: "a new mask") {
                    FileManager.default.fileExists(atPath: data + "/bauta/masks/my-mask/mask.json")
                } until: {
                    $0
                }
                // The editor has a window of its own.
                try wait(for: "the editor is closed", pause: 1) {
                    try? display.press("ctrl+q")
                    return program.isRunning
                } until: {
                    !$0
                }
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// A hat is seen whole, with the wall above it.
        @Test(.slow) func aHatIsShownWhole() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let hat = folder.path + "/hat"
            try FileManager.default.copyItem(atPath: Repository.root + "/masks/top-hat", toPath: hat)
            let run = try EditWindow.run(hat, on: display) { edited in
                try display.waitForPicture(edited.window, .shows(EditWindow.wall, in: .aboveHat, above: 0.9))
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// A model is chosen with keys; the middle shows it, and turns it with the mouse and with keys.
        @Test(.slow) func aPropIsAddedAndLookedAt() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            try FileManager.default.copyItem(
                atPath: Repository.root + "/masks/top-hat/top-hat.glb", toPath: mask + "/hat.glb")
            try folder.write("{\"models\": \"\(mask)\"}", "bauta/folders.json")
            let run = try EditWindow.run(mask, on: display, environment: ["XDG_CONFIG_HOME": folder.path]) { edited in
                let window = edited.window
                _ = try edited.chooseWolf()
                let before = try display.settledPicture(window, in: .question)
                try display.click(38, 162, in: window)
                try display.waitForPicture(
                    window, .differs(from: before, "the one without dialog", in: .question, by: 0.2))
                try display.press("h", "Return")
                try waitForJournal("a prop above the eyes", in: edited) {
                    $0?["manifest"]?["layers"]?.elements.contains {
                        $0["model"] == .string("hat.glb") && $0["anchor"] == .string("eyes")
                    } == true
                }
                var shown = try display.waitForPicture(
                    window, .differs(from: before, "the painting", in: .texture, by: 0.2))
                try display.press("Right", "Up")
                shown = try display.waitForPicture(
                    window, .differs(from: shown, "the one from the front", in: .texture, by: 0.01))
                _ = try display.settledPicture(window, in: .texture)
                try display.move(to: 560, 400, in: window)
                try display.tool(["xdotool", "sleep", "0.3", "mousedown", "1", "sleep", "0.3"])
                try display.move(to: 620, 430, in: window)
                let turned = try display.waitForPicture(
                    window, .differs(from: shown, "the one before the drag", in: .texture, by: 0.01))
                try display.tool(["xdotool", "mouseup", "1"])
                try display.press("f")
                try display.waitForPicture(
                    window, .differs(from: turned, "the turned one", in: .texture, by: 0.01))
                edited.program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// Krita gets the file of the selected layer.
        @Test(.slow) func aPaintingProgramIsOpened() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let krita = try folder.write("#!/bin/sh\nprintf '%s' \"$1\" > \"$0.opened\"\n", "bin/krita")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: krita)
            let path = "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
            let run = try EditWindow.run(mask, on: display, environment: ["PATH": path]) { edited in
                _ = try edited.chooseWolf()
                try display.click(465, 717, in: edited.window)
                try display.wait(for: "the painting in Krita") {
                    try? String(contentsOfFile: krita + ".opened", encoding: .utf8)
                } until: {
                    $0?.hasSuffix("/wölf é/wolf.png") == true
                }
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// A mask without an author, and its second saving.
        @Test(.slow) func theAuthorIsAskedForOnce() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            var manifest = try json(mask + "/mask.json")
            (manifest["author"], manifest["license"]) = (nil, nil)
            try manifest.text(indented: true).write(toFile: mask + "/mask.json", atomically: true, encoding: .utf8)
            let environment = ["XDG_CONFIG_HOME": folder.path + "/config"]
            func waitForFile(_ what: String, until isWanted: (JSONValue) -> Bool) throws {
                try display.wait(for: what) {
                    try? json(mask + "/mask.json")
                } until: {
                    $0.map(isWanted) == true
                }
            }
            let run = try EditWindow.run(mask, on: display, environment: environment) { edited in
                _ = try edited.chooseWolf()
                try edited.clickEye()
                try waitForJournal("the hidden wolf", in: edited) {
                    wolf($0?["manifest"])?["hidden"] == .bool(true)
                }
                let before = try display.settledPicture(edited.window, in: .question)
                try display.press("ctrl+s")
                try display.waitForPicture(
                    edited.window, .differs(from: before, "the one without question", in: .question, by: 0.2))
                try display.tool(["xdotool", "type", "--delay", "60", "A. Painter"])
                try display.press("Return")
                try waitForFile("author and licence") {
                    $0["author"] == .string("A. Painter") && $0["license"] == nil
                }
                try edited.clickEye()
                try waitForJournal("the wolf that is shown", in: edited) { $0 != nil }
                try display.press("ctrl+s")
                try waitForFile("the wolf that is shown") { wolf($0)?["hidden"] == nil }
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let kept = try json(folder.path + "/config/bauta/author.json")
            #expect(kept["author"] == .string("A. Painter") && kept["license"] == nil)
        }

        /// The live window is a process of its own, which gets the saved mask and goes on when the editor ends.
        @Test(.slow) func theMaskIsWornLive() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            var live: pid_t?
            defer { if let live { kill(live, SIGTERM) } }
            let run = try edit(display) { edited in
                _ = try edited.chooseWolf()
                try edited.clickEye()
                try waitForJournal("the hidden wolf", in: edited) { $0 != nil }
                try display.click(931, 553, in: edited.window)
                let editor = edited.program.processIdentifier
                try display.wait(for: "a live window with \(mask)") {
                    let path = "/proc/\(editor)/task/\(editor)/children"
                    let children = try? String(contentsOfFile: path, encoding: .utf8)
                    let numbers = children?.split(separator: " ").compactMap { pid_t($0) } ?? []
                    live = numbers.first {
                        let words = try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)
                        // With a camera nobody else is named.
                        let ends = ["/wölf é\0", "/wölf é\0drawn:ada\0"]
                        return words?.contains("\0live\0--try-mask\0--mask\0") == true
                            && ends.contains { words?.hasSuffix($0) == true }
                    }
                    return live
                } until: {
                    $0 != nil
                }
                #expect(try wolf(json(mask + "/mask.json"))?["hidden"] == .bool(true) && journal == nil)
                // Keys are for the other window now.
                edited.program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(kill(try #require(live), 0) == 0, "it goes on")
        }

        /// Another drawn person, and a photograph of the user's own.
        @Test(.slow) func theWearerIsChosen() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let run = try edit(display) { edited in
                let window = edited.window
                let ada = try display.settledPicture(window)
                try display.click(918, 506, in: window)
                let bruno = try display.waitForPicture(window, .differs(from: ada, "Ada", in: .model, by: 0.1))
                _ = try display.settledPicture(window)
                try display.drop(Repository.root + "/samples/chidi.jpg", on: window)
                try display.waitForPicture(window, .differs(from: bruno, "Bruno", in: .model, by: 0.2))
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// A painting program may write a file in two parts: the editor waits for the whole file, and the view stays as it
        /// is.
        @Test(.slow) func otherProgramsAreFollowed() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let run = try edit(display) { edited in
                let window = edited.window
                let whole = try edited.chooseWolf()
                try display.move(to: 520, 500, in: window)
                try display.tool(["xdotool", "click", "--repeat", "4", "4"])
                try display.waitForPicture(
                    window, .differs(from: whole, "the one before zooming", in: .texture, by: 0.05))
                _ = try display.settledPicture(window, in: .texture)
                // Where nothing has a tooltip, which might lie over the problem.
                try display.move(to: 270, 625, in: window)
                let before = try display.settledPicture(window, count: 4)
                try changePainting(edited, before)
                let after = try display.settledPicture(window)
                #expect(before.difference(after, in: .texture) > 0.05)
                let green = SIMD4<UInt8>(0, 230, 120, 255)
                let points = before.share(of: .texture, near: green)
                let kept = before.share(of: .texture, near: green, alsoIn: after)
                #expect(points > 0.001 && kept > 0.95 * points, "zoom and place are as they were: \(kept) of \(points)")

                // The manifest too: the texture goes, and the change can be undone.
                let manifest = try String(contentsOfFile: mask + "/mask.json", encoding: .utf8)
                try manifest.replacingOccurrences(of: "wolf.png", with: "fangs.png")
                    .write(toFile: mask + "/mask.json", atomically: true, encoding: .utf8)
                try display.waitForPicture(
                    window, .differs(from: after, "the one before the manifest changed", in: .model, by: 0.05))
                #expect(journal == nil)
                try display.press("ctrl+z")
                try display.waitForPicture(
                    window, .equals(after, "the one before the manifest changed", in: .model, within: 0.002))
                try waitForJournal("wolf.png", in: edited) {
                    wolf($0?["manifest"])?["texture"] == .string("wolf.png")
                }
                // An interrupt keeps the unsaved changes.
                edited.program.interrupt()
            }
            #expect(run.exitCode == 0 && run.error.contains("unsaved changes are kept in"), "\(run.error)")
            #expect(journal != nil)
        }

        /// Writes another painting in two parts.
        private func changePainting(_ edited: EditWindow, _ before: Screenshot) throws {
            let (display, window) = (edited.display, edited.window)
            let painting = try bytes(of: Repository.root + "/masks/skull/skull.png")
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: mask + "/wolf.png"))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: painting.prefix(painting.count / 2))
            // Half a picture is a problem; the mask keeps the old one.
            try display.waitForPicture(
                window, .shows(EditWindow.problem, in: .problemLines, above: 0.008),
                .shows(EditWindow.problem, in: .status, above: 0.01),
                .equals(before, "the one with the whole file", in: .model, within: 0.002))
            try file.write(contentsOf: painting.dropFirst(painting.count / 2))
            try file.close()
            try display.waitForPicture(
                window, .differs(from: before, "the old painting", in: .model, by: 0.05),
                .lacks(EditWindow.problem, in: .problemLines, below: 0.001))
        }

        /// Dialogs are opened with the mouse and answered with keys.
        @Test(.slow) func aStickerAndANewNameAreChosen() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let manifest = try bytes(of: mask + "/mask.json")
            func stickers(_ manifest: JSONValue?) -> Int {
                manifest?["layers"]?.elements.count {
                    $0["texture"] == .string("fangs.png") && $0["anchor"] == .string("nose")
                } ?? 0
            }
            try folder.write("{\"parts\": \"\(mask)\"}", "bauta/folders.json")
            let run = try EditWindow.run(mask, on: display, environment: ["XDG_CONFIG_HOME": folder.path]) { edited in
                let window = edited.window
                let plain = try display.settledPicture(window, in: .question)
                // Escape closes the dialog without a change.
                for key in ["Escape", "Return"] {
                    try display.click(195, 134, in: window)
                    try display.waitForPicture(
                        window, .differs(from: plain, "the one without dialog", in: .question, by: 0.2))
                    try display.press("Down", key)
                    if key == "Escape" {
                        try display.waitForPicture(
                            window, .equals(plain, "the one without dialog", in: .question, within: 0.001))
                        #expect(journal == nil)
                    }
                }
                try waitForJournal("a sticker on the nose", in: edited) { stickers($0?["manifest"]) == 1 }
                let sticker = try display.settledPicture(window, in: .question)
                // What is typed replaces the name that is offered.
                try display.press("ctrl+shift+s")
                try display.waitForPicture(
                    window, .differs(from: sticker, "the one without dialog", in: .question, by: 0.2))
                try display.tool(["xdotool", "type", "zorro"])
                try display.press("Return")
                try display.wait(for: "the mask under its new name") {
                    try? json(URL(fileURLWithPath: mask).deletingLastPathComponent().path + "/zorro/mask.json")
                } until: {
                    stickers($0) == 1
                }
                // In a small window, all sliders of the head can be reached with the wheel.
                try display.tool(["xdotool", "windowsize", "--sync", window, "640", "480"])
                let top = try display.settledPicture(window)
                try display.move(to: 360, 440, in: window)
                try display.tool(["xdotool", "click", "--repeat", "30", "--delay", "20", "5"])
                try display.waitForPicture(
                    window, .differs(from: top, "the upper end of the controls", in: .whole, by: 0.01))
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.error)")
            #expect(try bytes(of: mask + "/mask.json") == manifest)
            #expect(journal == nil)
        }

        @Test(.slow) func uneditableMasksAreReported() throws {
            try folder.write("{", "broken/mask.json")
            let broken = try ProgramRun.bauta(["mask", "edit", folder.path + "/broken"])
            #expect(broken.exitCode == 65 && broken.error.contains("[manifest-not-json]"), "\(broken.error)")
            let missing = try ProgramRun.bauta(["mask", "edit", folder.path + "/none"])
            #expect(missing.exitCode == 66)
            let file = try folder.write("x", "a.bauta")
            let packed = try ProgramRun.bauta(["mask", "edit", file])
            #expect(packed.exitCode == 66 && packed.error.contains("bauta mask unpack"), "\(packed.error)")
        }
    }
}
