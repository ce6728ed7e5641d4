/// The times of a clip's frames, as ffmpeg's filter `metadata` prints them.
///
/// The times come from the clip, so they may be missing, not a number, or fall. Those are replaced, so that every
/// frame's time is finite and later than that of the frame before.
package struct FrameTimes {
    /// The most bytes that may wait to be used: far more than the lines of all frames inside ffmpeg.
    package static let limit = 1 << 20
    /// Times beyond this are not believed, in seconds: 30 years.
    private static let largest = 1e9
    /// The least between two frames, in seconds.
    private static let smallestStep = 0.001
    /// A time that falls by no more than this is out of order, in seconds; by more, the clip's clock starts again.
    private static let disorder = 1.0

    private var lines = FilterLines()
    private let frameDuration: Double
    /// After so long the clip starts again, in seconds; nil: it does not.
    private let loopDuration: Double?
    /// The time of the first frame, in seconds.
    private var first = 0.0
    private var last: Double?
    /// Added to times after the clip's clock has started again.
    private var offset = 0.0

    /// - Parameters:
    ///   - frameRate: frames per second; nil: unknown.
    ///   - loopDuration: the length of a clip that ffmpeg starts again at its end, in seconds; nil: it does not, or the
    ///     length is unknown.
    package init(frameRate: Double?, loopDuration: Double? = nil) {
        frameDuration = 1 / (frameRate ?? 25)
        self.loopDuration = loopDuration.flatMap { [frameDuration] in $0 > frameDuration ? $0 : nil }
    }

    /// Takes what ffmpeg has printed.
    /// - Returns: false if more waits than the limit, so that something else than times must have been printed.
    package mutating func append(_ more: some Sequence<UInt8>) -> Bool { lines.append(more) <= Self.limit }

    /// The time of the next frame, in seconds.
    package mutating func next() -> Double {
        let time = time(read: readTime())
        if last == nil { first = time }
        last = time
        return time
    }

    private mutating func time(read: Double?) -> Double {
        guard let last else { return read ?? 0 }
        guard let read else { return last + frameDuration }
        // Frames that an edit list hides before a clip's start count for ffmpeg when it starts the clip again: the first frame
        // would come late by all of them.
        if let start = nextStart(after: last), read + offset > start + frameDuration { offset = start - read }
        if read + offset > last { return read + offset }
        if read + offset > last - Self.disorder { return last + Self.smallestStep }
        offset = last + frameDuration - read
        return last + frameDuration
    }

    /// The time of the first frame after the clip has started again.
    private func nextStart(after last: Double) -> Double? {
        guard let loopDuration else { return nil }
        let rounds = ((last - first + frameDuration / 2) / loopDuration).rounded(.down)
        return first + (rounds + 1) * loopDuration
    }

    /// The time in the next line that has one; nil if that is no usable number, or there is no such line.
    private mutating func readTime() -> Double? {
        guard let time = lines.next("pts_time").flatMap(Double.init), time.isFinite, time.magnitude <= Self.largest
        else { return nil }
        return time
    }
}
