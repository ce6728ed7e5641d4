import Foundation
import ImageFiles
import Pixels

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

    /// The share of pixels of a clip's first or last frame that differ visibly from the one to their left.
    /// - Parameter folder: for a temporary file.
    package static func sharpness(_ clip: String, last: Bool, folder: String) throws -> Double {
        let path = folder + "/frame.png"
        let part = last ? ["-sseof", "-0.5"] : []
        let whole = last ? [] : ["-frames:v", "1"]
        let run = try ProgramRun.run(
            "/usr/bin/env", ["ffmpeg", "-y", "-v", "error"] + part + ["-i", clip] + whole + ["-update", "1", path])
        guard run.exitCode == 0 else { throw WaitingFailure("\(clip): \(run.error)") }
        let picture = Screenshot(try PictureReader.read(path).pixels.copy())
        return picture.share { $0 > 24 }
    }
}
