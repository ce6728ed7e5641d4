import Glibc
import Sound
import Synchronization
import Threads

/// Listens to a microphone on a thread of its own, and tells what is heard. While the microphone cannot be opened, it tries
/// again every two seconds.
package final class MicrophoneListener: Sendable {
    private struct State {
        var analysis = SoundAnalysis(sampleRate: MicrophoneListener.sampleRate)
        /// When the first sample of the analysis was recorded; nil: nothing is heard.
        var start: ContinuousClock.Instant?
        /// When the last block came.
        var lastBlock = ContinuousClock.now
        var trouble: String?
    }

    private static let sampleRate = 48_000.0
    /// In samples: 10 ms.
    private static let block = 480
    /// The lowest level that is told apart from silence, in dB below full scale.
    private static let range: Float = 60
    /// Blocks that are said to be older than this, in seconds, are taken for new ones: the system's clock was set.
    private static let longestDelay = 2.0
    /// The last sound counts until no block has come for this long.
    private static let patience = Duration.milliseconds(500)

    private let microphone: String?
    private let program: String
    private let state = Mutex(State())
    private let stopSignal = StopSignal()
    private let thread: Mutex<DedicatedThread.Handle?> = Mutex(nil)

    /// - Parameters:
    ///   - microphone: by `Microphone.name`; nil: the default one.
    ///   - program: the program to start instead of `ffmpeg`, for tests.
    package init(_ microphone: String?, program: String = "ffmpeg") {
        self.microphone = microphone
        self.program = program
        do throws(NoThread) {
            let handle = try DedicatedThread.start { [self] in listen() }
            thread.withLock { $0 = handle }
        } catch {
            state.withLock { $0.trouble = "No sound: \(error)." }
        }
    }

    /// The highest sample of the last 50 ms: 0 (60 dB below full scale, or less) to 1 (full scale).
    package var level: Float { state.withLock { $0.start == nil ? 0 : Self.level($0.analysis.windowPeak) } }
    /// Why nothing is heard, as a sentence for the user; nil: something is, or it has just begun.
    package var trouble: String? { state.withLock { $0.trouble } }

    /// The sound recorded at a time, corrected for the latency of the sound server. Does not wait: of
    /// what has not come yet, the newest that has.
    package func signals(at instant: ContinuousClock.Instant) -> SoundSignals {
        state.withLock { state in
            guard let start = state.start, ContinuousClock.now - state.lastBlock < Self.patience else {
                return .silence
            }
            return state.analysis.signals(at: (instant - start) / .seconds(1))
        }
    }

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

    private var arguments: [String] {
        [
            program, "-nostdin", "-v", "error", "-probesize", "32", "-analyzeduration", "0", "-copyts", "-f", "pulse",
            "-sample_rate", "\(Int(Self.sampleRate))", "-channels", "1", "-fragment_size", "\(2 * Self.block)", "-i",
            microphone ?? "default", "-af",
            "asetnsamples=n=\(Self.block):p=0,asettb=1/1000000,ametadata=mode=delete,"
                + "ametadata=mode=add:key=frame:value=1,ametadata=mode=print:key=frame:file=pipe\\\\:3:direct=1",
            "-c:a", "pcm_f32le", "-f", "f32le", "-flush_packets", "1", "pipe:1",
        ]
    }

    /// - Returns: why it has ended.
    private func listenOnce() -> String {
        var limits = ChildLimits()
        limits.usesSound = true
        let child: ChildProcess
        do {
            child = try ChildProcess(
                arguments, writing: [STDOUT_FILENO, 3], limits: limits, end: .isKilledWhenAsked)
        } catch {
            return
                "ffmpeg, which listens to the microphone, cannot be started: \(String(cString: strerror(error.code)))"
        }
        let handler = stopSignal.onStop { [stopper = child.stopper] in stopper.stop() }
        defer { stopSignal.forget(handler) }
        var times = MicrophoneTimes()
        var samples = [Float](repeating: 0, count: Self.block)
        while read(child, into: &samples, &times) { take(samples, recorded: times.next()) }
        _ = child.finish()
        return Self.trouble(microphone, words: child.standardErrorTail)
    }

    private func read(_ child: ChildProcess, into samples: inout [Float], _ times: inout MicrophoneTimes) -> Bool {
        samples.withUnsafeMutableBytes { bytes in
            // ffmpeg has printed a block's time before it writes the block.
            child.read(0, into: ByteRows(bytes), while: 1) { times.append($0) } == bytes.count
        }
    }

    /// - Parameter microseconds: the time of the first sample on the system's clock; nil: it is not known.
    private func take(_ samples: [Float], recorded microseconds: Int64?) {
        let length = Double(Self.block) / Self.sampleRate
        let now = ContinuousClock.now
        var delay = length
        if let microseconds {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            let said = Double(time.tv_sec) - Double(microseconds) / 1e6 + Double(time.tv_nsec) / 1e9
            if (0...Self.longestDelay).contains(said) { delay = said }
        }
        state.withLock { state in
            state.start = now - .seconds(delay + state.analysis.seconds)
            state.lastBlock = now
            state.analysis.add(samples.span)
        }
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

    /// - Parameter peak: 0 to 1.
    /// - Returns: 0 to 1, in proportion to decibels.
    package static func level(_ peak: Float) -> Float {
        peak > 0 ? max(0, min(1, 1 + 20 * log10f(peak) / range)) : 0
    }
}
