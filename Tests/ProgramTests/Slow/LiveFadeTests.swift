import Foundation
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// Fading from mask to mask in the window of `bauta live`.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct LiveFadeTests {
        let folder: TemporaryFolder
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        /// A mask that takes many times as long to draw as the fade lasts: the fade is over before the mask has been drawn
        /// once.
        private func makeSlowMask() throws -> String {
            let slow = folder.path + "/slow"
            let layers = (1...60).map { number in
                #"{"type": "warp", "texture": "skull.png", "blend": "\#(number == 60 ? "normal" : "luminosity")","#
                    + #" "light": {"shading": 0.5, "detail": 0.5, "color": 0.5}}"#
            }
            try folder.write(
                #"{"format": 1, "name": "Slow", "layers": [\#(layers.joined(separator: ", "))]}"#, "slow/mask.json")
            try FileManager.default.copyItem(
                atPath: Repository.root + "/masks/skull/skull.png", toPath: slow + "/skull.png")
            return slow
        }

        @Test func aMaskThatIsSlowToDrawAppearsDuringAPause() throws {
            defer { display.stop() }
            let slow = try makeSlowMask()
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--no-config", "--fade", "0.02"], environment: display.environment
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                try display.waitForPicture(window, WindowTests.isMasked)
                try display.press("space")
                let still = try display.settledPicture(window, in: .face, count: 4)
                try display.drop(slow, on: window)
                try display.waitForTitle("Bauta – mask: Slow", of: window)
                try display.waitForPicture(window, .differs(from: still, "bauta", in: .face, by: 0.2))
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }
    }
}
