import Clips
import FaceGeometry
import Files
import Pixels
import Threads

/// Frames of a clip at any place, which ffmpeg decodes a few at a time; a thread of its own waits for it. Those around the
/// place that is looked at are kept.
final class ClipFrames {
    private typealias Decoded = Result<[ReviewPicture], ClipError>

    private let path: FilePath
    private let information: ClipInformation
    /// Of all frames, in seconds.
    private let times: [Double]
    private let work = BackgroundWork()
    /// By their numbers; each has `chunk` frames, the last one fewer.
    private var chunks: [Int: [ReviewPicture]] = [:]
    private let mostChunks: Int
    /// Why frames cannot be shown.
    private(set) var failure: ClipError?

    private static let chunk = 8
    private static let widest = 1920
    /// Of all kept frames, in bytes.
    private static let memory = 300 << 20

    init(_ path: FilePath, _ information: ClipInformation, times: [Double]) {
        (self.path, self.information, self.times) = (path, information, times)
        let width = min(Self.widest, information.width)
        let bytes = 4 * width * max(1, information.height * width / information.width)
        mostChunks = max(3, Self.memory / (bytes * Self.chunk))
    }

    /// Nil: it is not decoded yet.
    func picture(_ frame: Int) -> ReviewPicture? {
        guard let pictures = chunks[frame / Self.chunk] else { return nil }
        return pictures.indices.contains(frame % Self.chunk) ? pictures[frame % Self.chunk] : nil
    }

    /// Decodes the frames around one, and then those after it; keeps others as far as there is room.
    func want(_ frame: Int) {
        guard !work.isBusy, failure == nil else { return }
        let (current, last) = (frame / Self.chunk, (times.count - 1) / Self.chunk)
        let near = [current, current + 1, current - 1].filter { (0...last).contains($0) }
        guard let next = near.first(where: { chunks[$0] == nil }) else { return }
        while chunks.count >= mostChunks,
            let farthest = chunks.keys.filter({ !near.contains($0) }).max(by: { abs($0 - current) < abs($1 - current) })
        {
            chunks[farthest] = nil
        }
        let frames = next * Self.chunk..<min(times.count, (next + 1) * Self.chunk)
        work.add { [path, information, times] in
            Result { () throws(ClipError) in try Self.decode(frames, of: path, information, times) }
        } finish: { [self] (decoded: Decoded) in
            switch decoded {
            case .success(let pictures): chunks[next] = pictures
            case .failure(let error): failure = error
            }
        }
    }

    /// Takes what has been decoded.
    /// - Returns: whether something has.
    func update() -> Bool {
        let wasBusy = work.isBusy
        work.handBack()
        return wasBusy && !work.isBusy
    }

    func stop() { work.stop() }

    private static func decode(
        _ frames: Range<Int>, of path: FilePath, _ information: ClipInformation, _ times: [Double]
    ) throws(ClipError) -> [ReviewPicture] {
        guard frames.lowerBound > 0 else {
            return try read(frames.count, path, information, start: nil, skipping: 0).frames
        }
        let half = (times[frames.lowerBound] - times[frames.lowerBound - 1]) / 2
        let start = times[frames.lowerBound] - half
        if start > 0,
            let (pictures, first) = try? read(frames.count, path, information, start: start, skipping: 0),
            pictures.count == frames.count, abs(start + first - times[frames.lowerBound]) < half
        {
            return pictures
        }
        // Where the clip's times are no help, frames are counted from its beginning.
        return try read(frames.count, path, information, start: nil, skipping: frames.lowerBound).frames
    }

    /// - Returns: the frames, and the time of the first one after `start`, in seconds.
    private static func read(
        _ count: Int, _ path: FilePath, _ information: ClipInformation, start: Double?, skipping skipped: Int
    ) throws(ClipError) -> (frames: [ReviewPicture], first: Double) {
        let reader = try ClipReader(
            path, information: information, size: information.width > widest ? .width(widest) : nil,
            frames: skipped + count, start: start)
        let size = Point(Float(information.width), Float(information.height))
        var (pictures, first): ([ReviewPicture], Double?) = ([], nil)
        for number in 0..<skipped + count {
            var frame = try reader.makeFrame()
            guard let seconds = try reader.read(into: &frame) else { break }
            guard number >= skipped else { continue }
            first = first ?? seconds
            pictures.append(ReviewPicture(frame, size: size))
        }
        return (pictures, first ?? 0)
    }
}
