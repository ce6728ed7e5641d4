import Pixels
import Threads

/// A frame as a source hands it out.
package struct SourceFrame: ~Copyable, Sendable {
    /// `rgba8`.
    package var pixels: PixelBuffer
    /// The frame's time, which only grows.
    package let seconds: Double
    /// When it came in.
    package let captured: ContinuousClock.Instant

    package init(_ pixels: consuming PixelBuffer, seconds: Double, captured: ContinuousClock.Instant = .now) {
        self.pixels = pixels
        self.seconds = seconds
        self.captured = captured
    }

    /// The frame is done with; its memory may take another.
    package consuming func reusedPixels() -> PixelBuffer { pixels }
}

/// What a source has to say when it is asked for the next frame.
package enum SourceEvent: ~Copyable {
    case frame(SourceFrame)
    /// Nothing yet; ask again.
    case nothing
    /// There is none now, and there may be one later: a camera that is unplugged. The sentence is for the user.
    case waiting(String)
    /// That was all.
    case ended
}

/// Where frames come from. Made and asked on a thread of its own, which may wait in it.
package protocol FrameSource: AnyObject {
    /// Waits for the next frame.
    /// - Parameter spare: memory that may be used for it.
    /// - Throws: what ends the source for good.
    func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent
}

/// A source that is yet to be opened.
package struct FrameSourceDescription: Sendable {
    /// For the user: a file's name, a camera's.
    package let name: String
    /// Whether it shows the user as a mirror would: cameras.
    package let isMirrored: Bool
    /// Whether frames that come late may be left out: whatever happens now, or is shown at its own speed.
    package let isLive: Bool
    /// What frames come at, as far as that is known beforehand.
    package let frameRate: Double?
    /// Whether it goes on where it was after a pause: recorded and drawn things.
    package let canPause: Bool
    /// Opens it on the thread that it is to live on. Everything that waits ends with the signal.
    package let open: @Sendable (StopSignal) throws -> any FrameSource

    package init(
        name: String, isMirrored: Bool = false, isLive: Bool, canPause: Bool = true,
        frameRate: Double?, open: @escaping @Sendable (StopSignal) throws -> any FrameSource
    ) {
        self.name = name
        self.isMirrored = isMirrored
        self.isLive = isLive
        self.canPause = canPause
        self.frameRate = frameRate
        self.open = open
    }
}

/// Lets frames pass when their time has come.
package struct Pacemaker {
    private var start: (instant: ContinuousClock.Instant, seconds: Double)?
    private let stop: StopSignal

    package init(_ stop: StopSignal) { self.stop = stop }

    /// Sleeps until a frame is due. One that is very late starts a new count: after a pause nothing is made up for.
    package mutating func wait(for seconds: Double) {
        let now = ContinuousClock.now
        guard let start else {
            self.start = (now, seconds)
            return
        }
        let early = seconds - start.seconds - (now - start.instant) / .seconds(1)
        if early > 0 {
            _ = stop.sleep(seconds: early)
        } else if early < -0.5 {
            self.start = (now, seconds)
        }
    }
}
