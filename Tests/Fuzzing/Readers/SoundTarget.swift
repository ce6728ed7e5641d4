import Clips
import Sound

/// Samples of any value, which come in pieces of any length, and the times that a microphone's ffmpeg prints.
enum SoundTarget: FuzzTarget {
    static let name = "sound"
    static let longest = 16_384

    static func seeds() -> [[UInt8]] {
        let samples: [Float] = [0, 1, -1, 0.5, .nan, .infinity, -.infinity, 3e38, .leastNonzeroMagnitude]
        return [
            samples.flatMap { withUnsafeBytes(of: $0) { Array($0) } },
            (0..<8000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761) },
            Array("frame:0    pts:1763880000123456 pts_time:1.7e+09\nframe=1\nframe:1 pts:NOPTS\nframe:2 pts:9".utf8),
        ]
    }

    /// The same samples in one piece and in others sound the same to the bit, and no signal leaves its range.
    static func read(_ bytes: [UInt8]) {
        var times = MicrophoneTimes()
        if times.append(bytes) { for _ in 0..<4 { _ = times.next() } }
        let samples = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
            }
        }
        let rate = [4000.0, 8000, 44_100, 384_000][Int(bytes.first ?? 0) % 4]
        var (whole, pieces) = (SoundAnalysis(sampleRate: rate), SoundAnalysis(sampleRate: rate))
        whole.add(samples.span)
        var position = 0
        while position < samples.count {
            let count = min(1 + Int(bytes[position]), samples.count - position)
            pieces.add(samples.span.extracting(position..<position + count))
            position += count
        }
        for index in 0..<64 {
            let time = Double(index) * whole.seconds / 63
            let heard = whole.signals(at: time)
            guard heard == pieces.signals(at: time), (0...1).contains(heard.loudness), (0...1).contains(heard.beat)
            else { fatalError("\(heard) at \(time)") }
        }
    }
}
