import Foundation
import ImageFiles
import JSON
import PhotoRecords
import Pixels
import TestSupport
import Testing

@Suite struct PhotoCommandTests {
    let folder: TemporaryFolder
    let samples = Repository.root + "/samples"

    init() throws { folder = try TemporaryFolder() }

    /// Without a search for what is in front of faces, which takes as long as all else.
    func photo(_ arguments: [String], input: [UInt8]? = nil) throws -> ProgramRun {
        try ProgramRun.bauta(["photo", "--occluders", "none"] + arguments, input: input, folder: folder.path)
    }

    func copy(_ sample: String, to name: String) throws -> String {
        try folder.write(try bytes(of: "\(samples)/\(sample).jpg"), name)
    }

    func noFace(_ name: String) throws -> String {
        try folder.write(
            PNGBuilder(
                width: 90, height: 90, colorType: 2,
                rows: Array(repeating: Array(repeating: 120, count: 270), count: 90)
            ).bytes, name)
    }

    // MARK: The main job

    private var swap: String { Repository.root + "/Tests/Masks/swap" }

    /// A mask that only shows other people's faces draws nothing on a single one.
    @Test func aFaceWithoutPartnerIsNotMasked() throws {
        let run = try ProgramRun.bauta(
            ["photo", "--mask", swap, "-o", folder.path + "/out", Repository.root + "/samples/ada.jpg"])
        #expect(run.exitCode == 0 && run.error.contains("0 masked, 1 no face"), "\(run.error)")
        #expect(
            run.error.contains("another person's face, and none suits in 1 photograph, left unmasked"), "\(run.error)")
    }

    /// What `--draw` draws on it is there, also where the mask draws nothing.
    @Test func overlaysAreDrawnOnAFaceWithoutPartner() throws {
        let input = Repository.root + "/samples/ada.jpg"
        let run = try photo(["--mask", swap, "--draw", "mesh", input])
        #expect(run.exitCode == 0 && run.error.contains("0 masked, 1 no face"), "\(run.error)")
        let unmasked = try PictureReader.read(input)
        let result = try PictureReader.read(folder.path + "/masked/ada.jpg")
        #expect(try PictureDifference(unmasked.pixels, result.pixels).share(above: 30) > 0.005)
    }

    @Test func aPhotographIsMasked() throws {
        let run = try photo(["\(samples)/ada.jpg"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.output.isEmpty && run.error.contains("1 face -> masked/ada.jpg"))
        let before = try PictureReader.read("\(samples)/ada.jpg")
        let after = try PictureReader.read(folder.path + "/masked/ada.jpg")
        let difference = try PictureDifference(before.pixels, after.pixels)
        #expect(difference.share(above: 30) > 0.05)
        #expect(try folder.names() == ["masked", "masked/\(PhotoJournal.name)", "masked/ada.jpg"])
    }

    /// Through the whole program: pixels outside the face come out of a PNG unchanged.
    @Test func pixelsOutsideTheFaceAreUntouchedInPNG() throws {
        let before = try PictureReader.read("\(samples)/bruno.jpg")
        try PictureWriter.write(before, to: folder.path + "/in.png", options: .init(format: .png), replacing: false)
        #expect(try photo(["--mask", "tiger", "in.png", "-o", "out"]).exitCode == 0)
        let after = try PictureReader.read(folder.path + "/out/in.png")
        let difference = try PictureDifference(before.pixels, after.pixels)
        // The head fills the middle; all around it not one bit may change.
        for y in 0..<800 {
            for x in 0..<640 where x < 120 || x >= 520 || y < 120 || y >= 680 {
                #expect(difference.values[y * 640 + x] == 0)
            }
        }
        #expect(difference.largest > 100)
    }

    @Test func subfoldersFormatsAndOddNamesAreKept() throws {
        _ = try copy("ada", to: "in/a b é/ää.JPG")
        _ = try copy("chidi", to: "in/deep/er/x.jpeg")
        _ = try noFace("in/nothing.png")
        try folder.write("not a picture", "in/notes.txt")
        try folder.write("hidden", "in/.hidden.jpg")
        let run = try photo(["--recursive", "in", "--output", "out é"])
        #expect(run.exitCode == 0, "\(run.error)")
        let written = try folder.names().filter {
            $0.hasPrefix("out é/") && $0.contains(".") && !$0.hasSuffix(".jsonl")
        }
        #expect(written == ["out é/a b é/ää.JPG", "out é/deep/er/x.jpeg", "out é/nothing.png"])
        #expect(run.error.contains("2 masked, 1 no face, 0 failed, 1 not a picture"))
        // Without --recursive only the folder itself.
        let flat = try photo(["in", "--output", "flat"])
        #expect(flat.error.contains("0 masked, 1 no face"))
    }

    @Test func aPhotographWithoutAFaceIsCopiedByteByByteOrSkipped() throws {
        let path = try noFace("plain.png")
        #expect(try photo([path]).exitCode == 0)
        #expect(try bytes(of: folder.path + "/masked/plain.png") == bytes(of: path))
        #expect(try photo(["--no-face", "skip", "-o", "other", path]).exitCode == 0)
        #expect(folder.results(in: "other").isEmpty)
    }

    @Test func formatQualityAndFileNamesCanBeChosen() throws {
        #expect(try photo(["\(samples)/ada.jpg", "-o", "result.png"]).exitCode == 0)
        #expect(try PictureReader.read(folder.path + "/result.png").format == .png)
        #expect(try photo(["\(samples)/ada.jpg", "--format", "png", "-o", "d"]).exitCode == 0)
        #expect(try PictureReader.read(folder.path + "/d/ada.png").format == .png)
        #expect(try photo(["\(samples)/ada.jpg", "--quality", "20", "-o", "small"]).exitCode == 0)
        let (small, large) = (try bytes(of: folder.path + "/small/ada.jpg"), try bytes(of: "\(samples)/ada.jpg"))
        #expect(small.count < large.count / 2)
        #expect(try photo(["\(samples)/ada.jpg", "\(samples)/emre.jpg", "-o", "one.jpg"]).exitCode == 64)
    }

    @Test func facesAreChosen() throws {
        // Two people side by side, one smaller.
        let ada = try PictureReader.read("\(samples)/ada.jpg")
        var both = try PixelBuffer(width: 1280, height: 800, format: .rgba8)
        for y in 0..<800 {
            both.withMutableRow(y) { row in
                for x in 0..<640 {
                    row[x] = SIMD4(truncatingIfNeeded: ada.pixels[x, y])
                    let (u, v) = (2 * x, 2 * y)
                    row[640 + x] =
                        u < 640 && v < 800 ? SIMD4(truncatingIfNeeded: ada.pixels[u, v]) : SIMD4(90, 90, 90, 255)
                }
            }
        }
        let path = folder.path + "/both.png"
        try PictureWriter.write(Picture(pixels: both.copy()), to: path, options: .init(format: .png), replacing: false)
        #expect(try photo([path, "-o", "a"]).error.contains("2 faces"))
        #expect(try photo([path, "-o", "b", "--faces", "largest"]).error.contains("1 face "))
        #expect(try photo([path, "-o", "c", "--faces", "1"]).error.contains("1 face "))
        #expect(try photo([path, "-o", "d", "--min-face", "250px"]).error.contains("1 face "))
        let largest = try PictureReader.read(folder.path + "/b/both.png")
        #expect(largest.pixels[800, 200] == both[800, 200], "the smaller face stays unmasked")
    }

    @Test func greySixteenBitAndTransparentPicturesAreMasked() throws {
        let ada = try PictureReader.read("\(samples)/ada.jpg")
        func row(_ y: Int, _ pixel: (SIMD4<UInt16>) -> [UInt8]) -> [UInt8] {
            (0..<640).flatMap { pixel(ada.pixels[$0, y]) }
        }
        let grey = PNGBuilder(width: 640, height: 800, colorType: 0, rows: (0..<800).map { row($0) { [UInt8($0.y)] } })
        let deep = PNGBuilder(
            width: 640, height: 800, colorType: 2, bitDepth: 16,
            rows: (0..<800).map { row($0) { [UInt8($0.x), 7, UInt8($0.y), 7, UInt8($0.z), 7] } })
        let clear = PNGBuilder(
            width: 640, height: 800, colorType: 6,
            rows: (0..<800).map { y in row(y) { [UInt8($0.x), UInt8($0.y), UInt8($0.z), y < 100 ? 0 : 255] } })
        for (name, builder) in [("grey.png", grey), ("deep.png", deep), ("clear.png", clear)] {
            try folder.write(builder.bytes, "in/" + name)
        }
        let run = try photo(["in"])
        #expect(run.exitCode == 0 && run.error.contains("3 masked"), "\(run.error)")
        let greyColor = try PictureReader.read(folder.path + "/masked/grey.png").isColor
        let deepFormat = try PictureReader.read(folder.path + "/masked/deep.png").pixels.format
        let clearAlpha = try PictureReader.read(folder.path + "/masked/clear.png").pixels[5, 5].w
        #expect(!greyColor && deepFormat == .rgba16 && clearAlpha == 0)
    }

    @Test func detectionsAreDrawn() throws {
        #expect(
            try photo(["\(samples)/ada.jpg", "--no-mask", "--draw", "boxes,mesh,landmarks", "--format", "png"]).exitCode
                == 0)
        let picture = try PictureReader.read(folder.path + "/masked/ada.png")
        var greens = 0
        for y in 0..<800 { for x in 0..<640 where picture.pixels[x, y] == SIMD4(0, 255, 120, 255) { greens += 1 } }
        #expect(greens > 68 * 4)
    }

    // MARK: Lists and reports

    @Test(arguments: ["\n", "\0"]) func pathsComeOnStandardInput(_ separator: String) throws {
        let paths = [try copy("ada", to: "in/a b.jpg"), try copy("emre", to: "in/c.jpg")]
        let run = try photo(["-"], input: Array((paths.joined(separator: separator) + separator).utf8))
        #expect(run.exitCode == 0 && run.error.contains("2 masked"), "\(run.error)")
    }

    @Test func theReportHasALineForEachPhotograph() throws {
        let face = try copy("ada", to: "in/ada.jpg")
        let plain = try noFace("in/plain.png")
        let broken = try folder.write(Array(try bytes(of: face).prefix(5000)), "in/broken.jpg")
        let run = try photo(["in", "--report", "report.jsonl", "--jobs", "1"])
        #expect(run.exitCode == 1)
        let lines = try String(contentsOfFile: folder.path + "/report.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3)
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
        func object(_ path: String) -> [String: Any] { objects.first { $0["path"] as? String == path } ?? [:] }
        let masked = object("in/ada.jpg")
        #expect(face.hasSuffix("in/ada.jpg") && plain.hasSuffix("in/plain.png") && broken.hasSuffix("in/broken.jpg"))
        #expect(masked["status"] as? String == "masked" && masked["output"] as? String == "masked/ada.jpg")
        #expect(masked["width"] as? Int == 640 && masked["height"] as? Int == 800)
        let found = try #require((masked["faces"] as? [[String: Any]])?.first)
        #expect((found["landmarks"] as? [[Double]])?.count == 68)
        #expect((found["headPoints"] as? [String: [Double]])?.count == 11)
        #expect((found["box"] as? [String: Double])?["width"] ?? 0 > 100)
        #expect(abs((found["pose"] as? [String: Double])?["roll"] ?? 9) < 0.1)
        let times = masked["milliseconds"] as? [String: Double] ?? [:]
        #expect(Set(times.keys) == Set(PhotoTimes.Stage.allCases.map(\.rawValue)) && times["detect"] ?? 0 > 1)
        #expect(object("in/plain.png")["status"] as? String == "noFace")
        #expect(object("in/broken.jpg")["status"] as? String == "failed")
        #expect((object("in/broken.jpg")["error"] as? String)?.contains("damaged or cut off") == true)
        // It is not overwritten unasked, and may go to standard output.
        #expect(try photo(["in", "-o", "again", "--report", "report.jsonl"]).exitCode == 73)
        #expect(try photo(["in", "-o", "again", "--report", "-", "-q"]).output.split(separator: "\n").count == 3)
    }

    // MARK: What cannot work at all

    @Test func problemsOfAllPhotographsAreReportedOnce() throws {
        let none = try photo(["\(samples)/ada.jpg", "--mask", "bauto"])
        #expect(none.exitCode == 66 && none.error.contains("Did you mean 'bauta'?"))
        let model = try photo(["\(samples)/ada.jpg", "--model", "/nowhere.dat"])
        #expect(model.exitCode == 69 && model.error.contains("/nowhere.dat: cannot be read"), "\(model.error)")
        let text = try folder.write("no model", "model.dat")
        #expect(try photo(["\(samples)/ada.jpg", "--model", text]).exitCode == 65)
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "no.png"}]}"#, "m/mask.json")
        let broken = try photo(["\(samples)/ada.jpg", "--mask", "m"])
        #expect(broken.exitCode == 65 && broken.error.contains("/layers/0/texture"), "\(broken.error)")
        let empty = folder.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        #expect(try photo([empty]).exitCode == 66)
        #expect(try photo(["-"]).error.contains("standard input, which lists no file"))
        let file = try photo(["\(samples)/ada.jpg", "-o", text])
        #expect(file.exitCode == 73 && file.error.contains("is a file, but must be a folder"), "\(file.error)")
        let inside = try photo(["\(samples)/ada.jpg", "-o", text + "/x.jpg"])
        #expect(inside.exitCode == 1 && inside.error.contains("a file has that name"), "\(inside.error)")
    }

    @Test func withoutOpenGLMasksAreDrawnInSoftware() throws {
        // A vendor file that leads nowhere: EGL finds no driver.
        let environment = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere.json"]
        let masked = try ProgramRun.bauta(
            ["photo", "\(samples)/ada.jpg"], environment: environment, folder: folder.path)
        #expect(masked.exitCode == 0 && masked.error.contains("1 face "), "\(masked.error)")
        let run = try ProgramRun.bauta(
            ["photo", "--renderer", "opengl", "\(samples)/bruno.jpg"], environment: environment, folder: folder.path)
        #expect(
            run.exitCode == 69 && run.error.contains("sudo apt-get install libegl1 libgl1-mesa-dri"), "\(run.error)")
    }

    // MARK: The terminal

    /// On a terminal of 60 columns the bar stays on one line.
    @Test(.enabled(if: Terminal.isPossible, "there are no pseudo-terminals here"))
    func theProgressBarFitsTheTerminal() throws {
        for index in 0..<5 { _ = try copy("ada", to: "in/\(index).jpg") }
        let run = try Terminal.run("stty cols 60; '\(Repository.executable)' photo in", folder: folder.path)
        let drawn = run.output.split(separator: "\r").map { $0.replacingOccurrences(of: "\u{1B}[K", with: "") }
        let bars = drawn.filter { $0.contains("/5  ") }
        #expect(!bars.isEmpty, "\(run.output)")
        for bar in bars { #expect(bar.trimmed.count < 60, "\(bar)") }
        #expect(run.output.contains("5 done: 5 masked"))
    }

    @Test func quietIsQuiet() throws {
        let run = try photo(["\(samples)/ada.jpg", "--quiet"])
        #expect(run.exitCode == 0 && run.output.isEmpty && run.error.isEmpty)
    }
}

/// The user without rights.
enum Nobody {
    static let isPossible = geteuid() == 0 && (try? run("/usr/bin/test", ["-x", Repository.executable]))?.exitCode == 0

    static func run(_ path: String, _ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.run("/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", path] + arguments)
    }
}

/// A pseudo-terminal, through the program `script`.
enum Terminal {
    static let isPossible = (try? run("echo works", folder: "/"))?.output.contains("works") == true

    static func run(_ command: String, folder: String) throws -> ProgramRun {
        try ProgramRun.run(
            "/usr/bin/script", ["-qec", command, "/dev/null"], environment: ["TERM": "xterm"], folder: folder)
    }
}
