import Clips
import Foundation
import Pixels
import TestSupport
import Testing

/// Masks that follow sound, from end to end.
@Suite struct SoundCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", arguments)
        #expect(run.exitCode == 0, "\(arguments): \(run.error)")
    }

    /// A mask that is red while a beat lasts, and not there otherwise.
    private func makeMask() throws -> String {
        let path = folder.path + "/red"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", path + "/red.png",
        ])
        let manifest = """
            {"format": 1, "name": "Red beat", "layers": [{"type": "warp", "texture": "red.png", "openings": [],
             "opacity": {"by": "beat", "from": [0.5, 0.6]}}]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: path + "/mask.json"))
        return path
    }

    /// Two seconds of a portrait at 25 frames per second, with a click or without sound.
    private func makeClip(click: Double?) throws -> String {
        let path = folder.path + "/portrait.mkv"
        var arguments = ["ffmpeg", "-v", "error", "-loop", "1", "-r", "25", "-t", "2", "-i"]
        arguments.append(Repository.root + "/samples/ada.jpg")
        if let click {
            var sound = SyntheticSound(seconds: 2)
            sound.addNoise(0.0005)
            sound.addImpulse(at: click)
            try sound.write(to: folder.path + "/click.wav", channels: 2)
            arguments += ["-i", folder.path + "/click.wav", "-c:a", "aac"]
        }
        try run(arguments + ["-vf", "scale=320:-2", "-c:v", "mpeg4", "-q:v", "3", path])
        return path
    }

    /// The share of red pixels in each frame.
    private func reds(of path: String) throws -> [Double] {
        let reader = try ClipReader(path)
        var pixels = try reader.makeFrame()
        var result: [Double] = []
        while try reader.read(into: &pixels) != nil {
            var count = 0
            for y in 0..<pixels.height {
                for x in 0..<pixels.width {
                    let color = pixels[x, y]
                    if color.x > 180, color.y < 60, color.z < 60 { count += 1 }
                }
            }
            result.append(Double(count) / Double(pixels.width * pixels.height))
        }
        return result
    }

    /// The mask shows in the frame in which the click is, and fades in those after it.
    @Test func aVideoShowsAClickInItsFrame() throws {
        let (clip, masked) = (try makeClip(click: 1.33), folder.path + "/masked.mkv")
        let run = try ProgramRun.bauta([
            "video", "--occluders", "none", clip, "--mask", makeMask(), "-o", masked, "--json",
        ])
        #expect(run.exitCode == 0 && run.output.contains("\"heard\":true"), "\(run.error)")
        let reds = try reds(of: masked)
        let first = try #require(reds.firstIndex { $0 > 0.05 })
        #expect(reds.count == 50 && abs(first - 33) <= 1, "\(reds)")
        #expect(reds.indices.allSatisfy { reds[$0] < 0.001 || (first...first + 5).contains($0) }, "\(reds)")
    }

    @Test(.slow) func aVideoWithoutSoundIsSaid() throws {
        let (clip, masked) = (try makeClip(click: nil), folder.path + "/masked.mkv")
        let mask = try makeMask()
        let run = try ProgramRun.bauta([
            "video", "--occluders", "none", clip, "--mask", mask, "-o", masked, "--json", "--frames", "10",
        ])
        #expect(run.exitCode == 0 && run.output.contains("\"heard\":false"))
        #expect(run.error.contains("follows sound"))
        let other = try ProgramRun.bauta([
            "video", "--occluders", "none", clip, "-o", folder.path + "/b.mkv", "--json", "--frames", "3",
        ])
        #expect(other.output.contains("\"heard\":null") && !other.error.contains("follows sound"))
    }

    @Test func tracksTellWhatIsHeard() throws {
        let run = try ProgramRun.bauta(["track", makeClip(click: 1.33), "--sound", "clip", "--quiet"])
        let lines = try run.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let beats = try lines.map { try #require(($0["sound"] as? [String: Double])?["beat"]) }
        #expect(beats.count == 50 && abs((beats.firstIndex(of: 1) ?? 0) - 33) <= 1)
        let face = try #require((lines.last?["faces"] as? [[String: Any]])?.first)
        #expect((face["signals"] as? [String: Double])?["loudness"] == nil)
    }

    /// A program in place of ffmpeg, in whose microphone it clicks twice a second.
    private func fakeMicrophone() throws -> String {
        var sound = SyntheticSound(seconds: 20)
        sound.addNoise(0.0005)
        for index in 0..<40 { sound.addImpulse(at: 0.5 * Double(index)) }
        try sound.write(to: folder.path + "/clicks.wav")
        let bin = folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        let script = """
            #!/bin/sh
            PATH=${PATH#*:}
            case "$*" in
            *"-f pulse"*)
                echo opened >> '\(folder.path)/opened'
                exec ffmpeg -nostdin -v error -re -i '\(folder.path)/clicks.wav' -f f32le -flush_packets 1 pipe:1 ;;
            esac
            exec ffmpeg "$@"

            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: bin + "/ffmpeg"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin + "/ffmpeg")
        return bin + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    }

    private var wasOpened: Bool { FileManager.default.fileExists(atPath: folder.path + "/opened") }

    @Test(.slow) func liveMasksFollowTheMicrophoneOnlyWhenAsked() throws {
        let (mask, path) = (try makeMask(), try fakeMicrophone())
        let recording = folder.path + "/live.mkv"
        let live = [
            "live", "--headless", "drawn", "--occluders", "none", "--mask", mask, "--no-config", "--force", "-o",
            recording,
        ]
        // A mask alone opens no microphone.
        let deaf = try ProgramRun.bauta(live + ["--frames", "10"], environment: ["PATH": path])
        #expect(deaf.exitCode == 0 && deaf.error.contains("--sound microphone"), "\(deaf.error)")
        #expect(try !wasOpened && reds(of: recording).allSatisfy { $0 < 0.001 })
        let run = try ProgramRun.bauta(
            live + ["--frames", "60", "--sound", "microphone"], environment: ["PATH": path])
        #expect(run.exitCode == 0 && wasOpened, "\(run.error)")
        let reds = try reds(of: recording)
        #expect(reds.contains { $0 > 0.05 } && reds.contains { $0 < 0.001 }, "\(reds)")
    }

    @Test func soundThatCannotBeHeardIsRefused() throws {
        for arguments in [
            ["live", "drawn", "--sound", "clip"], ["track", "a.mp4", "--sound", "microphone"],
            ["live", "--sound", "loud"],
        ] {
            let run = try ProgramRun.bauta(arguments)
            #expect(run.exitCode == 64 && run.error.contains("--sound"), "\(arguments) \(run.error)")
        }
    }
}
