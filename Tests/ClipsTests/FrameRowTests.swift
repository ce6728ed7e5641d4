import Clips
import Foundation
import Pixels
import TestSupport
import Testing

/// Frames whose rows end in padding go to and from ffmpeg as they are, and not row by row.
@Suite struct FrameRowTests {
    let folder: TemporaryFolder
    /// More rows than one system call takes; a page of a pipe ends within a row.
    static let (width, height, frames) = (20, 2500, 3)
    private static var rowLength: Int { 4 * width }
    /// Far fewer than a call for each row, and more than a busy machine makes of a frame.
    private static var mostCalls: Int { frames * height / 4 }

    init() throws {
        folder = try TemporaryFolder()
        #expect(try PixelBuffer(width: Self.width, height: 1, format: .rgba8).bytesPerRow > Self.rowLength)
    }

    private func run(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", arguments)
        #expect(run.exitCode == 0, "\(arguments): \(run.error)")
    }

    /// How many system calls of a kind this thread has made.
    /// - Parameter name: as proc(5) has it: syscr for those that read, syscw for those that write.
    private func calls(_ name: String) throws -> Int {
        let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8).split(separator: "\n")
        return try #require(lines.first { $0.hasPrefix(name) }.flatMap { Int($0.split(separator: " ")[1]) })
    }

    private func rows(_ frame: borrowing PixelBuffer) -> [UInt8] {
        let stride = frame.bytesPerRow
        return frame.withUnsafeBytes { bytes in
            (0..<Self.height).flatMap { bytes[$0 * stride..<$0 * stride + Self.rowLength] }
        }
    }

    /// All bytes of some frames that differ in each row.
    private func noise() -> [UInt8] {
        var state = UInt32(1)
        return (0..<Self.frames * Self.height * Self.rowLength).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            return index % 4 == 3 ? 255 : UInt8(state >> 24)
        }
    }

    @Test func framesAreReadManyRowsAtOnce() throws {
        let expected = noise()
        let raw = try folder.write(expected, "noise.raw")
        let clip = folder.path + "/clip.nut"
        try run([
            "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(Self.width)x\(Self.height)",
            "-r", "25", "-i", raw, "-c:v", "rawvideo", clip,
        ])
        let reader = try ClipReader(clip)
        var frame = try reader.makeFrame()
        var read: [UInt8] = []
        let before = try calls("syscr")
        while try reader.read(into: &frame) != nil { read += rows(frame) }
        let count = try calls("syscr") - before
        #expect(read == expected, "\(read.count) bytes")
        #expect(count < Self.mostCalls, "\(count) system calls")
    }

    @Test func framesAreWrittenManyRowsAtOnce() throws {
        let expected = noise()
        let (clip, raw) = (folder.path + "/clip.nut", folder.path + "/clip.raw")
        var settings = ClipWriter.Settings(target: clip)
        settings.rawPixelFormat = "rgba"
        let writer = try ClipWriter(width: Self.width, height: Self.height, settings: settings)
        var frame = try PixelBuffer(width: Self.width, height: Self.height, format: .rgba8)
        let stride = frame.bytesPerRow
        let before = try calls("syscw")
        for number in 0..<Self.frames {
            frame.withUnsafeMutableBytes { bytes in
                for row in 0..<Self.height {
                    let start = (number * Self.height + row) * Self.rowLength
                    UnsafeMutableRawBufferPointer(rebasing: bytes[row * stride..<row * stride + Self.rowLength])
                        .copyBytes(from: expected[start..<start + Self.rowLength])
                }
            }
            try writer.write(frame, at: Double(number) / 25)
        }
        let count = try calls("syscw") - before
        try writer.finish()
        #expect(count < Self.mostCalls, "\(count) system calls")
        try run(["ffmpeg", "-v", "error", "-i", clip, "-f", "rawvideo", "-pix_fmt", "rgba", raw])
        #expect(try bytes(of: raw) == expected)
    }

    /// A clip that ends within a frame has the frames before it.
    @Test func halfAFrameIsNone() throws {
        let raw = try folder.write(noise(), "noise.raw")
        let (clip, half) = (folder.path + "/clip.nut", folder.path + "/half.nut")
        try run([
            "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(Self.width)x\(Self.height)",
            "-r", "25", "-i", raw, "-c:v", "rawvideo", clip,
        ])
        let whole = try bytes(of: clip)
        _ = try folder.write(Array(whole.prefix(whole.count * 5 / 6)), "half.nut")
        let reader = try ClipReader(half)
        var frame = try reader.makeFrame()
        var count = 0
        do {
            while try reader.read(into: &frame) != nil { count += 1 }
        } catch {
            #expect(error.kind == .damaged, "\(error)")
        }
        #expect(count == 2)
    }
}
