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

    @Test(.enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence))) func aPortraitWearsItself()
        throws
    {
        let portrait = SharedData.root + "/photos/portrait_1080p.jpg"
        #expect(try make("p", "--from", portrait, "--light-removal", "0").exitCode == 0)
        #expect(try change(portrait, mask: folder.path + "/p") <= 3)
    }

    /// Teeth would be stretched over the wearer's closed lips.
    @Test(.slow, arguments: [0, 0.5] as [Float]) func openMouthsAreAdvisedAgainst(_ opening: Float) throws {
        var face = Sample.all[0].face
        face.expression = .init()
        face.expression.mouthOpening = opening
        var picture = try plain(Sample.width, Sample.height, SIMD4(120, 125, 130, 255))
        FaceDrawing(face, placement: Sample.all[0].placement, reference: try Repository.referenceFace())
            .draw(into: &picture, samples: 1)
        let path = folder.path + "/mouth.png"
        try PictureWriter.write(
            Picture(pixels: picture), to: path, options: .init(format: .png), replacing: false)
        let run = try make("m", "--from", path)
        #expect(run.exitCode == 0 && run.error.contains("the mouth is open") == (opening > 0), "\(run.error)")
    }

    /// A face lit from the side becomes even: its cheeks differ by less than half of what they did.
    @Test(.slow) func lightIsTakenOff() throws {
        var face = Sample.all[0].face
        face.light.direction = SIMD3(-1, -0.2, 0.5)
        var picture = try plain(Sample.width, Sample.height, SIMD4(120, 125, 130, 255))
        FaceDrawing(face, placement: Sample.all[0].placement, reference: try Repository.referenceFace())
            .draw(into: &picture, samples: 1)
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

    /// The forehead is whole, in spite of highlights, and no hair is above it.
    @Test(.slow, arguments: Sample.all.map(\.name))
    func aDrawnFaceWearsItselfWithoutItsHair(_ name: String) throws {
        let portrait = Repository.root + "/samples/\(name).jpg"
        let run = try make("visage é", "--from", portrait, "--light-removal", "0")
        #expect(run.exitCode == 0, "\(run.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/visage é").sorted()
        #expect(names == ["face.png", "face.pts", "mask.json", "thumbnail.png"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["visage é"])
        #expect(try change(portrait, mask: folder.path + "/visage é") <= 3)
        try checkForehead(folder.path + "/visage é")
    }

    private func checkForehead(_ mask: String) throws {
        let texture = try PictureReader.read(mask + "/face.png").pixels.copy()
        let points = try PointsFile.parse(String(contentsOfFile: mask + "/face.pts", encoding: .utf8))
        let topology = Landmarks.topology
        let brow = (right: try #require(topology.rightBrow.last), left: try #require(topology.leftBrow.first))
        let between = 0.5 * (points[brow.right] + points[brow.left])
        // The middle one of the head points is at the hairline.
        let forehead = 0.5 * (between + points[73])
        func brightness(_ pixel: SIMD4<UInt16>) -> Int { Int(pixel.x) + Int(pixel.y) + Int(pixel.z) }
        let middle = texture[Int(forehead.x), Int(forehead.y)]
        for (x, y) in (-15...15).flatMap({ x in (-15...15).map { (x, $0) } }) {
            #expect(texture[Int(forehead.x) + x, Int(forehead.y) + y].w >= 250)
        }
        let up = between - points[topology.jaw[topology.jaw.count / 2]]
        let brows = 0.12 * topology.faceWidth(points) * up.length
        var (visible, dark) = (0, 0)
        for y in 0..<texture.height {
            for x in 0..<texture.width where texture[x, y].w > 127 {
                guard ((Point(Float(x), Float(y)) - between) * up).sum() > brows else { continue }
                visible += 1
                if 2 * brightness(texture[x, y]) < brightness(middle) { dark += 1 }
            }
        }
        #expect(visible > 15_000 && Double(dark) < 0.003 * Double(visible), "\(visible) \(dark)")
    }

    @Test(.slow) func authorAndLicenceAreKept() throws {
        func make(_ arguments: String...) throws -> (manifest: String, error: String) {
            let configuration = ["XDG_CONFIG_HOME": folder.path + "/configuration"]
            let run = try ProgramRun.bauta(
                ["mask", "new"] + arguments, environment: configuration, folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            return (try String(contentsOfFile: "\(folder.path)/\(arguments[0])/mask.json", encoding: .utf8), run.error)
        }
        #expect(try !make("first").manifest.contains("author"))
        #expect(try make("second", "--author", "A. Painter", "--license", "CC0-1.0").manifest.contains("A. Painter"))
        let third = try make("third", "--license", "CC-BY-4.0").manifest
        #expect(third.contains("A. Painter") && third.contains("CC-BY-4.0"))
        let fourth = try make("fourth", "--author", "").manifest
        #expect(!fourth.contains("author") && fourth.contains("CC-BY-4.0"))
        // A broken file is said, ignored and kept.
        try folder.write("{", "configuration/bauta/author.json")
        let fifth = try make("fifth", "--author", "B.")
        #expect(fifth.manifest.contains("\"B.\"") && fifth.error.contains("not kept"), "\(fifth.error)")
        #expect(try bytes(of: folder.path + "/configuration/bauta/author.json") == Array("{".utf8))
    }

    /// A stranger's face is not signed with what was given for another mask, and whoever passes it on is warned.
    @Test(.slow) func aPersonsFaceHasNoLicenceUntilOneIsChosen() throws {
        let configuration = ["XDG_CONFIG_HOME": folder.path + "/configuration"]
        func bauta(_ arguments: String...) throws -> ProgramRun {
            let run = try ProgramRun.bauta(["mask"] + arguments, environment: configuration, folder: folder.path)
            #expect(run.exitCode == 0, "\(arguments): \(run.error)")
            return run
        }
        func manifest(_ name: String) throws -> JSONValue {
            try JSONValue(parsing: String(contentsOfFile: "\(folder.path)/\(name)/mask.json", encoding: .utf8))
        }
        let portrait = Repository.root + "/samples/ada.jpg"
        _ = try bauta("new", "painted", "--author", "A. Painter", "--license", "CC0-1.0")
        let made = try bauta("new", "stranger", "--from", portrait)
        for words in ["\"likeness\": \"agreed\"", "\"author\"", "\"license\""] {
            #expect(made.output.contains(words), "\(made.output)")
        }
        let stranger = try manifest("stranger")
        #expect(stranger["author"] == nil && stranger["license"] == nil && stranger["likeness"] == .string("unasked"))
        let checked = try bauta("check", "stranger").output
        for code in ["missing-author", "missing-license", "likeness-unasked"] {
            #expect(checked.contains("warning [\(code)] stranger/mask.json: "), "\(checked)")
        }
        #expect(try bauta("show", "stranger").output.contains("has not been asked"))
        let packed = try bauta("pack", "stranger")
        #expect(packed.error.contains("bauta: warning: stranger/mask.json: /likeness: "), "\(packed.error)")
        #expect(try bauta("check", "stranger.bauta").output.contains("[likeness-unasked]"))

        let friend = ["new", "friend", "--from", portrait, "--agreed", "--author", "B.", "--license", "CC-BY-4.0"]
        let agreed = try ProgramRun.bauta(["mask"] + friend, environment: configuration, folder: folder.path)
        #expect(agreed.exitCode == 0 && !agreed.output.contains("before you share"), "\(agreed.output) \(agreed.error)")
        #expect(try manifest("friend")["likeness"] == .string("agreed"))
        #expect(try !bauta("check", "friend").output.contains("likeness"))
        #expect(try bauta("pack", "friend").error.isEmpty)
        // A painting has no likeness, and the licence that paintings had before.
        _ = try bauta("new", "next")
        let next = try manifest("next")
        #expect(next["author"] == .string("A. Painter") && next["license"] == .string("CC0-1.0"))
        #expect(next["likeness"] == nil)
    }

    @Test(.slow) func anEmptySheetWorksAtOnce() throws {
        #expect(try make("sheet", "--author", "A. Painter", "--license", "CC0-1.0").exitCode == 0)
        let show = try ProgramRun.bauta(["mask", "show", folder.path + "/sheet"])
        #expect(show.exitCode == 0 && show.output.contains("A. Painter") && show.output.contains("paint.png"))
        for kind in ["ora", "svg"] {
            #expect(try make(kind, "--sheet", kind).exitCode == 0)
            let check = try ProgramRun.bauta(["mask", "check", folder.path + "/" + kind])
            #expect(check.exitCode == 0 && check.output.contains("0 errors, 2 warnings"), "\(check.output)")
            // White all over: the guides are not worn.
            let worn = try ProgramRun.bauta([
                "photo", "--occluders", "none", "--mask", folder.path + "/" + kind, "-o", folder.path + "/\(kind).png",
                Repository.root + "/samples/ada.jpg",
            ])
            #expect(worn.exitCode == 0, "\(worn.error)")
        }
        let difference = try PictureDifference(
            PictureReader.read(folder.path + "/ora.png").pixels, PictureReader.read(folder.path + "/svg.png").pixels)
        #expect(difference.largest <= 2)
    }

    @Test func failuresAreReportedAndLeaveNothing() throws {
        let face = Repository.root + "/samples/ada.jpg"
        try folder.write("mine", "taken/mine")
        try folder.write(
            PNGBuilder(
                width: 40, height: 40, colorType: 0, rows: Array(repeating: Array(repeating: 9, count: 40), count: 40)
            ).bytes, "grey.png")
        for (name, filter) in [("small", "scale=160:-2"), ("cut", "crop=400:ih:0:0")] {
            let drawn = try ProgramRun.run(
                "/usr/bin/env",
                ["ffmpeg", "-v", "error", "-i", face, "-vf", filter, "-q:v", "2", "\(folder.path)/\(name).jpg"])
            #expect(drawn.exitCode == 0, "\(drawn.error)")
        }
        let cases: [([String], Int32, String)] = [
            (["taken"], 73, "already exists"),
            (["a", "--from", folder.path + "/grey.png"], 65, "no face was found"),
            (["a", "--from", "missing.jpg"], 66, "missing.jpg"),
            (["a", "--from", folder.path + "/small.jpg"], 65, "pixels wide; a mask needs at least 80"),
            (["a", "--from", folder.path + "/cut.jpg"], 65, "part of the face is outside the picture"),
            (["a", "--from", face, "--face", "2"], 65, "has only 1 face"),
            (["a", "--face", "1"], 64, "--from"), (["a", "--agreed"], 64, "--from"),
            ([".."], 64, "cannot be the name"),
        ]
        for (arguments, code, words) in cases {
            let run = try ProgramRun.bauta(["mask", "new"] + arguments, folder: folder.path)
            #expect(run.exitCode == code && run.error.contains(words), "\(arguments): \(run.exitCode) \(run.error)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "cut.jpg", "grey.png", "small.jpg", "taken",
            ])
        #expect(try String(contentsOfFile: folder.path + "/taken/mine", encoding: .utf8) == "mine")
    }

    @Test(.slow, .enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence)))
    func oneOfSeveralFacesIsChosen()
        throws
    {
        let two = SharedData.root + "/photos/two_people.jpg"
        let undecided = try make("a", "--from", two)
        #expect(undecided.exitCode == 65 && undecided.error.contains("has 2 faces; crop the picture"))
        #expect(try make("a", "--from", two, "--face", "2").exitCode == 0)
    }
}
