import FaceGeometry
import Foundation
import JSON
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta mask edit` is killed while it saves, or cannot save.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct EditFaultTests {
        let folder: TemporaryFolder
        private let faults: FaultInjection
        private let mask: String
        /// Of the mask as it is before each run, and as it is saved.
        private let before: JSONValue
        private let after: JSONValue

        init() throws {
            folder = try TemporaryFolder()
            faults = try FaultInjection(folder: folder.path)
            mask = folder.path + "/wolf"
            let text = try String(contentsOfFile: Repository.root + "/Tests/Masks/wolf/mask.json", encoding: .utf8)
            before = try JSONValue(parsing: text)
            after = try JSONValue(
                parsing: text.replacingOccurrences(
                    of: "\"wolf.png\"", with: "\"wolf.png\", \"landmarks\": \"wolf.pts\""))
        }

        /// A mask with unsaved changes: points of a texture, and the manifest that names their file.
        private func prepare() throws {
            try? FileManager.default.removeItem(atPath: mask)
            try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: mask)
            let points = try Repository.referenceFace().vertices.map {
                JSONValue.array([.real(1024 * $0.x), .real(1024 * $0.y)])
            }
            let journal = JSONValue.object([
                "journal": .integer(1), "manifest": after, "points": .object(["wolf.pts": .array(points)]),
            ])
            try folder.write(journal.text(), "wolf.journal")
        }

        /// Opens the mask, takes the unsaved changes, and saves.
        /// - Parameter milliseconds: after the key that saves begins to be pressed, when it is killed; nil: it is not.
        private func save(
            _ display: TestDisplay, _ environment: [String: String] = [:], killedAfter milliseconds: Int? = nil
        ) throws -> ProgramRun {
            try ProgramRun.bauta(
                // Not by its name: there is an installed mask of that name.
                ["mask", "edit", "./wolf"], environment: display.environment.merging(environment) { $1 },
                folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, .shows(EditWindow.button, in: .question, above: 0.2))
                let question = try display.settledPicture(window)
                try display.click(EditWindow.restore.x, EditWindow.restore.y, in: window)
                try display.waitForPicture(
                    window, .differs(from: question, "the one with the question", in: .question, by: 0.2))
                if let milliseconds {
                    let process = program.processIdentifier
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                        kill(process, SIGKILL)
                    }
                    // It may be too late for the key.
                    try? display.press("ctrl+s")
                    return
                }
                try display.press("ctrl+s")
                try program.wait(for: "the mask is saved") {
                    try names().contains("wolf.journal")
                } until: {
                    !$0
                }
                program.interrupt()
            }
        }

        private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

        private func checkThatAllIsWhole(_ what: String) throws {
            let manifest = try JSONValue(parsing: String(contentsOfFile: mask + "/mask.json", encoding: .utf8))
            #expect(manifest == before || manifest == after, "\(what)")
            if let points = try? String(contentsOfFile: mask + "/wolf.pts", encoding: .utf8) {
                #expect(try PointsFile.parse(points).count == 79, "\(what)")
            } else {
                #expect(manifest == before, "the manifest names points that are not there: \(what)")
            }
            // Nothing is lost: what was not saved is in the journal.
            #expect(try manifest == after || names().contains("wolf.journal"), "\(what)")
        }

        @Test func maskAndJournalAreWholeWheneverItIsKilled() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            for call in ["write", "rename", "unlink", "any"] {
                // Each ends with the first call that does not happen.
                try faults.each(.init(call), Array(1...50)) { number, environment in
                    try prepare()
                    // The program ends in the middle.
                    _ = try? save(display, environment)
                    try checkThatAllIsWhole("\(call) \(number)")
                }
            }
            try checkThatTheNextRunClears(display)
        }

        private func checkThatTheNextRunClears(_ display: TestDisplay) throws {
            try prepare()
            try folder.leaveTemporaryFile(in: "wolf")
            #expect(try save(display).exitCode == 0)
            try checkThatAllIsWhole("the last run")
            #expect(try FileManager.default.contentsOfDirectory(atPath: mask).allSatisfy { !$0.hasPrefix(".") })
            #expect(try names().allSatisfy { !$0.hasPrefix(".bauta") })
        }

        @Test
        func maskAndJournalAreWholeAfterSIGKILL() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            var state: UInt64 = 5
            var (early, late) = (0, 0)
            for index in 0..<50 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let pause = Int(state >> 33) % 400
                try prepare()
                let run = try save(display, killedAfter: pause)
                #expect(run.exitCode == 1000 + SIGKILL)
                try checkThatAllIsWhole("\(index), after \(pause) ms")
                if try names().contains("wolf.journal") { early += 1 } else { late += 1 }
            }
            print("killed before the mask was saved: \(early) times, afterwards: \(late) times")
            try checkThatTheNextRunClears(display)
        }
    }
}
