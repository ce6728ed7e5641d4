import Foundation
import ImageFiles
import JSON
import TestSupport
import Testing

@Suite struct OtherCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Moving pictures bring their own times, and what is transparent in them stays so.
    @Test(.slow) func masksMayMove() throws {
        let folder = try TemporaryFolder()
        for (name, format) in [("moving é.gif", "gif"), ("moving.png", "apng")] {
            let made = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                    "color=c=red:s=64x48:r=5:d=1,format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,32),255,0)'"
                        + (format == "gif"
                            ? ",split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse" : ""),
                    "-f", format,
                    folder.path + "/" + name,
                ])
            #expect(made.exitCode == 0, "\(made.error)")
            try folder.write(
                """
                {"format": 1, "name": "x", "layers": [
                  {"type": "warp", "openings": [], "animation": {"file": "\(name)"}}]}
                """, "mask.json")
            let show = try ProgramRun.bauta(["mask", "show", folder.path])
            #expect(show.output.contains("warp of 5 frames of 64 × 48"), "\(show.output) \(show.error)")
            let drawn = try ProgramRun.bauta([
                "mask", "preview", "--force", "--face-width", "60", "-o", folder.path + "/sheet.png", folder.path,
            ])
            #expect(drawn.exitCode == 0, "\(drawn.error)")
            let sheet = try PictureReader.read(folder.path + "/sheet.png").pixels.copy()
            // The instance's right cheek is red, the left one unmasked.
            let (right, left) = (sheet[45, 74], sheet[75, 74])
            #expect(right.x > 240 && right.y < 20, "\(right)")
            #expect(left.y > 60, "\(left)")
        }
        // Nothing is taken in that is longer than it may be.
        let long = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=8x8:r=100:d=3", "-f", "apng",
                folder.path + "/long.png",
            ]
        )
        #expect(long.exitCode == 0, "\(long.error)")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "animation": {"file": "long.png"}}]}"#,
            "mask.json")
        let endless = try ProgramRun.bauta(["mask", "show", folder.path])
        #expect(endless.exitCode == 65 && endless.error.contains("more than 240 frames"), "\(endless.error)")
        // A film is none, whatever it is called.
        let film = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4", "-f", "mp4",
                folder.path + "/film.gif",
            ])
        #expect(film.exitCode == 0, "\(film.error)")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "animation": {"file": "film.gif"}}]}"#,
            "mask.json")
        let refused = try ProgramRun.bauta(["mask", "check", folder.path])
        #expect(
            refused.exitCode == 65 && refused.output.contains("[animation-unreadable]")
                && refused.output.contains("neither an APNG nor a GIF"), "\(refused.output) \(refused.error)")
        try folder.write("no picture", "broken.gif")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "animation": {"file": "broken.gif"}}]}"#,
            "mask.json")
        let broken = try ProgramRun.bauta(["mask", "show", folder.path])
        #expect(broken.exitCode == 65 && broken.error.contains("/layers/0/animation/file"), "\(broken.error)")
    }

    @Test func masksAreListedAndShown() throws {
        let list = try ProgramRun.bauta(["mask", "list"], environment: ["XDG_DATA_HOME": folder.path])
        #expect(list.exitCode == 0)
        for name in ["bauta", "skull", "tiger"] { #expect(list.output.contains(name)) }
        #expect(list.output.contains("Wolf: a grey wolf") && !list.output.contains("by The Bauta project"))
        let show = try ProgramRun.bauta(["mask", "show", "sugar-skull"])
        #expect(show.output.contains("License:  CC0-1.0") && show.output.contains("open: eyes"))
        #expect(try ProgramRun.bauta(["mask", "show", "nothing"]).exitCode == 66)
        let json = try JSONValue(parsing: try ProgramRun.bauta(["mask", "show", "bauta", "--json"]).output)
        #expect(json["license"] == .string("CC0-1.0") && json["title"] == .string("Bauta"), "\(json)")
        let all = try ProgramRun.bauta(["mask", "list", "--json"], environment: ["XDG_DATA_HOME": folder.path])
        #expect(try JSONValue(parsing: all.output)[0]?["path"]?.string?.isEmpty == false, "\(all.output)")
        // As the list prints it.
        #expect(try ProgramRun.bauta(["mask", "show", "plague DOCTOR"]).output.contains("Folder:"))
        // Only where one mask fits.
        let manifest = #"{"format": 1, "name": "x", "layers": [{"type": "warp", "live": "face"}]}"#
        for name in ["Twin", "TWIN"] { try folder.write(manifest, "bauta/masks/\(name)/mask.json") }
        let twins = try ProgramRun.bauta(["mask", "show", "twin"], environment: ["XDG_DATA_HOME": folder.path])
        #expect(twins.exitCode == 66 && twins.error.contains("one of several masks: TWIN, Twin"), "\(twins.error)")
    }

    @Test func masksOfTheUserAreFoundByNameAndComeFirst() throws {
        let own = folder.path + "/bauta/masks/skull"
        try folder.write(
            PNGBuilder(width: 1, height: 1, colorType: 2, rows: [[1, 2, 3]]).bytes, "bauta/masks/skull/t.png")
        try folder.write(
            #"{"format": 1, "name": "Mine", "layers": [{"type": "warp", "texture": "t.png"}]}"#,
            "bauta/masks/skull/mask.json")
        let show = try ProgramRun.bauta(["mask", "show", "skull"], environment: ["XDG_DATA_HOME": folder.path])
        #expect(show.output.contains("Mine") && show.output.contains(own))
        try folder.write("{", "bauta/masks/broken/mask.json")
        let list = try ProgramRun.bauta(["mask", "list"], environment: ["XDG_DATA_HOME": folder.path])
        #expect(list.exitCode == 1 && list.error.hasPrefix("bauta: broken: broken: ") && list.output.contains("tiger"))
    }

    @Test(.slow) func theMeshIsRebuilt() throws {
        let path = folder.path + "/mesh.txt"
        #expect(try ProgramRun.bauta(["lab", "mesh", "--output", path]).exitCode == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Repository.text("face/mesh.txt"))
        #expect(try ProgramRun.bauta(["lab", "mesh", "--output", "/nowhere/mesh.txt"]).exitCode == 73)
    }

    @Test func theDoctorFindsAllWell() throws {
        let run = try ProgramRun.bauta(["doctor"])
        #expect(run.exitCode == 0, "\(run.output)")
        for thing in ["landmark model", "ffmpeg", "OpenGL", "shaders", "renderer", "packages", "mesh", "mask bauta"] {
            #expect(run.output.contains("ok       \(thing)"), "\(thing) in \(run.output)")
        }
        #expect(run.output.contains("excludes commercial use"))
    }

    @Test func theDoctorSaysHowToFixWhatIsMissing() throws {
        let run = try ProgramRun.bauta(
            ["doctor", "--model", "/nowhere.dat"], environment: ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere.json"])
        #expect(run.exitCode == 69)
        #expect(run.output.contains("MISSING  landmark model") && run.output.contains("MISSING  OpenGL"))
        #expect(run.output.contains("fix it with: sudo apt-get install libegl1 libgl1-mesa-dri"))
        let noPath = try ProgramRun.bauta(["doctor"], environment: ["PATH": folder.path])
        #expect(noPath.exitCode == 69 && noPath.output.contains("MISSING  ffmpeg: not on PATH: ffmpeg, ffprobe"))
        #expect(noPath.output.contains("fix it with: sudo apt-get install ffmpeg"))
        let lost = try ProgramRun.bauta(["doctor"], environment: ["BAUTA_DATA": folder.path])
        #expect(lost.exitCode == 69 && lost.output.contains("BAUTA_DATA"))
    }

    /// With programs that stand for the system's and do nothing: what an administrator is asked to permit, and what is said if
    /// that does not help. Where there is a device already, nobody is asked.
    @Test func anAdministratorIsAskedForAVirtualCamera() throws {
        let log = folder.path + "/log"
        func put(_ name: String, _ text: String) throws {
            let path = try folder.write("#!/bin/sh\n" + text, "programs/" + name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        func create(_ more: String...) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["camera", "virtual", "--create"] + more, environment: ["PATH": folder.path + "/programs:/usr/bin:/bin"]
            )
        }
        try put("modprobe", "exit 1")
        try put("obs", "")
        let devices = try ProgramRun.bauta(
            ["camera", "virtual"], environment: ["PATH": folder.path + "/programs", "HOME": folder.path])
        #expect(
            devices.exitCode == 0 && devices.output.contains(/OBS +yes +PipeWire, or a device/), "\(devices.output)")
        #expect(devices.output.contains(/Discord +no +only a device/))
        guard devices.output.contains("device: none") else { return }
        let absent = try create()
        #expect(absent.exitCode == 69 && absent.error.contains("v4l2loopback is not installed"), "\(absent.error)")
        try put("modprobe", "exit 0")
        try put("pkexec", #"for word; do printf '%s\n' "$word"; done > '\#(log)'; exit 126"#)
        let refused = try create()
        #expect(refused.exitCode == 69 && refused.error.contains("permission"), "\(refused.error)")
        let asked = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(asked.first == "--disable-internal-agent" && asked.dropFirst().first?.hasSuffix("/modprobe") == true)
        #expect(asked.dropFirst(2).prefix(3) == ["v4l2loopback", "exclusive_caps=1", "card_label=Bauta"])
        #expect(asked.count == 6 && asked[5].contains(/^video_nr=\d\d$/), "\(asked)")
        try put("pkexec", "echo 'modprobe: strange words' >&2; exit 1")
        let failed = try create("--keep")
        #expect(failed.exitCode == 69 && failed.error.contains("cannot be loaded: modprobe: strange words"))
        #expect(try ProgramRun.bauta(["camera", "virtual", "--keep"]).exitCode == 64)
    }

    @Test(.slow) func landmarksAreMeasuredBesideDlibs() throws {
        let sample = Repository.root + "/samples/ada.jpg"
        let table = try ProgramRun.bauta(["lab", "bench", "landmarks", "-n", "2", sample])
        #expect(table.exitCode == 0 && table.output.contains("ratio"), "\(table.error)")
        let json = try ProgramRun.bauta(["lab", "bench", "landmarks", "-n", "2", "--json", sample])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Double] ?? [:]
        #expect(object["faces"] == 1 && object["microseconds"] ?? 0 > 0 && object["dlibMicroseconds"] ?? 0 > 0)
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 100), count: 100)
        let plain = try folder.write(PNGBuilder(width: 100, height: 100, colorType: 0, rows: rows).bytes, "plain.png")
        #expect(try ProgramRun.bauta(["lab", "bench", "landmarks", plain]).exitCode == 65)
    }

    @Test(.slow) func theBenchmarkPrintsATableAndJSON() throws {
        let sample = Repository.root + "/samples/ada.jpg"
        let table = try ProgramRun.bauta(["lab", "bench", "photo", "--repeat", "1", sample])
        #expect(table.exitCode == 0)
        for stage in ["decode", "detect", "landmarks", "render", "encode"] { #expect(table.output.contains(stage)) }
        let json = try ProgramRun.bauta(["lab", "bench", "photo", "--json", "-n", "1", sample])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let photograph = try #require((object?["photographs"] as? [[String: Any]])?.first)
        let times = try #require(photograph["milliseconds"] as? [String: Double])
        #expect(times.count == 6 && times.values.allSatisfy { $0 >= 0 } && photograph["faces"] as? Int == 1)
        #expect(try ProgramRun.bauta(["lab", "bench", "photo", "/nowhere.jpg"]).exitCode == 66)
    }

    /// The processors that the process may use count, not those that the machine has.
    @Test(.slow) func oneProcessorIsOneThread() throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg"] { try folder.write(try SmallSample.bytes("ada"), "in/" + name) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let allowed = try #require(status.firstMatch(of: /Cpus_allowed_list:\s*(\d+)/)).1
        let run = try ProgramRun.run(
            "/usr/bin/taskset",
            ["-c", "\(allowed)", Repository.executable, "lab", "bench", "photo", "--detector", "hog", "--json", "in"],
            folder: folder.path)
        let value = try JSONValue(parsing: run.output)
        #expect(value["threads"] == .integer(1) && value["cores"] == .integer(1), "\(run.output) \(run.error)")
    }

    @Test func photosOfAFolderAreMasked() throws {
        let folder = try TemporaryFolder()
        let ada = try SmallSample.bytes("ada")
        for name in ["a.jpg", "b/c.jpg"] { try folder.write(ada, "in/" + name) }
        try folder.write(Array(ada.prefix(2000)), "in/b/cut.jpg")
        func bench(_ arguments: [String]) throws -> ProgramRun {
            try ProgramRun.bauta(
                ["lab", "bench", "photo", "--occluders", "none"] + arguments,
                environment: ["TMPDIR": folder.path + "/in/b"],
                folder: folder.path)
        }
        let run = try bench(["in"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.output.contains("1 photograph in ") && run.output.contains("1 masked, 0 no face, 0 failed"))
        for word in ["machine", "threads", "memory", "cost", "limit", "decode", "write"] {
            #expect(run.output.contains("\n\(word) "), "\(run.output)")
        }
        // One that fails is counted.
        let json = try bench(["in", "-r", "--json", "-j", "1", "--no-face", "skip", "-o", "."])
        let value = try JSONValue(parsing: json.output)
        #expect(json.exitCode == 1 && value["photographs"] == .integer(3) && value["failed"] == .integer(1))
        #expect(value["masked"] == .integer(2) && value["threads"] == .integer(1))
        let (seconds, share) = (value["seconds"]?.number ?? 0, value["shareOfThreads"]?.number ?? 0)
        #expect(seconds > 0 && share > 0 && share <= 1, "\(json.output)")
        #expect(value["milliseconds"]?["decode"]?["median"]?.number ?? 0 > 0)
        let cost = value["coreSecondsPerPhotograph"]?.number ?? 0
        #expect(abs(cost - (value["processorSeconds"]?.number ?? 0) / 3) < 1e-3 && cost > 0)
        #expect(abs((value["coreHoursPerMillion"]?.number ?? 0) - cost / 0.0036) < 0.1, "\(json.output)")
        // Nothing is left, where the results were, either.
        #expect(try folder.names() == ["in", "in/a.jpg", "in/b", "in/b/c.jpg", "in/b/cut.jpg"])
        #expect(try bench(["in", "-n", "3"]).exitCode == 64)
        #expect(try bench(["in/a.jpg", "-j", "3"]).error.contains("--jobs has no effect without a folder"))
    }

    /// A terminal shows that a long command works; a pipe gets nothing but the result.
    @Test(.slow) func longCommandsSayThatTheyWork() throws {
        let terminal = folder.path + "/terminal"
        let command = "'\(Repository.executable)' lab bench render --repeat 10000"
        _ = try ProgramRun.run("/usr/bin/script", ["-qefc", command, terminal]) { program in
            try program.wait(for: "a line with the time") {
                (try? String(contentsOfFile: terminal, encoding: .utf8)) ?? ""
            } until: {
                $0.contains("\rbauta lab bench render: working for ")
            }
            kill(program.processIdentifier, SIGTERM)
        }
        let piped = try ProgramRun.bauta(["mask", "new", folder.path + "/new"])
        #expect(piped.exitCode == 0 && piped.error.isEmpty, "\(piped.error)")
    }

    /// SDL alone brings some forty libraries, and OpenGL's drivers LLVM.
    @Test func aPhotographLoadsNoLibrariesOfWindowsOrDrivers() throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.bauta(
            ["photo", Repository.root + "/samples/ada.jpg", "--mask", "tiger", "-o", "out.jpg"],
            environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": folder.path + "/loaded"], folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        let lists = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("loaded.") }
        let libraries = try Set(
            lists.flatMap { name in
                try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8).split(separator: "\n")
                    .filter { $0.contains("calling init:") }.compactMap { $0.split(separator: "/").last }
            })
        #expect(libraries.contains { $0.hasPrefix("libdlib") }, "the list is not what it was taken for: \(libraries)")
        for name in ["libSDL", "libEGL", "libLLVM", "libGLX_", "libpulse", "libav"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name)")
        }
        #expect(libraries.count < 86, "\(libraries.sorted())")
    }
}
