import Foundation
import TestSupport
import Testing

extension ExclusiveTests {
    /// `bauta live` as a camera of PipeWire, with GStreamer as the program that shows it.
    @Suite(
        .serialized,
        .enabled(
            if: PipeWireSession.isPossible, "PipeWire, WirePlumber and GStreamer are needed: scripts/test installs them"
        ))
    struct PipeWireLiveTests {
        private let folder: TemporaryFolder
        private let session: PipeWireSession

        init() throws {
            folder = try TemporaryFolder()
            session = try PipeWireSession()
        }

        /// The share of pixels of the last frame that differ visibly from the one to their left.
        private func sharpness() throws -> Double {
            let (width, height) = (640, 480)
            let frames = try session.read(6, format: "RGBA")
            try #require(frames.count == 6 * 4 * width * height)
            let last = frames.suffix(4 * width * height)
            var count = 0
            for place in stride(from: last.startIndex + 4, to: last.endIndex, by: 4)
            where (Int(last[place]) - Int(last[place - 4])).magnitude > 24 { count += 1 }
            return Double(count) / Double(width * height)
        }

        @Test func programsSeeTheMaskAndTheCover() throws {
            let socket = folder.path + "/control"
            let run = try ProgramRun.bauta(
                [
                    "live", "drawn", "--occluders", "none", "--headless", "--virtual-camera", "auto",
                    "--control-socket", socket, "--report",
                    "-",
                ],
                environment: session.environment
            ) { program in
                func control(_ words: String...) throws {
                    let run = try ProgramRun.bauta(["control", "--socket", socket] + words)
                    #expect(run.exitCode == 0, "\(run.error)")
                }
                try program.wait(for: "the camera", look: session.hasCamera) { $0 }
                let sharp = try sharpness()
                try control("mask", "off")
                let bare = try sharpness()
                try control("cover", "on")
                let covered = try sharpness()
                #expect(sharp > 0.01 && sharp != bare && covered < 0.1 * sharp, "\(sharp) \(bare) \(covered)")
                program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(run.output.firstMatch(of: /"target":"pipewire","frames":[1-9]/) != nil, "\(run.output)")
        }

        /// A camera that is plugged in late, unplugged, and lost with PipeWire comes back each time.
        @Test(.slow) func aCameraComesAndGoes() throws {
            let run = try ProgramRun.bauta(
                ["live", "pipewire:plugged", "--headless", "--report", "-", "--no-config"],
                environment: session.environment
            ) { program in
                func wait(for words: String, times: Int) throws {
                    try program.wait(for: "'\(words)' \(times) times on standard error") {
                        program.errorSoFar
                    } until: {
                        $0.components(separatedBy: words).count > times
                    }
                }
                func waitForFrames() throws {
                    let seconds = program.outputSoFar.components(separatedBy: "\n").count
                    try program.wait(for: "frames") {
                        program.outputSoFar.components(separatedBy: "\n").dropFirst(seconds).joined()
                    } until: {
                        $0.contains(/"frames":[1-9]/)
                    }
                }
                try program.waitForError("No camera named 'pipewire:plugged'")
                let first = try session.startCamera(named: "plugged")
                try wait(for: "got YUYV 64×48", times: 1)
                try waitForFrames()
                // Another camera does not take its place.
                let other = try session.startCamera(named: "other")
                defer { other.terminate() }
                first.terminate()
                try program.waitForError("the camera was unplugged")
                let second = try session.startCamera(named: "plugged")
                try wait(for: "got YUYV 64×48", times: 2)
                try waitForFrames()
                session.stop()
                try program.waitForError("PipeWire has closed the camera")
                second.terminate()
                try session.start()
                let third = try session.startCamera(named: "plugged")
                defer { third.terminate() }
                try wait(for: "got YUYV 64×48", times: 3)
                try waitForFrames()
                program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }

        /// Without a session, the program says what to start; with `auto` too, where there is no device either.
        @Test func whatIsMissingIsSaid() throws {
            let empty = folder.path + "/empty"
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
            for camera in ["pipewire", "auto"] {
                let run = try ProgramRun.bauta(
                    [
                        "live", "drawn", "--occluders", "none", "--headless", "--frames", "3", "--virtual-camera",
                        camera,
                    ],
                    environment: session.environment.merging(["PIPEWIRE_RUNTIME_DIR": empty]) { $1 })
                #expect(run.exitCode == 69 && run.error.contains("systemctl --user start pipewire"), "\(run.error)")
                #expect(run.error.contains("'bauta camera virtual --create'"), "\(run.error)")
            }
        }
    }
}

extension ExclusiveWindowTests {
    /// The same in a window, whose user pauses.
    @Suite(
        .serialized,
        .enabled(
            if: PipeWireSession.isPossible && TestDisplay.isPossible,
            "PipeWire, WirePlumber, GStreamer, Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct PipeWireWindowTests {
        fileprivate let folder: TemporaryFolder
        fileprivate let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        /// A program that begins during a pause sees the picture of the pause, and the cover when that comes.
        @Test(.slow) func aPauseIsShown() throws {
            defer { display.stop() }
            let session = try PipeWireSession()
            func frame() throws -> [UInt8] {
                let frames = try session.read(3, format: "RGBA")
                return Array(frames.suffix(frames.count / 3))
            }
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--virtual-camera", "pipewire"],
                environment: display.environment.merging(session.environment) { $1 }
            ) { program in
                let window = try display.window(of: program)
                try program.wait(for: "the camera", look: session.hasCamera) { $0 }
                try display.press("space")
                _ = try display.settledPicture(window, in: .face)
                let (first, second) = (try frame(), try frame())
                #expect(first == second && Set(first).count > 50)
                try display.press("c")
                _ = try display.waitForPicture(window, .shows(WindowTests.alarm, in: .banner, above: 0.05))
                #expect(try frame() != first)
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }
    }
}

extension ExclusiveWindowTests.PipeWireWindowTests {
    /// The window opens, and says how there can be a virtual camera: it may be set up there. In the end the error is the
    /// program's.
    @Test func aMissingOneIsSaidInTheWindow() throws {
        defer { display.stop() }
        let run = try ProgramRun.bauta(
            ["live", "drawn", "--occluders", "none", "--virtual-camera"],
            environment: display.environment.merging(["PIPEWIRE_RUNTIME_DIR": folder.path]) { $1 }
        ) { program in
            _ = try display.window(of: program)
            try program.waitForError("'bauta camera virtual --create'")
            try display.press("q")
        }
        #expect(run.exitCode == 69, "\(run.error)")
    }

    /// `auto` in the settings, where neither PipeWire runs nor a device is: that is said, and nothing is written.
    @Test(.slow) func automaticSettingsAreChecked() throws {
        defer { display.stop() }
        try folder.write(#"{"virtualCamera": "auto"}"#, "configuration/bauta/live.json")
        let report = folder.path + "/report"
        let run = try ProgramRun.bauta(
            ["live", "drawn", "--occluders", "none", "--frames", "5", "--report", report],
            environment: display.environment.merging([
                "XDG_CONFIG_HOME": folder.path + "/configuration", "PIPEWIRE_RUNTIME_DIR": folder.path,
            ]) { $1 })
        #expect(run.exitCode == 0 && run.error.contains("there is no virtual camera, because PipeWire"), "\(run.error)")
        #expect(try !String(contentsOfFile: report, encoding: .utf8).contains(#""target":"pipewire""#))
    }
}

extension ExclusiveWindowTests.PipeWireWindowTests {
    /// A program that cannot reach PipeWire, as in a Flatpak, gets the camera from the desktop's portal.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/libexec/xdg-desktop-portal-gtk"),
            "slow: scripts/test-slow installs a portal, and runs it"))
    func aSandboxedProgramAsksThePortal() throws {
        defer { display.stop() }
        let session = try PipeWireSession(
            environment: display.environment.merging(["XDG_CURRENT_DESKTOP": "GNOME"]) { $1 })
        let camera = try session.startCamera(named: "shared")
        defer { camera.terminate() }
        let outside = ["PIPEWIRE_RUNTIME_DIR": folder.path, "GTK_USE_PORTAL": "1"]
        let sandbox = try session.portal().merging(outside) { $1 }
        var listed = ""
        try wait(for: "the camera in the list") {
            listed = try ProgramRun.bauta(["camera", "list"], environment: sandbox).output
            return listed.contains("pipewire:shared")
        }
        let run = try ProgramRun.bauta(
            ["live", "pipewire:shared", "--headless", "--frames", "10"], environment: sandbox)
        #expect(run.exitCode == 0 && run.error.contains("got YUYV 64×48"), "\(run.error)")
        // Without the portal, no camera is listed.
        let alone = try ProgramRun.bauta(
            ["camera", "list"], environment: sandbox.merging(["GTK_USE_PORTAL": "0"]) { $1 })
        #expect(alone.exitCode == 69, "\(alone.output)")
    }
}

extension ExclusiveWindowTests {
    /// `bauta live` as a camera of a browser, which asks the desktop's portal for it.
    @Suite(
        .enabled(
            if: Browser.isPossible && PipeWireSession.isPossible && TestDisplay.isPossible
                && FileManager.default.isExecutableFile(atPath: "/usr/libexec/xdg-desktop-portal-gtk"),
            "slow: scripts/test-slow installs Chromium and a portal, and runs it"))
    struct BrowserCameraTests {
        /// Shows the camera, and tells how many frames have come, and the share of pixels that differ visibly from the one to
        /// their left.
        private static let page = """
            <video autoplay muted></video><script>
            const video = document.querySelector('video'), seen = {};
            navigator.mediaDevices.getUserMedia({video: true}).then(stream => {
              video.srcObject = stream;
              seen.track = stream.getVideoTracks()[0];
            }, error => seen.error = String(error));
            function sharpness() {
              const canvas = document.createElement('canvas'), {videoWidth: width, videoHeight: height} = video;
              [canvas.width, canvas.height] = [width, height];
              const context = canvas.getContext('2d');
              context.drawImage(video, 0, 0);
              const pixels = context.getImageData(0, 0, width, height).data;
              let count = 0;
              for (let place = 4; place < pixels.length; place += 4)
                if (Math.abs(pixels[place] - pixels[place - 4]) > 24) ++count;
              return Math.round(1e6 * count / (width * height));
            }
            </script>
            """

        @Test func aBrowserShowsTheMaskAndTheCover() throws {
            let folder = try TemporaryFolder()
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let session = try PipeWireSession(
                environment: display.environment.merging(["XDG_CURRENT_DESKTOP": "GNOME"]) { $1 })
            let page = URL(fileURLWithPath: folder.path + "/page.html")
            try Self.page.write(to: page, atomically: true, encoding: .utf8)
            let socket = folder.path + "/control"
            let run = try ProgramRun.bauta(
                [
                    "live", "drawn", "--occluders", "none", "--headless", "--virtual-camera", "pipewire",
                    "--control-socket", socket,
                ],
                environment: session.environment
            ) { program in
                try program.wait(for: "the camera", look: session.hasCamera) { $0 }
                try Browser.run(
                    options: ["--enable-features=WebRtcPipeWireCamera", "--use-fake-ui-for-media-stream"],
                    environment: session.portal()
                ) { browser in
                    /// After a change, once frames that follow it are shown.
                    func sharpness(after words: String...) throws -> Int {
                        if !words.isEmpty {
                            #expect(try ProgramRun.bauta(["control", "--socket", socket] + words).exitCode == 0)
                        }
                        let start = try browser.number("video.getVideoPlaybackQuality().totalVideoFrames")
                        try wait(for: "frames") {
                            try browser.number("video.getVideoPlaybackQuality().totalVideoFrames")
                        } until: {
                            $0 > start + 15
                        }
                        return try browser.number("sharpness()")
                    }
                    try browser.open(page.absoluteString)
                    try wait(for: "the camera in the browser") {
                        try browser.text("seen.error ?? seen.track?.label ?? ''")
                    } until: {
                        !$0.isEmpty
                    }
                    #expect(try browser.text("seen.error ?? seen.track.label") == "Bauta")
                    let masked = try sharpness()
                    #expect(try browser.number("video.videoWidth") == 640)
                    let bare = try sharpness(after: "mask", "off")
                    let covered = try sharpness(after: "cover", "on")
                    #expect(masked > 10_000 && masked != bare && covered < masked / 10, "\(masked) \(bare) \(covered)")
                }
                program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }
    }
}
