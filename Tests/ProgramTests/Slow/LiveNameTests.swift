import Foundation
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// Names in the panel of `bauta live`. Dear ImGui takes what follows "##" for something that is not shown.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct LiveNameTests {
        let folder: TemporaryFolder
        private let display: TestDisplay
        /// What the camera shows.
        private static let picture = SIMD4<UInt8>(173, 76, 33, 255)

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
            let made = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "cc", "-shared", "-fPIC", "-O2", "-o", folder.path + "/camera.so",
                    Repository.root + "/Tests/FakeCamera/fake_camera.c", "-ldl",
                ])
            #expect(made.exitCode == 0, "\(made.error)")
            for number in [1, 2] {
                let mask = folder.path + "/data/bauta/masks/a##\(number)"
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/data/bauta/masks", withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: Repository.root + "/masks/tiger", toPath: mask)
            }
        }

        /// What the panel shows of one of two masks that differ in their names alone, and of one of two such cameras.
        private func panel(mask: String, camera: String) throws -> (mask: Screenshot, camera: Screenshot) {
            try folder.write(#"{"favourites": ["\#(mask)"]}"#, "configuration/bauta/live.json")
            var result: (Screenshot, Screenshot)?
            let run = try ProgramRun.bauta(
                ["live", "42", "--mask", "tiger"],
                environment: display.environment.merging([
                    "XDG_CONFIG_HOME": folder.path + "/configuration", "XDG_DATA_HOME": folder.path + "/data",
                    "XDG_CACHE_HOME": folder.path + "/cache", "LD_PRELOAD": "./camera.so",
                    "FAKE_CAMERA_ONLY": "NV12", "FAKE_CAMERA_NAME": camera,
                ]) { $1 }, folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – mask: tiger", of: window)
                try display.waitForPicture(window, .shows(Self.picture, in: .left, above: 0.9))
                try display.press("Tab")
                try display.waitForPicture(window, .lacks(Self.picture, in: .left, below: 0.1))
                try program.wait(for: "the thumbnails are kept") {
                    (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache/bauta/thumbnails"))
                        ?? []
                } until: {
                    try $0.count { $0.hasSuffix(".png") } == Repository.maskNames().count + 2
                }
                // Only the favourites.
                let all = try display.settledPicture(window, in: .left)
                try display.click(83, 201, in: window)
                try display.waitForPicture(window, .differs(from: all, "all masks", in: .left, by: 0.1))
                try display.move(to: 230, 400, in: window)
                let top = try display.settledPicture(window, in: .left)
                // One after the other: notches that come in one frame move less.
                var shown = top
                for _ in 1...5 {
                    try display.tool(["xdotool", "click", "5"])
                    try display.waitForPicture(window, .differs(from: shown, "the one before", in: .left, by: 0.02))
                    shown = try display.settledPicture(window, in: .left)
                }
                result = (top, shown)
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
            return try #require(result)
        }

        /// What differs is shown, and nothing else differs.
        @Test func namesAreShownWhole() throws {
            defer { display.stop() }
            let first = try panel(mask: "a##1", camera: "Camera##1")
            let mask = try panel(mask: "a##2", camera: "Camera##1")
            #expect(first.mask.difference(mask.mask, in: .left) > 0)
            #expect(first.camera.difference(mask.camera, in: .left) == 0)
            let camera = try panel(mask: "a##1", camera: "Camera##2")
            #expect(first.mask.difference(camera.mask, in: .left) == 0)
            #expect(first.camera.difference(camera.camera, in: .left) > 0)
        }
    }
}
