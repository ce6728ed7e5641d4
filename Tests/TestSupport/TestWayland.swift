import Foundation

/// A Wayland server (weston) in a window of a display without a screen, which shows programs, passes on keys and the
/// mouse, and gives each window all its room.
package struct TestWayland {
    package static var isPossible: Bool {
        TestDisplay.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/bin/weston")
    }

    package let display: TestDisplay
    /// The display's window that shows what the server shows: 1280x720 pixels.
    package let window: String
    /// For programs that can choose between the two servers. They write to standard error what they say to this one.
    package let environment: [String: String]

    /// - Parameters:
    ///   - folder: for the socket of the server.
    ///   - scale: the pixels of a unit of length, along each side.
    ///   - body: is called while it runs.
    package static func run(
        on display: TestDisplay, folder: String, scale: Int = 1, _ body: @escaping (TestWayland) throws -> Void
    ) throws {
        // Sockets have short names. The folder belongs to the user alone, or clients refuse it.
        let place = folder + "/w"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let words = [
            "weston", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so", "--no-config", "--socket=w",
            "--idle-time=0", "--width=\(1280 / scale)", "--height=\(720 / scale)", "--scale=\(scale)",
        ]
        let run = try ProgramRun.run(
            "/usr/bin/env", words, environment: display.environment.merging(["XDG_RUNTIME_DIR": place]) { $1 }
        ) { server in
            let window = try display.window(of: server, kind: "weston")
            try body(
                TestWayland(
                    display: display, window: window,
                    environment: display.environment.merging([
                        "XDG_RUNTIME_DIR": place, "WAYLAND_DISPLAY": "w", "WAYLAND_DEBUG": "1", "SDL_VIDEODRIVER": "",
                        "XDG_CURRENT_DESKTOP": "",
                    ]) { $1 }))
            server.interrupt()
        }
        guard run.exitCode == 0 else { throw TestDisplay.Failure(description: "weston: \(run.error)") }
    }
}
