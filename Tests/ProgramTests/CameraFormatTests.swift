import Foundation
import TestSupport
import Testing

/// Camera formats beyond YUYV and Motion JPEG, with the fake camera of `Tests/FakeCamera`.
@Suite struct CameraFormatTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tool(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", arguments, folder: folder.path)
        #expect(run.exitCode == 0, "\(arguments) \(run.error)")
    }

    /// Runs `bauta live` with a camera that offers one format.
    private func live(
        format: String, _ arguments: [String], whileRunning: ((RunningProgram) throws -> Void)? = nil
    ) throws -> ProgramRun {
        try tool([
            "cc", "-shared", "-fPIC", "-O2", "-o", "camera.so", Repository.root + "/Tests/FakeCamera/fake_camera.c",
            "-ldl",
        ])
        return try ProgramRun.bauta(
            ["live", "--occluders", "none", "--headless", "--frames", "5", "--size", "640x480"] + arguments,
            environment: ["LD_PRELOAD": "./camera.so", "FAKE_CAMERA_ONLY": format], folder: folder.path,
            whileRunning: whileRunning)
    }

    /// The colours of NV12 are those of libv4lconvert, whose chroma coefficients are 12 % smaller than those of BT.601.
    @Test(arguments: [("NV12", [172, 76, 32]), ("RGGB", [200, 100, 50])])
    func isConverted(_ format: String, _ color: [Int]) throws {
        let run = try live(format: format, ["--output", "out.mkv", "--force"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.error.contains("got \(format) 640×480"), "\(run.error)")
        try tool([
            "ffmpeg", "-v", "error", "-y", "-i", "out.mkv", "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo",
            "frame.rgb",
        ])
        let frame = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/frame.rgb"))
        try #require(frame.count == 640 * 480 * 3)
        let center = 3 * (240 * 640 + 320)
        for channel in 0..<3 {
            let value = Int(frame[center + channel])
            // Video compression and the rounding of the conversions.
            #expect(abs(value - color[channel]) <= 6, "channel \(channel) is \(value), not \(color[channel])")
        }
    }

    @Test func unreadableFormatsAreNamed() throws {
        let words = "none of its picture formats can be read (H264)"
        let run = try live(format: "H264", ["42", "--output", "out.mkv"]) {
            // The program waits for the camera to become usable.
            try $0.waitForError(words)
            $0.interrupt()
        }
        #expect(run.exitCode == 130 && run.error.contains(words), "\(run.exitCode) \(run.error)")
    }
}
