import Compositing
import FaceGeometry
import Files
import Foundation
import ImageFiles
import JSON
import NeuralNetworks
import Pixels
import Records
import SyntheticFaces
import TestSupport
import Testing

/// `bauta video --anonymise`. With dlib's detector, so that no network is needed.
@Suite struct AnonymiseVideoTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func ffmpeg(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", ["ffmpeg", "-v", "error", "-y"] + arguments)
        #expect(run.exitCode == 0, "\(run.error)")
    }

    private func anonymise(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(["video", "--anonymise"] + arguments, folder: folder.path)
    }

    /// A face that comes in from the left at twelve frames a second, with a tone, a title, a chapter and subtitles.
    private func makeClip(_ name: String) throws {
        try folder.write(Array("1\n00:00:00,000 --> 00:00:01,000\nAnna Example\n".utf8), "words.srt")
        try folder.write(
            Array(
                ";FFMETADATA1\ntitle=Anna Example\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=Anna Example\n".utf8
            ), "names.txt")
        try ffmpeg([
            "-f", "lavfi", "-i", "color=gray:s=480x360:r=12:d=2", "-loop", "1", "-i",
            Repository.root + "/samples/ada.jpg",
            "-f", "lavfi", "-i", "sine=d=2", "-i", folder.path + "/words.srt", "-i", folder.path + "/names.txt",
            "-filter_complex", "[1]scale=240:-1[face];[0][face]overlay=x=-120+60*t:y=20:shortest=1[v]", "-map", "[v]",
            "-map", "2:a", "-map", "3:s", "-map_metadata", "4", "-map_chapters", "4", "-metadata:s:a:0",
            "title=Anna Example", "-t", "2", "-pix_fmt", "yuv420p", folder.path + "/" + name,
        ])
    }

    private func frame(_ number: Int, of name: String) throws -> Picture {
        try ffmpeg([
            "-i", folder.path + "/" + name, "-vf", "select=eq(n\\,\(number))", "-frames:v", "1",
            folder.path + "/frame.png",
        ])
        return try PictureReader.read(folder.path + "/frame.png")
    }

    private func probe(_ name: String) throws -> String {
        let run = try ProgramRun.run(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-show_chapters", folder.path + "/" + name])
        #expect(run.exitCode == 0, "\(run.error)")
        return run.output
    }

    @Test func facesAreCoveredInAllFramesAndNamesAreGone() throws {
        try makeClip("in.mkv")
        #expect(try probe("in.mkv").contains("Anna Example"))
        let run = try anonymise(["in.mkv", "--detector", "hog", "-o", "out.mkv", "--json"])
        #expect(run.exitCode == 0, "\(run.error)")
        let line = try JSONValue(parsing: run.output)
        #expect(line["frames"]?.number == 24 && line["coveredFaces"]?.number == 1, "\(run.output)")
        // Eyes and mouth of the face, whose middle is 120 pixels right of the picture's left edge.
        for number in stride(from: 4, to: 24, by: 3) {
            let picture = try frame(number, of: "out.mkv")
            let middle = 5 * number
            for x in max(middle - 40, 2)...middle + 40 {
                for y in stride(from: 130, through: 220, by: 6) {
                    let pixel = picture.pixels[x, y]
                    let isCover = (0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(FaceCover.color[$0])) <= 12 }
                    #expect(isCover, "frame \(number), \(x), \(y): \(pixel)")
                    if !isCover { return }
                }
            }
        }
        let streams = try probe("out.mkv")
        #expect(!streams.contains("Anna Example"), "\(streams)")
        #expect(streams.contains("codec_type=audio") && !streams.contains("codec_type=subtitle"))
        #expect(!streams.contains("[CHAPTER]"))
    }

    /// Who has looked at a clip uncovers the face that was found, and covers a place where none was.
    @Test(.slow) func decisionsOfAReviewAreObeyed() throws {
        try makeClip("in.mkv")
        let options = ["in.mkv", "--detector", "hog", "--force", "-o", "out.mkv", "--json"]
        #expect(try anonymise(options).exitCode == 0)
        let file = try ReviewFile(folder: FilePath(folder.path), writes: true)
        var decisions = ReviewDecisions()
        decisions.isReviewed = true
        // The face is 120 pixels right of the left edge of its picture, and 100 pixels large.
        decisions.uncovered = [.init(box: FaceBox(x: 5 * 12 - 50, y: 120, width: 100, height: 100), frame: 12)]
        decisions.covered = [.init(box: FaceBox(x: 380, y: 270, width: 60, height: 60), frame: 10)]
        let checksum = try Checksum.ofFile(FilePath(folder.path + "/in.mkv"))
        try file.note(decisions, on: "out.mkv", checksum: checksum)
        let again = try anonymise(options)
        #expect(again.exitCode == 0, "\(again.error)")
        let before = try frame(12, of: "in.mkv")
        let after = try frame(12, of: "out.mkv")
        for y in stride(from: 130, through: 220, by: 6) {
            let (old, new) = (before.pixels[60, y], after.pixels[60, y])
            #expect((0..<3).allSatisfy { abs(Int(old[$0]) - Int(new[$0])) < 24 }, "\(y): \(old), \(new)")
        }
        let covered = after.pixels[410, 300]
        #expect((0..<3).allSatisfy { abs(Int(covered[$0]) - Int(FaceCover.color[$0])) <= 12 }, "\(covered)")
        // They are of another clip.
        try file.note(decisions, on: "out.mkv", checksum: checksum &+ 1)
        let other = try anonymise(options)
        #expect(other.exitCode == 0 && other.error.contains("another file than the one that was reviewed"))
        let hidden = try frame(12, of: "out.mkv").pixels[60, 180]
        #expect((0..<3).allSatisfy { abs(Int(hidden[$0]) - Int(FaceCover.color[$0])) <= 12 }, "\(hidden)")
    }

    /// A second run does not search again what the first one has searched, unless the file is damaged or of another search.
    @Test(.slow) func whatWasFoundIsKept() throws {
        try makeClip("in.mkv")
        func run(_ options: [String] = []) throws -> ProgramRun {
            try anonymise(["in.mkv", "--detector", "hog", "--force", "-o", "out.mkv"] + options)
        }
        #expect(try run().exitCode == 0)
        let checksum = try Checksum.ofFile(FilePath(folder.path + "/in.mkv"))
        let name = ".bauta-faces-\(String(checksum, radix: 16)).json"
        let kept = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
        var value = try JSONValue(parsing: kept)
        #expect(value["tracks"]?.elements.count == 1 && value["times"]?.elements.count == 24, "\(kept)")
        value["tracks"] = .array([])
        let changed = value.text()
        try folder.write(Array(changed.utf8), name)
        let known = try run()
        #expect(known.exitCode == 65 && known.error.contains("no face was found"), "\(known.error)")
        let other = try run(["--frames", "20"])
        #expect(other.exitCode == 0 && other.error.contains("20 frames"), "\(other.error)")
        try folder.write(Array(changed.dropLast(9).utf8), name)
        let damaged = try run()
        #expect(damaged.exitCode == 0 && damaged.error.contains("faces are searched again"), "\(damaged.error)")
        #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) == kept)
        // One that is of other frames is not believed, and does not stay.
        value = try JSONValue(parsing: kept)
        value["times"] = .array(Array(value["times"]?.elements.dropLast() ?? []))
        value["tracks"] = .array([])
        value["frames"] = .array([])
        try folder.write(Array(value.text().utf8), name)
        let file = try ReviewFile(folder: FilePath(folder.path), writes: true)
        var decisions = ReviewDecisions()
        decisions.isReviewed = true
        try file.note(decisions, on: "out.mkv", checksum: checksum)
        let wrong = try run()
        #expect(wrong.exitCode != 0 && wrong.error.contains("was changed while it was read"), "\(wrong.error)")
        #expect(try run().exitCode == 0)
        #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) == kept)
    }

    /// Which pass of how many, and how long it will take, of both.
    @Test(.enabled(if: Terminal.isPossible, "there are no pseudo-terminals here")) func theProgressTellsThePass() throws
    {
        try makeClip("in.mkv")
        let run = try Terminal.run(
            "stty cols 120; '\(Repository.executable)' video --anonymise --detector hog in.mkv -o out.mkv",
            folder: folder.path)
        #expect(run.exitCode == 0, "\(run.output)")
        for pass in 1...2 {
            let lines = run.output.split(separator: "\r").filter { $0.contains("pass \(pass) of 2, ") }
            #expect(lines.contains { $0.contains(" left") }, "\(run.output)")
            #expect(lines.contains { $0.contains("looking for faces") } == (pass == 1), "\(run.output)")
        }
    }

    @Test func voicesAreSpokenOf() throws {
        try makeClip("in.mkv")
        let notice = "Voices are kept, if the video has sound"
        let kept = try anonymise(["in.mkv", "--detector", "hog", "-o", "a.mkv"])
        #expect(kept.exitCode == 0 && kept.error.contains(notice), "\(kept.error)")
        let without = try anonymise(["in.mkv", "--detector", "hog", "-o", "b.mkv", "--sound", "none"])
        #expect(without.exitCode == 0 && !without.error.contains(notice), "\(without.error)")
    }

    @Test(.slow) func soundIsLeftOutWhenAskedFor() throws {
        try makeClip("in.mkv")
        let run = try anonymise(["in.mkv", "--detector", "hog", "--sound", "none", "-o", "out.mkv", "--frames", "8"])
        #expect(run.exitCode == 0, "\(run.error)")
        let streams = try probe("out.mkv")
        #expect(!streams.contains("codec_type=audio") && !streams.contains("Anna Example"), "\(streams)")
        let masked = try ProgramRun.bauta(
            ["video", "in.mkv", "--occluders", "none", "--sound", "none", "-o", "masked.mkv", "--frames", "8"],
            folder: folder.path)
        #expect(masked.exitCode == 0, "\(masked.error)")
        let kept = try probe("masked.mkv")
        #expect(!kept.contains("codec_type=audio") && kept.contains("codec_type=subtitle"), "\(kept)")
    }

    @Test(.slow) func withoutAFaceNothingIsWritten() throws {
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x120:d=1", folder.path + "/wall.mp4"])
        let run = try anonymise(["wall.mp4", "--detector", "hog", "-o", "out.mp4"])
        #expect(run.exitCode == 65 && run.error.contains("no face was found; nothing was written"), "\(run.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["wall.mp4"])
        // If another video succeeds, some have failed.
        try makeClip("in.mkv")
        let both = try anonymise(["in.mkv", "wall.mp4", "--detector", "hog", "-o", "out"])
        #expect(both.exitCode == 1 && both.error.contains("wall.mp4: no face was found"), "\(both.error)")
        #expect(folder.results(in: "out").count == 1)
    }

    @Test(arguments: [
        ["--mask", "skull"], ["--faces", "largest"], ["--min-face", "40px"], ["--when-lost", "blur"],
        ["--renderer", "software"], ["--occluders", "hands"],
    ])
    func whatWouldLeaveAFaceUnmaskedIsRefused(_ options: [String]) throws {
        let run = try anonymise(["none.mp4", "--detector", "hog"] + options)
        #expect(run.exitCode == 64 && run.error.contains("contradict each other"), "\(run.error)")
    }
}

/// Faces without landmarks in videos in which others wear masks.
@Suite(
    .enabled(
        if: NetworkFolder.standard.isUsable && NetworkFolder.standard.hasCenterFace,
        "MediaPipe's networks and CenterFace are not installed; scripts/fetch-networks fetches them"))
struct ProfileVideoTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Somebody who looks into the camera on the left, and a profile on the right.
    private func scene() throws -> PixelBuffer {
        let reference = try Repository.referenceFace()
        var picture = try PixelBuffer(width: 480, height: 320, format: .rgba8)
        picture.fill(SIMD4(120, 120, 120, 255))
        for (sample, x, width, yaw) in [(1, Float(120), Float(120), Float(0)), (0, 350, 70, 1.8)] {
            var face = Sample.all[sample].face
            face.pose = Pose(yaw: yaw, pitch: 0, roll: 0)
            let placement = DrawnFacePlacement(center: Point(x, 170), faceWidth: width)
            FaceDrawing(face, placement: placement, reference: reference).draw(into: &picture, samples: 1)
        }
        return picture
    }

    /// The mean difference of both halves.
    private func differences(_ result: String) throws -> (left: Double, right: Double) {
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-y", "-i", folder.path + "/" + result, "-vf", "select=eq(n\\,15)",
                "-frames:v",
                "1", folder.path + "/frame.png",
            ])
        #expect(run.exitCode == 0, "\(run.error)")
        let before = try scene()
        let after = try PictureReader.read(folder.path + "/frame.png")
        var sums = (left: 0, right: 0)
        for y in 110..<230 {
            for x in 0..<120 {
                sums.left += abs(Int(after.pixels[60 + x, y].y) - Int(before[60 + x, y].y))
                sums.right += abs(Int(after.pixels[290 + x, y].y) - Int(before[290 + x, y].y))
            }
        }
        return (Double(sums.left) / 14_400, Double(sums.right) / 14_400)
    }

    private func makeScene() throws {
        try PictureWriter.write(
            Picture(pixels: scene()), to: folder.path + "/scene.png", options: .init(format: .png), replacing: true)
        let made = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", folder.path + "/scene.png", "-frames:v", "20", "-r", "20",
                "-pix_fmt", "yuv420p", "-crf", "10", folder.path + "/scene.mp4",
            ])
        #expect(made.exitCode == 0, "\(made.error)")
    }

    /// By default it stays as it is. Where a lost face would be blurred, it is, too.
    @Test func profilesAreBlurredWhereLostFacesAre() throws {
        try makeScene()
        func mask(_ arguments: [String]) throws -> (run: ProgramRun, line: JSONValue) {
            let run = try ProgramRun.bauta(
                ["video", "scene.mp4", "--occluders", "none", "--mask", "skull", "--json", "--force", "-o", "out.mp4"]
                    + arguments,
                folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            return (run, try JSONValue(parsing: run.output))
        }
        let plain = try mask([])
        #expect(plain.line["framesWithBlurredFaces"] == .null && plain.line["maskedFrames"]?.number == 20)
        let unmasked = try differences("out.mp4")
        #expect(unmasked.left > 15 && unmasked.right < 4, "\(unmasked)")
        let blurred = try mask(["--when-lost", "blur"])
        #expect(blurred.line["framesWithBlurredFaces"]?.number == 20, "\(blurred.run.output)")
        #expect(blurred.run.error.contains("In 20 frames, a face was blurred"), "\(blurred.run.error)")
        let both = try differences("out.mp4")
        #expect(abs(both.left - unmasked.left) < 2 && both.right > 8, "\(both)")
        // Who asks for large faces only gets no others.
        let large = try mask(["--when-lost", "blur", "--min-face", "30%"])
        #expect(large.line["maskedFrames"]?.number == 20)
        #expect(large.line["framesWithBlurredFaces"]?.number == 0, "\(large.run.output)")
    }

    /// The same in a live picture.
    @Test func profilesAreBlurredLive() throws {
        try makeScene()
        func differences(_ arguments: [String]) throws -> (left: Double, right: Double) {
            let run = try ProgramRun.bauta(
                [
                    "live", "scene.mp4", "--headless", "--unpaced", "--mask", "skull", "--force", "-o", "out.mkv",
                ] + arguments, folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            return try self.differences("out.mkv")
        }
        let unmasked = try differences([])
        #expect(unmasked.left > 15 && unmasked.right < 4, "\(unmasked)")
        let both = try differences(["--when-lost", "blur"])
        #expect(abs(both.left - unmasked.left) < 2 && both.right > 8, "\(both)")
    }
}
