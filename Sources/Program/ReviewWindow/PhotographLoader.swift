import Files
import Threads

/// Reads the photographs that are shown next, on a thread of its own, and keeps a few.
final class PhotographLoader {
    typealias Loaded = Result<ReviewPicture, ReviewPicture.Obstacle>

    /// A photograph that is to be there.
    struct Wanted: Sendable {
        /// In the list.
        let place: Int
        let source: FilePath
        /// It must have.
        let checksum: UInt64
        /// The path of its result below the folder, and its checksum (`ReviewPicture.result`); nil: it is not shown.
        let result: (name: FilePath, checksum: UInt64?)?
    }

    private let work = BackgroundWork()
    /// Of results.
    private let folder: FilePath
    /// By place in the list.
    private var loaded: [Int: Loaded] = [:]
    /// By place in the list, those that are shown: each comes together with its photograph.
    private(set) var results: [Int: Loaded] = [:]

    init(resultsIn folder: FilePath) { self.folder = folder }

    /// What is known of a photograph; nil: it is not read yet.
    subscript(place: Int) -> Loaded? { loaded[place] }

    /// Says which photographs are to be there, the most urgent first; others are forgotten. One is read at a time.
    func want(_ places: [Wanted]) {
        loaded = loaded.filter { entry in places.contains { $0.place == entry.key } }
        results = results.filter { loaded[$0.key] != nil }
        guard !work.isBusy, let next = places.first(where: { loaded[$0.place] == nil }) else { return }
        work.add { [folder] () -> (Loaded, Loaded?) in
            let picture = Result { () throws(ReviewPicture.Obstacle) in
                try ReviewPicture.read(next.source, checksum: next.checksum)
            }
            let result = next.result.map { result in
                Result { () throws(ReviewPicture.Obstacle) in
                    try ReviewPicture.result(result.name, in: folder, checksum: result.checksum)
                }
            }
            return (picture, result)
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
