import Clips
import Foundation
import TestSupport
import Testing

/// A microphone behind a program that stands in for ffmpeg with a sound server.
@Suite struct MicrophoneTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func script(_ text: String) throws -> String {
        let path = folder.path + "/ffmpeg"
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// The sound is under way for more than a tenth of a second. A frame of the time at which it was recorded hears it.
    @Test func aClickIsHeardAtTheTimeOfItsRecording() throws {
        var sound = SyntheticSound(seconds: 30)
        sound.addNoise(0.0005)
        sound.addImpulse(at: 1)
        try sound.write(to: folder.path + "/sound.wav")
        let program = try script(
            """
            start=$(date +%s%6N)
            echo $((start - 120000)) > '\(folder.path)/new'
            mv '\(folder.path)/new' '\(folder.path)/start'
            exec ffmpeg -nostdin -v error -i '\(folder.path)/sound.wav' -af "asetnsamples=n=480:p=0,arealtime,asettb=1/1000000,\
            asetpts=PTS+$((start - 120000)),ametadata=mode=add:key=frame:value=1,\
            ametadata=mode=print:key=frame:file=pipe\\\\\\\\:3:direct=1" -c:a pcm_f32le -f f32le -flush_packets 1 pipe:1
            """)
        let listener = MicrophoneListener("stub", program: program)
        defer { listener.stop() }
        try wait(for: "the start") { FileManager.default.fileExists(atPath: folder.path + "/start") }
        let text = try String(contentsOfFile: folder.path + "/start", encoding: .utf8)
        let start = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines))) / 1e6
        let click = ContinuousClock.now - .seconds(Date().timeIntervalSince1970 - start - 1)
        try wait(for: "the click") { listener.signals(at: click).beat == 1 }
        try wait(for: "what follows it") {
            // What has not come yet is as the newest that has.
            ContinuousClock.now > click + .seconds(1) && listener.signals(at: click + .seconds(0.6)).beat < 0.1
        }
        // As frames at 30 per second hear it.
        let frames = (-15...15).map {
            (time: Double($0) / 30, sound: listener.signals(at: click + .seconds(Double($0) / 30)))
        }
        let loud = frames.filter { $0.sound.loudness > 0.3 }.map(\.time)
        #expect((1...3).contains(loud.count) && loud.allSatisfy { abs($0) <= 1.01 / 30 }, "\(loud)")
        #expect(frames.first { $0.sound.beat == 1 }.map { abs($0.time) <= 1.01 / 30 } == true)
        #expect(listener.trouble == nil)
    }

    /// What does not answer is said, tried again, and silent meanwhile.
    @Test func aMicrophoneThatIsUnpluggedIsTriedAgain() throws {
        let program = try script("echo >> '\(folder.path)/tries'; echo 'stub: Connection refused' >&2; exit 1")
        let listener = MicrophoneListener(nil, program: program)
        defer { listener.stop() }
        try wait(for: "the sentence") { listener.trouble?.contains("no sound server") == true }
        #expect(listener.signals(at: .now) == .silence && listener.level == 0)
        try wait(for: "a second try") {
            (try? String(contentsOfFile: folder.path + "/tries", encoding: .utf8).count) ?? 0 > 1
        }
    }

    @Test func aMissingProgramIsSaid() throws {
        let listener = MicrophoneListener(nil, program: folder.path + "/nothing")
        defer { listener.stop() }
        try wait(for: "the sentence") { listener.trouble?.contains("cannot be started") == true }
    }

    @Test func timesAreRead() {
        var times = MicrophoneTimes()
        func append(_ text: String) -> Bool { times.append(Array(text.utf8)) }
        #expect(times.next() == nil)
        #expect(append("frame:0    pts:1763880000123456 pts_time:1.76388e+09\nframe=1\nframe:1 pts:17"))
        #expect(times.next() == 1_763_880_000_123_456 && times.next() == nil)
        #expect(append("63 pts_time:1\nframe=1\nframe:2 pts:NOPTS\nframe:3    pts:-5 pts_time:0\n"))
        #expect(times.next() == 1763 && times.next() == nil && times.next() == -5)
        #expect(!append(String(repeating: " ", count: MicrophoneTimes.limit + 1)))
    }
}
