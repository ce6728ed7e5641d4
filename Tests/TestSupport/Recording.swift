import Foundation

/// Recordings that a program writes, looked at while it runs and afterwards.
package enum Recording {
    /// The frames that a file holds by now; nil if it cannot be read (yet).
    package static func frameCount(_ path: String) throws -> Int? {
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "v", "-count_frames", "-show_entries",
                "stream=nb_read_frames", "-of", "csv=p=0", path,
            ])
        return run.exitCode == 0 ? Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) : nil
    }

    /// Waits until a program has recorded some frames to a new MP4 file.
    /// - Parameter folder: where it makes the file.
    /// - Returns: the file's path.
    package static func waitForFrames(_ count: Int, in folder: String, of program: RunningProgram) throws -> String {
        func file() -> String? {
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.first { $0.hasSuffix(".mp4") }
                .map { folder + "/" + $0 }
        }
        let path = try program.wait(for: "a recording in \(folder)", look: file) { $0 != nil } ?? ""
        try program.wait(for: "\(count) frames in \(path)") {
            try frameCount(path)
        } until: {
            ($0 ?? 0) >= count
        }
        return path
    }
}
