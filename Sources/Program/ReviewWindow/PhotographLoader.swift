import Files
import Threads

/// Reads the photographs that are shown next, on a thread of its own, and keeps a few.
final class PhotographLoader {
    typealias Loaded = Result<ReviewPicture, ReviewPicture.Obstacle>

    private let work = BackgroundWork()
    /// By place in the list.
    private var loaded: [Int: Loaded] = [:]
    private(set) var results: [Int: ReviewPicture] = [:]

    /// What is known of a photograph; nil: it is not read yet.
    subscript(place: Int) -> Loaded? { loaded[place] }

    /// Says which photographs are to be there, the most urgent first; others are forgotten. One is read at a time.
    /// - Parameter result: of the photograph; nil: it is not shown.
    func want(_ places: [(place: Int, source: FilePath, checksum: UInt64, result: FilePath?)]) {
        loaded = loaded.filter { entry in places.contains { $0.place == entry.key } }
        results = results.filter { loaded[$0.key] != nil }
        guard !work.isBusy, let next = places.first(where: { loaded[$0.place] == nil }) else { return }
        work.add { () -> (Loaded, ReviewPicture?) in
            let picture = Result { () throws(ReviewPicture.Obstacle) in
                try ReviewPicture.read(next.source, checksum: next.checksum)
            }
            return (picture, next.result.flatMap { try? ReviewPicture.read($0, checksum: nil) })
        } finish: { [self] in
            (loaded[next.place], results[next.place]) = $0
        }
    }

    /// Takes what has been read.
    /// - Returns: whether something has.
    func update() -> Bool {
        let before = loaded.count
        work.handBack()
        return loaded.count != before
    }

    func stop() { work.stop() }
}
