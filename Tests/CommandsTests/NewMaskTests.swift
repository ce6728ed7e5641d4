import FaceGeometry
import Foundation
import ImageFiles
import JSON
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// `bauta mask new`.
@Suite struct NewMaskTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(["mask", "new"] + arguments, folder: folder.path)
    }

    /// How much a portrait changes that wears its own face: the mean over what is inside its face.
    private func change(_ portrait: String, mask: String) throws -> Double {
        let output = folder.path + "/worn.png"
        let worn = try ProgramRun.bauta(["photo", "--force", "--mask", mask, "-o", output, portrait])
        #expect(worn.exitCode == 0, "\(worn.error)")
        let difference = try PictureDifference(
            PictureReader.read(portrait).pixels, PictureReader.read(output).pixels)
        let texture = try PictureReader.read(mask + "/face.png").pixels.copy()
        // The face covers most of the texture, and nothing beyond it changes.
        let area = Double(texture.width * texture.height)
        #expect(Double(difference.values.count { $0 > 0 }) < area)
        return Double(difference.values.reduce(0, +)) / (0.5 * area)
    }

    @Test(arguments: ["ada", "chidi", "emre"]) func aDrawnFaceWearsItself(_ name: String) throws {
        let portrait = Repository.root + "/samples/\(name).jpg"
        let run = try make("visage é", "--from", portrait, "--light-removal", "0")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try change(portrait, mask: folder.path + "/visage é") <= 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/visage é").sorted()
        #expect(names == ["face.png", "face.pts", "mask.json", "thumbnail.png"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test(.enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence))) func aPortraitWearsItself()
        throws
    {
        let portrait = SharedData.root + "/photos/portrait_1080p.jpg"
        #expect(try make("p", "--from", portrait, "--light-removal", "0").exitCode == 0)
        #expect(try change(portrait, mask: folder.path + "/p") <= 3)
    }

    /// A face lit from the side becomes even: its cheeks differ by less than half of what they did.
    @Test func lightIsTakenOff() throws {
        var face = Sample.all[0].face
        face.light.direction = SIMD3(-1, -0.2, 0.5)
        var picture = try plain(Sample.width, Sample.height, SIMD4(120, 125, 130, 255))
        FaceDrawing(face, placement: Sample.all[0].placement, reference: try Repository.referenceFace())
            .draw(into: &picture)
        let path = folder.path + "/lit.png"
        try PictureWriter.write(
            Picture(pixels: picture), to: path, options: .init(format: .png), replacing: false)
        func unevenness(_ removal: String) throws -> Double {
            let run = try make("m" + removal, "--from", path, "--light-removal", removal)
            #expect(run.exitCode == 0, "\(run.error)")
            let face = try PictureReader.read(folder.path + "/m\(removal)/face.png").pixels.copy()
            func mean(_ x: Double) -> Double {
                var sum = 0.0
                for i in -4...4 {
                    for j in -4...4 { sum += Double(face[Int(x * Double(face.width)) + i, face.height * 6 / 10 + j].y) }
                }
                return sum / 81
            }
            return abs(mean(0.27) - mean(0.73))
        }
        let (with, without) = (try unevenness("100"), try unevenness("0"))
        #expect(without > 15 && with < 0.5 * without, "\(with) \(without)")
    }

    @Test func anEmptySheetWorksAtOnce() throws {
        #expect(try make("sheet", "--author", "A. Painter", "--license", "CC0-1.0").exitCode == 0)
        let show = try ProgramRun.bauta(["mask", "show", folder.path + "/sheet"])
        #expect(show.exitCode == 0 && show.output.contains("A. Painter") && show.output.contains("paint.png"))
        for kind in ["ora", "svg"] {
            #expect(try make(kind, "--sheet", kind).exitCode == 0)
            let check = try ProgramRun.bauta(["mask", "check", folder.path + "/" + kind])
            #expect(check.exitCode == 0 && check.output.contains("0 errors, 2 warnings"), "\(check.output)")
            // White all over: the guides are not worn.
            let worn = try ProgramRun.bauta([
                "photo", "--mask", folder.path + "/" + kind, "-o", folder.path + "/\(kind).png",
                Repository.root + "/samples/ada.jpg",
            ])
            #expect(worn.exitCode == 0, "\(worn.error)")
        }
        let difference = try PictureDifference(
            PictureReader.read(folder.path + "/ora.png").pixels, PictureReader.read(folder.path + "/svg.png").pixels)
        #expect(difference.largest <= 2)
    }

    @Test func whatCannotBeDoneIsSaidAndLeavesNothing() throws {
        let face = Repository.root + "/samples/ada.jpg"
        try folder.write("mine", "taken/mine")
        try folder.write(
            PNGBuilder(
                width: 40, height: 40, colorType: 0, rows: Array(repeating: Array(repeating: 9, count: 40), count: 40)
            ).bytes, "grey.png")
        let cases: [([String], Int32, String)] = [
            (["taken"], 73, "is there already"),
            (["a", "--from", folder.path + "/grey.png"], 65, "no face is found"),
            (["a", "--from", "missing.jpg"], 66, "missing.jpg"),
            (["a", "--from", face, "--face", "2"], 65, "there is no number 2"),
            (["a", "--face", "1"], 64, "--from"),
            ([".."], 64, "cannot be the name"),
        ]
        for (arguments, code, words) in cases {
            let run = try ProgramRun.bauta(["mask", "new"] + arguments, folder: folder.path)
            #expect(run.exitCode == code && run.error.contains(words), "\(arguments): \(run.exitCode) \(run.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["grey.png", "taken"])
        #expect(try String(contentsOfFile: folder.path + "/taken/mine", encoding: .utf8) == "mine")
    }

    @Test(.enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence))) func oneOfSeveralFacesIsChosen()
        throws
    {
        let two = SharedData.root + "/photos/two_people.jpg"
        let undecided = try make("a", "--from", two)
        #expect(undecided.exitCode == 65 && undecided.error.contains("has 2 faces; choose one with --face"))
        #expect(try make("a", "--from", two, "--face", "2").exitCode == 0)
    }
}

/// `bauta mask pack`, `unpack`, `install`, `remove`.
@Suite struct MaskPackageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bauta(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["mask"] + arguments, environment: ["XDG_DATA_HOME": folder.path + "/data"], folder: folder.path)
    }

    @Test func aMaskTravels() throws {
        let source = Repository.root + "/masks/wolf"
        #expect(try bauta("pack", source).exitCode == 0)
        #expect(try bauta("pack", source, "--output", "again.bauta").exitCode == 0)
        let packed = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/wolf.bauta"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/again.bauta")) == packed)
        #expect(try bauta("pack", source).exitCode == 73, "nothing is replaced unasked")

        #expect(try bauta("unpack", "wolf.bauta", "--output", "loup é").exitCode == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/loup é").sorted() == names)
        for name in names {
            #expect(
                FileManager.default.contentsEqual(atPath: source + "/" + name, andPath: folder.path + "/loup é/" + name)
            )
        }

        #expect(try bauta("install", "wolf.bauta", "--name", "Loup").exitCode == 0)
        #expect(try bauta("list").output.contains("Loup"))
        let again = try bauta("install", "wolf.bauta", "--name", "Loup")
        #expect(again.exitCode == 73 && again.error.contains("is there already"))
        #expect(try bauta("install", "loup é", "--name", "Loup", "--force").exitCode == 0)
        let mistaken = try bauta("remove", "Lop")
        #expect(mistaken.exitCode == 66 && mistaken.error.contains("Did you mean 'Loup'?"))
        #expect(try bauta("remove", "Loup").exitCode == 0)
        #expect(try !bauta("list").output.contains("Loup"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/bauta/masks").isEmpty)
    }

    /// Nothing is left of what was refused.
    @Test func whatCannotBeWornIsNotInstalled() throws {
        let evil = ZipBuilder([.init("mask.json"), .init("../evil")]).bytes
        try folder.write(evil, "evil.bauta")
        let refused = try bauta("install", "evil.bauta")
        #expect(refused.exitCode == 65 && refused.error.contains("[archive-parent-path]"), "\(refused.error)")
        let broken = ZipBuilder([
            .init(
                "mask.json",
                Array(#"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "no.png"}]}"#.utf8))
        ]).bytes
        try folder.write(broken, "broken.bauta")
        let unworn = try bauta("install", "broken.bauta")
        #expect(unworn.exitCode == 65 && unworn.error.contains("/layers/0/texture"), "\(unworn.error)")
        let masks = folder.path + "/data/bauta/masks"
        #expect((try? FileManager.default.contentsOfDirectory(atPath: masks)) ?? [] == [])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bauta/evil"))
        for name in ["../masks", "a/b", ".hidden", ""] { #expect(try bauta("remove", name).exitCode == 64) }
    }
}

/// `bauta mask template`.
@Suite struct MaskTemplateTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A sheet is a texture as it is: nothing is painted on it yet, so nothing is worn.
    @Test func aSheetIsATexture() throws {
        let portrait = Repository.root + "/samples/ada.jpg"
        let made = try ProgramRun.bauta(
            ["mask", "template", "--size", "512", "--of", portrait, "-o", "mask é/sheet.ora"], folder: folder.path)
        #expect(made.exitCode == 73 && made.error.contains("mask é"), "\(made.error)")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "sheet.ora"}]}"#, "mask é/mask.json")
        let again = try ProgramRun.bauta(
            ["mask", "template", "--size", "512", "--of", portrait, "-o", "mask é/sheet.ora"], folder: folder.path)
        #expect(again.exitCode == 0, "\(again.error)")
        let show = try ProgramRun.bauta(["mask", "show", "mask é"], folder: folder.path)
        #expect(show.output.contains("512 × 512"), "\(show.output) \(show.error)")
        let worn = try ProgramRun.bauta(
            ["photo", "--mask", "mask é", "-o", "worn.png", portrait], folder: folder.path)
        #expect(worn.exitCode == 0, "\(worn.error)")
        let difference = try PictureDifference(
            PictureReader.read(portrait).pixels, PictureReader.read(folder.path + "/worn.png").pixels)
        #expect(difference.largest == 0)
    }

    @Test func guidesLieOnTheReferenceFace() throws {
        let made = try ProgramRun.bauta(["mask", "template", "--size", "512", "-o", "g.png"], folder: folder.path)
        #expect(made.exitCode == 0, "\(made.error)")
        let sheet = try PictureReader.read(folder.path + "/g.png").pixels.copy()
        #expect(sheet.width == 512)
        for place in try Repository.referenceFace().vertices {
            let pixel = sheet[Int(512 * place.x), Int(512 * place.y)]
            #expect(pixel.x < 40 && (140...180).contains(pixel.y) && pixel.w == 255, "\(pixel) at \(place)")
        }
        #expect(sheet[2, 2].w == 0 && sheet[256, 250].w > 80)
        let taken = try ProgramRun.bauta(["mask", "template", "-o", "g.png"], folder: folder.path)
        #expect(taken.exitCode == 73)
        let odd = try ProgramRun.bauta(["mask", "template", "-o", "g.bmp"], folder: folder.path)
        #expect(odd.exitCode == 64 && odd.error.contains(".svg or .png"))
    }

    /// As a drawing program leaves it: the guides are still in the file, and something is on its layer "paint".
    @Test func aPaintedDrawingIsATexture() throws {
        let made = try ProgramRun.bauta(["mask", "template", "--size", "512", "-o", "s.svg"], folder: folder.path)
        #expect(made.exitCode == 0, "\(made.error)")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "s.svg"}]}"#, "mask.json")
        let empty = try ProgramRun.bauta(["mask", "check", "."], folder: folder.path)
        #expect(empty.output.contains("[texture-empty]"), "\(empty.output) \(empty.error)")
        let drawing = try String(contentsOfFile: folder.path + "/s.svg", encoding: .utf8)
        let painted = drawing.replacingOccurrences(
            of: #"inkscape:label="paint"></g>"#,
            with: ##"inkscape:label="paint"><circle cx="512" cy="596" r="90" fill="#e02020"/></g>"##)
        #expect(painted != drawing)
        try folder.write(painted, "s.svg")
        let portrait = Repository.root + "/samples/ada.jpg"
        let worn = try ProgramRun.bauta(["photo", "--mask", ".", "-o", "worn.png", portrait], folder: folder.path)
        #expect(worn.exitCode == 0, "\(worn.error)")
        let points = try PointsFile.parse(String(contentsOfFile: Repository.root + "/samples/ada.pts", encoding: .utf8))
        let before = try PictureReader.read(portrait).pixels.copy()
        let after = try PictureReader.read(folder.path + "/worn.png").pixels.copy()
        let nose = after[Int(points[30].x), Int(points[30].y)]
        #expect(nose.x > 200 && nose.y < 60 && nose.z < 60, "\(nose)")
        let chin = before[Int(points[8].x), Int(points[8].y)]
        let masked = after[Int(points[8].x), Int(points[8].y)]
        #expect(chin == masked)
    }
}

/// `bauta mask check`. What it finds is tested in `MaskCheckTests`.
@Suite struct MaskCheckCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["mask", "check"] + arguments, environment: ["XDG_DATA_HOME": folder.path, "TMPDIR": folder.path],
            folder: folder.path)
    }

    private static let faulty =
        #"{"format": 1, "name": "x", "layers": [{"type": "warp", "live": "face", "opactiy": 1}]}"#

    @Test func theGalleryIsWithoutFault() throws {
        let run = try ProgramRun.bauta(["mask", "check", "--strict"] + Repository.maskNames())
        #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.output)")
        #expect(run.output.split(separator: "\n").count == (try Repository.maskNames()).count)
    }

    @Test func problemsAreToldToPeopleAndPrograms() throws {
        try folder.write(Self.faulty, "wölf é/mask.json")
        for name in ["wölf é", "wölf é/", "wölf é/mask.json"] {
            let run = try check(name)
            #expect(run.exitCode == 65)
            #expect(run.output.contains("error [unknown-key] wölf é/mask.json: /layers/0/opactiy: "), "\(run.output)")
            #expect(run.output.contains(": 1 error, 2 warnings\n"))
        }
        let run = try check("--json", "wölf é")
        guard case .array(let masks) = try JSONValue(parsing: run.output), case .object(let mask)? = masks.first,
            case .array(let problems)? = mask.last?.value, case .object(let problem)? = problems.first
        else {
            Issue.record("\(run.output)")
            return
        }
        let members = Dictionary(uniqueKeysWithValues: problem.map { ($0.key, $0.value) })
        #expect(members["code"] == .string("unknown-key") && members["severity"] == .string("error"))
        #expect(members["pointer"] == .string("/layers/0/opactiy") && members["remedy"] != nil)
    }

    @Test func exitCodesAreForScripts() throws {
        try folder.write(Self.faulty.replacingOccurrences(of: #", "opactiy": 1"#, with: ""), "plain/mask.json")
        #expect(try check("plain").exitCode == 0, "warnings alone")
        #expect(try check("--strict", "plain").exitCode == 65)
        let missing = try check("nonesuch", "plain")
        #expect(missing.exitCode == 66 && missing.output.contains("plain: 0 errors"))
        #expect(try check().exitCode == 64)
    }

    /// A packed mask is checked without being installed, and nothing of it stays.
    @Test func packedMasksAreChecked() throws {
        try folder.write(ZipBuilder([.init("mask.json", Array(Self.faulty.utf8))]).bytes, "a.bauta")
        try folder.write(ZipBuilder([.init("mask.json"), .init("../evil")]).bytes, "evil.bauta")
        let run = try check("a.bauta", "evil.bauta")
        #expect(run.exitCode == 65)
        #expect(run.output.contains("[unknown-key] a.bauta/mask.json: /layers/0/opactiy"), "\(run.output)")
        #expect(run.output.contains("[archive-parent-path] evil.bauta: '../evil'"), "\(run.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.bauta", "evil.bauta"])
        let refused = try ProgramRun.bauta(
            ["mask", "install", "a.bauta"], environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
        #expect(refused.exitCode == 65 && refused.error.contains("[unknown-key]"))
    }

    @Test func theListOfProblemsIsUpToDate() throws {
        let run = try check("--codes")
        #expect(try run.output == Repository.text("docs/mask-issues.md"), "write it anew: bauta mask check --codes")
    }
}
