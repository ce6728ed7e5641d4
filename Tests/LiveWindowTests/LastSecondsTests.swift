import Files
import LiveWindow
import Pixels
import TestSupport
import Testing

/// What has just been shown can be saved.
@Suite struct LastSecondsTests {
    private func frame(_ width: Int = 64, _ height: Int = 48, grey: UInt8 = 90) throws -> PixelBuffer {
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        pixels.fill(SIMD4(grey, grey, grey, 255))
        return pixels
    }

    @Test func onlyTheLastSecondsAreKeptAtALowRate() throws {
        let last = LastSeconds()
        for index in 0..<900 { try last.add(try frame(), at: Double(index) / 30) }
        let most = Int(LastSeconds.seconds * LastSeconds.rate)
        #expect(last.count <= most && last.count >= most * 4 / 5, "\(last.count)")
        #expect(!last.wants(29.95) && last.wants(30.1))
        // One may still be on its way when everything is covered.
        last.forget(until: 40)
        try last.add(try frame(), at: 40)
        #expect(last.count == 0)
        try last.add(try frame(), at: 40.1)
        #expect(last.count == 1)
    }

    /// Frames of another size, and those of a clock that has gone back, begin anew.
    @Test func anotherSourceBeginsAnew() throws {
        let last = LastSeconds()
        for index in 0..<5 { try last.add(try frame(), at: Double(index)) }
        try last.add(try frame(80), at: 5)
        #expect(last.count == 1)
        try last.add(try frame(80), at: 1)
        #expect(last.count == 1)
    }

    @Test func twoFilesAreWritten() throws {
        let folder = try TemporaryFolder()
        let last = LastSeconds()
        #expect(try last.write(to: FilePath(folder.path)) { Issue.record($0) }.isEmpty)
        for index in 0..<24 { try last.add(try frame(1280, 722, grey: UInt8(8 * index)), at: 100 + Double(index) / 15) }
        // Two requests at once would write the same twice.
        #expect(last.progress == nil && last.beginWriting(makesGIF: true) && !last.beginWriting(makesGIF: false))
        #expect(last.progress == LastSeconds.Progress(makesGIF: true))
        var progress: [LastSeconds.Progress] = []
        let paths = try last.write(to: FilePath(folder.path)) {
            progress.append($0)
            #expect(last.progress == $0)
        } warn: {
            Issue.record($0)
        }
        #expect(last.progress == nil)
        // The MP4 file is said to be there as soon as it is, and then the GIF goes on from 0 to the end.
        let ofGIF = progress.drop { $0.saved == nil }
        #expect(ofGIF.first == LastSeconds.Progress(saved: paths.first, share: 0, makesGIF: true))
        #expect(ofGIF.allSatisfy { $0.saved == paths.first })
        for shares in [progress.prefix { $0.saved == nil }.map(\.share), ofGIF.map(\.share)] {
            #expect(shares == shares.sorted() && shares.last.map { $0 >= 0.9 && $0 <= 1 } == true, "\(shares)")
        }
        // When all frames have come, little is done.
        #expect(ofGIF.contains { abs($0.share - 0.15) < 1e-9 })
        #expect(paths.map(\.fileExtension) == ["mp4", "gif"])
        #expect(paths[0].name.withoutExtension == paths[1].name.withoutExtension)
        for path in paths {
            let frames = try #require(try Recording.frameCount(path.description))
            #expect((23...25).contains(frames), "\(path): \(frames)")
            let size = try ProgramRun.run(
                "/usr/bin/env",
                ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path.description])
            #expect(size.output.hasPrefix(path.fileExtension == "gif" ? "480,270" : "1278,720"), "\(size.output)")
        }
    }

    /// A picture that fills no more than 1280 × 720 pixels is kept as it is, whatever its shape.
    @Test(arguments: [(640, 480, 640, 480), (720, 1280, 720, 1280), (1920, 1080, 1280, 720), (1080, 1920, 720, 1280)])
    func theSizeIsThatOfThePicture(_ width: Int, _ height: Int, _ keptWidth: Int, _ keptHeight: Int) throws {
        let last = LastSeconds()
        #expect(last.size == nil)
        try last.add(try frame(width, height), at: 0)
        let size = try #require(last.size)
        #expect(size == (keptWidth, keptHeight))
    }

    /// What cannot be compressed well is kept for a shorter time, rather than in more memory.
    @Test func theMemoryIsLimited() throws {
        var noise = try PixelBuffer(width: 1280, height: 720, format: .rgba8)
        var random = SystemRandomNumberGenerator()
        for y in 0..<720 {
            noise.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(truncatingIfNeeded: SIMD4<UInt32>(repeating: random.next())) }
            }
        }
        let last = LastSeconds()
        for index in 0..<150 { try last.add(noise, at: Double(index) / 15) }
        #expect((20..<150).contains(last.count), "\(last.count)")
    }

    /// Only who wants a GIF waits for it.
    @Test func theVideoComesAlone() throws {
        let folder = try TemporaryFolder()
        let last = LastSeconds()
        for index in 0..<6 { try last.add(try frame(grey: UInt8(8 * index)), at: Double(index) / 15) }
        let paths = try last.write(to: FilePath(folder.path), makesGIF: false) { Issue.record($0) }
        #expect(paths.map(\.fileExtension) == ["mp4"] && Folder.entries(of: FilePath(folder.path))?.count == 1)
    }

    /// The GIF takes much longer.
    @Test func aSessionThatEndsLeavesOutTheGIF() throws {
        let folder = try TemporaryFolder()
        let last = LastSeconds()
        for index in 0..<24 { try last.add(try frame(grey: UInt8(8 * index)), at: Double(index) / 15) }
        var (noted, reasons): ([FilePath], [String]) = ([], [])
        let paths = try last.write(to: FilePath(folder.path)) { progress in
            guard let saved = progress.saved, progress.share == 0 else { return }
            noted.append(saved)
            last.endSoon()
        } warn: {
            reasons.append("\($0)")
        }
        #expect(paths == noted && paths.map(\.fileExtension) == ["mp4"])
        #expect(reasons == ["the session has ended"])
        #expect(Folder.entries(of: folder.path)?.count == 1)
    }

    /// A failure leaves nothing: the folder is gone.
    @Test func aFailureIsThrown() throws {
        let last = LastSeconds()
        try last.add(try frame(), at: 0)
        #expect(last.beginWriting(makesGIF: true))
        #expect(throws: (any Error).self) { try last.write(to: "/proc/folder") { Issue.record($0) } }
        #expect(last.progress == nil)
    }

    @Test func theProgressIsSaid() {
        #expect(LastSeconds.Progress(share: 0.407).text == "Saving the last 10 s … 40 %")
        let saved = LastSeconds.Progress(saved: "a folder/now.mp4", share: 1.2)
        #expect(saved.text == "Making the GIF … 100 %")
    }
}
