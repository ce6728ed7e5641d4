import FaceGeometry
import FaceRecognition
import Files
import Foundation
import ImageFiles
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// `bauta people`, and the options that depend on who is enrolled.
@Suite struct PeopleArgumentTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bauta(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(arguments, environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
    }

    @Test(arguments: [
        (["people", "enroll", "unknown", "a.jpg"], "not enrolled"), (["people", "enroll", "a=b", "a.jpg"], "'='"),
        (["people", "enroll", "a,b", "a.jpg"], "','"), (["people", "enroll", "Ada"], "'<photograph|clip|camera>'"),
        (["photo", "--people", "Ada", "a.jpg"], "name=mask"),
        (["photo", "--people", "Ada=skull,Ada=wolf", "a.jpg"], "twice"),
        (["photo", "--people", "unknown=blur,unknown=none", "a.jpg"], "twice"),
        (["photo", "--only", "unknown", "a.jpg"], "not enrolled"),
        (["photo", "--only", "Ada", "--except", "Bruno", "a.jpg"], "exclude each other"),
        (["photo", "--only", "Ada", "--only", "Bruno", "a.jpg"], "given twice"),
        (["video", "--people", "Ada=none", "--people", "unknown=blur", "a.mp4"], "given twice"),
        (["video", "--faces", "largest", "--people", "unknown=blur", "a.mp4"], "contradict each other"),
        (["people", "enroll", "None", "a.jpg"], "is a covering"),
    ])
    func wrongArgumentsAreRefused(_ arguments: [String], _ reason: String) throws {
        let run = try bauta(arguments)
        #expect(run.exitCode == 64 && run.error.contains(reason), "\(run.error)")
    }

    @Test(arguments: [["photo"], ["video"], ["live", "drawn", "--headless", "--frames", "1"]])
    func unknownPeopleCannotBeNamed(_ command: [String]) throws {
        let files = command[0] == "live" ? [] : ["a.jpg"]
        let run = try bauta(command + ["--except", "Ada"] + files)
        #expect(run.exitCode == 66 && run.error.contains("'Ada' is not enrolled"), "\(run.error)")
        let forget = try bauta(["people", "forget", "Ada"])
        #expect(forget.exitCode == 66 && forget.error.contains("nobody is enrolled"), "\(forget.error)")
    }

    @Test func nobodyIsListedAtFirst() throws {
        #expect(try bauta(["people", "list"]).output.contains("Nobody is enrolled"))
        #expect(try bauta(["people", "list", "--json"]).output == "[]\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/bauta"))
    }

    @Test func withoutTheNetworkTheRemedyIsNamed() throws {
        let portrait = Repository.root + "/samples/photograph/astronaut.jpg"
        let run = try bauta(["people", "enroll", "Eileen", portrait])
        #expect(run.exitCode == 69 && run.error.contains("bauta fetch-networks --people"), "\(run.error)")
    }
}

@Suite(
    .enabled(
        if: FaceEmbedder.isInstalled() && NetworkFolder.standard.isUsable,
        "the networks are not installed; scripts/fetch-networks and scripts/fetch-networks --people fetch them"))
struct PeopleTests {
    let folder: TemporaryFolder
    let portrait = Repository.root + "/samples/photograph/astronaut.jpg"
    let ada = Repository.root + "/samples/ada.jpg"

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/bauta", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/bauta/networks", withDestinationPath: NetworkFolder.standard.path().description)
    }

    func bauta(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(arguments, environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
    }

    func enroll() throws {
        let run = try bauta(["people", "enroll", "Eileen Ö", portrait])
        #expect(run.exitCode == 0 && run.output.contains("1 of 1 picture added"), "\(run.error)")
    }

    /// The portrait on the left, a synthetic face on the right: 1024 × 640.
    func party(_ name: String = "party.png") throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 1024, height: 640, format: .rgba8)
        picture.fill(SIMD4(90, 100, 110, 255))
        picture.paste(try PictureReader.read(portrait).pixels, x: 0, y: 64)
        let drawn = try PictureReader.read(ada)
        picture.paste(try drawn.pixels.resized(width: 512, height: 640), x: 512, y: 0)
        try PictureWriter.write(
            Picture(pixels: picture.copy()), to: folder.path + "/" + name, options: .init(format: .png), replacing: true
        )
        return picture
    }

    /// How many pixels of the portrait's head and of the right half are different. Around the head, --anonymise covers
    /// spots that are hardly faces.
    func changes(_ result: String, _ before: borrowing PixelBuffer) throws -> (left: Int, right: Int) {
        let after = try PictureReader.read(folder.path + "/" + result)
        var counts = (left: 0, right: 0)
        for y in 0..<before.height {
            for x in 0..<before.width where before[x, y] != after.pixels[x, y] {
                if x >= 512 {
                    counts.right += 1
                } else if (120..<340).contains(x), (64..<330).contains(y) {
                    counts.left += 1
                }
            }
        }
        return counts
    }

    /// Nobody can be recognised in it, and no mask fits. It stays where nobody is to be hidden.
    @Test(
        .enabled(
            if: NetworkFolder.standard.hasCenterFace,
            "CenterFace is not installed; scripts/fetch-networks fetches it"))
    func profilesAreBlurredWhereSomeMayBeSeen() throws {
        try enroll()
        var picture = try PixelBuffer(width: 1024, height: 640, format: .rgba8)
        picture.fill(SIMD4(120, 120, 120, 255))
        picture.paste(try PictureReader.read(portrait).pixels, x: 0, y: 64)
        var profile = Sample.all[0].face
        profile.pose = Pose(yaw: 1.8, pitch: 0, roll: 0)
        let placement = DrawnFacePlacement(center: Point(770, 320), faceWidth: 110)
        FaceDrawing(profile, placement: placement, reference: try Repository.referenceFace())
            .draw(into: &picture, samples: 1)
        try PictureWriter.write(
            Picture(pixels: picture.copy()), to: folder.path + "/two.png", options: .init(format: .png), replacing: true
        )
        let spared = try bauta(["photo", "two.png", "-o", "out/", "--json", "--except", "Eileen Ö"])
        #expect(spared.exitCode == 0 && spared.output.contains(#""unsureFaces":[{"#), "\(spared.output)")
        let changed = try changes("out/two.png", picture)
        #expect(changed.left == 0 && changed.right > 10_000, "\(changed)")
        let all = try bauta(["photo", "two.png", "-o", "all/", "--json", "--people", "Eileen Ö=skull"])
        #expect(all.exitCode == 0 && !all.output.contains("unsureFaces"), "\(all.output)")
        #expect(try changes("all/two.png", picture).right == 0)
    }

    @Test func enrolledPeopleAreRecognisedListedAndForgotten() throws {
        try enroll()
        let list = try bauta(["people", "list", "--json"]).output
        #expect(list.contains(#""name": "Eileen Ö""#) && list.contains(#""faces": 1"#), "\(list)")
        let test = try bauta(["people", "test", portrait, ada])
        #expect(test.exitCode == 0)
        let rows = test.output.split(separator: "\n")
        #expect(rows.count == 3 && rows[1].contains("  Eileen Ö  ") && rows[2].contains("unknown"), "\(test.output)")
        #expect(try bauta(["people", "forget", "Eileen Ö"]).exitCode == 0)
        #expect(try bauta(["people", "list"]).output.contains("Nobody is enrolled"))
        #expect(try bauta(["people", "test", portrait]).exitCode == 66)
    }

    @Test(.slow) func picturesAreKeptOnlyIfAskedForAndForgottenToo() throws {
        try enroll()
        let place = folder.path + "/bauta/people"
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["people.json"])
        let run = try bauta(["people", "enroll", "Eileen Ö", "--keep-pictures", portrait])
        #expect(run.exitCode == 0 && run.output.contains("kept "), "\(run.error)")
        let pictures = place + "/pictures"
        #expect(try FileManager.default.subpathsOfDirectory(atPath: pictures).contains { $0.hasSuffix("0001.png") })
        // The accent is encoded in the other way.
        #expect(try bauta(["people", "forget", "Eileen O\u{308}"]).exitCode == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: pictures).isEmpty)
    }

    @Test(.slow) func enrollingNeedsOneGoodFaceOfTheSamePerson() throws {
        _ = try party()
        try enroll()
        let run = try bauta(["people", "enroll", "Eileen Ö", "party.png", ada, "missing.jpg"])
        #expect(run.exitCode == 65)
        for reason in ["shows 2 faces", "shows a different person", "missing.jpg: cannot be read"] {
            #expect(run.error.contains(reason), "\(run.error)")
        }
        let some = try bauta(["people", "enroll", "Ada", ada, "party.png"])
        #expect(some.exitCode == 1 && some.output.contains("1 of 2 pictures added"), "\(some.error)")
    }

    @Test func onlySomeAreCovered() throws {
        try enroll()
        let before = try party()
        for (options, coversLeft, coversRight) in [
            (["--except", "Eileen Ö"], false, true), (["--only", "Eileen Ö"], true, false),
            (["--people", "Eileen Ö=wolf,unknown=blur"], true, true),
            (["--people", "Eileen Ö=none,unknown=none"], false, false),
            (["--anonymise", "--no-face", "blur", "--except", "Eileen Ö"], false, true),
        ] {
            let quick = options.contains("--anonymise") ? [] : ["--occluders", "none"]
            let run = try bauta(["photo", "--force", "party.png", "-o", "result.png"] + quick + options)
            #expect(run.exitCode == 0, "\(options): \(run.error)")
            let changes = try changes("result.png", before)
            #expect(
                (changes.left > 5000) == coversLeft && (changes.right > 5000) == coversRight, "\(options): \(changes)")
            if !coversLeft { #expect(changes.left == 0, "\(options)") }
            if !coversRight { #expect(changes.right == 0, "\(options)") }
        }
    }

    /// A mask that needs two faces, as the default, leaves nobody unmasked who wears something else; and beside a
    /// blurred face, who wears it alone is unmasked, which is said.
    @Test func aMaskForTwoLeavesOthersCovered() throws {
        try enroll()
        let before = try party()
        let swap = Repository.root + "/Tests/Masks/swap"
        for covering in ["blur", "skull"] {
            let run = try bauta([
                "photo", "--force", ada, "--mask", swap, "--people", "unknown=\(covering)", "-o", "ada.png",
            ])
            #expect(run.exitCode == 0 && run.error.contains("1 done: 1 masked, 0 no face"), "\(covering): \(run.error)")
            let unmasked = try PictureReader.read(ada)
            let result = try PictureReader.read(folder.path + "/ada.png")
            #expect(try PictureDifference(unmasked.pixels, result.pixels).share(above: 8) > 0.05, "\(covering)")
        }
        let alone = ["photo", "--force", "party.png", "--mask", swap, "--people", "unknown=blur,Eileen Ö=\(swap)"]
        let run = try bauta(alone + ["-o", "result.png"])
        #expect(run.exitCode == 0)
        #expect(run.error.contains("none suits in 1 photograph, left unmasked"), "\(run.error)")
        let changes = try changes("result.png", before)
        #expect(changes.left == 0 && changes.right > 5000, "\(changes)")
        let refused = try bauta(alone + ["--no-face", "fail", "-o", "refused.png"])
        #expect(refused.exitCode == 1 && refused.error.contains("none suits; nothing was written"))
    }

    /// Who is known decides about the results, too: after somebody was forgotten, nothing of before is taken for done.
    @Test(.slow) func aNewEnrolmentIsAnotherSetting() throws {
        try enroll()
        _ = try party()
        let arguments = ["photo", "party.png", "-o", "results", "--except", "Eileen Ö"]
        #expect(try bauta(arguments).exitCode == 0)
        #expect(try bauta(arguments).exitCode == 0)
        #expect(try bauta(["people", "enroll", "Ada", ada]).exitCode == 0)
        let again = try bauta(arguments)
        #expect(again.exitCode != 0 && again.error.contains("people"), "\(again.error)")
    }

    @Test(arguments: [["--no-mask"], ["--faces", "largest"], ["--anonymise"]])
    func optionsThatContradictAreRefused(_ options: [String]) throws {
        try enroll()
        let run = try bauta(["photo", "--only", "Eileen Ö", portrait] + options)
        #expect(run.exitCode == 64 && run.error.contains("contradict each other"), "\(run.error)")
    }

    @Test(.slow) func peopleAreEvaluated() throws {
        let half = try PictureReader.read(portrait).pixels.resized(width: 400, height: 400)
        for name in ["faces/e", "faces/unknown"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        try PictureWriter.write(
            Picture(pixels: half), to: folder.path + "/faces/e/half.png", options: .init(format: .png),
            replacing: false)
        try folder.write(bytes(of: portrait), "faces/e/whole.jpg")
        try folder.write(bytes(of: ada), "faces/unknown/ada.jpg")
        let run = try bauta(["lab", "evaluate", "people", "faces", "--csv", "pairs.csv", "--plot", "roc.svg"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.output.contains("3 faces of 2 people") && run.output.contains("1 pairs of one person, 2 of two"))
        let csv = try String(contentsOfFile: folder.path + "/pairs.csv", encoding: .utf8)
        #expect(csv.split(separator: "\n").count == 4)
        #expect(try String(contentsOfFile: folder.path + "/roc.svg", encoding: .utf8).contains("<svg"))
    }
}
