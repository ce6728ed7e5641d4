import FaceGeometry
import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// `bauta mask template`.
@Suite struct MaskTemplateTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A sheet is a texture as it is: nothing is painted on it yet, so nothing is worn.
    @Test(.slow) func aSheetIsATexture() throws {
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

    @Test(.slow) func thePortraitIsNotReplaced() throws {
        let portrait = try PictureReader.read(Repository.root + "/samples/ada.jpg")
        let path = folder.path + "/me.png"
        try PictureWriter.write(portrait, to: path, options: .init(format: .png), replacing: false)
        let original = try bytes(of: path)
        let run = try ProgramRun.bauta(
            ["mask", "template", "--size", "512", "--of", "me.png", "-o", "./me.png", "--force"], folder: folder.path)
        #expect(run.exitCode == 73 && run.error.contains("is an input"), "\(run.error)")
        #expect(try bytes(of: path) == original)
    }

    @Test(.slow) func guidesLieOnTheReferenceFace() throws {
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
    @Test(.slow) func aPaintedDrawingIsATexture() throws {
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
