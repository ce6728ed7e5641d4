import Foundation
import TestSupport
import Testing

/// `bauta live --hands-free`.
@Suite struct HandsFreeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip of a person whose head tilts to their left by 0.5 rad, from the second `start` on for 1.6 s.
    private func tilting(from start: Double, seconds: Double) throws -> String {
        let clip = folder.path + "/tilting.mkv"
        let ramp = { (from: Double) in "clip((t-\(from))*4,0,1)" }
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-framerate", "20", "-t", "\(seconds)", "-i",
                Repository.root + "/samples/ada.jpg", "-vf",
                "scale=320:-2,rotate='0.5*(\(ramp(start))-\(ramp(start + 1.6)))':fillcolor=gray", "-c:v", "ffv1", clip,
            ])
        #expect(run.exitCode == 0, "\(run.error)")
        return clip
    }

    private func live(_ clip: String, _ arguments: [String] = []) throws -> [String] {
        let run = try ProgramRun.bauta(
            ["live", clip, "--occluders", "none", "--headless", "--unpaced", "--mask", "skull", "--report", "-"]
                + arguments)
        #expect(run.exitCode == 0, "\(run.error)")
        return run.error.split(separator: "\n").map(String.init)
    }

    @Test(.slow) func aTiltWearsTheMaskBeforeAndAWindowIsNotNeeded() throws {
        let clip = try tilting(from: 1.2, seconds: 5)
        let lines = try live(clip, ["--hands-free"])
        let announced = lines.firstIndex(of: "bauta: Head tilted left: previous mask follows")
        let done = lines.firstIndex(of: "bauta: Head tilted left: previous mask")
        #expect(try #require(announced) < #require(done), "\(lines)")
        #expect(lines.last == "bauta: robot", "\(lines)")
        // Nothing of it happens unless it is asked for.
        let without = try live(clip)
        #expect(!without.contains { $0.contains("tilted") || $0.contains("robot") }, "\(without)")
    }

    /// The clip ends before the gesture has acted.
    @Test(.slow) func aGestureWaits() throws {
        let lines = try live(try tilting(from: 1.2, seconds: 3.2), ["--hands-free"])
        #expect(lines.last == "bauta: Head tilted left: previous mask follows", "\(lines)")
        #expect(!lines.contains("bauta: robot"))
    }
}
