import Foundation
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta live` in a window of a Wayland server, beside which X11 is there, too.
    @Suite(.serialized, .enabled(if: TestWayland.isPossible, "weston is needed: scripts/test installs it"))
    struct WaylandTests {
        let folder: TemporaryFolder
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        /// At a scale of 2, a window has four pixels where it has one otherwise, and the mouse is where it seems to be.
        @Test(arguments: SlowTests.areWanted ? [1, 2] : [2]) func aWindowOfWaylandIsSharpAndTakesKeysAndMouse(
            _ scale: Int
        ) throws {
            defer { display.stop() }
            try TestWayland.run(on: display, folder: folder.path, scale: scale) { server in
                let run = try ProgramRun.bauta(
                    ["live", "drawn", "--rate", "10", "--occluders", "none"], environment: server.environment
                ) { program in
                    try program.waitForError("set_title(\"Bauta – mask: bauta\")")
                    // For keys, it is the window of the server that counts.
                    let window = try display.window(of: program, kind: "weston")
                    try program.waitForError(", 0, 1280, 720, ")
                    if scale > 1 { try program.waitForError("set_buffer_scale(\(scale))") }
                    try display.waitForPicture(window, WindowTests.isMasked)
                    // The help, which a new window shows for a while, would be in front of the masks.
                    try display.waitForPicture(window, .lacks(WindowTests.help, in: .help, below: 0.1))
                    try display.press("space")
                    let first = try display.settledPicture(window, in: .face)
                    try display.press("8")
                    try program.waitForError("set_title(\"Bauta – mask: frog\")")
                    let frog = try display.waitForPicture(window, .differs(from: first, "bauta", in: .face, by: 0.2))
                    // The mask before the worn one, to which the panel has scrolled.
                    try display.press("Tab")
                    try display.waitForPicture(window, .differs(from: frog, "no panel", in: .left, by: 0.2))
                    let panel = try display.settledPicture(window, in: .left)
                    // Where the mouse is, the server knows since the mouse has entered its window.
                    try display.tool(["xdotool", "mousemove", "0", "0"])
                    // A large window has room for three rows of masks.
                    try display.click(scale * 60, scale * (scale > 1 ? 264 : 560), in: window)
                    try program.waitForError("set_title(\"Bauta – mask: fox\")")
                    // The panel covers the face in a small window.
                    try display.press("Escape")
                    try display.waitForPicture(
                        window, .differs(from: frog, "frog", in: .face, by: 0.2),
                        .differs(from: first, "bauta", in: .face, by: 0.2),
                        .differs(from: panel, "the panel", in: .left, by: 0.2))
                    try display.press("q")
                }
                #expect(run.exitCode == 0, "\(run.error.suffix(1000))")
            }
        }

        /// Wayland comes first, and X11 takes the place of a server that is not there.
        @Test(.slow) func theDoctorSaysWhichServerWindowsUse() throws {
            defer { display.stop() }
            try TestWayland.run(on: display, folder: folder.path) { server in
                // Without its data, it is quick.
                func line(_ name: String, _ changes: [String: String]) throws -> String {
                    let run = try ProgramRun.bauta(
                        ["doctor"],
                        environment: server.environment.merging(["WAYLAND_DEBUG": "", "BAUTA_DATA": folder.path]) { $1 }
                            .merging(changes) { $1 })
                    let lines = run.output.split(separator: "\n").map(String.init)
                    return lines.first { $0.contains(name + ":") } ?? ""
                }
                let here = try line("display", [:])
                #expect(here.hasPrefix("ok") && here.contains("windows use Wayland") && here.contains("'w'"), "\(here)")
                let lost = try line("display", ["WAYLAND_DISPLAY": "nowhere"])
                #expect(lost.contains("windows use X11") && lost.contains("'nowhere'"), "\(lost)")
                let chosen = try line("display", ["SDL_VIDEODRIVER": "x11"])
                #expect(chosen.contains("windows use X11"), "\(chosen)")
                // Without a title bar, a window could not be moved.
                let gnome = ["XDG_CURRENT_DESKTOP": "ubuntu:GNOME", "LIBDECOR_PLUGIN_DIR": folder.path]
                #expect(try line("display", gnome).contains("windows use X11"))
                #expect(try line("title bars", gnome).hasPrefix("absent"))
                try folder.write("", "libdecor-test.so")
                #expect(try line("display", gnome).contains("windows use Wayland"))
                #expect(try line("title bars", gnome).isEmpty)
            }
        }
    }
}
