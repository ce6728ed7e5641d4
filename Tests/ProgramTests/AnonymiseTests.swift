import Compositing
import FaceTracking
import Foundation
import ImageFiles
import JSON
import NeuralNetworks
import Pixels
import TestSupport
import Testing

/// `bauta photo --anonymise`. With dlib's detector, so that no network is needed.
@Suite struct AnonymiseTests {
    let folder: TemporaryFolder
    let ada = Repository.root + "/samples/ada.jpg"

    init() throws { folder = try TemporaryFolder() }

    private func anonymise(_ arguments: [String], environment: [String: String] = [:]) throws -> ProgramRun {
        try ProgramRun.bauta(["photo", "--anonymise"] + arguments, environment: environment, folder: folder.path)
    }

    private func wall(_ name: String) throws {
        let rows = (0..<120).map { (y: Int) -> [UInt8] in
            (0..<360).map { (x: Int) -> UInt8 in UInt8(60 + (x + y) % 90) }
        }
        try folder.write(PNGBuilder(width: 120, height: 120, colorType: 2, rows: rows).bytes, name)
    }

    private func isCover(_ pixel: SIMD4<UInt16>, tolerance: Int) -> Bool {
        (0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(FaceCover.color[$0])) <= tolerance } && pixel[3] == 255
    }

    @Test(arguments: ["jpg", "png"]) func nothingOfTheFaceIsLeft(_ format: String) throws {
        let run = try anonymise([ada, "-o", "ada.\(format)", "--report", "r.jsonl"])
        #expect(run.exitCode == 0, "\(run.error)")
        let result = try PictureReader.read(folder.path + "/ada.\(format)")
        // The landmarks of the synthetic face, from the hairline to the chin.
        let points = try String(contentsOfFile: Repository.root + "/samples/ada.pts", encoding: .utf8)
            .split(separator: "\n").compactMap { line -> (Int, Int)? in
                let numbers = line.split(separator: " ").compactMap { Double($0) }
                return numbers.count == 2 ? (Int(numbers[0]), Int(numbers[1])) : nil
            }
        #expect(points.count == 68)
        let (xs, ys) = (points.map(\.0), points.map(\.1))
        let (left, right) = (try #require(xs.min()), try #require(xs.max()))
        let (brows, chin) = (try #require(ys.min()), try #require(ys.max()))
        var unmasked = 0
        for y in brows - (chin - brows) / 3..<chin {
            for x in left..<right where !isCover(result.pixels[x, y], tolerance: format == "png" ? 0 : 3) {
                unmasked += 1
            }
        }
        #expect(unmasked == 0)
        let line = try JSONValue(parsing: String(contentsOfFile: folder.path + "/r.jsonl", encoding: .utf8))
        let face = try #require(line["faces"]?[0])
        #expect(face["box"] != nil && face["landmarks"] == nil && face["pose"] == nil && line["doubt"] != nil)
    }

    @Test func nothingTellsWhoItWas() throws {
        let secret = "Anna Example"
        var xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        xmp += XMPBuilder.packet(attributes: "xmp:CreatorTool=\"\(secret)\"")
        let file = jpeg(
            try SmallSample.bytes("ada"),
            inserting: [
                (0xFE, Array(secret.utf8)), (0xE1, xmp),
                (0xE1, Array("Exif\0\0".utf8) + ExifBuilder.block(orientation: 1, width: 240, height: 300)),
                (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + ICCBuilder.profile()),
            ])
        try folder.write(file, "in/a.jpg")
        func contains(_ path: String, _ text: String) throws -> Bool {
            try Data(bytes(of: folder.path + "/" + path)).range(of: Data(text.utf8)) != nil
        }
        // The same file without --anonymise keeps them.
        _ = try ProgramRun.bauta(["photo", "in", "-o", "kept", "--occluders", "none"], folder: folder.path)
        #expect(try contains("kept/a.jpg", secret) && contains("kept/a.jpg", "ICC_PROFILE"))
        for format in ["jpeg", "png"] {
            let run = try anonymise(["in", "-o", format, "--format", format])
            #expect(run.exitCode == 0, "\(run.error)")
            let path = "\(format)/a.\(format == "png" ? "png" : "jpg")"
            for text in [secret, "ICC_PROFILE", "iCCP", "Exif", "eXIf", "xap/1.0", "XML:com.adobe.xmp"] {
                #expect(try !contains(path, text), "\(path) has \(text)")
            }
        }
    }

    @Test func transparentPixelsHideNothing() throws {
        let picture = try PictureReader.read(ada)
        let rows = (0..<800).map { y in
            (0..<640).flatMap { x -> [UInt8] in
                let pixel = picture.pixels[x, y]
                return [UInt8(pixel.x), UInt8(pixel.y), UInt8(pixel.z), y > 400 ? 0 : 255]
            }
        }
        try folder.write(PNGBuilder(width: 640, height: 800, colorType: 6, rows: rows).bytes, "a.png")
        #expect(try anonymise(["a.png", "-o", "out"]).exitCode == 0)
        let result = try PictureReader.read(folder.path + "/out/a.png")
        var hidden = 0
        for y in 0..<800 {
            for x in 0..<640 where result.pixels[x, y].w == 0 && result.pixels[x, y] != .zero { hidden += 1 }
        }
        #expect(hidden == 0)
    }

    @Test func nothingIsCopiedUnmasked() throws {
        try wall("in/wall.png")
        try folder.write(try SmallSample.bytes("ada"), "in/ada.jpg")
        let run = try anonymise(["in"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(
            run.error.contains("1 covered, 1 no face") && run.error.contains("1 photograph, skipped:\n  in/wall.png"))
        #expect(run.error.hasPrefix("Faces that are not found stay unmasked."), "\(run.error)")
        #expect(folder.results(in: "masked") == ["ada.jpg"])
        // What was made so is not taken for a masked one, nor the other way round.
        let masked = try ProgramRun.bauta(["photo", "in", "--occluders", "none"], folder: folder.path)
        #expect(masked.exitCode == 1 && masked.error.contains("made with other settings"), "\(masked.error)")
        #expect(try anonymise(["in", "-o", "blurred", "--no-face", "blur"]).exitCode == 0)
        let before = try PictureReader.read(folder.path + "/in/wall.png")
        let after = try PictureReader.read(folder.path + "/blurred/wall.png")
        #expect(try PictureDifference(before.pixels, after.pixels).share(above: 8) > 0.5)
    }

    /// A second run says of what it finds done what the first one said, in its summary and on the contact sheet.
    @Test(.slow) func findingsAreReportedAgain() throws {
        for (name, width) in [("a", 170), ("b", 130), ("c", 200)] {
            var finn = try PictureReader.read(Repository.root + "/samples/finn.jpg")
            finn.pixels = try finn.pixels.resized(width: width, height: width * 5 / 4)
            try folder.write(
                PictureWriter.encode(finn, options: .init(format: .png), path: name).bytes(), "in/\(name).png")
        }
        try wall("in/wall.png")
        func run(_ sheet: String) throws -> (doubtful: [Substring], findings: [String]) {
            let run = try anonymise(["in", "--detector", "hog", "--contact-sheet", sheet])
            #expect(run.exitCode == 0, "\(run.error)")
            let list = try #require(run.error.components(separatedBy: "shows all:\n").last)
            let page = try String(contentsOfFile: folder.path + "/\(sheet)/index.html", encoding: .utf8)
            return (
                // Below it is what looks through them.
                list.split(separator: "\n").filter { $0.hasPrefix("  0.") || $0.hasPrefix("  1.") },
                page.components(separatedBy: "</span> ").map {
                    $0.components(separatedBy: "</p>")[0]
                }.filter { $0.contains("face") && !$0.contains("<") }
            )
        }
        let (first, second) = (try run("first"), try run("second"))
        #expect(first.doubtful.contains { $0.hasSuffix("1 face, 1 possible face covered") }, "\(first)")
        #expect(second.doubtful.map(String.init) == first.doubtful.map { "\($0), done in an earlier run" })
        #expect(first.findings.count == 4 && first.findings.contains("no face"), "\(first)")
        #expect(second.findings == first.findings.map { "\($0), done in an earlier run" })
    }

    @Test(arguments: [
        (["--mask", "skull"], "a mask leaves parts of them visible"), (["--no-mask"], "faces would stay unmasked"),
        (["--faces", "largest"], "the other faces would stay unmasked"),
        (["--no-face", "copy"], "unmasked in the copy"),
        (["--min-face", "40px"], "1px to 12px"), (["--min-face", "2%"], "1px to 12px"),
        (["--draw", "mesh"], "the shape of the faces"), (["--occluders", "hair"], "is covered with it"),
        (["--renderer", "software"], "no mask is drawn"),
    ])
    func optionsThatLeaveFacesUnmaskedAreRefused(_ arguments: [String], _ reason: String) throws {
        let run = try anonymise(arguments + [ada])
        #expect(run.exitCode == 64 && run.error.contains("contradict each other") && run.error.contains(reason))
        #expect(try folder.names().isEmpty)
    }

    @Test(arguments: ["photo", "video"], [["--careful"], ["--sure"], ["--cover", "blur"]])
    func careAndCoversAreForAnonymising(_ command: String, _ option: [String]) throws {
        let run = try ProgramRun.bauta([command] + option + [ada], folder: folder.path)
        #expect(run.exitCode == 64 && run.error.contains("\(option[0]) needs --anonymise"), "\(run.error)")
        #expect(try folder.names().isEmpty)
    }

    @Test(arguments: ["photo", "video"]) func lessAndMoreContradictEachOther(_ command: String) throws {
        let run = try ProgramRun.bauta(
            [command, "--anonymise", "--sure", "--careful", "--detector", "hog", ada], folder: folder.path)
        #expect(run.exitCode == 64 && run.error.contains("--sure and --careful contradict each other"), "\(run.error)")
    }

    @Test func itNeedsTheNetworksUnlessTheUserAcceptsLess() throws {
        let run = try anonymise([ada], environment: ["XDG_DATA_HOME": folder.path])
        #expect(run.exitCode == 69 && run.error.contains("bauta fetch-networks"), "\(run.error)")
        #expect(try folder.names().isEmpty)
    }
}

/// What only the networks find.
@Suite(
    .enabled(
        if: NetworkFolder.standard.isUsable,
        "MediaPipe's face networks are not installed; scripts/fetch-networks fetches them"))
struct ThoroughSearchTests {
    /// Small faces at each rotation in a photograph that has a large upright one.
    @Test func smallAndRotatedFacesAreFound() throws {
        let finder = try PhotographFaces(reference: Repository.referenceFace(), models: FaceModels())
        let ada = try PictureReader.read(Repository.root + "/samples/ada.jpg")
        var scene = try PixelBuffer(width: 1000, height: 800, format: .rgba8)
        scene.fill(SIMD4(150, 150, 140, 255))
        scene.paste(ada.pixels, x: 0, y: 0)
        // Faces of about 40 pixels.
        let small = try ada.pixels.resized(width: 80, height: 100)
        for (index, orientation) in [Orientation.upright, .turnRight, .turnLeft, .upsideDown].enumerated() {
            scene.paste(try small.copy().turnedUpright(from: orientation), x: 760, y: 40 + 180 * index)
        }
        let found = try finder.thoroughSearch(in: scene, minimumFaceWidth: 12, .careful)
        #expect(found.faces.count >= 1)
        for index in 0..<4 {
            let (x, y) = (Float(800), Float(90 + 180 * index))
            let centers = found.faces.map(\.box.center) + found.unsure.map(\.box.center)
            #expect(centers.contains { abs($0.x - x) < 30 && abs($0.y - y) < 30 }, "rotation \(index): \(centers)")
        }
        // The usual search misses some of them.
        #expect(try finder.faces(in: scene).faces.count < 5)
    }
}
