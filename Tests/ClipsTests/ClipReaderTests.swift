import Clips
import Foundation
import Pixels
import TestSupport
import Testing

@Suite struct ClipReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip in which every frame has a grey value of its own: 40, 44, 48, …
    private func makeClip(_ name: String, frames: Int = 12, size: String = "64x48", more: [String] = []) throws
        -> String
    {
        let path = folder.path + "/" + name
        try run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                "color=black:s=\(size):r=25,format=gray,geq=lum='40+4*N'", "-frames:v", "\(frames)",
            ] + more + [path])
        return path
    }

    private func run(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", arguments)
        #expect(run.exitCode == 0, "\(arguments): \(run.error)")
    }

    private func read(_ reader: ClipReader) throws -> (times: [Double], greys: [Int]) {
        var times: [Double] = []
        var greys: [Int] = []
        var frame = try reader.makeFrame()
        while let seconds = try reader.read(into: &frame) {
            times.append(seconds)
            let pixel = frame[frame.width / 2, frame.height / 2]
            greys.append(Int(pixel.x))
        }
        return (times, greys)
    }

    @Test func framesComeInOrderWithTheirTimes() throws {
        let path = try makeClip("a clip: with é.mkv", more: ["-c:v", "ffv1"])
        let reader = try ClipReader(path)
        #expect(reader.width == 64)
        #expect(reader.height == 48)
        let (times, greys) = try read(reader)
        #expect(times.count == 12)
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 25) < 0.002) }
        // Television's range is stretched to 0…255, evenly.
        for (a, b) in zip(greys, greys.dropFirst()) { #expect((3...7).contains(b - a)) }
    }

    /// Frames that depend on others before and after them, and a clock that does not begin at 0.
    @Test(.slow, arguments: ["late.mp4", "late.mkv", "late.gif"]) func readingBeginsAtAnyFrame(_ name: String) throws {
        let coding = ["-c:v", "libx264", "-g", "10", "-bf", "3", "-pix_fmt", "yuv420p", "-output_ts_offset", "5"]
        let path = try makeClip(name, frames: 40, more: name.hasSuffix(".gif") ? [] : coding)
        let all = try read(ClipReader(path))
        #expect(all.times.count == 40)
        for first in [1, 7, 10, 19, 39] {
            let start = (all.times[first - 1] + all.times[first]) / 2
            let part = try read(ClipReader(path, frames: 3, start: start))
            #expect(part.greys == Array(all.greys[first..<min(40, first + 3)]), "from frame \(first)")
            let time = start + (part.times.first ?? 0)
            #expect(abs(time - all.times[first]) < 0.002, "\(time) in place of \(all.times[first])")
        }
    }

    /// Cut without encoding anew, a clip keeps the frames before its start, which its edit list hides. ffmpeg would wait for
    /// as long as they last whenever it starts the clip again.
    @Test func aCutClipGoesOnWhereItStartsAgain() throws {
        let path = try makeClip("whole.mp4", frames: 50, more: ["-c:v", "libx264", "-g", "100", "-pix_fmt", "yuv420p"])
        let cut = folder.path + "/cut.mp4"
        try run(["ffmpeg", "-v", "error", "-ss", "1.2", "-i", path, "-c", "copy", cut])
        let once = try read(ClipReader(cut))
        #expect(once.times.count == 20)
        let count = 3 * once.times.count
        let looped = try read(ClipReader(cut, frames: count, loops: true))
        #expect(looped.times.count == count && looped.greys == once.greys + once.greys + once.greys)
        for (index, time) in looped.times.enumerated() {
            #expect(abs(time - Double(index) / 25) < 0.002, "\(looped.times)")
        }
    }

    /// A Matroska file may begin with a cover picture that is not marked as one: it was taken for a clip of one frame.
    @Test func aCoverPictureIsNotTheFilm() throws {
        let film = try makeClip("film.mkv", more: ["-c:v", "ffv1"])
        let (cover, both) = (folder.path + "/cover.jpg", folder.path + "/both.mkv")
        try run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1", "-update", "1", cover,
        ])
        try run([
            "ffmpeg", "-v", "error", "-i", cover, "-i", film, "-map", "0", "-map", "1", "-c", "copy",
            "-disposition:v:0",
            "default", "-disposition:v:1", "0", both,
        ])
        let reader = try ClipReader(both)
        #expect(reader.width == 64 && reader.height == 48)
        #expect(try read(reader).times.count == 12)
    }

    /// Frames that stand unevenly keep their times.
    @Test func unevenTimesAreKept() throws {
        let path = folder.path + "/uneven.mkv"
        try run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25", "-vf",
            "select='not(eq(mod(n,3),1))'", "-vsync", "passthrough", "-frames:v", "8", "-c:v", "ffv1", path,
        ])
        let times = try read(ClipReader(path)).times
        let expected = [0, 2, 3, 5, 6, 8, 9, 11].map { Double($0) / 25 }
        #expect(times.count == expected.count)
        for (a, b) in zip(times, expected) { #expect(abs(a - b) < 0.002, "\(times)") }
    }

    @Test func scalesAndStopsEarly() throws {
        let reader = try ClipReader(makeClip("b.mkv", more: ["-c:v", "ffv1"]), size: .width(100), frames: 5)
        #expect(reader.width == 100)
        #expect(reader.height == 75)
        #expect(try read(reader).times.count == 5)
    }

    /// A clip that lies on its side is shown upright, one with oblong pixels in its true shape.
    @Test func rotationAndPixelShapeCount() throws {
        let path = try makeClip("wide pixels.mp4", more: ["-vf", "setsar=2", "-c:v", "mpeg4"])
        let reader = try ClipReader(path)
        #expect(reader.width == 128)
        #expect(reader.height == 48)
        // Brighter to the right; turned clockwise, brighter downwards.
        let upright = try makeClip("upright.mp4", more: ["-vf", "geq=lum='4*X'", "-c:v", "mpeg4"])
        try turnClockwise(upright)
        let rotated = try ClipReader(upright)
        #expect(rotated.width == 48)
        #expect(rotated.height == 64)
        var frame = try rotated.makeFrame()
        _ = try #require(try rotated.read(into: &frame))
        let greys = [8, 24, 40, 56].map { Int(frame[24, $0].x) }
        #expect(zip(greys, greys.dropFirst()).allSatisfy { $0 + 40 < $1 }, "\(greys)")
        #expect(abs(Int(frame[4, 32].x) - Int(frame[44, 32].x)) < 20)
        #expect(try read(rotated).times.count == 11)
    }

    /// Changes the matrix of an .mp4 file's only track, as phones do that are held upright. ffmpeg's way to do it differs
    /// between its versions.
    private func turnClockwise(_ path: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let header = try #require(bytes.range(of: Data("tkhd".utf8)))
        let matrix: [UInt32] = [0, 1 << 16, 0, 0xFFFF << 16, 0, 0, 0, 0, 1 << 30]
        // Behind version, flags, times, numbers and layer: ISO/IEC 14496-12, 8.3.2.
        let start = header.upperBound + 40
        bytes.replaceSubrange(
            start..<(start + 36), with: matrix.flatMap { value in [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } })
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// The numbers of the processes of ffmpeg that scale to 123 pixels.
    private func children() throws -> String {
        try ProgramRun.run("/usr/bin/env", ["pgrep", "-f", "ffmpeg.*scale=123:"]).output
    }

    @Test func aReaderThatIsGivenUpEndsItsChild() throws {
        let path = try makeClip("long.mkv", frames: 200, size: "320x240", more: ["-c:v", "mpeg4"])
        do {
            // A size that no other test asks for.
            let reader = try ClipReader(path, size: .width(123))
            var frame = try reader.makeFrame()
            #expect(try reader.read(into: &frame) != nil)
            #expect(try !children().isEmpty)
        }
        try wait(for: "ffmpeg, which reads \(path), ends", pause: 0.2, look: children) { $0.isEmpty }
    }

    // MARK: What cannot be read

    private func failure(_ path: String) -> ClipError? {
        do {
            _ = try read(ClipReader(path))
            return nil
        } catch {
            return error as? ClipError
        }
    }

    @Test func missingFilesAreReported() {
        let error = failure(folder.path + "/none.mp4")
        #expect(error?.kind == .unreadable)
        #expect(error?.description.hasSuffix("/none.mp4: there is no such file") == true)
        #expect(failure(folder.path)?.reason == "is a folder, not a clip")
    }

    @Test func otherFilesAreRefusedWithFFmpegsWords() throws {
        let text = try folder.write("This is not a film.\n", "text.mp4")
        let error = try #require(failure(text))
        #expect(error.kind == .notAVideo)
        #expect(error.reason.contains("Invalid data found"))
        #expect(failure(try folder.write([UInt8](), "empty.mp4"))?.kind == .notAVideo)
        let sound = folder.path + "/sound.wav"
        try run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.2", sound])
        #expect(failure(sound)?.reason == "there is no video in it")
    }

    @Test func truncatedClipsGiveTheirFramesAndThenAnError() throws {
        let path = try makeClip(
            "whole.mp4", frames: 60, size: "320x240", more: ["-c:v", "mpeg4", "-q:v", "2", "-movflags", "faststart"])
        let whole = try bytes(of: path)
        let cut = try folder.write(whole.prefix(whole.count * 2 / 3), "cut.mp4")
        let reader = try ClipReader(cut)
        var frame = try reader.makeFrame()
        var error: ClipError?
        do { while try reader.read(into: &frame) != nil {} } catch let thrown { error = thrown }
        #expect(reader.frameCount > 10)
        #expect(reader.frameCount < 60)
        #expect(error?.kind == .damaged)
        #expect(error?.reason.contains("after \(reader.frameCount) frames") == true, "\(String(describing: error))")
    }
}
