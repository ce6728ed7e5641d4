import Pixels
import Sound
import Threads

/// A frame of a source.
package struct SourceFrame: ~Copyable, Sendable {
    /// `rgba8`.
    package var pixels: PixelBuffer
    /// The frame's time; larger than that of the frame before.
    package let seconds: Double
    /// When it was captured.
    package let captured: ContinuousClock.Instant
    /// The source's own sound at that time; nil: it is not used.
    package let sound: SoundSignals?
    /// The number of the still picture that it shows; nil: the source does not know its scenes.
    package let scene: Int?

    package init(
        _ pixels: consuming PixelBuffer, seconds: Double, captured: ContinuousClock.Instant = .now,
        sound: SoundSignals? = nil, scene: Int? = nil
    ) {
        self.pixels = pixels
        self.seconds = seconds
        self.captured = captured
        self.sound = sound
        self.scene = scene
    }

    /// Ends the frame; its memory can be reused for another.
    package consuming func reusedPixels() -> PixelBuffer { pixels }
}

/// The answer of a source that was asked for the next frame.
package enum SourceEvent: ~Copyable {
    case frame(SourceFrame)
    /// No frame yet; ask again.
    case nothing
    /// No frame now, perhaps later: the camera is unplugged. The sentence is for the user.
    case waiting(String)
    /// There are no more frames.
    case ended
}

/// Delivers frames. Belongs to one thread, which may block in it.
package protocol FrameSource: AnyObject {
    /// Waits for the next frame.
    /// - Parameter spare: memory that may be reused for it.
    /// - Throws: an error that ends the source.
    func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent
}

/// A source that is not open yet.
package struct FrameSourceDescription: Sendable {
    /// The name of the file or camera, for the user.
    package let name: String
    /// Whether it is displayed mirrored: cameras are.
    package let isMirrored: Bool
    /// Whether late frames may be dropped, because they show what happens now or are displayed at their own speed.
    package let isLive: Bool
    /// Frames per second; nil: unknown.
    package let frameRate: Double?
    /// Whether it can be paused and continue where it was: clips and synthetic heads can.
    package let canPause: Bool
    /// Whether its frames repeat still pictures: each of those is searched for faces before it is shown.
    package let showsStills: Bool
    /// Opens the source on the thread that it will belong to. The signal ends all waiting.
    package let open: @Sendable (StopSignal) throws -> any FrameSource

    package init(
        name: String, isMirrored: Bool = false, isLive: Bool, canPause: Bool = true,
        showsStills: Bool = false, frameRate: Double?, open: @escaping @Sendable (StopSignal) throws -> any FrameSource
    ) {
        self.name = name
        self.isMirrored = isMirrored
        self.isLive = isLive
        self.canPause = canPause
        self.showsStills = showsStills
        self.frameRate = frameRate
        self.open = open
    }
}

/// Delays frames until they are due.
package struct Pacemaker {
    /// So many first frames of a source that can pause each wait until the one before has been taken. The time begins
    /// anew with each of them, and last with the one after them.
    package static let firstFrames = 4

    private var start: (instant: ContinuousClock.Instant, seconds: Double)?
    private var framesBefore = 0
    private let stop: StopSignal

    package init(_ stop: StopSignal) { self.stop = stop }

    /// How much too late a frame would come now, in seconds; 0 at the first ones, and after a pause of more than 0.5 s.
    package func lateness(of seconds: Double) -> Double {
        guard !isStarting, let late = lateness(of: seconds, at: .now) else { return 0 }
        return late > Self.longestLateness ? 0 : max(0, late)
    }

    private static let longestLateness = 0.5
    private var isStarting: Bool { framesBefore <= Self.firstFrames }

    /// - Returns: in seconds, negative before the frame is due; nil before the first frame.
    private func lateness(of seconds: Double, at now: ContinuousClock.Instant) -> Double? {
        guard let start else { return nil }
        return (now - start.instant) / .seconds(1) - (seconds - start.seconds)
    }

    /// Sleeps until a frame is due. A frame more than 0.5 s late restarts the clock: a pause is not caught up. Nor is
    /// what the first frames have waited.
    package mutating func wait(for seconds: Double) {
        let now = ContinuousClock.now
        let longest = isStarting ? 0 : Self.longestLateness
        if isStarting { framesBefore += 1 }
        guard let late = lateness(of: seconds, at: now), late <= longest else {
            start = (now, seconds)
            return
        }
        if late < 0 { _ = stop.sleep(seconds: -late) }
    }
}
