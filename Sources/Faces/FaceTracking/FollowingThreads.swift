import Pixels
import Threads

/// Follows the tracks of a frame on several threads, which are started when there are several faces for the first time.
/// No track depends on another, so the result is the same to the bit with any number of threads.
final class FollowingThreads {
    /// State that all threads share. While they work, nobody else uses it, and each track is used by one of them.
    private final class Job: @unchecked Sendable {
        /// Those that take longest come first: a thread that begins one of them last would keep the others waiting.
        var tracks: [FaceTrack] = []
        var frame: UnsafePointer<PixelBuffer>?
        var seconds: Float = 0

        func follow(_ index: Int, helper: EvaluationThread? = nil) {
            guard let frame else { return }
            tracks[index].follow(frame.pointee, seconds: seconds, helper: helper)
        }
    }

    private let job = Job()
    private let count: Int
    private lazy var team = ThreadTeam(count: count) { [job] index, _ in job.follow(index) }

    /// - Parameters:
    ///   - count: of threads, with the caller's.
    ///   - capacity: how many tracks there may be.
    init(count: Int, capacity: Int) {
        self.count = count
        job.tracks.reserveCapacity(capacity)
    }

    /// Follows each of the tracks into the next frame, as `FaceTrack.follow`. Allocates the threads, and what the landmark
    /// model keeps for each thread (a network), the first time each is needed. A track keeps its own failure.
    /// - Parameter helper: helps with a single track.
    func follow(
        _ tracks: [FaceTrack], into frame: borrowing PixelBuffer, seconds: Float, helper: EvaluationThread
    ) {
        job.seconds = seconds
        for track in tracks where track.hasTurn { job.tracks.append(track) }
        for track in tracks where !track.hasTurn { job.tracks.append(track) }
        defer { job.tracks.removeAll(keepingCapacity: true) }
        withUnsafePointer(to: frame) { frame in
            job.frame = frame
            if count == 1 || tracks.count < 2 {
                for index in tracks.indices { job.follow(index, helper: tracks.count == 1 ? helper : nil) }
            } else {
                team.run(tracks.count)
            }
            job.frame = nil
        }
    }
}
