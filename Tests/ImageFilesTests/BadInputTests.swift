import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

@Suite struct BadInputTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func kind(of bytes: [UInt8], named name: String) throws -> PictureError.Kind? {
        let path = try folder.write(bytes, name)
        return kind(of: path, mentioning: path)
    }

    private func kind(of path: String, mentioning text: String) -> PictureError.Kind? {
        do {
            _ = try PictureReader.read(path)
            return nil
        } catch {
            #expect(error.description.contains(text), "\(error)")
            return error.kind
        }
    }

    private func goodJPEG() throws -> [UInt8] {
        let path = folder.path + "/good.jpg"
        try PictureWriter.write(
            Picture(pixels: gradient(200, 150)), to: path, options: .init(format: .jpeg), replacing: true)
        return try bytes(of: path)
    }

    private func goodPNG() throws -> [UInt8] {
        PNGBuilder(
            width: 50, height: 40, colorType: 2, rows: Array(repeating: Array(repeating: 99, count: 150), count: 40)
        ).bytes
    }

    /// Wherever a JPEG is cut, it is an error and never a picture with a grey end.
    @Test func truncatedJPEG() throws {
        let file = try goodJPEG()
        #expect(try kind(of: file, named: "whole.jpg") == nil)
        for count in stride(from: 4, to: file.count - 2, by: max(1, file.count / 60)) {
            #expect(try kind(of: Array(file[..<count]), named: "cut.jpg") == .damaged, "cut at \(count)")
        }
    }

    @Test func truncatedPNG() throws {
        let file = try goodPNG()
        #expect(try kind(of: file, named: "whole.png") == nil)
        for count in stride(from: 9, to: file.count - 13, by: max(1, file.count / 60)) {
            #expect(try kind(of: Array(file[..<count]), named: "cut.png") == .damaged, "cut at \(count)")
        }
    }

    /// Whatever byte is wrong, there is an answer and no crash.
    @Test func flippedBytes() throws {
        for (file, name) in [(try goodJPEG(), "flip.jpg"), (try goodPNG(), "flip.png")] {
            for index in stride(from: 0, to: min(file.count, 700), by: 3) {
                var flipped = file
                flipped[index] ^= 0xFF
                _ = try? PictureReader.read(try folder.write(flipped, name))
            }
        }
    }

    @Test func headerThatLies() throws {
        var lying = PNGBuilder(width: 50, height: 40, colorType: 2, rows: [[1, 2, 3]])
        lying.height = 4000
        #expect(try kind(of: lying.bytes, named: "lying.png") == .damaged)
    }

    @Test func enormousHeadersAreRefusedBeforeAnythingIsAllocated() throws {
        let before = peakMemory()
        let png = PNGBuilder(width: 60_000, height: 60_000, colorType: 6, rows: [[0]])
        #expect(try kind(of: png.bytes, named: "huge.png") == .tooLarge)
        var jpeg = try goodJPEG()
        let frame = try #require(jpeg.firstRange(of: [0xFF, 0xC0]) ?? jpeg.firstRange(of: [0xFF, 0xC2]))
        jpeg.replaceSubrange((frame.lowerBound + 5)..<(frame.lowerBound + 9), with: [0xEA, 0x60, 0xEA, 0x60])
        #expect(try kind(of: jpeg, named: "huge.jpg") == .tooLarge)
        #expect(peakMemory() - before < 200 << 20)
    }

    private func peakMemory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    }

    @Test func otherThings() throws {
        #expect(try kind(of: [], named: "empty.jpg") == .damaged)
        #expect(try kind(of: Array("hello".utf8), named: "text.jpg") == .notAPicture)
        #expect(try kind(of: Array("GIF89a......".utf8), named: "a.gif") == .damaged)
        #expect(try kind(of: Array("RIFF....WEBPVP8 ".utf8), named: "a.webp") == .damaged)
        #expect(try kind(of: [0, 0, 0, 24] + Array("ftypheic".utf8), named: "a.heic") == .damaged)
        #expect(try kind(of: [0, 0, 0, 24] + Array("ftypisom".utf8), named: "a.mp4") == .video)
        #expect(kind(of: folder.path, mentioning: "folder") == .unreadable)
        #expect(kind(of: folder.path + "/missing.jpg", mentioning: "No such file") == .unreadable)
        mkfifo(folder.path + "/pipe.jpg", 0o600)
        #expect(kind(of: folder.path + "/pipe.jpg", mentioning: "regular file") == .unreadable)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything")) func unreadableFile() throws {
        let path = try folder.write(try goodPNG(), "secret.png")
        chmod(path, 0)
        #expect(kind(of: path, mentioning: "Permission denied") == .unreadable)
    }

    @Test func animatedPNGIsNotFlattened() throws {
        var animated = PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[1, 2, 3]])
        animated.chunks = [("acTL", PNGBuilder.big(2) + PNGBuilder.big(0))]
        #expect(try kind(of: animated.bytes, named: "animated.png") == .unsupported)
    }

    @Test func contentDecidesNotTheName() throws {
        let format = try PictureReader.read(try folder.write(try goodPNG(), "really a png.jpg")).format
        #expect(format == .png)
    }
}
