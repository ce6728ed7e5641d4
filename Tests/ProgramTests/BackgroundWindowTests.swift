import Foundation
import NeuralNetworks
import TestSupport
import Testing

private let absence: Comment = "MediaPipe's networks of people are not installed; scripts/fetch-networks fetches them"

extension ExclusiveWindowTests {
    /// What is behind people, chosen in the panel of `bauta live`.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct BackgroundWindowTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private static let green = SIMD4<UInt8>(0, 255, 0, 255)
        /// From the beginning of the panel to the colours.
        private static let way = Array(repeating: "Tab", count: 29)

        @Test(.slow, .enabled(if: NetworkFolder.standard.hasPerson, absence))
        func aColourIsChosenWithKeysAndKept() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let environment = display.environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 }
            func session(_ keys: [String]) throws {
                let run = try ProgramRun.bauta(
                    ["live", Repository.root + "/samples/ada.jpg"], environment: environment
                ) { program in
                    let window = try display.window(of: program)
                    try display.waitForTitle("Bauta – mask: bauta", of: window)
                    try display.waitForPicture(window, .lacks(WindowTests.background, in: .behind, below: 0.5))
                    if !keys.isEmpty {
                        let closed = try display.settledPicture(window, in: .left)
                        try display.press("Tab")
                        try display.waitForPicture(
                            window, .differs(from: closed, "the window without the panel", in: .left, by: 0.2))
                    }
                    for key in keys { try display.press(key) }
                    try display.waitForPicture(window, .shows(Self.green, in: .behind, above: 0.8))
                    try display.press("q")
                }
                #expect(run.exitCode == 0, "\(run.error)")
            }
            // Beside the panel, the hat is where the room is otherwise.
            try session(Self.way + ["Return", "Escape", "Escape"])
            let kept = try String(contentsOfFile: folder.path + "/bauta/live.json", encoding: .utf8)
            #expect(kept.contains("\"background\": \"#00ff00\""), "\(kept)")
            try session([])
        }

        /// The network is there, and the picture is not: the room is not shown, either.
        @Test(.slow, .enabled(if: NetworkFolder.standard.hasPerson, absence))
        func aLostPictureIsSaid() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            try folder.write("{\"background\": \"/no/such.png\"}", "bauta/live.json")
            let environment = display.environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 }
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--rate", "10", "--occluders", "none"], environment: environment
            ) {
                program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, WindowTests.isMasked)
                try display.press("q")
            }
            #expect(run.exitCode == 0 && run.error.contains("The room is blurred"), "\(run.error)")
            #expect(run.error.contains("/no/such.png"), "\(run.error)")
            // It is not asked for.
            let without = ["live", "drawn", "--background", "none"]
            let room = try ProgramRun.bauta(without, environment: environment) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, WindowTests.isMasked)
                try display.press("q")
            }
            #expect(room.exitCode == 0 && !room.error.contains("/no/such.png"), "\(room.error)")
        }
    }
}
