import Clips
import Foundation
import Pixels
import TestSupport
import Testing

@Suite struct ClipWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Frames of one grey each: 40, 50, 60, …
    private func write(_ settings: ClipWriter.Settings, width: Int = 66, height: Int = 48, times: [Double]) throws {
        let writer = try ClipWriter(width: width, height: height, settings: settings)
        var frame = try PixelBuffer(width: width, height: height, format: .rgba8)
        for (index, time) in times.enumerated() {
            let grey = UInt8(40 + 10 * index)
            for y in 0..<height {
                frame.withMutableRow(y) { row in for x in row.indices { row[x] = SIMD4(grey, grey, grey, 255) } }
            }
            try writer.write(frame, at: time)
        }
        try writer.finish()
    }

    private func read(_ path: String) throws -> [(seconds: Double, grey: Int)] {
        let reader = try ClipReader(path)
        var frame = try reader.makeFrame()
        var result: [(Double, Int)] = []
        while let seconds = try reader.read(into: &frame) { result.append((seconds, Int(frame[30, 20].x))) }
        return result
    }

    /// A GIF is made once all frames have come: how far that is can be told meanwhile.
    @Test(arguments: ["film.gif", "film.mp4"]) func filteredFramesAreCounted(_ name: String) throws {
        var settings = ClipWriter.Settings(target: folder.path + "/" + name)
        settings.countsFilteredFrames = true
        let writer = try ClipWriter(width: 64, height: 48, settings: settings)
        var frame = try PixelBuffer(width: 64, height: 48, format: .rgba8)
        for index in 0..<20 {
            frame.fill(SIMD4(UInt8(40 + 10 * index), 90, 90, 255))
            try writer.write(frame, at: Double(index) / 10)
        }
        var counts: [Int] = []
        try writer.finish { counts.append($0) }
        #expect(counts.last == 20 && counts == counts.sorted(), "\(counts)")
    }

    /// ffprobe names more than the filter that scales knows, and by other names.
    @Test(arguments: [
        ("bt709", "bt709"), ("bt470bg", "bt470bg"), ("smpte170m", "smpte170m"), ("smpte240m", "smpte240m"),
        ("fcc", "fcc"), ("bt2020nc", "bt2020nc"), ("bt2020c", "bt2020nc"), ("ycgco", "bt709"), ("gbr", nil),
        ("chroma-derived-nc", "bt709"),
    ])
    func matricesOfColoursAreKept(_ matrix: String, _ written: String?) throws {
        let path = folder.path + "/film.mp4"
        var settings = ClipWriter.Settings(target: path)
        settings.color.matrix = matrix
        try write(settings, times: [0, 0.04, 0.08])
        // What is written of RGB may be any.
        if let written { #expect(try ClipInformation.read(path, .any).color.matrix == written) }
        for (index, frame) in try read(path).enumerated() { #expect(abs(frame.grey - (40 + 10 * index)) <= 3) }
    }

    /// Grey is the same in all of them.
    @Test(.slow, arguments: ["bt709", "bt470bg", "smpte170m", "smpte240m", "fcc", "bt2020nc", "bt2020c", "ycgco"])
    func coloursAreTheSameInEachMatrix(_ matrix: String) throws {
        let colors: [SIMD4<UInt8>] = [SIMD4(200, 40, 40, 255), SIMD4(40, 180, 60, 255), SIMD4(50, 60, 210, 255)]
        let path = folder.path + "/film.mp4"
        var settings = ClipWriter.Settings(target: path)
        settings.color.matrix = matrix
        let writer = try ClipWriter(width: 96, height: 48, settings: settings)
        var frame = try PixelBuffer(width: 96, height: 48, format: .rgba8)
        for y in 0..<frame.height {
            frame.withMutableRow(y) { row in for x in row.indices { row[x] = colors[x / 32] } }
        }
        for index in 0..<3 { try writer.write(frame, at: 0.04 * Double(index)) }
        try writer.finish()
        let reader = try ClipReader(path)
        var read = try reader.makeFrame()
        #expect(try reader.read(into: &read) != nil)
        for (index, color) in colors.enumerated() {
            let found = read[32 * index + 16, 24]
            let difference = (0..<3).map { abs(Int(found[$0]) - Int(color[$0])) }.max() ?? 0
            #expect(difference <= 8, "\(found) instead of \(color)")
        }
    }

    @Test func unevenTimesAreKept() throws {
        let path = folder.path + "/a film: é.mp4"
        let times = [0, 0.04, 0.1, 0.5, 0.51, 2]
        try write(.init(target: path), times: times)
        let frames = try read(path)
        #expect(frames.count == times.count)
        for (index, frame) in frames.enumerated() {
            #expect(abs(frame.seconds - times[index]) < 0.0001)
            #expect(abs(frame.grey - (40 + 10 * index)) <= 3)
        }
    }

    /// Late frames are made up for, so that the film is as long as what was recorded.
    @Test func aConstantRateFillsGaps() throws {
        let path = folder.path + "/constant.mp4"
        var settings = ClipWriter.Settings(target: path)
        settings.constantRate = 25
        try write(settings, times: [0, 0.04, 0.2, 0.24])
        let frames = try read(path)
        try #require(frames.count == 7, "\(frames)")
        for (index, frame) in frames.enumerated() { #expect(abs(frame.seconds - Double(index) / 25) < 0.001) }
        #expect(abs(frames[3].grey - 50) <= 3 && abs(frames[6].grey - 70) <= 3)
    }

    /// What players of H.264 want is even; an odd row or column is scaled away.
    @Test func oddSizesAreMadeEven() throws {
        let path = folder.path + "/odd.mp4"
        try write(.init(target: path), width: 65, height: 49, times: [0, 0.1])
        let information = try ClipInformation.read(path)
        #expect(information.width == 64 && information.height == 48)
    }

    @Test func writingFailuresQuoteFFmpeg() throws {
        do {
            try write(.init(target: folder.path + "/no/such/folder.mp4"), times: [0, 1])
            Issue.record("it was written")
        } catch let error as ClipError {
            #expect(error.kind == .unwritable)
            #expect(error.reason.contains("No such file or directory"), "\(error)")
        }
        #expect(throws: ClipError.self) { try write(.init(target: folder.path + "/film.nonsense"), times: [0, 1]) }
    }
}
