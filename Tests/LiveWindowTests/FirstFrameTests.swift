import Clips
import Files
import Glibc
import LiveWindow
import Pixels
import TestSupport
import Testing
import Threads

/// What dialogs show of a clip.
@Suite struct FirstFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeClip(_ size: String, _ name: String = "clip.mp4") throws -> FilePath {
        let path = folder.path + "/" + name
        let source = ["-f", "lavfi", "-i", "color=red:size=\(size):rate=10:duration=0.5", "-pix_fmt", "yuv420p", path]
        let run = try ProgramRun.run("/usr/bin/env", ["ffmpeg", "-v", "error"] + source)
        #expect(run.exitCode == 0, "\(run.error)")
        return FilePath(path)
    }

    private func size(_ path: FilePath, _ stopSignal: StopSignal = StopSignal()) -> [Int]? {
        guard let frame = FirstFrame.read(path, stopSignal) else { return nil }
        let pixel = frame[frame.width / 2, frame.height / 2]
        #expect(pixel[0] > 200 && pixel[1] < 60, "\(pixel)")
        return [frame.width, frame.height]
    }

    /// Its longer side is limited, whichever that is.
    @Test func itIsSmall() throws {
        #expect(try size(makeClip("64x48", "small.mp4")) == [64, 48])
        #expect(try size(makeClip("1024x512", "wide.mp4")) == [512, 256])
        #expect(try size(makeClip("200x2000", "tall.mp4")) == [51, 510])
    }

    @Test func aDamagedClipHasNone() throws {
        let path = FilePath(try folder.write(Array(repeating: 7, count: 5000), "damaged.mp4"))
        #expect(size(path) == nil && size(path.parent / "none.mp4") == nil)
        // Nobody asks ffmpeg about what is no clip by its name.
        #expect(size(FilePath(try folder.write("text", "notes.txt"))) == nil)
    }

    @Test func aNameMayBeAnyBytes() throws {
        let clip = try makeClip("64x48")
        let path = FilePath(bytes: Array("\(folder.path)/".utf8) + [0xE4, 0xFF] + Array(".mp4".utf8))
        #expect(path.string == nil && rename(clip.description, path.bytes.map { CChar(bitPattern: $0) } + [0]) == 0)
        #expect(size(path) == [64, 48])
    }

    @Test func nobodyIsShownItAnyMore() throws {
        let (path, stopSignal) = (try makeClip("64x48"), StopSignal())
        stopSignal.stop()
        #expect(size(path, stopSignal) == nil)
        #expect(throws: ClipError.self) { try ClipInformation.read(path, stopSignal: stopSignal) }
    }
}
