import CSandbox
import Foundation
import TestSupport
import Testing

extension ExclusiveTests {
    /// What `bauta live` and `bauta video` do with outputs that clash and with an ffmpeg that hangs or attacks.
    @Suite(.serialized) struct ClipSafetyTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Puts a script in the place of a program of ffmpeg, and returns the environment that makes Bauta find it.
        private func replace(_ program: String, by script: String) throws -> [String: String] {
            let path = try folder.write("#!/bin/sh\n\(script)\n", "programs/\(program)")
            chmod(path, 0o755)
            return ["PATH": folder.path + "/programs:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")]
        }

        private func processes(_ words: String) throws -> String {
            try ProgramRun.run("/usr/bin/env", ["pgrep", "-f", "^" + words]).output
        }

        // MARK: Outputs

        @Test(.slow) func twoProgramsDoNotWriteOneFile() throws {
            // A folder that does not exist is created.
            let output = folder.path + "/new/both.mp4"
            let arguments = ["live", "drawn", "--occluders", "none", "--headless", "--output", output]
            let first = try ProgramRun.bauta(arguments + ["--frames", "100000"]) { program in
                try program.wait(for: "the file \(output)") {
                    FileManager.default.fileExists(atPath: output)
                } until: {
                    $0
                }
                let second = try ProgramRun.bauta(arguments + ["--frames", "5"])
                #expect(second.exitCode == 73 && second.error.contains("already exists"), "\(second.error)")
                let third = try ProgramRun.bauta(arguments + ["--frames", "5", "--force"])
                let isWriting = third.error.contains("another program is writing to it")
                #expect(third.exitCode == 73 && isWriting, "\(third.error)")
                try program.wait(for: "some bytes in \(output)") {
                    try bytes(of: output).count
                } until: {
                    $0 > 0
                }
                program.interrupt()
            }
            #expect(first.exitCode == 0, "\(first.error)")
            let last = try ProgramRun.bauta(arguments + ["--frames", "5", "--force", "--unpaced"])
            #expect(last.exitCode == 0, "\(last.error)")
            #expect(try Recording.frameCount(output) == 5)
        }

        @Test func outputsThatCannotBeAreExplained() throws {
            let live = ["live", "drawn", "--occluders", "none", "--headless", "--frames", "3"]
            let cases: [([String], Int32, String)] = [
                (live + ["-o", "film.nonsense"], 73, "use .mp4"),
                (live + ["-o", "gopher://host/film.mp4"], 73, "begin with http"),
                (live + ["--virtual-camera=-y"], 73, "the device does not exist"),
                (live + ["--virtual-camera", "file"], 73, "is not a virtual camera"),
                (["video", "x.mp4", "-o", "out.gif"], 64, "as .mp4, .m4v, .mov or .mkv"),
                (["video", "x.mp4", "-o", "v.avi"], 64, "write v.avi/"),
            ]
            try folder.write("x", "file")
            for (arguments, code, words) in cases {
                let run = try ProgramRun.bauta(arguments, folder: folder.path)
                #expect(run.exitCode == code && run.error.contains(words), "\(arguments): \(run.exitCode) \(run.error)")
                #expect(run.error.split(separator: "\n").count == 1, "\(arguments): \(run.error)")
            }
            #expect(try folder.names() == ["file"])
        }

        @Test func namesAreNoOptions() throws {
            let live = ["live", "--occluders", "none", "--headless", "--unpaced"]
            let first = try ProgramRun.bauta(
                live + ["drawn", "--frames", "5", "--output=-y.mkv"], folder: folder.path)
            #expect(first.exitCode == 0, "\(first.error)")
            let second = try ProgramRun.bauta(
                live + ["--output=concat:a|%03d.mkv", "--", "-y.mkv"], folder: folder.path)
            #expect(second.exitCode == 0, "\(second.error)")
            #expect(try Recording.frameCount(folder.path + "/concat:a|%03d.mkv") == 5)
        }

        @Test(.slow, .enabled(if: SmallDisk.isPossible, "file systems cannot be mounted here"))
        func errorsAreSaidOnce() throws {
            let disk = try SmallDisk(kilobytes: 64)
            let run = try ProgramRun.bauta([
                "live", "drawn", "--occluders", "none", "--unpaced", "--headless", "--frames", "200", "-o",
                disk.path + "/live.mp4",
            ])
            #expect(run.exitCode == 73, "\(run.exitCode) \(run.error)")
            #expect(run.error.components(separatedBy: "ffmpeg cannot write it").count == 2, "\(run.error)")
        }

        // MARK: Children

        @Test(.slow, arguments: [("video", SIGINT), ("live", SIGTERM)])
        func theUserEndsWhatHangs(_ command: String, _ signal: Int32) throws {
            let clip = try folder.write("x", "clip.mp4")
            let words = "sleep \(Int.random(in: 1_000_000...9_999_999))"
            let environment = try replace("ffprobe", by: "exec \(words)")
            let arguments =
                command == "live" ? ["live", "--headless", "--frames", "1", clip] : ["video", clip]
            let run = try ProgramRun.bauta(arguments, environment: environment, limit: 240) { program in
                try program.wait(for: "the program in ffprobe's place") {
                    try processes(words)
                } until: {
                    !$0.isEmpty
                }
                kill(program.processIdentifier, signal)
            }
            #expect(run.exitCode == 130, "\(run.exitCode) \(run.error)")
            try wait(for: "'\(words)' ends", pause: 0.2) { try processes(words).isEmpty }
        }

        /// Names are bytes: what is not UTF-8 was replaced by U+FFFD, in the names of results, too.
        @Test func namesThatAreNotUTF8AreKept() throws {
            let made = try ProgramRun.run(
                "/usr/bin/env",
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2", "-c:v", "ffv1", "x.mkv"],
                folder: folder.path)
            #expect(made.exitCode == 0, "\(made.error)")
            let commands = #"""
                set -e; e=$'caf\xe9'; mv x.mkv $e.mkv
                bauta video --json $e.mkv; bauta video -q $e.mkv -o $e.mp4
                bauta track -q $e.mkv -o $e.jsonl
                bauta live --headless --unpaced $e.mkv -o $e.mov --report $e.stats
                cd masked; ls -b; cd ..; ls -b
                """#
            let run = try ProgramRun.shell(commands, folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            let lines = run.output.split(separator: "\n")
            let names: [String] = ["mkv", "jsonl", "mkv", "mov", "mp4", "stats"].map { #"caf\351.\#($0)"# }
            #expect(lines.first?.contains(#""inputBytes":"caf%E9.mkv""#) == true, "\(run.output)")
            #expect(lines.dropFirst().filter { $0 != "masked" }.map(String.init) == names, "\(run.output)")
            // Where only text is possible, other names are refused.
            for words in ["mask check m", "video x.mkv --mask m", "lab evaluate stability m"] {
                let refused = try ProgramRun.shell("bauta \(words)" + #"$'\xe9'"#, folder: folder.path)
                #expect(
                    refused.exitCode == 64 && refused.error.contains(#"m\xE9"#) && refused.error.contains("not UTF-8"),
                    "\(words): \(refused.error)")
            }
        }

        /// It ended with ffmpeg's complaint about a file without frames.
        @Test func aRecordingThatIsInterruptedBeforeItsFirstFrameLeavesNothing() throws {
            let clip = folder.path + "/clip.mkv"
            let made = try ProgramRun.run(
                "/usr/bin/env",
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=1", "-c:v", "ffv1", clip])
            #expect(made.exitCode == 0, "\(made.error)")
            let words = "sleep \(Int.random(in: 1_000_000...9_999_999))"
            let environment = try replace("ffmpeg", by: "exec \(words)")
            for output in [["--output", "out.mp4"], ["--record", "--folder", "recordings"]] {
                let run = try ProgramRun.bauta(
                    ["live", "--occluders", "none", "--headless", clip] + output, environment: environment,
                    folder: folder.path,
                    limit: 240
                ) { program in
                    try program.wait(for: "the program in ffmpeg's place") {
                        try processes(words)
                    } until: {
                        !$0.isEmpty
                    }
                    kill(program.processIdentifier, SIGTERM)
                }
                #expect(run.exitCode == 130 && run.error.contains("nothing was written"), "\(run.error)")
                #expect(!run.error.contains("ffmpeg"), "\(run.error)")
            }
            #expect(try folder.names().allSatisfy { !$0.hasSuffix(".mp4") })
        }

        @Test func noReaderOutlivesTheProgram() throws {
            let clip = try folder.write("x", "clip.mp4")
            let words = "sleep \(Int.random(in: 1_000_000...9_999_999))"
            let environment = try replace("ffprobe", by: "exec \(words)")
            let run = try ProgramRun.bauta(["video", clip], environment: environment, limit: 240) { program in
                try program.wait(for: "the program in ffprobe's place") {
                    try processes(words)
                } until: {
                    !$0.isEmpty
                }
                kill(program.processIdentifier, SIGKILL)
            }
            #expect(run.exitCode == 1000 + SIGKILL)
            try wait(for: "'\(words)' ends", pause: 0.2) { try processes(words).isEmpty }
        }

        /// ffmpeg decodes what strangers made, so it may open nothing but the clip, and no connection.
        @Test(
            .enabled(
                if: Int(csandbox_walls()) & CSANDBOX_WALL_PATHS != 0
                    && Int(csandbox_walls()) & CSANDBOX_WALL_NETWORK != 0,
                "this kernel has no Landlock or no seccomp"))
        func ffmpegIsBehindAWall() throws {
            let other = try TemporaryFolder()
            let secret = try other.write("the secret", "secret.txt")
            let clip = try folder.write("the clip's content", "clip.mp4")
            // Messages are shortened to three lines.
            let environment = try replace(
                "ffprobe",
                by: """
                    for last; do :; done
                    cat "${last#file:}" >&2
                    echo >&2
                    cat "\(secret)" >&2
                    echo written > "\(other.path)/new.txt"
                    exit 1
                    """)
            let run = try ProgramRun.bauta(["video", clip], environment: environment)
            #expect(run.exitCode == 65 && run.error.contains("the clip's content"), "\(run.error)")
            #expect(run.error.contains("Permission denied") && !run.error.contains("the secret"), "\(run.error)")
            #expect(try other.names() == ["secret.txt"])
            let network = try replace(
                "ffprobe",
                by: #"exec perl -e 'use Socket; socket(my $x, AF_INET, SOCK_STREAM, 0) or die $!'"#)
            let connection = try ProgramRun.bauta(["video", clip], environment: network)
            #expect(connection.error.contains("Permission denied"), "\(connection.error)")
        }
    }
}
