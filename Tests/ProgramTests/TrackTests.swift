import Foundation
import NeuralNetworks
import TestSupport
import Testing

extension ExclusiveTests {
    /// `bauta track`, and what `bauta video` says of faces that it left unmasked.
    @Suite(.serialized) struct TrackTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func tool(_ arguments: [String]) throws {
            let run = try ProgramRun.run("/usr/bin/env", arguments)
            #expect(run.exitCode == 0, "\(arguments): \(run.error)")
        }

        private typealias Line = [String: Any]

        private func lines(_ text: String) throws -> [Line] {
            try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Line)
            }
        }

        private func faces(_ line: Line) throws -> [Line] { try #require(line["faces"] as? [Line]) }

        private func track(_ arguments: [String]) throws -> [Line] {
            let run = try ProgramRun.bauta(["track", "--quiet"] + arguments)
            #expect(run.exitCode == 0, "\(run.error)")
            return try lines(run.output)
        }

        /// The synthetic face, tracked live: each member as docs/reference/tracks.md says.
        @Test func theFormatIsAsDocumented() throws {
            let path = folder.path + "/new folder/tracks é.jsonl"
            let run = try ProgramRun.bauta(["track", "drawn", "--frames", "40", "-o", path])
            #expect(run.exitCode == 0 && run.output.isEmpty)
            #expect(run.error.contains("40 frames, 40 with faces, 1 track"), "\(run.error)")
            let lines = try lines(String(decoding: bytes(of: path), as: UTF8.self))
            #expect(lines.count == 40)
            for (index, line) in lines.enumerated() {
                #expect(Set(line.keys) == ["frame", "seconds", "width", "height", "isCut", "faces"])
                #expect(line["frame"] as? Int == index)
                #expect(abs(try #require(line["seconds"] as? Double) - Double(index) / 30) < 1e-5)
                #expect(line["width"] as? Int == 640 && line["height"] as? Int == 480)
                #expect(line["isCut"] as? Bool == false)
                try check(try #require(faces(line).first))
            }
            let again = try ProgramRun.bauta(["track", "drawn", "--frames", "1", "-o", path])
            #expect(again.exitCode == 73 && again.error.contains("--force"))
            #expect(try folder.names().filter { $0.contains(".bauta") }.isEmpty)
        }

        private func check(_ face: Line) throws {
            #expect(
                Set(face.keys) == [
                    "track", "isSeen", "box", "confidence", "uncertainty", "landmarks", "headPoints", "pose",
                    "signals", "states", "blinks",
                ])
            #expect(face["track"] as? Int == 1)
            let confidence = try #require(face["confidence"] as? Double)
            #expect(confidence > 0.5 && confidence <= 1)
            #expect(try #require(face["uncertainty"] as? Double) < 0.05)
            let landmarks = try #require(face["landmarks"] as? [[Double]])
            #expect(landmarks.count == 68)
            #expect(landmarks.allSatisfy { $0.count == 2 && (100...540).contains($0[0]) && (80...400).contains($0[1]) })
            // The subject's right eye is on the left of the picture.
            #expect(landmarks[36][0] < landmarks[45][0] && landmarks[30][1] < landmarks[8][1])
            let box = try #require(face["box"] as? [String: Double])
            #expect(Set(box.keys) == ["x", "y", "width", "height"] && (box["width"] ?? 0) > 100)
            #expect((face["headPoints"] as? [String: [Double]])?.count == 11)
            let pose = try #require(face["pose"] as? [String: Double])
            #expect(Set(pose.keys) == ["yaw", "pitch", "roll"] && pose.values.allSatisfy { abs($0) < 0.5 })
            let signals = try #require(face["signals"] as? [String: Double])
            #expect(signals.count == 8 && signals.values.allSatisfy { (-1...1).contains($0) })
            #expect(face["states"] is [String] && face["blinks"] is Int && face["isSeen"] as? Bool == true)
        }

        @Test(
            .slow,
            .enabled(
                if: NetworkFolder.standard.hasAttention,
                "MediaPipe's network with attention is not installed; scripts/fetch-networks fetches it"))
        func theGazeIsAddedWhenAskedFor() throws {
            let lines = try track(["--gaze", "drawn", "--frames", "10"])
            let last = try #require(lines.last)
            let face = try #require(try faces(last).first)
            let pupils = try #require(face["pupils"] as? [String: [Double]])
            let landmarks = try #require(face["landmarks"] as? [[Double]])
            for (pupil, corners) in [("right", (36, 39)), ("left", (42, 45))] {
                let x = try #require(pupils[pupil]?.first)
                #expect(x > landmarks[corners.0][0] && x < landmarks[corners.1][0])
            }
            let signals = try #require(face["signals"] as? [String: Double])
            #expect(signals.count == 10 && signals["gazeTurn"] != nil && signals["gazeNod"] != nil)
        }

        /// Heads that turn far are followed by default, live and with a look ahead.
        @Test(
            .slow, .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"),
            .enabled(
                if: NetworkFolder.standard.isUsable,
                "MediaPipe's face networks are not installed; scripts/fetch-networks fetches them"),
            arguments: ["woman", "man"], [[], ["--look-ahead"]])
        func headsThatTurnAreFollowed(_ person: String, _ options: [String]) throws {
            let lines = try track(["\(SharedData.root)/clips/head_turns_\(person).gif"] + options)
            let found = try lines.count { try !faces($0).isEmpty }
            #expect(lines.count > 20 && Double(found) >= 0.95 * Double(lines.count), "\(found) of \(lines.count)")
        }

        @Test(.slow) func lookingAheadSmoothsMore() throws {
            func noses(_ arguments: [String]) throws -> [Double] {
                try track(["drawn", "--frames", "40"] + arguments).map { line in
                    let face = try #require(try faces(line).first)
                    return try #require(face["landmarks"] as? [[Double]])[30][1]
                }
            }
            func jitter(_ track: [Double]) -> Double {
                track.indices.dropFirst(2).reduce(0) {
                    $0 + abs(track[$1] - 2 * track[$1 - 1] + track[$1 - 2])
                }
            }
            let (live, ahead) = (try noses([]), try noses(["--look-ahead"]))
            #expect(live.count == 40 && ahead.count == 40)
            #expect(jitter(ahead) < jitter(live))
            #expect(zip(live, ahead).allSatisfy { abs($0 - $1) < 8 })
        }

        /// Two people, then a cut to one of another size.
        private func makeClip() throws -> String {
            let path = folder.path + "/two.mp4"
            let samples = Repository.root + "/samples/"
            try tool([
                "ffmpeg", "-v", "error", "-loop", "1", "-t", "1", "-r", "25", "-i", samples + "ada.jpg", "-loop", "1",
                "-t", "1", "-r", "25", "-i", samples + "finn.jpg", "-loop", "1", "-t", "1", "-r", "25", "-i",
                samples + "chidi.jpg", "-filter_complex",
                "[0]scale=320:400[a];[1]scale=320:400[b];[a][b]hstack,crop=640:400[ab];"
                    + "[2]negate,scale=640:800,crop=640:400:0:0,eq=brightness=-0.2[c];[ab][c]concat=n=2:v=1",
                "-c:v", "libx264", "-pix_fmt", "yuv420p", path,
            ])
            return path
        }

        @Test(.slow) func clipsHaveTheirTimesPeopleAndCuts() throws {
            let lines = try track([try makeClip(), "--look-ahead"])
            #expect(lines.count == 50)
            for (index, line) in lines.enumerated() {
                #expect(abs(try #require(line["seconds"] as? Double) - Double(index) / 25) < 1e-3)
                #expect(line["isCut"] as? Bool == (index == 25), "frame \(index)")
                let tracks = Set(try faces(line).compactMap { $0["track"] as? Int })
                if index < 25 { #expect(tracks == [1, 2], "frame \(index)") }
                // Whoever is seen after the cut, it is nobody in two places.
                #expect(try faces(line).count == tracks.count)
            }
        }

        @Test func aClosedPipeEndsItQuietly() throws {
            let run = try ProgramRun.run(
                "/bin/bash",
                [
                    "-c", "\"$0\" track drawn | head -n 3; echo \"status ${PIPESTATUS[0]}\"",
                    Repository.executable,
                ])
            let lines = run.output.split(separator: "\n")
            #expect(lines.count == 4 && lines.last == "status 0", "\(lines.count) lines, \(lines.last ?? "")")
            #expect(run.error.isEmpty, "\(run.error)")
        }

        /// A link such as /dev/stdout, where standard output is a file.
        @Test func aLinkToStandardOutputStays() throws {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/link", withDestinationPath: "/proc/self/fd/1")
            let run = try ProgramRun.run(
                "/bin/bash",
                ["-c", "\"$0\" track drawn --quiet --frames 3 -f -o link > lines", Repository.executable],
                folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "/proc/self/fd/1")
            #expect(try lines(String(contentsOfFile: folder.path + "/lines", encoding: .utf8)).count == 3)
        }

        @Test func anInterruptEndsWhatHasNoEnd() throws {
            let path = folder.path + "/drawn.jsonl"
            let run = try ProgramRun.bauta(["track", "drawn", "-o", path]) { program in
                try program.wait(for: "some lines in a hidden file") {
                    try folder.names().first { $0.hasPrefix(".bauta-") }.map { try bytes(of: folder.path + "/" + $0) }
                } until: {
                    ($0?.count ?? 0) > 10_000
                }
                program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.error)")
            let lines = try lines(String(decoding: bytes(of: path), as: UTF8.self))
            #expect(lines.count > 2 && lines.indices.allSatisfy { lines[$0]["frame"] as? Int == $0 })
        }

        @Test(.slow) func anInterruptedClipLeavesNothing() throws {
            // Long to follow, and quickly made.
            let clip = folder.path + "/long.mp4"
            try tool([
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=600", "-c:v", "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", clip,
            ])
            let run = try ProgramRun.bauta(["track", clip, "-o", folder.path + "/long.jsonl"]) { program in
                try program.wait(for: "a hidden file") {
                    try folder.names()
                } until: {
                    $0.contains { $0.hasPrefix(".bauta-") }
                }
                program.interrupt()
            }
            #expect(run.exitCode == 130 && run.error.contains("no file was written"), "\(run.exitCode) \(run.error)")
            #expect(try folder.names() == ["long.mp4"])
        }

        @Test(.slow) func camerasAreTracked() throws {
            // The loader takes spaces as separators, hence a relative path.
            try tool([
                "cc", "-shared", "-fPIC", "-O2", "-o", folder.path + "/camera.so",
                Repository.root + "/Tests/FakeCamera/fake_camera.c", "-ldl",
            ])
            let picture = folder.path + "/camera.jpg"
            try tool([
                "ffmpeg", "-y", "-v", "error", "-i", Repository.root + "/samples/ada.jpg", "-vf",
                "scale=1280:-2,crop=1280:720:0:300", "-q:v", "3", picture,
            ])
            let run = try ProgramRun.bauta(
                ["track", "/dev/video42", "--frames", "40"],
                environment: ["LD_PRELOAD": "./camera.so", "FAKE_CAMERA_JPEG": picture], folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            let lines = try lines(run.output)
            let numbers = lines.compactMap { $0["frame"] as? Int }
            #expect(numbers.count == 40 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
            #expect(lines[0]["width"] as? Int == 1280)
        }

        @Test func mistakesAreExplained() throws {
            let cases: [([String], Int32, String)] = [
                ([], 64, "Missing expected argument"), (["a.mp4", "drawn"], 64, "Unexpected argument 'drawn'"),
                ([folder.path], 64, "is a folder; name a camera or a clip"),
                (["a.mp4", "b.mp4"], 64, "b.mp4"), (["/no/such.mp4"], 66, "no such file"),
                (["drawn", "--frames", "1", "-o", "/proc/no/tracks.jsonl"], 73, "cannot be created"),
                (["drawn", "--frames", "1", "-o", folder.path], 73, "is a folder"),
            ]
            for (arguments, code, words) in cases {
                let run = try ProgramRun.bauta(["track"] + arguments)
                #expect(run.exitCode == code && run.error.contains(words), "\(arguments): \(run.exitCode) \(run.error)")
                #expect(run.output.isEmpty)
            }
        }

        // MARK: Faces left unmasked

        /// A face that somebody holds a sheet of paper in front of: it comes from below within 0.2 s, covers the face from
        /// 0.8 s to 2 s, and goes within 0.2 s. (What hides a face from one frame to the next counts as a cut.)
        private func makeHiddenFace() throws -> String {
            let path = folder.path + "/hidden.mp4"
            if FileManager.default.fileExists(atPath: path) { return path }
            try tool([
                "ffmpeg", "-v", "error", "-loop", "1", "-r", "25", "-t", "2.8", "-i",
                Repository.root + "/samples/ada.jpg", "-f", "lavfi", "-i", "color=gray:s=250x330:r=25",
                "-filter_complex",
                "[0]scale=448:560[face];"
                    + "[face][1]overlay=x=100:y='120+440*max(0,max((0.79-t)/0.2,(t-1.99)/0.2))':shortest=1", "-c:v",
                "libx264", "-pix_fmt", "yuv420p", path,
            ])
            return path
        }

        private func unmasked(_ policy: [String]) throws -> (count: Int, stretches: [Line], error: String) {
            let run = try ProgramRun.bauta(
                [
                    "video", "--occluders", "none", "--json", "--force", "-o", folder.path + "/out.mp4",
                    try makeHiddenFace(),
                ] + policy)
            #expect(run.exitCode == 0, "\(run.error)")
            let summary = try #require(try lines(run.output).first)
            #expect(summary["frames"] as? Int == 70)
            return (
                try #require(summary["bareFrames"] as? Int), try #require(summary["bare"] as? [Line]), run.error
            )
        }

        @Test(.slow) func unmaskedFacesAreReported() throws {
            let hidden = try unmasked([])
            let stretch = try #require(hidden.stretches.first)
            #expect(hidden.stretches.count == 1 && hidden.count > 15)
            let (first, last) = (
                try #require(stretch["firstFrame"] as? Int), try #require(stretch["lastFrame"] as? Int)
            )
            #expect((20...30).contains(first) && (45...56).contains(last) && last - first + 1 == hidden.count)
            #expect(abs(try #require(stretch["start"] as? Double) - Double(first) / 25) < 2e-3)
            #expect(stretch["track"] as? Int == 1 && stretch["until"] as? String == "foundAgain")
            #expect(hidden.error.contains("in \(hidden.count) frames, a tracked face was not masked"))
            #expect(hidden.error.contains("track 1, frames \(first)–\(last), then found again"), "\(hidden.error)")
            if SlowTests.areWanted {
                let kept = try unmasked(["--when-lost", "keep"])
                #expect(kept.count < hidden.count && kept.count > 0)
            }
            let blurred = try unmasked(["--when-lost", "blur"])
            #expect(blurred.count == 0 && blurred.stretches.isEmpty && !blurred.error.contains("not masked"))
        }
    }
}
