import Foundation
import TestSupport
import Testing

extension ExclusiveTests {
    /// Recordings and videos whose program, or whose ffmpeg, is killed.
    @Suite(.serialized) struct ClipFaultTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private static func live(_ words: String...) -> [String] {
            ["live", "drawn", "--headless", "--unpaced", "--size", "320x240"] + words
        }

        private func names(_ place: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + place)) ?? []).sorted()
        }

        /// Waits for an ffmpeg that a program has started.
        /// - Parameter isWriting: whether it encodes what the program draws; otherwise it decodes.
        private func ffmpeg(of program: RunningProgram, isWriting: Bool) throws -> Int32 {
            let found = try program.wait(for: "an ffmpeg that \(isWriting ? "writes" : "reads")") {
                ProcessTree.children(of: program.processIdentifier).filter {
                    $0.arguments.first?.hasSuffix("/ffmpeg") == true && !$0.arguments.contains("-encoders")
                        && $0.arguments.contains("pipe:0") == isWriting
                }
            } until: {
                !$0.isEmpty
            }
            return try #require(found.first).process
        }

        // MARK: The program is killed

        /// What has been recorded until then can be played.
        @Test func recordingsCanBePlayedAfterSIGKILL() throws {
            var state: UInt64 = 99
            for index in 0..<50 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let pause = UInt32(state >> 33) % 2500
                let path = folder.path + "/out/\(index).mp4"
                var writer: Int32?
                let run = try ProgramRun.bauta(
                    Self.live("--frames", "100000", "--output", path), folder: folder.path
                ) { program in
                    usleep(1000 * pause)
                    writer = ProcessTree.children(of: program.processIdentifier).first?.process
                    kill(program.processIdentifier, SIGKILL)
                }
                #expect(run.exitCode == 1000 + SIGKILL)
                if let writer { try wait(for: "ffmpeg ends") { !ProcessTree.isRunning(writer) } }
                // Killed before there was a frame, it leaves nothing, or the header alone: about 1 kB.
                let header = 4096
                guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size > header
                else { continue }
                let frames = try #require(try Recording.frameCount(path), "\(index): \(size) bytes after \(pause) ms")
                #expect(frames > 0)
            }
            #expect(names("out").allSatisfy { $0.hasSuffix(".mp4") }, "\(names("out"))")
        }

        /// What reads a stream may take nothing more, for ever.
        @Test func streamWritersEndWithTheProgram() throws {
            let path = folder.path + "/pipe.mkv"
            mkfifo(path, 0o600)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            var writer: Int32 = 0
            let run = try ProgramRun.bauta(
                Self.live("--frames", "100000", "--force", "--output", path), folder: folder.path
            ) { program in
                writer = try ffmpeg(of: program, isWriting: true)
                try program.wait(for: "a pipe that fills") {
                    var count: Int32 = 0
                    return ioctl(reader, UInt(FIONREAD), &count) == 0 ? count : 0
                } until: {
                    $0 > 32_000
                }
                kill(program.processIdentifier, SIGKILL)
            }
            #expect(run.exitCode == 1000 + SIGKILL)
            try wait(for: "ffmpeg ends") { !ProcessTree.isRunning(writer) }
        }

        // MARK: ffmpeg is killed

        private func clip() throws {
            let made = try ProgramRun.bauta(Self.live("--frames", "90", "-o", "clip.mp4"), folder: folder.path)
            #expect(made.exitCode == 0, "\(made.error)")
        }

        @Test(arguments: [false, true]) func aVideoWhoseFFmpegIsKilledIsAnError(isWriting: Bool) throws {
            try clip()
            let original = try bytes(of: folder.path + "/clip.mp4")
            let run = try ProgramRun.bauta(["video", "clip.mp4", "-o", "out"], folder: folder.path) { program in
                kill(try ffmpeg(of: program, isWriting: isWriting), SIGKILL)
            }
            #expect((65...73).contains(run.exitCode) && run.error.contains("ffmpeg"), "\(run.exitCode) \(run.error)")
            #expect(names("out") == [])
            #expect(try bytes(of: folder.path + "/clip.mp4") == original)
        }

        @Test func aRecordingWhoseFFmpegIsKilledIsAnError() throws {
            let run = try ProgramRun.bauta(
                Self.live("--frames", "100000", "--output", "out.mp4"), folder: folder.path
            ) { program in
                kill(try ffmpeg(of: program, isWriting: true), SIGKILL)
                try program.waitForError("out.mp4")
                program.interrupt()
            }
            #expect(run.exitCode != 0 && run.error.contains("out.mp4"), "\(run.exitCode) \(run.error)")
        }

        @Test func aClipWhoseFFmpegIsKilledIsAnError() throws {
            try clip()
            let run = try ProgramRun.bauta(
                ["live", "clip.mp4", "--headless", "--frames", "100000"], folder: folder.path
            ) { program in
                kill(try ffmpeg(of: program, isWriting: false), SIGKILL)
            }
            #expect(run.exitCode != 0 && run.error.contains("clip.mp4"), "\(run.exitCode) \(run.error)")
        }

        // MARK: What the system refuses

        /// Too few file descriptors are not taken for a clip that cannot be decoded.
        @Test func tooFewFileDescriptorsAreNotBlamedOnTheClip() throws {
            try clip()
            var failures = 0
            for count in 10...20 {
                let run = try ProgramRun.run(
                    "/bin/bash",
                    ["-c", "ulimit -n \(count); exec '\(Repository.executable)' video clip.mp4 --force -o out.mp4"],
                    folder: folder.path)
                // The system's loader may need more than there are.
                if run.exitCode == 0 || run.exitCode == 127 { continue }
                #expect(run.exitCode == 69, "\(count): \(run.exitCode) \(run.error)")
                #expect(run.error.contains("Too many open files"), "\(count): \(run.error)")
                failures += 1
            }
            #expect(failures > 0)
        }

        /// What ffmpeg says where it gets no more threads.
        @Test(
            arguments: [
                "Error while opening decoder for input stream #0:0 : Resource temporarily unavailable",
                "[rawvideo @ 0x1] ff_frame_thread_encoder_init failed\nError initializing output stream 0:0",
                "Error while opening encoder for output stream #0:0 - maybe incorrect parameters",
            ]) func tooFewProcessesAreNotBlamedOnTheClip(_ words: String) throws
        {
            try clip()
            try folder.write("#!/bin/sh\necho '\(words)' >&2\nexit 1\n", "bin/ffmpeg")
            chmod(folder.path + "/bin/ffmpeg", 0o755)
            let path = folder.path + "/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
            let run = try ProgramRun.shell(
                "ulimit -u 900; exec \"$BAUTA_PROGRAM\" video clip.mp4 -o out.mp4", folder: folder.path,
                environment: ["PATH": path])
            #expect(run.exitCode == 69 && run.error.contains("ulimit -u"), "\(run.exitCode) \(run.error)")
            #expect(names("") == ["bin", "clip.mp4"])
        }

        /// The encoder's own words say nothing to somebody who knows no encoders.
        @Test(arguments: ["1x1", "1x6", "4x1"]) func aClipThatIsTooSmallIsSaid(_ size: String) throws {
            let made = try ProgramRun.shell(
                "head -c 60 /dev/zero | ffmpeg -v error -f rawvideo -s \(size) -pix_fmt gray -r 10 -i - -c:v png dot.mkv",
                folder: folder.path)
            #expect(made.exitCode == 0, "\(made.error)")
            let run = try ProgramRun.bauta(["video", "dot.mkv", "-o", "out.mkv"], folder: folder.path)
            #expect(run.exitCode == 65, "\(run.exitCode) \(run.error)")
            let size = size.replacing("x", with: " × ")
            #expect(run.error.contains("dot.mkv: its frames of \(size) pixels are too small"), "\(run.error)")
            #expect(!run.error.contains("x264") && names("") == ["dot.mkv"], "\(run.error)")
        }

        @Test func thereAreTooFewFileDescriptors() throws {
            try clip()
            for count in [8, 12, 16, 20, 24] {
                for arguments in [
                    "video clip.mp4 --force -o 'out \(count)'",
                    Self.live("--frames", "20", "--output", "recording\(count).mp4").joined(separator: " "),
                ] {
                    let run = try ProgramRun.run(
                        "/bin/bash", ["-c", "ulimit -n \(count); exec '\(Repository.executable)' \(arguments)"],
                        folder: folder.path)
                    #expect(run.exitCode < 128 && (run.exitCode == 0 || !run.error.isEmpty), "\(count): \(run)")
                    #expect(names("out \(count)").allSatisfy { $0 == "clip.mp4" }, "\(names("out \(count)"))")
                }
            }
        }
    }
}
