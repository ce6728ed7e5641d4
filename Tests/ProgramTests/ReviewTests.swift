import Compositing
import Foundation
import ImageFiles
import JSON
import Pixels
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// `bauta review` in its window, which is 1280 × 800, and the runs that obey what was decided there. With dlib's detector, so
    /// that no network is needed.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct ReviewTests {
        let folder: TemporaryFolder
        private static let review = "/.bauta-review.json"
        /// Two faces beside each other, and a wall below; in pixels.
        private static let size = (width: 640, height: 720)
        private static let (left, right, wall) = ((x: 160, y: 200), (x: 480, y: 200), (x: 320, y: 600))

        init() throws { folder = try TemporaryFolder() }

        /// - Parameter output: options and the path.
        private func draw(_ output: [String]) throws {
            let run = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-y", "-loop", "1", "-r", "12", "-i",
                    Repository.root + "/samples/bruno.jpg",
                    "-loop", "1", "-r", "12", "-i", Repository.root + "/samples/chidi.jpg", "-filter_complex",
                    "[0]scale=320:400[a];[1]scale=320:400[b];[a][b]hstack,pad=640:720:color=tan",
                ] + output, folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
        }

        private func isCovered(_ place: (x: Int, y: Int), in picture: borrowing PixelBuffer) -> Bool {
            let pixel = picture[place.x, place.y]
            return (0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(FaceCover.color[$0])) <= 12 }
        }

        private func decisions(_ place: String) -> JSONValue? {
            let text = try? String(contentsOfFile: folder.path + "/" + place + Self.review, encoding: .utf8)
            return text.flatMap { try? JSONValue(parsing: $0) }?["results"]?[0]
        }

        /// A place of the picture in the window.
        /// - Parameter room: the height of the canvas, in pixels.
        private func inWindow(_ place: (x: Int, y: Int), room: Double) -> (x: Int, y: Int) {
            let scale = 0.99 * min(1264 / Double(Self.size.width), room / Double(Self.size.height))
            func shifted(_ value: Int, _ middle: Double, _ size: Int) -> Int {
                Int((middle + scale * (Double(value) - Double(size) / 2)).rounded())
            }
            return (shifted(place.x, 640, Self.size.width), shifted(place.y, 8 + room / 2, Self.size.height))
        }

        /// Takes the cover of the left face away, and drags one over a part of the wall.
        private func decide(_ display: TestDisplay, _ window: String, room: Double, in place: String) throws {
            let before = try display.waitForPicture(
                window, .lacks(EditWindow.background, in: .middle, below: 0.3))
            let face = inWindow(Self.left, room: room)
            try display.click(face.x, face.y, in: window)
            try display.wait(for: "an uncovered face in \(place)") {
                decisions(place)?["uncovered"]?.elements.count
            } until: {
                $0 == 1
            }
            try display.waitForPicture(window, .differs(from: before, "the covered face", in: .whole, by: 0.001))
            let (from, to) = (inWindow((270, 550), room: room), inWindow((370, 650), room: room))
            try display.move(to: from.x, from.y, in: window)
            _ = try display.settledPicture(window)
            try display.tool(["xdotool", "mousedown", "1", "sleep", "0.5"])
            let pressed = try display.settledPicture(window)
            try display.move(to: to.x, to.y, in: window)
            try display.waitForPicture(
                window, .differs(from: pressed, "the one without a cover", in: .whole, by: 0.001))
            try display.tool(["xdotool", "mouseup", "1"])
            try display.wait(for: "an added face in \(place)") {
                decisions(place)?["covered"]?.elements.count
            } until: {
                $0 == 1
            }
        }

        @Test func photographsAreUncoveredAndCovered() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
            try draw(["-frames:v", "1", "in/Zwei, früher.png"])
            let words = ["photo", "--anonymise", "in", "-o", "Bilder é"]
            let first = try ProgramRun.bauta(words, folder: folder.path)
            #expect(first.exitCode == 0, "\(first.error)")
            #expect(first.error.contains("Look through them: bauta review 'Bilder é'\n"), "\(first.error)")
            func result() throws -> [Bool] {
                let picture = try PictureReader.read(folder.path + "/Bilder é/Zwei, früher.png")
                return [Self.left, Self.right, Self.wall].map { isCovered($0, in: picture.pixels) }
            }
            #expect(try result() == [true, true, false])

            let run = try ProgramRun.bauta(
                ["review", "Bilder é"], environment: display.environment, folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try decide(display, window, room: 720, in: "Bilder é")
                let other = try ProgramRun.bauta(
                    ["review", "Bilder é"], environment: display.environment, folder: folder.path)
                #expect(other.exitCode == 75 && other.error.contains("another bauta review is open"), "\(other.error)")
                try display.press("space")
                try display.wait(for: "a reviewed photograph") {
                    decisions("Bilder é")?["reviewed"]
                } until: {
                    $0 == .bool(true)
                }
                try display.press("q")
            }
            #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.error)")
            #expect(
                run.output == """
                    1 of 1 photograph reviewed; 1 face uncovered, 1 place covered
                    Run the same bauta photo command again to apply what was decided about 1 photograph.

                    """)
            #expect(try ProgramRun.bauta(words, folder: folder.path).exitCode == 0)
            #expect(try result() == [false, true, true])
        }

        @Test(.slow) func tracksAreUncoveredAndCovered() throws {
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            try draw(["-frames:v", "12", "-pix_fmt", "yuv420p", "in é.mp4"])
            let run = try ProgramRun.bauta(
                ["review", "in é.mp4", "-o", "out", "--detector", "hog"], environment: display.environment,
                folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try decide(display, window, room: 720 - 84, in: "out")
                try display.press("q")
            }
            #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.error)")
            #expect(
                run.output == """
                    1 track uncovered, 1 place covered. To apply it, run:
                      bauta video --anonymise --detector hog 'in é.mp4' -o out

                    """)
            let command = run.output.split(separator: "\n").last.map(String.init) ?? ""
            let masked = try ProgramRun.shell(command, folder: folder.path)
            #expect(masked.exitCode == 0, "\(masked.error)")
            let frame = decisions("out")?["covered"]?[0]?["frame"]?.number.map { Int($0) } ?? 0
            let decoded = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-i", "out/in é.mp4", "-vf", "select=eq(n\\,\(frame))", "-frames:v", "1",
                    "frame.png",
                ], folder: folder.path)
            #expect(decoded.exitCode == 0, "\(decoded.error)")
            let picture = try PictureReader.read(folder.path + "/frame.png")
            #expect(
                [Self.left, Self.right, Self.wall].map { isCovered($0, in: picture.pixels) } == [false, true, true])

            let again = try ProgramRun.bauta(
                ["review", "in é.mp4", "-o", "out", "--detector", "hog"], environment: display.environment,
                folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForPicture(window, .lacks(EditWindow.background, in: .middle, below: 0.3))
                try display.wait(for: "a reviewed clip") {
                    try display.press("space")
                    return decisions("out")?["reviewed"]
                } until: {
                    $0 == .bool(true)
                }
                try display.press("q")
            }
            #expect(again.exitCode == 0, "\(again.error)")
            #expect(
                again.output == """
                    Reviewed; 1 track uncovered, 1 place covered. No cover was changed: out/in é.mp4 needs no new run, if \
                    it was made after the last change and with the same options.

                    """)
        }

        /// With its title bar, the window is no higher than the screen.
        @Test func theWindowFitsASmallScreen() throws {
            let display = try TestDisplay(folder: folder.path, screen: "1280x800")
            defer { display.stop() }
            try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
            try draw(["-frames:v", "1", "in/a.png"])
            let photo = try ProgramRun.bauta(
                ["photo", "--anonymise", "in", "-o", "out"], folder: folder.path)
            #expect(photo.exitCode == 0, "\(photo.error)")
            let run = try ProgramRun.bauta(["review", "out"], environment: display.environment, folder: folder.path) {
                program in
                let window = try display.window(of: program)
                try display.waitForSize("1152x720", of: window)
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }
    }
}

/// `bauta review` where no window opens.
@Suite struct ReviewCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func review(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["review"] + arguments, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"],
            folder: folder.path)
    }

    @Test func whatCannotBeReviewedIsSaid() throws {
        try folder.write("", "empty/a.txt")
        let none = try review(["empty"])
        #expect(none.exitCode == 66 && none.error.contains("no results of bauta photo"), "\(none.error)")
        let missing = try review(["nowhere"])
        #expect(missing.exitCode == 66 && missing.error.contains("no such folder or file"), "\(missing.error)")
        let options = try review(["empty", "--careful"])
        #expect(options.exitCode == 64 && options.error.contains("--careful is for a clip"), "\(options.error)")
    }

    /// Of clips, the original is looked through.
    @Test func aResultOfAClipIsToldFromItsOriginal() throws {
        try folder.write("x", "masked/a b.mp4")
        let same = try review(["masked/a b.mp4", "--detector", "hog"])
        #expect(
            same.exitCode == 64 && same.error.contains("bauta review ORIGINAL -o 'masked/a b.mp4'"), "\(same.error)")
        try folder.write("", "masked/.bauta-faces-1a.json")
        let all = try review(["masked"])
        #expect(all.exitCode == 66 && all.error.contains("bauta review ORIGINAL -o masked"), "\(all.error)")
        let among = try review(["masked/a b.mp4", "--detector", "hog", "-o", "out"])
        #expect(among.exitCode != 0 && among.error.contains("lies among results of bauta video"), "\(among.error)")
        let decisions =
            #"{"version":1,"results":[{"result":"a b.mp4","checksum":"1a","reviewed":true,"uncovered":[],"covered":[],"confirmed":[]}]}"#
        try folder.write(decisions, "masked/.bauta-review.json")
        let reviewed = try review(["masked/a b.mp4", "--detector", "hog", "-o", "out"])
        #expect(reviewed.exitCode == 64 && reviewed.error.contains("seems to be a result"), "\(reviewed.error)")
    }

    @Test func withoutADisplayNothingIsDecided() throws {
        let photo = try ProgramRun.bauta(
            ["photo", "--anonymise", Repository.root + "/samples/ada.jpg", "-o", "out"],
            folder: folder.path)
        #expect(photo.exitCode == 0, "\(photo.error)")
        let run = try review(["out"])
        #expect(run.exitCode == 69 && run.error.contains("no window can be opened"), "\(run.error)")
    }
}
