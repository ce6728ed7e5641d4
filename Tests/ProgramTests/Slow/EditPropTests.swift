import Foundation
import JSON
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// The handles of a prop in the window of `bauta mask edit`. Places are pixels of the window, which is 1280 × 800.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct EditPropTests {
        let folder: TemporaryFolder
        private let display: TestDisplay
        private let mask: String
        /// Where the prop's origin, the end of the arrow to the right, a point of the ring in the plane of the picture,
        /// and the handle for the size are.
        private static let middle = (x: 1040, y: 202)
        private static let arrow = (x: 1112, y: 202)
        private static let ring = (x: 993, y: 249)
        private static let corner = (x: 1113, y: 128)

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
            mask = folder.path + "/hat"
            // Numbers of its own: those of the gallery's hat may change.
            try FileManager.default.createDirectory(atPath: mask, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Repository.root + "/masks/top-hat/top-hat.glb", toPath: mask + "/hat.glb")
            try folder.write(
                #"""
                {"format": 1, "name": "Hat", "author": "A", "license": "CC0-1.0", "under": [], "layers": [
                {"type": "prop", "model": "hat.glb", "anchor": "eyes", "width": 1.595, "position": [0, -0.4, -0.49],
                "rotation": [-8, 0, 0]}]}
                """#, "hat/mask.json")
        }

        private func numbers(_ key: String, _ text: String?) -> [Double] {
            let layer = (try? text.map { try JSONValue(parsing: $0) })??["manifest"]?["layers"]?.elements.first
            return layer?[key]?.number.map { [$0] } ?? layer?[key]?.elements.compactMap(\.number) ?? []
        }

        /// Waits for a journal in which the numbers of a key of the layer are as wanted.
        private func wait(for what: String, _ key: String, until isWanted: ([Double]) -> Bool) throws {
            try display.wait(for: what) {
                numbers(key, try? String(contentsOfFile: mask + ".journal", encoding: .utf8))
            } until: {
                isWanted($0)
            }
        }

        @Test func handlesMoveTurnAndScale() throws {
            defer { display.stop() }
            let run = try EditWindow.run(mask, on: display) { edited in
                let window = edited.window
                /// Drags a handle until the numbers of a key are as wanted.
                func drag(
                    _ from: (x: Int, y: Int), by way: (x: Int, y: Int), _ what: String, _ key: String,
                    until isWanted: ([Double]) -> Bool
                ) throws {
                    let before = try display.settledPicture(window, in: .model)
                    try display.move(to: from.x, from.y, in: window)
                    let near = try display.waitForPicture(
                        window, .differs(from: before, "the one without the mouse", in: .model, by: 0))
                    try display.tool(["xdotool", "mousedown", "1"])
                    try display.waitForPicture(
                        window, .differs(from: near, "the one before it was taken", in: .model, by: 0))
                    try display.move(to: from.x + way.x, from.y + way.y, in: window)
                    try wait(for: what, key, until: isWanted)
                    try display.tool(["xdotool", "mouseup", "1"])
                }
                // Along the arrow only, and the whole drag is one step.
                try drag(Self.arrow, by: (40, 12), "a hat farther to the right", "position") {
                    $0.count == 3 && $0[0] > 0.08 && $0[1] == -0.4 && $0[2] == -0.49
                }
                try display.press("ctrl+z")
                try display.wait(for: "no journal, because nothing is changed") {
                    FileManager.default.fileExists(atPath: mask + ".journal")
                } until: {
                    !$0
                }
                try drag(Self.ring, by: (20, 20), "a tilted hat", "rotation") {
                    $0.count == 3 && abs($0[0] + 8) < 1 && abs($0[1]) < 2 && abs($0[2]) > 5
                }
                try display.press("ctrl+z")
                try drag(Self.corner, by: (24, -24), "a wider hat", "width") {
                    $0.count == 1 && $0[0] > 1.7 && $0[0] < 2.3
                }
                // In steps.
                try display.tool(["xdotool", "keydown", "shift"])
                try drag(Self.middle, by: (-36, 28), "a hat that stands on the grid", "position") { position in
                    position.count == 3 && position[0] < -0.06 && position[1] > -0.34
                        && position.allSatisfy { abs($0 / 0.05 - ($0 / 0.05).rounded()) < 0.03 }
                }
                try display.tool(["xdotool", "keyup", "shift"])
                try display.press("ctrl+s")
                try display.wait(for: "the saved mask") {
                    FileManager.default.fileExists(atPath: mask + ".journal")
                } until: {
                    !$0
                }
                try display.press("ctrl+q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let check = try ProgramRun.bauta(["mask", "check", mask])
            #expect(check.exitCode == 0, "\(check.output)")
        }
    }
}
