import Clips
import Files
import Foundation
import Pixels
import TestSupport
import Testing
import Threads

/// Clips made to make ffmpeg, or the reader of its output, misbehave.
@Suite struct HostileClipTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tool(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", arguments)
        #expect(run.exitCode == 0, "\(arguments): \(run.error)")
    }

    /// The times of a clip's frames. A reader that hangs is stopped, so that its test fails.
    private func times(_ path: String) throws -> [Double] {
        let reader = try ClipReader(path)
        let done = StopSignal()
        let guardian = try DedicatedThread.start { [stop = reader.stopper()] in
            if done.sleep(seconds: 120) { stop() }
        }
        defer {
            done.stop()
            guardian.join()
        }
        var frame = try reader.makeFrame()
        var times: [Double] = []
        while let seconds = try reader.read(into: &frame) { times.append(seconds) }
        return times
    }

    /// A PNG of one pixel with texts, which ffmpeg makes metadata of its frame.
    private func picture(_ texts: [(key: String, text: String)]) -> [UInt8] {
        var picture = PNGBuilder(width: 1, height: 1, colorType: 0, rows: [[128]])
        picture.chunks = texts.map { ("tEXt", Array("\($0.key)\0\($0.text)".utf8)) }
        return picture.bytes
    }

    @Test(arguments: ["Comment", "frame"]) func textsOfPicturesAreNoTimes(_ key: String) throws {
        let forged = "\nframe:0    pts:0       pts_time:nan\nframe:0    pts:0       pts_time:1e300\n"
        let clip = try folder.write(picture([(key, forged)]), "forged.png")
        #expect(try times(clip) == [0])
    }

    /// More texts than a pipe holds.
    @Test(.slow) func manyTextsDoNotBlock() throws {
        let text = String(repeating: "x", count: 300)
        let clip = try folder.write(picture((0..<12_000).map { ("Comment \($0)", text) }), "many.png")
        #expect(try times(clip) == [0])
    }

    /// Files that the kernel makes up count as regular and have no size; reading /proc/kmsg would wait for ever.
    @Test func filesOfTheKernelAreNotRead() throws {
        // The second only if the first is refused: the test would wait, too.
        for path in ["/proc/self/mountinfo", "/proc/kmsg"] where access(path, R_OK) == 0 {
            let link = "\(folder.path)/\(path.split(separator: "/").joined(separator: "-")).mp4"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            for clip in [path, link] {
                do {
                    _ = try times(clip)
                    Issue.record("\(clip) was read")
                    return
                } catch let error as ClipError {
                    // Who may not open it, such as root in a container, gets to know that.
                    let isKept = path == "/proc/kmsg" && error.reason.contains("cannot be read")
                    try #require(error.reason == "is empty (0 bytes)" || isKept, "\(error)")
                }
            }
        }
    }

    @Test func scriptsAreNotFollowed() throws {
        try tool([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:r=25", "-frames:v", "3",
            folder.path + "/secret.mkv",
        ])
        let script = try folder.write("ffconcat version 1.0\nfile secret.mkv\n", "harmless.gif")
        let playlist = try folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.mkv\n#EXT-X-ENDLIST\n", "playlist.mp4")
        for (clip, format) in [(script, "concat"), (playlist, "hls")] {
            do {
                _ = try times(clip)
                Issue.record("\(clip) was read")
            } catch let error as ClipError {
                // FFmpeg 7 takes a playlist by such a name for none.
                let isRefused = ["its format '\(format)' is not supported", "Not detecting m3u8/\(format)"].contains {
                    error.reason.contains($0)
                }
                #expect(error.kind == .notAVideo && isRefused, "\(error)")
            }
        }
    }

    /// To ffmpeg these are options, protocols, patterns and other formats.
    @Test(
        .slow,
        arguments: [
            "-y", "-i.mkv", "%03d.png", "concat:a.mkv", "pipe:0", "data:x.mkv", "a|b.mkv", "x.ffconcat", "*.png",
            "http:", "a'b\"c\\d.mkv",
        ])
    func namesAreNames(_ name: String) throws {
        let made = folder.path + "/made.mkv"
        try tool([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:r=25", "-frames:v", "3", "-c:v", "ffv1",
            made,
        ])
        try folder.write(try bytes(of: made), name)
        #expect(try times(folder.path + "/" + name).count == 3)
    }

    @Test(.slow) func decodingHasALimitOfTime() throws {
        let clip = folder.path + "/clip.mkv"
        try tool(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=640x480:r=25", "-frames:v", "3", clip])
        let reader = try ClipReader(clip, loops: true, cpuSeconds: 1)
        var frame = try reader.makeFrame()
        let error = #expect(throws: ClipError.self) { while try reader.read(into: &frame) != nil {} }
        #expect(
            error?.reason.contains("exceeds the limit of 1 s of processor time") == true, "\(String(describing: error))"
        )
    }

    @Test func specialFilesAreNotWaitedFor() throws {
        let pipe = folder.path + "/pipe.mp4"
        #expect(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: ClipError.self) { try times(pipe) }
        #expect(error?.reason == "is not a regular file")
        let address = #expect(throws: ClipError.self) { try times("gopher://host/a.mp4") }
        #expect(address?.reason.contains("http") == true)
    }

    // MARK: Writing

    private func write(_ settings: ClipWriter.Settings, times: [Double]) throws {
        let writer = try ClipWriter(width: 16, height: 16, settings: settings)
        var frame = try PixelBuffer(width: 16, height: 16, format: .rgba8)
        for y in 0..<16 { frame.withMutableRow(y) { row in for x in row.indices { row[x] = SIMD4(9, 9, 9, 255) } } }
        for time in times { try writer.write(frame, at: time) }
        try writer.finish()
    }

    /// A forged time must not make a recording of days.
    @Test func longGapsAreNotFilled() throws {
        var settings = ClipWriter.Settings(target: folder.path + "/gap.mkv")
        settings.constantRate = 25
        try write(settings, times: [0, 0.04, .nan, 999_999, 999_999.04, .infinity, 1e300])
        let count = try times(settings.target.description).count
        // The gap is shortened to a minute, or a little more if the test was stopped for that long.
        #expect((1503...3000).contains(count), "\(count)")
    }

    @Test func aFileHasOneWriter() throws {
        let path = folder.path + "/film.mkv"
        do {
            let file = try ClipFile(path, replacing: false)
            let second = #expect(throws: (any Error).self) { _ = try ClipFile(path, replacing: false) }
            #expect("\(second.map { "\($0)" } ?? "")".contains("--force"))
            let third = #expect(throws: (any Error).self) { _ = try ClipFile(path, replacing: true) }
            #expect("\(third.map { "\($0)" } ?? "")".contains("another program is writing to it"))
            #expect(file.path == FilePath(path))
        }
        // Nothing was written to it.
        #expect(try folder.names().isEmpty)
        try write(.init(target: path), times: [0, 0.1])
        #expect(throws: ClipError.self) { try write(.init(target: path), times: [0, 0.1]) }
        var again = ClipWriter.Settings(target: path)
        again.file = try ClipFile(path, replacing: true)
        try write(again, times: [0, 0.1, 0.2])
        #expect(try times(path).count == 3)
    }

    private func realpath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// As in a child process that another thread starts at that moment.
    @Test func aCopyOfTheDescriptorKeepsNoLock() throws {
        let path = folder.path + "/film.mkv"
        var settings = ClipWriter.Settings(target: path)
        settings.file = try ClipFile(path, replacing: false)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return target.map { realpath($0) == realpath(path) } ?? false
        }
        let copy = dup(try #require(open.flatMap { Int32($0) }))
        defer { close(copy) }
        try write(settings, times: [0, 0.1])
        settings.file = nil
        #expect(throws: Never.self) { _ = try ClipFile(path, replacing: true) }
    }

    /// What has no lock is taken for the file of a program that was killed.
    @Test func aTemporaryFileStaysLocked() throws {
        let temporary = try TemporaryFile(for: FilePath(folder.path + "/film.mkv"))
        var settings = ClipWriter.Settings(target: temporary.path)
        settings.file = try ClipFile(temporary)
        settings.format = "matroska"
        try write(settings, times: [0, 0.1])
        settings.file = nil
        let other = temporary.path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        defer { close(other) }
        #expect(other >= 0 && flock(other, LOCK_EX | LOCK_NB) != 0)
    }

    @Test func namesAreNamesForWriting() throws {
        for name in ["-y.mkv", "%03d.mkv", "tee:a.mkv", "a|b.mkv"] {
            try write(.init(target: folder.path + "/" + name), times: [0, 0.1])
            #expect(try times(folder.path + "/" + name).count == 2)
        }
        var camera = ClipWriter.Settings(target: folder.path + "/-y.mkv")
        camera.format = "v4l2"
        let error = #expect(throws: ClipError.self) { try write(camera, times: [0]) }
        #expect(error?.reason == "is not a virtual camera")
    }
}
