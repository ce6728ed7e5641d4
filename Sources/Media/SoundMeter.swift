import Glibc
import Synchronization
import Threads

/// Listens to a microphone on a thread of its own, and tells how loud it is. While the microphone cannot be opened, it tries
/// again every two seconds.
package final class SoundMeter: Sendable {
    private struct State {
        var level: Float = 0
        var trouble: String?
    }

    /// Blocks of 50 ms, in samples.
    private static let block = 400
    /// The lowest level that is told apart from silence, in dB below full scale.
    private static let range: Float = 60

    private let microphone: String?
    private let state = Mutex(State())
    private let stopSignal = StopSignal()
    private let thread: Mutex<DedicatedThread.Handle?> = Mutex(nil)

    /// - Parameter microphone: by `Microphone.name`; nil: the default one.
    package init(_ microphone: String?) {
        self.microphone = microphone
        let handle = DedicatedThread.start { [self] in listen() }
        thread.withLock { $0 = handle }
    }

    /// The highest sample of the last 50 ms: 0 (60 dB below full scale, or less) to 1 (full scale).
    package var level: Float { state.withLock { $0.level } }
    /// Why nothing is heard, as a sentence for the user; nil: something is, or it has just begun.
    package var trouble: String? { state.withLock { $0.trouble } }

    package func stop() {
        stopSignal.stop()
        let handle = thread.withLock { handle in
            defer { handle = nil }
            return handle
        }
        handle?.join()
    }

    private func listen() {
        repeat {
            let trouble = listenOnce()
            state.withLock { $0 = State(trouble: trouble) }
        } while stopSignal.sleep(seconds: 2)
    }

    /// - Returns: why it has ended.
    private func listenOnce() -> String {
        let words = [
            "ffmpeg", "-v", "error", "-probesize", "32", "-analyzeduration", "0", "-f", "pulse", "-sample_rate", "8000",
            "-channels", "1", "-fragment_size", "\(2 * Self.block)", "-i", microphone ?? "default", "-f", "s16le",
            "-flush_packets", "1", "pipe:1",
        ]
        var limits = ChildLimits()
        limits.usesSound = true
        let child: ChildProcess
        do {
            child = try ChildProcess(words, writing: [STDOUT_FILENO], limits: limits, end: .isKilledWhenAsked)
        } catch {
            return
                "ffmpeg, which listens to the microphone, cannot be started: \(String(cString: strerror(error.code)))"
        }
        let handler = stopSignal.onStop { [stopper = child.stopper] in stopper.stop() }
        defer { stopSignal.forget(handler) }
        var samples = [Int16](repeating: 0, count: Self.block)
        while samples.withUnsafeMutableBytes({ child.read(0, into: $0) == $0.count }) {
            let level = Self.level(samples)
            state.withLock { $0 = State(level: level) }
        }
        _ = child.finish()
        return Self.trouble(microphone, words: child.lastWords)
    }

    /// A sentence for what ffmpeg says.
    static func trouble(_ microphone: String?, words: String) -> String {
        if ["No such process", "Connection refused"].contains(where: words.contains) {
            return "No sound: no sound server (PulseAudio or PipeWire) answers."
        }
        let name = microphone ?? "The microphone"
        return "No sound: \(name) does not answer; it may be unplugged."
            + (words.isEmpty ? "" : " (\(words.split(separator: ": ").last ?? ""))")
    }

    /// - Returns: 0 to 1, in proportion to decibels.
    package static func level(_ samples: [Int16]) -> Float {
        let peak = samples.reduce(Float(0)) { max($0, abs(Float($1))) } / 32768
        return peak > 0 ? max(0, min(1, 1 + 20 * log10f(peak) / range)) : 0
    }
}
