import Files
import Glibc
import Sound
import Synchronization

/// What somebody wants to hear of a clip, and whether there is something. It joins the thread that decodes the clip with the
/// one that wants its sound.
package final class ClipSoundRequest: Sendable {
    /// The sound so far.
    package enum Finding: Equatable, Sendable {
        /// Nothing has been listened to, or it has only just begun.
        case unknown
        case sound
        /// There is none, or it cannot be decoded.
        case none
    }

    private let state: Mutex<(isWanted: Bool, finding: Finding)>

    package init(isWanted: Bool) { state = Mutex((isWanted, .unknown)) }

    /// Whether the sound is decoded. It may change at any time; then it is decoded from the next frame on.
    package var isWanted: Bool {
        get { state.withLock { $0.isWanted } }
        set { state.withLock { $0.isWanted = newValue } }
    }

    package fileprivate(set) var finding: Finding {
        get { state.withLock { $0.finding } }
        set { state.withLock { $0.finding = newValue } }
    }
}

/// The sound of a clip beside its frames: decoded by an `ffmpeg` child process of its own, as far as the frames have come,
/// and turned into signals. Belongs to one thread.
///
/// ffmpeg subtracts the same start from the times of all streams, fills gaps with silence and cuts what lies before the
/// start, so that the sample of number n has the time n / 48000 on the clock of `ClipReader`'s frames. The sound of the
/// stream that players choose is mixed down to one channel.
final class ClipSoundtrack {
    private static let sampleRate = 48_000.0
    /// In samples: 0.1 s.
    private static let block = 4800
    /// A frame that comes so long after the one before is too far away to decode all sound between, in seconds.
    private static let longestStep = 3600.0

    private let path: FilePath
    private let request: ClipSoundRequest
    /// After so long the clip starts again, in seconds; nil: never.
    private let loopDuration: Double?
    private var analysis = SoundAnalysis(sampleRate: ClipSoundtrack.sampleRate)
    private var samples = [Float](repeating: 0, count: ClipSoundtrack.block)
    /// Nil: the sound has ended, or there is none.
    private var child: ChildProcess?
    /// Ends all waiting, from any thread.
    let stopper = Stopper()
    /// The time of the frames at which the analysis began.
    private var start = 0.0
    /// How often the clip has started again.
    private var round = 0

    /// - Parameters:
    ///   - seconds: the time of the first frame that is asked for.
    ///   - loopDuration: the length of a clip that starts again at its end; nil: it does not.
    init(_ path: FilePath, at seconds: Double, loopDuration: Double?, request: ClipSoundRequest) {
        self.path = path
        self.request = request
        request.finding = .unknown
        self.loopDuration = loopDuration.flatMap { $0 > 0.1 ? $0 : nil }
        round = rounds(until: seconds)
        start = seconds < 1 ? 0 : seconds
        open(at: start - Double(round) * (self.loopDuration ?? 0))
        if child == nil { request.finding = .none }
    }

    /// - Parameter seconds: the time of a frame. Times must not fall.
    func signals(at seconds: Double) -> SoundSignals {
        if rounds(until: seconds) != round {
            round = rounds(until: seconds)
            // The loudness that is usual stays known.
            start = seconds - analysis.seconds
            open(at: seconds - Double(round) * (loopDuration ?? 0))
        }
        let wanted = seconds - start + SoundAnalysis.lookAhead
        if wanted - analysis.seconds > Self.longestStep { end() }
        while analysis.seconds < wanted {
            let count = child == nil ? 0 : read()
            if count == 0 {
                end()
                guard analysis.seconds + SoundAnalysis.memory > wanted else { return .silence }
                samples.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
                analysis.add(samples.span)
            } else {
                request.finding = .sound
                analysis.add(samples.span.extracting(first: count))
            }
        }
        return analysis.signals(at: seconds - start)
    }

    private func rounds(until seconds: Double) -> Int {
        guard let loopDuration, seconds >= 0, seconds < 1e9 else { return 0 }
        return Int(seconds / loopDuration)
    }

    /// - Returns: how many samples were read; 0: none are left.
    private func read() -> Int {
        samples.withUnsafeMutableBytes { child?.read(0, into: $0) ?? 0 } / MemoryLayout<Float>.stride
    }

    private func end() {
        if child != nil, request.finding == .unknown { request.finding = .none }
        child = nil
        stopper.watch(nil)
    }

    /// - Parameter seconds: the time in the clip from which it is decoded.
    private func open(at seconds: Double) {
        end()
        // A stream would have to be opened twice.
        guard let input = try? ClipInput(path), input.descriptor != nil else { return }
        var limits = input.limits
        limits.writesOnlyPipes = true
        var arguments = ["ffmpeg", "-nostdin", "-v", "error"]
        if seconds > 0 { arguments += ["-ss", "\(seconds)"] }
        arguments += input.arguments + ["-vn", "-sn", "-dn", "-af", "aresample=async=1:min_hard_comp=0.02:first_pts=0"]
        arguments += ["-ac", "1", "-ar", "\(Int(Self.sampleRate))", "-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"]
        child = try? ChildProcess(arguments, writing: [STDOUT_FILENO], limits: limits, end: .isKilledWhenAsked)
        stopper.watch(child?.stopper)
    }

    /// Stops whichever child runs, and those to come.
    final class Stopper: Sendable {
        private let state = Mutex<(child: ChildProcess.Stopper?, isStopped: Bool)>((nil, false))

        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.child?.stop()
            }
        }

        fileprivate func watch(_ child: ChildProcess.Stopper?) {
            state.withLock { state in
                state.child = child
                if state.isStopped { child?.stop() }
            }
        }
    }
}
