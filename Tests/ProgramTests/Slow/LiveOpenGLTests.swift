import Foundation
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta live --renderer opengl`: masks are drawn on the session's thread, in a second context that shares the window's
    /// display.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct LiveOpenGLTests {
        let folder: TemporaryFolder
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        private static let arguments = ["live", "drawn", "--renderer", "opengl", "--no-config", "--control-socket"]

        /// Wears each mask for some frames, while the window has another size each time.
        private func wearAll(
            _ program: RunningProgram, _ live: SlowLive, resize: (_ width: Int, _ height: Int) throws -> Void
        ) throws {
            for (index, name) in try Repository.maskNames().enumerated() {
                let answer = try live.control("mask", name)
                #expect(answer.exitCode == 0, "\(name): \(answer.error)")
                try resize(360 + 60 * (index % 7), 300 + 50 * (index % 5))
                try live.waitForFrames(4, program)
            }
        }

        @Test(.slow) func allMasksAreDrawnInAWindowThatChanges() throws {
            defer { display.stop() }
            let live = SlowLive(folder: folder.path)
            let run = try ProgramRun.bauta(Self.arguments + [live.socket], environment: display.environment) {
                program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, WindowTests.isMasked)
                try wearAll(program, live) {
                    try display.tool(["xdotool", "windowsize", "--sync", window, "\($0)", "\($1)"])
                }
                try display.tool(["xdotool", "windowminimize", "--sync", window])
                try live.waitForFrames(10, program)
                #expect(try live.control("mask", "bauta").exitCode == 0)
                try display.tool(["xdotool", "windowmap", "--sync", window])
                try display.tool(["xdotool", "windowsize", "--sync", window, "1280", "720"])
                try display.waitForPicture(window, WindowTests.isMasked)
                #expect(try live.control("quit").exitCode == 0)
            }
            #expect(run.exitCode == 0, "\(run.error.suffix(1000))")
        }

        @Test(.slow, .enabled(if: TestWayland.isPossible, "weston is needed: scripts/test installs it"))
        func allMasksAreDrawnOnWayland() throws {
            defer { display.stop() }
            let live = SlowLive(folder: folder.path)
            try TestWayland.run(on: display, folder: folder.path) { server in
                let environment = server.environment.merging(["WAYLAND_DEBUG": ""]) { $1 }
                let run = try ProgramRun.bauta(Self.arguments + [live.socket], environment: environment) { program in
                    let window = try display.window(of: program, kind: "weston")
                    try display.waitForPicture(window, WindowTests.isMasked)
                    try wearAll(program, live) { _, _ in }
                    #expect(try live.control("quit").exitCode == 0)
                }
                #expect(run.exitCode == 0, "\(run.error.suffix(1000))")
            }
        }
    }
}
