import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// `bauta photo` with several masks.
@Suite struct SeveralMasksTests {
    let folder: TemporaryFolder
    let samples = Repository.root + "/samples"

    init() throws { folder = try TemporaryFolder() }

    func photo(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(["photo", "--occluders", "none"] + arguments, folder: folder.path)
    }

    /// The same person twice, side by side.
    func twins() throws -> String {
        let ada = try PictureReader.read("\(samples)/ada.jpg")
        let width = ada.pixels.width
        var both = try PixelBuffer(width: 2 * width, height: ada.pixels.height, format: .rgba8)
        for y in 0..<ada.pixels.height {
            both.withMutableRow(y) { row in
                for x in 0..<2 * width { row[x] = SIMD4(truncatingIfNeeded: ada.pixels[x % width, y]) }
            }
        }
        let path = folder.path + "/both.png"
        try PictureWriter.write(Picture(pixels: both), to: path, options: .init(format: .png), replacing: false)
        return path
    }

    /// Whether two results are the same in the left or the right half.
    func areAlike(_ result: String, _ other: String, left: Bool) throws -> Bool {
        let a = try PictureReader.read(result)
        let b = try PictureReader.read(other)
        let width = a.pixels.width
        let columns = left ? 0..<width / 2 : width / 2..<width
        for y in 0..<a.pixels.height {
            for x in columns where a.pixels[x, y] != b.pixels[x, y] { return false }
        }
        return true
    }

    @Test func facesWearSeveralMasksInTurn() throws {
        let path = try twins()
        for mask in ["tiger", "skull", "tiger,skull", "skull,tiger"] {
            let run = try photo([path, "--mask", mask, "-o", "\(mask)/both.png".replacing(",", with: "-")])
            #expect(run.exitCode == 0, "\(run.error)")
        }
        func result(_ name: String) -> String { folder.path + "/\(name)/both.png" }
        #expect(try areAlike(result("tiger-skull"), result("tiger"), left: true))
        #expect(try areAlike(result("tiger-skull"), result("skull"), left: false))
        #expect(try areAlike(result("skull-tiger"), result("skull"), left: true))
        #expect(try areAlike(result("skull-tiger"), result("tiger"), left: false))
        #expect(try !areAlike(result("skull"), result("tiger"), left: true))
    }

    @Test func thePhotographsGoOnWithTheMasks() throws {
        for name in "abc" { _ = try folder.write(try bytes(of: "\(samples)/ada.jpg"), "in/\(name).jpg") }
        #expect(try photo(["in", "--mask", "tiger,skull", "-o", "out"]).exitCode == 0)
        let results = try ["a", "b", "c"].map { try bytes(of: folder.path + "/out/\($0).jpg") }
        #expect(results[0] == results[2])
        #expect(results[0] != results[1])
        // Shards give the same as a whole run.
        for shard in ["1/2", "2/2"] {
            #expect(try photo(["in", "--mask", "tiger,skull", "-o", "shards", "--shard", shard]).exitCode == 0)
        }
        #expect(try ["a", "b", "c"].map { try bytes(of: folder.path + "/shards/\($0).jpg") } == results)
    }

    @Test(.slow) func anotherNumberIsAnotherOrder() throws {
        for name in 0..<8 { _ = try folder.write(try bytes(of: "\(samples)/ada.jpg"), "in/\(name).jpg") }
        func results(_ seed: String, _ output: String) throws -> [[UInt8]] {
            let run = try photo(["in", "--mask", "tiger,skull", "--shuffle", seed, "-o", output])
            #expect(run.exitCode == 0, "\(run.error)")
            return try (0..<8).map { try bytes(of: folder.path + "/\(output)/\($0).jpg") }
        }
        let first = try results("7", "a")
        #expect(try results("7", "b") == first)
        #expect(try results("8", "c") != first)
        #expect(Set(first).count == 2, "both masks are worn")
        // A result with another order is one with other settings.
        #expect(try photo(["in", "--mask", "tiger,skull", "--shuffle", "8", "-o", "a"]).exitCode != 0)
        #expect(try (0..<8).map { try bytes(of: folder.path + "/a/\($0).jpg") } == first)
        // The photographs of a longer list keep theirs.
        _ = try folder.write(try bytes(of: "\(samples)/ada.jpg"), "in/!.jpg")
        #expect(try results("7", "d") == first)
    }

    @Test func whatIsNoMaskIsNamed() throws {
        let path = "\(samples)/ada.jpg"
        let wrong = try photo([path, "--mask", "tiger,tigre"])
        #expect(wrong.exitCode == 66 && wrong.error.contains("tigre"), "\(wrong.error)")
        #expect(try photo([path, "--mask", "tiger,"]).exitCode == 66)
        let revealing = try photo([path, "--mask", "\(Repository.root)/Tests/Masks/swap,wolf"])
        #expect(
            revealing.exitCode == 64 && revealing.error.contains("shows other people's faces"), "\(revealing.error)")
        let alone = try photo([path, "--mask", "tiger", "--shuffle", "7"])
        #expect(alone.exitCode == 64)
        #expect(alone.error.contains("several masks"))
    }

    @Test func aFolderMayHaveACommaInItsName() throws {
        try FileManager.default.copyItem(
            atPath: Repository.root + "/masks/tiger", toPath: folder.path + "/tiger,skull")
        #expect(try photo(["\(samples)/ada.jpg", "--mask", "./tiger,skull", "-o", "a"]).exitCode == 0)
        #expect(try photo(["\(samples)/ada.jpg", "--mask", "tiger", "-o", "b"]).exitCode == 0)
        #expect(try bytes(of: folder.path + "/a/ada.jpg") == bytes(of: folder.path + "/b/ada.jpg"))
    }

    /// An empty painting leaves faces as they are, and of several masks only the first one's background is drawn.
    @Test func whatIsNotDrawnIsSaid() throws {
        var blank = try PixelBuffer(width: 64, height: 64, format: .rgba8)
        let warp = #"{"type": "warp", "texture": "t.png"}"#
        for (name, alpha, background) in [("blank", 0, "#00ff00"), ("faint", 1, "#00ff00"), ("other", 255, "#ff0000")] {
            blank.fill(SIMD4(200, 30, 30, 0))
            blank.withMutableRow(63) { $0[63] = SIMD4(200, 30, 30, UInt8(alpha)) }
            let texture = try PictureWriter.encode(
                Picture(pixels: try blank.copy(), hasAlpha: true), options: .init(format: .png), path: "t.png")
            try folder.write(texture.bytes(), "\(name)/t.png")
            try folder.write(
                """
                {"format": 1, "name": "\(name)", "layers": [{"type": "background", "color": "\(background)"}, \(warp)]}
                """, "\(name)/mask.json")
        }
        let path = try folder.write(try SmallSample.bytes("ada"), "ada.jpg")
        for (masks, isBlank, leavesOut) in [
            ("blank", true, false), ("faint", false, false), ("faint,other", false, true),
            ("faint,faint", false, false),
        ] {
            let run = try photo([path, "--mask", masks, "-o", "of \(masks)"])
            #expect(run.error.contains("draws nothing on faces: they stay unmasked") == isBlank, "\(run.error)")
            #expect(run.error.contains("the background of other is left out") == leavesOut, "\(run.error)")
        }
    }
}
