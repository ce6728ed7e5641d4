import Files
import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

extension ExclusiveTests {
    /// `bauta live` without a window, and `bauta video`.
    @Suite(.serialized) struct LiveTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func tool(_ arguments: [String]) throws -> String {
            let run = try ProgramRun.run("/usr/bin/env", arguments)
            #expect(run.exitCode == 0, "\(arguments): \(run.error)")
            return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func duration(_ path: String) throws -> Double? {
            Double(try tool(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]))
        }

        /// A clip of a synthetic face without mask that moves to and fro, with sound.
        private func makeClip(_ name: String, seconds: Int = 2) throws -> String {
            let path = folder.path + "/" + name
            _ = try tool([
                "ffmpeg", "-v", "error", "-loop", "1", "-framerate", "25", "-t", "\(seconds)", "-i",
                Repository.root + "/samples/ada.jpg", "-f", "lavfi", "-t", "\(seconds)", "-i", "sine=440", "-vf",
                "crop=560:700:40+30*sin(3*t):50,scale=448:560", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
                "-metadata", "title=Ada é", path,
            ])
            return path
        }

        /// The PSNR of a frame of a clip against the same frame of another, in dB.
        private func difference(_ a: String, _ b: String, frame: Int) throws -> Double {
            let run = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "info", "-i", a, "-i", b, "-filter_complex",
                    "[0:v]select='eq(n,\(frame))'[x];[1:v]select='eq(n,\(frame))'[y];[x][y]psnr", "-f", "null", "-",
                ])
            let text = try #require(run.error.components(separatedBy: "average:").last)
            return Double(text.prefix { !$0.isWhitespace }) ?? .infinity
        }

        /// A part of the frames, in which the face is.
        @Test(.slow) func recordingsAreVertical() throws {
            let path = folder.path + "/vertical é.mp4"
            let run = try ProgramRun.bauta(
                [
                    "live", "drawn", "--occluders", "none", "--headless", "--no-config", "--vertical", "--frames", "20",
                    "-o", path,
                ])
            #expect(run.exitCode == 0, "\(run.error)")
            let size = try tool([
                "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
                "csv=p=0", path,
            ])
            #expect(size == "270,480")
        }

        /// The second photograph lies in the middle of a clip as large as the first one.
        @Test(.slow) func photographsOfTwoSizesAreOneClip() throws {
            try folder.write(try SmallSample.bytes("ada"), "photographs/1.jpg")
            let second = folder.path + "/photographs/2.png"
            _ = try tool([
                "ffmpeg", "-v", "error", "-i", folder.path + "/photographs/1.jpg", "-vf",
                "drawbox=c=white:t=fill,pad=3*iw", second,
            ])
            let clip = folder.path + "/both é.mp4"
            let run = try ProgramRun.bauta([
                "live", "--headless", "--no-config", "--detector", "hog", "--frames", "150", "-o", clip,
                folder.path + "/photographs",
            ])
            #expect(run.exitCode == 0 && !run.error.contains("stopped"), "\(run.error)")
            // Each is shown for some seconds, in turn.
            _ = try tool(["ffmpeg", "-v", "error", "-i", clip, "-vf", "fps=1", folder.path + "/%02d.png"])
            let first = try PictureReader.read(folder.path + "/photographs/1.jpg")
            let (width, height) = (first.pixels.width, first.pixels.height)
            var isThere = false
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".png") {
                let frame = try PictureReader.read(folder.path + "/" + name)
                #expect(abs(frame.pixels.width - width) < 2 && abs(frame.pixels.height - height) < 2)
                func brightness(_ x: Int, _ y: Int) -> UInt8 { frame.pixels.withRow(y) { $0[x].y } }
                if brightness(width / 6, height / 2) > 200, brightness(width / 2, height / 2) < 50,
                    brightness(width / 6, height / 8) < 50
                {
                    isThere = true
                }
            }
            #expect(isThere)
        }

        /// As a file manager opens it.
        @Test func aPackedMaskIsWorn() throws {
            let packed = folder.path + "/my tiger.bauta"
            let pack = try ProgramRun.bauta(["mask", "pack", Repository.root + "/masks/tiger", "-o", packed])
            #expect(pack.exitCode == 0, "\(pack.error)")
            let start = ["live", "drawn", "--occluders", "none", "--headless", "--frames", "2", "--mask"]
            let run = try ProgramRun.bauta(start + [packed])
            #expect(run.exitCode == 0, "\(run.error)")
            let broken = try ProgramRun.bauta(start + [folder.write("no archive", "broken.bauta")])
            #expect(broken.exitCode == 65 && broken.error.contains("broken.bauta"), "\(broken.error)")
        }

        /// SDL would otherwise open a window that nobody sees.
        @Test(arguments: [["live", "drawn"], ["mask", "edit", "my mask"]])
        func withoutADisplayTheProgramEndsAtOnce(_ arguments: [String]) throws {
            let mask = folder.path + "/my mask"
            try FileManager.default.copyItem(atPath: Repository.root + "/masks/domino", toPath: mask)
            for display in [["-u", "DISPLAY"], ["DISPLAY=:123456"]] {
                let run = try ProgramRun.run(
                    "/usr/bin/env",
                    ["-u", "WAYLAND_DISPLAY", "-u", "SDL_VIDEODRIVER", "-u", "XDG_RUNTIME_DIR"] + display + [
                        Repository.executable
                    ] + arguments,
                    folder: folder.path)
                #expect(run.exitCode == 69, "\(run.error)")
                #expect(run.error.contains("no display can be opened: DISPLAY is"))
                #expect(run.error.contains("--headless"))
                // No library says anything of its own.
                #expect(run.error.split(separator: "\n").allSatisfy { $0.hasPrefix("bauta: ") || $0.hasPrefix(" ") })
            }
        }

        @Test func aDrawnFaceIsMaskedAndWritten() throws {
            let output = folder.path + "/out.mp4"
            let run = try ProgramRun.bauta([
                "live", "drawn", "--occluders", "none", "--unpaced", "--headless", "--frames", "60", "--output",
                output,
                "--report", "-",
            ])
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try Recording.frameCount(output) == 60)
            #expect(abs(try #require(try duration(output)) - 2) < 0.034)
            let summary = try #require(run.output.split(separator: "\n").last)
            #expect(summary.contains("\"kind\":\"summary\"") && summary.contains("\"frames\":60"))
            #expect(summary.contains("\"droppedFrames\":0"))
            // An existing output is replaced only with --force.
            let again = try ProgramRun.bauta(["live", "drawn", "--occluders", "none", "--headless", "--output", output])
            #expect(again.exitCode == 73 && again.error.contains("--force"))
        }

        /// Live, too, where frames do not wait for the detector otherwise.
        @Test func theFirstFrameWearsTheMask() throws {
            let (clip, output) = (try makeClip("a clip é.mp4"), folder.path + "/live.mp4")
            let run = try ProgramRun.bauta([
                "live", clip, "--occluders", "none", "--headless", "--no-config", "--mask", "skull", "--frames", "3",
                "--output", output,
            ])
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(try difference(clip, output, frame: 0) < 25)
        }

        @Test func videosKeepSoundTimesAndTitle() throws {
            let clip = try makeClip("a clip é.mp4")
            let output = folder.path + "/masked/a clip é.mp4"
            let run = try ProgramRun.bauta([
                "video", "--occluders", "none", "--json", "--mask", "skull", clip, "-o", folder.path + "/masked",
            ])
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(run.output.contains("\"frames\":50") && run.output.contains("\"maskedFrames\":50"), "\(run.output)")
            #expect(try Recording.frameCount(output) == 50)
            for entries in ["format_tags=title", "stream=codec_name"] {
                let arguments = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0"]
                #expect(try tool(arguments + [clip]) == tool(arguments + [output]))
            }
            let sound = ["-map", "0:a", "-c", "copy", "-f", "md5", "-"]
            #expect(
                try tool(["ffmpeg", "-v", "error", "-i", clip] + sound)
                    == tool(["ffmpeg", "-v", "error", "-i", output] + sound))
            let report = folder.path + "/report.jsonl"
            let short = [
                "video", "--occluders", "none", clip, "-o", folder.path + "/short.mp4", "--frames", "2", "--report",
                report,
            ]
            #expect(try ProgramRun.bauta(short).exitCode == 0)
            #expect(try String(contentsOfFile: report, encoding: .utf8).contains("\"frames\":2"))
            // The mask is on the first frame already.
            #expect(try difference(clip, output, frame: 0) < 25)
            let again = try ProgramRun.bauta(["video", "--occluders", "none", clip, "-o", folder.path + "/masked"])
            #expect(again.exitCode == 73)
        }

        @Test func anInterruptedVideoLeavesNothing() throws {
            let clip = try makeClip("long.mp4", seconds: 8)
            let place = folder.path + "/masked"
            let run = try ProgramRun.bauta(["video", "--occluders", "none", clip, "-o", place]) { program in
                try program.wait(for: "an unfinished result in \(place)") {
                    (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
                } until: {
                    !$0.isEmpty
                }
                program.interrupt()
            }
            #expect(run.exitCode == 130, "\(run.exitCode) \(run.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
        }

        @Test(.slow, .enabled(if: SmallDisk.isPossible, "no file systems can be mounted")) func fullDisksAreSaid()
            throws
        {
            let disk = try SmallDisk(kilobytes: 64)
            let clip = try makeClip("clip.mp4", seconds: 8)
            let video = try ProgramRun.bauta(["video", clip, "-o", disk.path + "/out.mp4"])
            #expect(video.exitCode == 73, "\(video.exitCode) \(video.error)")
            #expect(video.error.contains("No space left"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
            let live = try ProgramRun.bauta([
                "live", clip, "--unpaced", "--headless", "-o", disk.path + "/live.mp4",
            ])
            #expect(live.exitCode == 73 && live.error.contains("No space left"), "\(live.exitCode) \(live.error)")
        }

        /// Only ffmpeg's last bytes have no room.
        @Test(
            .slow, .enabled(if: SmallDisk.isPossible, "no file systems can be mounted"),
            arguments: ["mp4", "mkv"])
        func aDiskThatIsFullAtTheEndIsSaid(_ format: String) throws {
            let clip = try makeClip("clip.mp4", seconds: 1)
            let whole = folder.path + "/whole." + format
            _ = try ProgramRun.bauta(["video", clip, "-o", whole])
            let disk = try SmallDisk(kilobytes: max(4, try bytes(of: whole).count / 1024 - 4))
            let video = try ProgramRun.bauta(["video", clip, "-o", disk.path + "/out." + format])
            #expect(video.exitCode == 73 && video.error.contains("No space left"), "\(video.exitCode) \(video.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
        }

        /// Not with --force, nor under another path or through a link.
        @Test func inputsAreNeverOverwritten() throws {
            let clip = try makeClip("a clip.mp4")
            let original = try bytes(of: clip)
            let link = folder.path + "/link.mp4"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: clip)
            let photograph = folder.path + "/ada.jpg"
            try FileManager.default.copyItem(atPath: Repository.root + "/samples/ada.jpg", toPath: photograph)
            let live = ["live", "--occluders", "none", "--headless", "--unpaced", "--frames", "3", "--force", clip]
            for arguments in [
                ["video", "-f", clip, "-o", clip], ["video", "-f", clip, "-o", folder.path],
                ["video", "-f", link, "-o", clip], ["track", "-f", clip, "-o", clip], live + ["-o", link],
                live + ["-o", folder.path + "/new.mp4", "--report", clip],
                ["photo", "-f", photograph, "--report", photograph],
            ] {
                let run = try ProgramRun.bauta(arguments, folder: folder.path)
                #expect(
                    run.exitCode == 73 && run.error.contains("is an input"),
                    "\(arguments): \(run.exitCode) \(run.error)")
                #expect(try bytes(of: clip) == original, "\(arguments)")
            }
            #expect(try bytes(of: photograph) == bytes(of: Repository.root + "/samples/ada.jpg"))
        }

        /// A recording plays up to its last fragment, however the program ends.
        @Test(.slow, arguments: [SIGKILL, SIGINT]) func recordingsOutliveTheProgram(_ signal: Int32) throws {
            let place = folder.path + "/recordings"
            var path = ""
            let run = try ProgramRun.bauta([
                "live", "drawn", "--occluders", "none", "--headless", "--record", "--folder", place,
            ]) {
                path = try Recording.waitForFrames(30, in: place, of: $0)
                kill($0.processIdentifier, signal)
            }
            #expect(run.exitCode == (signal == SIGINT ? 0 : 1000 + signal), "\(run.error)")
            let whole = FilePath(path).resolved?.description ?? path
            #expect(signal == SIGKILL || run.error.contains("Saved \(whole)"), "\(run.error)")
            // ffmpeg ends by itself at the end of its input.
            // Until then it keeps the file locked.
            try wait(for: "ffmpeg, which writes \(path), ends", pause: 0.2) {
                try ProgramRun.run("/usr/bin/env", ["flock", "--nonblock", path, "true"]).exitCode == 0
            }
            let frames = try #require(try Recording.frameCount(path))
            #expect(frames >= 30, "\(frames)")
        }

        @Test func mistakesAreExplained() throws {
            let cases: [([String], Int32, String)] = [
                (["live", "--headless", "drawn"], 64, "--output"),
                (["live", "a.mp4", "drawn"], 64, "Unexpected argument 'drawn'"),
                (
                    ["live", "drawn", "--occluders", "none", "--headless", "--json", "--report", "r"], 64,
                    "'--json' and '--report' exclude"
                ),
                (["live", "--size", "big", "drawn"], 64, "must be from 16x16 to 8192x8192, such as 1280x720"),
                (["live", "--headless", "--frames", "1", "/no/such.mp4"], 66, "no such file"),
                (["live", "--headless", "--frames", "1", "/no/such"], 66, "no such file"),
                (["live", "--headless", "--frames", "1", "--mask", "nomask"], 66, "nomask"),
                (["video", "/no/such.mp4"], 66, "no such file"),
            ]
            for (arguments, code, words) in cases {
                let run = try ProgramRun.bauta(arguments)
                #expect(run.exitCode == code && run.error.contains(words), "\(arguments): \(run.exitCode) \(run.error)")
            }
            let window = try ProgramRun.bauta(
                ["live", "drawn"],
                environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"])
            #expect(window.exitCode == 69 && window.error.contains("--headless"), "\(window.error)")
        }

        // MARK: Cameras

        /// Builds the virtual camera, and returns the environment that makes a program use it.
        private func fakeCamera(_ settings: [String: String] = [:]) throws -> [String: String] {
            // The loader takes spaces as separators, hence a relative path.
            let library = folder.path + "/camera.so"
            _ = try tool([
                "cc", "-shared", "-fPIC", "-O2", "-o", library, Repository.root + "/Tests/FakeCamera/fake_camera.c",
                "-ldl",
            ])
            let picture = folder.path + "/camera.jpg"
            _ = try tool([
                "ffmpeg", "-y", "-v", "error", "-i", Repository.root + "/samples/ada.jpg", "-vf",
                "scale=1280:-2,crop=1280:720:0:300", "-q:v", "3", picture,
            ])
            return ["LD_PRELOAD": "./camera.so", "FAKE_CAMERA_JPEG": picture].merging(settings) { $1 }
        }

        private func live(_ settings: [String: String], _ arguments: [String] = []) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["live", "--occluders", "none", "--headless", "--frames", "45", "--report", "-"] + arguments,
                environment: try fakeCamera(settings), folder: folder.path)
        }

        @Test func camerasAreListed() throws {
            let run = try ProgramRun.bauta(["camera", "list"], environment: try fakeCamera(), folder: folder.path)
            #expect(run.exitCode == 0)
            for text in [
                "/dev/video42  Fake Camera: é", "YUYV 1280×720 at 10.0 frames/s", "MJPG 1280×720 at 30.0 frames/s",
                "brightness_fake = 3  (-10 to 10)",
            ] { #expect(run.output.contains(text), "\(text) in \(run.output)") }
        }

        /// MJPG where the rate of uncompressed pictures is too low; otherwise uncompressed.
        @Test(.slow) func theBetterFormatIsChosen() throws {
            let large = try live([:], ["--camera-set", "brightness_fake=5,nonsense=1"])
            #expect(large.exitCode == 0)
            #expect(large.error.contains("asked for 1280×720 at 30 frames/s, got MJPG 1280×720 at 30.0 frames/s"))
            #expect(large.error.contains("it has no control 'nonsense'"))
            #expect(try #require(large.output.split(separator: "\n").last).contains("\"frames\":45"))
            let small = try live([:], ["fake", "--size", "640x480"])
            #expect(small.error.contains("got YUYV 640×480"))
        }

        @Test func unpluggedCamerasComeBack() throws {
            let run = try live(["FAKE_CAMERA_UNPLUG": "20"], ["/dev/video42"])
            #expect(run.exitCode == 0)
            // Each time, although the reason is the same.
            #expect(run.error.components(separatedBy: "the camera was unplugged").count == 3, "\(run.error)")
            // At the start and each time it is back; on a busy machine a stall may make it open the camera once more.
            #expect(run.error.components(separatedBy: "got MJPG").count >= 4, "\(run.error)")
        }

        @Test(.slow) func stallsAndGarbageAreOvercome() throws {
            let stalled = try live(["FAKE_CAMERA_STALL": "20"])
            #expect(stalled.exitCode == 0 && stalled.error.contains("delivers no pictures"), "\(stalled.error)")
            for only in ["YUYV", "MJPG"] {
                let damaged = try live(["FAKE_CAMERA_GARBAGE": "4", "FAKE_CAMERA_ONLY": only])
                #expect(damaged.exitCode == 0, "\(damaged.error)")
            }
        }

        @Test(.slow) func whyThereIsNoPictureIsSaid() throws {
            for (settings, words) in [
                (["FAKE_CAMERA_BUSY": "\(EBUSY)"], "another program is using the camera"),
                (["FAKE_CAMERA_FAIL": "\(EACCES)"], "no permission to use this camera"),
                (["FAKE_CAMERA_FAIL": "\(ENOENT)"], "the camera does not exist"),
            ] {
                let run = try ProgramRun.bauta(
                    ["live", "--headless", "--frames", "5", "42"], environment: try fakeCamera(settings),
                    folder: folder.path
                ) {
                    try $0.waitForError(words)
                    $0.interrupt()
                }
                #expect(run.exitCode == 0 && run.error.contains(words), "\(run.exitCode) \(run.error)")
            }
        }
    }
}
