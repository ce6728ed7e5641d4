/// The times of a clip's frames that are read again and again, without the gaps between two rounds: for frames that a clip
/// hides before its beginning, as a lossless cut does, ffmpeg lets as much time pass as they would take.
package struct LoopTimes {
    /// Of one round, and of one frame, in seconds.
    private let duration, interval: Double
    /// When this round has begun, and when its last frame was due, as ffmpeg counts; nil: there was none.
    private var round: (start: Double, last: Double)?
    /// The sum of the gaps so far.
    private var gaps = 0.0

    /// A longer time without a frame at the end of a round is a gap.
    private static let shortestGap = 0.5

    /// - Parameters:
    ///   - duration: of the clip, in seconds.
    ///   - frameRate: frames per second; nil: unknown.
    package init(duration: Double, frameRate: Double?) {
        self.duration = duration
        interval = 1 / max(1, frameRate ?? 30)
    }

    /// - Parameter seconds: the next frame's time, as ffmpeg counts.
    package mutating func time(of seconds: Double) -> Double {
        var (start, last) = round ?? (seconds, seconds)
        if seconds - last > Self.shortestGap, last - start > duration - Self.shortestGap {
            gaps += seconds - last - interval
            start = seconds
        } else if seconds - start > duration + Self.shortestGap / 2 {
            start += duration
        }
        last = seconds
        round = (start, last)
        return seconds - gaps
    }
}
