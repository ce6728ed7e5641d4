import AllocationCounter
import Sound
import TestSupport
import Testing

@Suite struct SoundAnalysisTests {
    /// The signals every 5 ms, each as soon as it is known.
    private func signals(
        _ samples: [Float], sampleRate: Int = 48_000, chunk: (Int) -> Int = { _ in 480 }
    ) -> [SoundSignals] {
        var analysis = SoundAnalysis(sampleRate: Double(sampleRate))
        var result: [SoundSignals] = []
        var (position, count) = (0, 0)
        while position < samples.count {
            let length = min(chunk(count), samples.count - position)
            analysis.add(samples.span.extracting(position..<position + length))
            position += length
            count += 1
            while Double(result.count) * 0.005 + SoundAnalysis.lookAhead <= analysis.seconds {
                result.append(analysis.signals(at: Double(result.count) * 0.005))
            }
        }
        return result
    }

    /// When beats begin, in seconds.
    private func onsets(_ signals: [SoundSignals]) -> [Double] {
        signals.indices.dropFirst().filter { signals[$0].beat == 1 && signals[$0 - 1].beat < 1 }
            .map { Double($0) * 0.005 + SoundAnalysis.lookAhead }
    }

    @Test func piecesDoNotMatter() {
        var sound = SyntheticSound(seconds: 6)
        sound.addSpeech()
        sound.addNoise(0.001)
        let whole = signals(sound.samples)
        for size in [1, 7, 239, 240, 241, 4801] {
            #expect(signals(sound.samples) { _ in size }.prefix(1190) == whole.prefix(1190), "\(size)")
        }
        #expect(signals(sound.samples) { 1 + ($0 * 7919) % 600 }.prefix(1190) == whole.prefix(1190))
    }

    /// Frames look for a click in the 25 ms before and after their time, and in no others.
    @Test(arguments: [8000, 22_050, 44_100, 48_000, 96_000]) func aClickIsHeardAtItsTime(_ sampleRate: Int) {
        var sound = SyntheticSound(seconds: 4, sampleRate: sampleRate)
        sound.addNoise(0.0005)
        sound.addImpulse(at: 2.5)
        let all = signals(sound.samples, sampleRate: sampleRate)
        let loud = all.indices.filter { $0 > 300 && all[$0].loudness > 0.2 }.map { Double($0) * 0.005 }
        #expect(loud.count >= 9, "\(loud)")
        #expect(loud.allSatisfy { abs($0 - 2.5) <= 0.0301 }, "\(loud)")
        let beats = onsets(all)
        #expect(beats.count == 1 && abs((beats.first ?? 0) - 2.5) < 0.012, "\(beats)")
    }

    @Test func silenceAndSteadyNoiseAreNotLoud() {
        for level: Float in [0, 1e-5, 0.001, 0.01, 0.1] {
            var sound = SyntheticSound(seconds: 12)
            sound.addNoise(level)
            let all = signals(sound.samples)
            // After the noise has become the floor.
            #expect(all[1600...].allSatisfy { $0.loudness == 0 }, "\(level)")
            #expect(all.allSatisfy { $0.beat == 0 }, "\(level)")
        }
        var hum = SyntheticSound(seconds: 12)
        hum.addTone(50, amplitude: 0.02)
        #expect(signals(hum.samples)[1600...].allSatisfy { $0 == .silence })
    }

    /// 120 beats per minute, alone, with chords and in noise; as loud as possible, and 40 dB below.
    @Test(arguments: [8000, 44_100, 48_000], [1, 0.01] as [Float])
    func beatsAreFound(_ sampleRate: Int, _ gain: Float) {
        let times = (0..<20).map { 1.03 + 0.5 * Double($0) }
        for background in ["", "chord", "noise"] {
            var sound = SyntheticSound(seconds: 11.5, sampleRate: sampleRate)
            sound.addNoise(background == "noise" ? 0.04 : 0.0005)
            if background == "chord" {
                for tone: Float in [110, 164, 329] { sound.addTone(tone, amplitude: 0.05) }
            }
            for time in times { sound.addDrum(at: time) }
            let found = onsets(signals(sound.samples.map { gain * $0 }, sampleRate: sampleRate))
            #expect(found.count == 20, "\(background) \(found)")
            #expect(zip(found, times).allSatisfy { abs($0 - $1) < 0.02 }, "\(background) \(found)")
        }
    }

    @Test func aBeatFades() throws {
        var sound = SyntheticSound(seconds: 3)
        sound.addNoise(0.0005)
        sound.addDrum(at: 1)
        let all = signals(sound.samples)
        let start = try #require(all.firstIndex { $0.beat == 1 })
        let beats = all[start...].map(\.beat)
        #expect(beats.prefix(9).allSatisfy { $0 == 1 })
        #expect(zip(beats, beats.dropFirst()).allSatisfy { $0 >= $1 })
        #expect((0.3...0.7).contains(beats[30]) && beats[120] < 0.05 && beats.last == 0)
    }

    @Test func speechMovesWithoutSaturating() {
        var sound = SyntheticSound(seconds: 30)
        sound.addSpeech()
        sound.addNoise(0.0005)
        let all = signals(sound.samples)[2400...].map(\.loudness).sorted()
        func share(_ part: Double) -> Float { all[Int(part * Double(all.count - 1))] }
        #expect(share(0.05) < 0.15 && (0.35...0.8).contains(share(0.5)) && share(0.95) > 0.7)
        #expect(all.count { $0 > 0.99 } < all.count / 100)
    }

    /// The same speech is as loud from near as from far, once the scale has adapted.
    @Test func theDistanceDoesNotMatter() {
        var sound = SyntheticSound(seconds: 30)
        sound.addSpeech(amplitude: 0.5)
        sound.addNoise(0.001)
        let near = signals(sound.samples)
        for gain: Float in [0.1, 0.01] {
            let far = signals(sound.samples.map { gain * $0 })
            let largest = zip(near, far).dropFirst(3000).map { abs($0.loudness - $1.loudness) }.max() ?? 1
            #expect(largest < 0.02, "\(gain): \(largest)")
        }
    }

    @Test func invalidNumbersAreSilence() {
        var sound = SyntheticSound(seconds: 3)
        sound.addNoise(0.0005)
        var broken = sound.samples
        for index in stride(from: 0, to: broken.count, by: 3) { (sound.samples[index], broken[index]) = (0, .nan) }
        #expect(signals(broken) == signals(sound.samples))
        for value: Float in [.infinity, -Float.infinity, 3e38, -1000] {
            var all = sound.samples
            all[96_000] = value
            let heard = signals(all)
            #expect(heard.allSatisfy { (0...1).contains($0.loudness) && (0...1).contains($0.beat) })
            // Infinity is no number, a thousand is as loud as can be.
            #expect((heard[400].loudness > 0.2) == value.isFinite)
        }
    }

    @Test func timesThatAreNotKnownAreTheNearest() {
        var analysis = SoundAnalysis(sampleRate: 48_000)
        #expect(analysis.signals(at: 5) == .silence)
        var sound = SyntheticSound(seconds: 20)
        sound.addDrum(at: 19.9)
        analysis.add(sound.samples.span)
        #expect(analysis.seconds == 20)
        #expect(analysis.signals(at: 1e300) == analysis.signals(at: 20) && analysis.signals(at: 20).beat > 0.4)
        #expect(analysis.signals(at: 1) == .silence && analysis.signals(at: -1e300) == .silence)
        #expect(analysis.signals(at: .nan) == .silence)
    }

    @Test func addingAllocatesNothing() {
        var sound = SyntheticSound(seconds: 2)
        sound.addSpeech()
        var analysis = SoundAnalysis(sampleRate: 48_000)
        analysis.add(sound.samples.span)
        let before = allocation_count()
        for index in 0..<100 { analysis.add(sound.samples.span.extracting(480 * index..<480 * (index + 1))) }
        let loudness = analysis.signals(at: 2.5).loudness
        #expect(allocation_count() == before)
        #expect(loudness >= 0)
    }
}
