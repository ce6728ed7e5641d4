import Clips
import Files
import Foundation
import Sound
import TestSupport
import Testing
import Threads

/// A clip's own sound beside its frames: a click is heard in the frame that is nearest to it, however the clip is made.
@Suite struct ClipSoundtrackTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws {
        let run = try ProgramRun.run("/usr/bin/env", arguments)
        #expect(run.exitCode == 0, "\(arguments): \(run.error)")
    }

    /// A wave file with a click.
    private func wave(
        _ seconds: Double = 3, click: Double, sampleRate: Int = 48_000, channels: Int = 1
    ) throws -> String {
        var sound = SyntheticSound(seconds: seconds, sampleRate: sampleRate)
        sound.addNoise(0.0005)
        sound.addImpulse(at: click)
        let path = folder.path + "/sound.wav"
        try sound.write(to: path, channels: channels)
        return path
    }

    /// A clip of three seconds at 25 frames per second.
    /// - Parameters:
    ///   - before: arguments before the video and before the sound.
    ///   - codecs: for the output.
    private func clip(
        _ name: String, _ sound: String?, before: (video: [String], sound: [String]) = ([], []),
        codecs: [String] = ["-c:v", "ffv1", "-c:a", "pcm_s16le"]
    ) throws -> String {
        let path = folder.path + "/" + name
        var arguments = ["ffmpeg", "-v", "error"] + before.video
        arguments += ["-f", "lavfi", "-t", "3", "-i", "testsrc=s=32x32:r=25"]
        if let sound { arguments += before.sound + ["-i", sound] }
        try run(arguments + codecs + [path])
        return path
    }

    private typealias Heard = (seconds: Double, sound: SoundSignals?)

    private func hear(
        _ path: String, _ request: ClipSoundRequest = ClipSoundRequest(isWanted: true), loops: Bool = false,
        frames: Int? = nil, whileReading: (Int) -> Void = { _ in }
    ) throws -> [Heard] {
        let description = try ClipSource.description(
            FilePath(path), frames: frames, loops: loops, isPaced: false, sound: request)
        let source = try description.open(StopSignal())
        var result: [Heard] = []
        while true {
            switch try source.next(reusing: nil) {
            case .frame(let frame):
                result.append((frame.seconds, frame.sound))
                whileReading(result.count)
            case .nothing: break
            case .waiting: return result
            case .ended: return result
            }
        }
    }

    /// The click is in the nearest frame, perhaps in one beside it, and in no other.
    private func expectClick(
        at seconds: Double, in heard: [Heard], _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let first = heard.first { $0.sound?.beat == 1 }
        #expect(abs((first?.seconds ?? -9) - seconds) <= 0.0401, comment, sourceLocation: sourceLocation)
        let loud = heard.filter { ($0.sound?.loudness ?? 0) > 0.3 }.map(\.seconds)
        #expect(
            (1...3).contains(loud.count) && loud.allSatisfy { abs($0 - seconds) <= 0.0401 }, comment,
            sourceLocation: sourceLocation)
    }

    @Test(arguments: [(8000, 1), (44_100, 2), (48_000, 6), (96_000, 2)])
    func aClickIsInItsFrame(_ sampleRate: Int, _ channels: Int) throws {
        let path = try clip("a.mkv", wave(click: 1.33, sampleRate: sampleRate, channels: channels))
        let heard = try hear(path)
        #expect(heard.count == 75 && heard.allSatisfy { $0.sound != nil })
        expectClick(at: 1.33, in: heard, "\(sampleRate) \(channels)")
    }

    /// Encoders begin with samples that do not count.
    @Test func encodedSoundIsNotLate() throws {
        let sound = try wave(click: 1.33, channels: 2)
        for (name, codec) in [("a.mp4", "aac"), ("a.mkv", "libopus"), ("b.mkv", "flac"), ("a.mov", "aac")] {
            let path = try clip(name, sound, codecs: ["-c:v", "mpeg4", "-c:a", codec, "-b:a", "128k"])
            expectClick(at: 1.33, in: try hear(path), "\(name)")
        }
    }

    /// Sound that begins later or earlier than the pictures.
    @Test func offsetsCount() throws {
        let late = try clip("late.mkv", wave(click: 0.8), before: ([], ["-itsoffset", "0.7"]))
        expectClick(at: 1.5, in: try hear(late), "late sound")
        let early = try clip("early.mkv", wave(click: 1.8), before: (["-itsoffset", "0.6"], []))
        let heard = try hear(early)
        #expect(abs((heard.first?.seconds ?? 0) - 0.6) < 0.01)
        expectClick(at: 1.8, in: heard, "late pictures")
        let both = try clip(
            "both.ts", wave(click: 1.2), codecs: ["-c:v", "mpeg2video", "-c:a", "mp2", "-muxdelay", "3"])
        let frames = try hear(both)
        // The container may shift both by the same time.
        expectClick(at: 1.2 + (frames.first?.seconds ?? 0), in: frames, "MPEG transport stream")
    }

    @Test func unevenFramesHearTheirOwnTime() throws {
        let even = try clip("even.mkv", wave(click: 1.33))
        let path = folder.path + "/uneven.mkv"
        try run([
            "ffmpeg", "-v", "error", "-i", even, "-vf", "select='not(mod(n,7))+between(n,30,40)'", "-vsync",
            "passthrough",
            "-c:v", "ffv1", "-c:a", "copy", path,
        ])
        let heard = try hear(path)
        #expect(heard.count < 30)
        expectClick(at: 1.33, in: heard, "uneven")
    }

    @Test func whereThereIsNoSoundItIsSilent() throws {
        let request = ClipSoundRequest(isWanted: true)
        let heard = try hear(clip("silent.mkv", nil), request)
        #expect(heard.count == 75 && heard.allSatisfy { $0.sound == .silence })
        #expect(request.finding == .none)
    }

    /// Sound that ends before the pictures leaves silence.
    @Test func soundMayEnd() throws {
        let request = ClipSoundRequest(isWanted: true)
        let heard = try hear(clip("short.mkv", wave(0.9, click: 0.85)), request)
        #expect(heard.count == 75 && request.finding == .sound)
        expectClick(at: 0.85, in: heard, "short")
        #expect(heard.suffix(25).allSatisfy { $0.sound == .silence })
    }

    /// Nobody pays for sound that nobody wants, and it can be wanted later.
    @Test func soundCanBeWantedLater() throws {
        let path = try clip("late.mkv", wave(click: 2.33))
        let request = ClipSoundRequest(isWanted: false)
        let heard = try hear(path, request) { if $0 == 40 { request.isWanted = true } }
        #expect(heard.prefix(40).allSatisfy { $0.sound == nil } && heard.dropFirst(40).allSatisfy { $0.sound != nil })
        expectClick(at: 2.33, in: heard, "wanted later")
        #expect(request.finding == .sound)
    }

    @Test func aLoopIsHeardAgain() throws {
        let path = try clip("loop.mkv", wave(click: 1.33))
        let heard = try hear(path, loops: true, frames: 160)
        #expect(heard.count == 160)
        expectClick(at: 1.33, in: Array(heard.prefix(75)), "first")
        expectClick(at: 4.33, in: Array(heard[75..<150]), "second")
    }
}
