import Foundation
import TestSupport
import Testing

extension ExclusiveTests {
    /// The camera of the last session, with the fake camera of `Tests/FakeCamera`.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct LiveCameraChoiceTests {
        let folder: TemporaryFolder
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
            try folder.write(
                #"{"camera": "/dev/video42", "cameraMode": "640x480@30"}"#, "configuration/bauta/live.json")
            let made = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "cc", "-shared", "-fPIC", "-O2", "-o", folder.path + "/camera.so",
                    Repository.root + "/Tests/FakeCamera/fake_camera.c", "-ldl",
                ])
            #expect(made.exitCode == 0, "\(made.error)")
        }

        private func live(_ arguments: [String]) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["live", "--frames", "2"] + arguments,
                environment: display.environment.merging([
                    "XDG_CONFIG_HOME": folder.path + "/configuration", "LD_PRELOAD": "./camera.so",
                ]) { $1 }, folder: folder.path)
        }

        @Test func theCameraOfTheLastSessionIsThereAgain() throws {
            defer { display.stop() }
            let again = try live([])
            #expect(again.exitCode == 0 && again.error.contains("640×480"), "\(again.error)")
            // It stays for the session after that.
            let kept = try String(contentsOfFile: folder.path + "/configuration/bauta/live.json", encoding: .utf8)
            #expect(kept.contains("/dev/video42") && kept.contains("640x480@30"), "\(kept)")
            // Options come first: the size, another source, and no file at all.
            let larger = try live(["--size", "1280x720"])
            #expect(larger.exitCode == 0 && larger.error.contains("1280×720"), "\(larger.error)")
            for arguments in [["drawn"], ["42", "--no-config"]] {
                let other = try live(arguments)
                #expect(other.exitCode == 0 && !other.error.contains("640×480"), "\(other.error)")
            }
        }
    }
}
