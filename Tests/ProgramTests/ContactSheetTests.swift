import FaceTracking
import Foundation
import ImageFiles
import PhotoRecords
import Pixels
import TestSupport
import Testing

/// `bauta photo --contact-sheet`: the page itself.
@Suite struct ContactSheetTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func photo(_ arguments: [String]) throws -> ProgramRun {
        // Without a search for what is in front of faces, which takes as long as all else.
        let quick = arguments.contains("--anonymise") ? [] : ["--occluders", "none"]
        return try ProgramRun.bauta(["photo"] + quick + arguments, folder: folder.path)
    }

    private func page(_ sheet: String = "sheet") throws -> String {
        try String(contentsOfFile: folder.path + "/\(sheet)/index.html", encoding: .utf8)
    }

    private func items(_ page: String) -> [Substring] {
        page.components(separatedBy: "<li ").dropFirst().map { Substring($0) }
    }

    @Test(.slow) func everyPhotographIsThereTheDoubtfulOnesFirst() throws {
        try ContactSheetContent.write(into: folder)
        let run = try photo(["in", "-r", "--contact-sheet", "sheet"])
        #expect(run.exitCode == 1, "\(run.error)")
        let page = try page()
        let items = items(page)
        #expect(items.count == 6)
        // Copied unmasked; masked; failed; not a picture.
        #expect(items[0].contains("wall.png") && items[0].contains("doubtful"))
        #expect(items[1...3].allSatisfy { $0.hasPrefix(#"class="masked"#) })
        #expect(items[4].contains("broken.jpg") && items[4].contains("damaged or cut off"))
        #expect(items[5].contains("notes.txt") && items[5].hasPrefix(#"class="ignored"#))
        #expect(
            page.contains(#"<label for="masked">masked <b>3</b>"#) && page.contains(#"for="doubtful">To look at <b>"#))
        #expect(page.contains("6 done: 3 masked, 1 no face, 1 failed, 1 not a picture"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/sheet/thumbnails").count == 8)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/sheet/thumbnails") {
            let picture = try PictureReader.read(folder.path + "/sheet/thumbnails/" + name)
            #expect(max(picture.pixels.width, picture.pixels.height) <= Thumbnail.side)
        }
        // The folder is complete from its first moment, and nothing else is left beside it.
        #expect(try folder.names().filter { !$0.contains("/") } == ["in", "masked", "sheet"])
    }

    /// A thumbnail or the page itself is too large: of the sheet, which the message names, nothing is left.
    @Test(.slow, arguments: ["thumbnail", "page"]) func aSheetThatCannotBeWrittenLeavesNothing(_ what: String) throws {
        if what == "page" {
            for index in 0..<80 { try folder.write("no picture", "in/\(index).txt") }
        } else {
            var picture = try PixelBuffer(width: 320, height: 320, format: .rgba8)
            var state: UInt32 = 1
            for y in 0..<320 {
                for x in 0..<320 {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    let color = SIMD4<UInt8>(truncatingIfNeeded: SIMD4(state >> 8, state >> 16, state >> 24, 255))
                    picture.fill(x..<x + 1, ofRow: y, with: color)
                }
            }
            try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
            try PictureWriter.write(
                Picture(pixels: picture), to: folder.path + "/in/noise.png", options: .init(format: .png),
                replacing: false)
        }
        let run = try ProgramRun.shell(
            "ulimit -f 10; exec env --default-signal=XFSZ \"$BAUTA_PROGRAM\" photo --detector hog in -o out "
                + "--contact-sheet out/sheet.html", folder: folder.path)
        #expect(run.exitCode == 73, "\(run.exitCode) \(run.error)")
        #expect(run.error.contains("bauta: out/sheet.html: cannot be written: File too large"), "\(run.error)")
        #expect(!run.error.contains("temporary"), "\(run.error)")
        #expect(folder.results(in: "out") == [])
    }

    /// Names of files are text of strangers.
    @Test func namesCannotBecomeMarkup() throws {
        try ContactSheetContent.write(into: folder)
        #expect(try photo(["in", "-r", "--contact-sheet", "sheet", "-q"]).exitCode == 1)
        let page = try page()
        let body = try #require(page.components(separatedBy: "</style>").last)
        for text in ["<script", "onerror=\"", "javascript:", "http:", "https:", "\u{202E}", "\u{FFFD}"] {
            #expect(!body.contains(text), "\(text)")
        }
        #expect(body.contains("&lt;script&gt;alert(1)&lt;&quot;&#39;.jpg"))
        // Right-to-left override and a byte that is not UTF-8.
        #expect(body.contains(#"x\xE2\x80\xAEgpj.\xFF.jpg"#))
        #expect(body.contains("x%E2%80%AEgpj.%FF.jpg\""))
        // All quotation marks of attributes are in pairs, and every image has both sizes.
        for tag in body.components(separatedBy: "<img ").dropFirst() {
            let attributes = try #require(tag.components(separatedBy: ">").first)
            #expect(attributes.filter { $0 == "\"" }.count == 12, "\(attributes)")
        }
        #expect(page.contains("default-src 'none'"))
    }

    @Test func unmaskedFacesAreShownOnlyOnRequest() throws {
        try ContactSheetContent.write(into: folder)
        let arguments = ["in", "-r", "--anonymise", "-o", "out"]
        #expect(try photo(arguments + ["--contact-sheet", "safe"]).exitCode == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/safe/thumbnails")
        #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix("-after.jpg") }, "\(names)")
        #expect(try page("safe").contains("Check every picture before you share it"))
        // A second run makes thumbnails of what was done before, and of the photograph that was skipped.
        #expect(try photo(arguments + ["--contact-sheet", "own", "--show-originals"]).exitCode == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/own/thumbnails").count == 7)
        #expect(try page("own").contains("Keep this folder to yourself"))
        #expect(try photo(["in", "--show-originals"]).error.contains("no effect without --contact-sheet"))
    }

    @Test(.slow) func onlyContactSheetsAreReplaced() throws {
        try folder.write(try SmallSample.bytes("ada"), "in/ada.jpg")
        let run = try photo(["in", "--contact-sheet", "sheet/"])
        #expect(run.exitCode == 0, "\(run.error)")
        // Going on.
        #expect(try photo(["in", "--contact-sheet", "sheet"]).exitCode == 0)
        func refuses(_ words: String, _ options: String...) throws {
            let run = try photo(["in", "--contact-sheet", "sheet"] + options)
            #expect(run.exitCode == 73 && run.error.contains(words), "\(run.error)")
            // The advice is true.
            #expect(run.error.contains("--existing replace") == words.contains("already exists"), "\(run.error)")
        }
        try refuses("sheet: already exists", "--existing", "fail")
        // Files of others.
        for name in ["sheet/thumbnails/old.jpg", "sheet/thumbnails/000001-before.jpg.txt", "sheet/mine"] {
            try folder.write("mine", name)
            let shown = name.dropFirst("sheet/".count)
            try refuses("sheet: contains a file that does not belong to the contact sheet (\(shown))", "--force")
            try refuses("does not belong to the contact sheet (\(shown))")
            #expect(try bytes(of: folder.path + "/" + name) == Array("mine".utf8))
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(try photo(["in", "--contact-sheet", "sheet", "--force"]).exitCode == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/sheet/thumbnails").sorted()
                == ["000001-after.jpg", "000001-before.jpg"])
        // What only looks like one, also in the place of a shard's.
        try folder.write("<!DOCTYPE html>\n<title>mine</title>", "site.1-of-1/index.html")
        try folder.write("mine", "site.1-of-1/thumbnails/000001-before.jpg")
        let site = try photo(["in", "--contact-sheet", "site", "--shard", "1/1"])
        #expect(site.exitCode == 73 && site.error.contains("is not a contact sheet"), "\(site.error)")
        #expect(try folder.names().contains("site.1-of-1/thumbnails/000001-before.jpg"))
        for other in ["in", "masked"] {
            let refused = try photo(["in", "--contact-sheet", other, "--force"])
            #expect(refused.exitCode == 73 && refused.error.contains("is not a contact sheet"), "\(refused.error)")
        }
        // A sheet among the photographs is not masked.
        #expect(try photo(["in", "-r", "-o", "out", "--contact-sheet", "in/sheet"]).exitCode == 0)
        let last = try photo(["in", "-r", "-o", "out", "--contact-sheet", "in/sheet", "--force"])
        #expect(last.error.contains("1 done: 1 masked"), "\(last.error)")
    }
}

/// What `bauta photo` says at its end.
@Suite struct PhotoSummaryTests {
    @Test func theSummaryGivesAdvice() throws {
        let folder = try TemporaryFolder()
        let ada = try SmallSample.bytes("ada")
        let lying = Picture(
            pixels: try PictureReader.read(ada, path: "ada").pixels.copy().turnedUpright(from: .turnLeft))
        try folder.write(
            PictureWriter.encode(lying, options: .init(format: .png), path: "lying").bytes(), "in/lying.png")
        try folder.write(ada, "in/ada.jpg")
        for name in ["a", "b"] { try folder.write(Array(ada.prefix(3000)), "in/\(name).jpg") }
        try folder.write("", "masked/ada.jpg")
        let run = try ProgramRun.bauta(["photo", "--occluders", "none", "--rotated", "in"], folder: folder.path)
        #expect(run.exitCode == 1)
        #expect(run.error.contains("1 photograph lies on the side or upside down"), "\(run.error)")
        #expect(run.error.contains("mask again:\n  in/lying.png\n"))
        #expect(run.error.contains("Failures, and what to do:\n  2 damaged or cut off: copy them again"))
        #expect(run.error.contains("  1 whose result exists: --existing replace"))
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 270), count: 90)
        for index in 0..<12 {
            try folder.write(
                PNGBuilder(width: 90, height: 90, colorType: 2, rows: rows).bytes, "walls/\(index).png")
        }
        let walls = try ProgramRun.bauta(["photo", "--occluders", "none", "walls"], folder: folder.path)
        #expect(walls.error.contains("These are most of the photographs. If they show people: --min-face 20px"))
    }
}

/// Photographs for a contact sheet: three with faces, one without, one that is damaged, and a text.
enum ContactSheetContent {
    static let hostile: [[UInt8]] = [
        Array("<script>alert(1)<\"'.jpg".utf8), Array("x\u{202E}gpj.".utf8) + [0xFF] + Array(".jpg".utf8),
    ]

    static func write(into folder: TemporaryFolder) throws {
        let ada = try SmallSample.bytes("ada")
        try folder.write(ada, "in/deep/ada & co.jpg")
        try folder.write(Array(ada.prefix(3000)), "in/broken.jpg")
        try folder.write("hello", "in/notes.txt")
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 270), count: 90)
        try folder.write(PNGBuilder(width: 90, height: 90, colorType: 2, rows: rows).bytes, "in/wall.png")
        // Foundation's paths are text.
        for (name, sample) in zip(hostile, ["bruno", "emre"]) {
            let bytes = try SmallSample.bytes(sample)
            let path = (Array((folder.path + "/in/").utf8) + name + [0]).map { CChar(truncatingIfNeeded: $0) }
            let file = try #require(fopen(path, "w"))
            defer { fclose(file) }
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        }
    }
}
