import Foundation

/// Sound that is computed: what is heard in it, and when, is known.
package struct SyntheticSound {
    package let sampleRate: Int
    /// One channel, −1 to 1.
    package var samples: [Float]
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Silence.
    package init(seconds: Double, sampleRate: Int = 48_000) {
        self.sampleRate = sampleRate
        samples = [Float](repeating: 0, count: Int(seconds * Double(sampleRate)))
    }

    private mutating func uniform() -> Float {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(random >> 40) / Float(1 << 24)
    }

    /// - Parameter amplitude: the root mean square.
    package mutating func addNoise(_ amplitude: Float) {
        for index in samples.indices { samples[index] += amplitude * 3.4641 * (uniform() - 0.5) }
    }

    package mutating func addTone(_ frequency: Float, amplitude: Float) {
        for index in samples.indices {
            let turns = Double(frequency) * Double(index) / Double(sampleRate)
            samples[index] += amplitude * Float(sin(2 * .pi * turns.truncatingRemainder(dividingBy: 1)))
        }
    }

    /// A click of three samples.
    package mutating func addImpulse(at seconds: Double, amplitude: Float = 0.9) {
        let start = Int((seconds * Double(sampleRate)).rounded())
        for index in start..<min(start + 3, samples.count) where index >= 0 { samples[index] = amplitude }
    }

    /// A drum: a falling tone of a quarter of a second.
    package mutating func addDrum(at seconds: Double, amplitude: Float = 0.6) {
        let start = Int(seconds * Double(sampleRate))
        for index in start..<min(start + sampleRate / 4, samples.count) {
            let time = Float(index - start) / Float(sampleRate)
            samples[index] += amplitude * sin(2 * .pi * (50 * time + 4 * (1 - exp(-30 * time)))) * exp(-14 * time)
        }
    }

    /// Syllables of different strength and length with pauses: harmonics of a voice, and hisses.
    package mutating func addSpeech(amplitude: Float = 0.25) {
        var time: Float = 0.3
        let end = Float(samples.count) / Float(sampleRate) - 0.5
        while time < end {
            let length = 0.08 + 0.14 * uniform()
            let (pitch, strength, isHiss) = (100 + 80 * uniform(), 0.15 + 0.85 * uniform(), uniform() < 0.2)
            let (start, count) = (Int(time * Float(sampleRate)), Int(length * Float(sampleRate)))
            for index in 0..<count {
                let seconds = Float(index) / Float(sampleRate)
                let envelope = strength * pow(sin(.pi * Float(index) / Float(count)), 0.7)
                var voice: Float = isHiss ? 1.2 * (uniform() - 0.5) : 0
                if !isHiss {
                    for order in 1..<12 { voice += sin(2 * .pi * pitch * Float(order) * seconds) / Float(order) }
                }
                samples[start + index] += amplitude * envelope * voice
            }
            time += length + (uniform() < 0.12 ? 0.3 + 0.5 * uniform() : 0.05 * uniform())
        }
    }

    /// A WAVE file of 16 bits a sample with the same sound in each channel.
    package func write(to path: String, channels: Int = 1) throws {
        func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        var data: [UInt8] = []
        data.reserveCapacity(2 * channels * samples.count + 44)
        let size = UInt32(2 * channels * samples.count)
        data += Array("RIFF".utf8) + bytes(36 + size) + Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(UInt16(1))
        data += bytes(UInt16(channels)) + bytes(UInt32(sampleRate)) + bytes(UInt32(2 * channels * sampleRate))
        data += bytes(UInt16(2 * channels)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(size)
        for sample in samples {
            let encoded = bytes(Int16((max(-1, min(1, sample)) * 32767).rounded()))
            for _ in 0..<channels { data += encoded }
        }
        try Data(data).write(to: URL(fileURLWithPath: path))
    }
}
