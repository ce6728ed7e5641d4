import Machine
import Threads

/// Work on a picture, in pieces. While threads do it, nobody else changes it.
protocol PictureWork: AnyObject, Sendable {
    /// Different threads call it at the same time.
    /// - Parameter thread: from 0, the caller's, to the number of threads.
    func work(_ piece: Int, thread: Int)
}

/// The caller's thread and others, which share the work on one picture after another: layers, tiles, and rows that are
/// blurred. Whoever draws one picture shares them; they belong to one thread at a time.
package final class DrawingThreads {
    /// The caller's included.
    package let count: Int

    /// What the threads do now. `@unchecked`: it changes only while none of them works, which `run` waits for.
    private final class Current: @unchecked Sendable {
        var work: (any PictureWork)?
    }

    private let current = Current()
    /// Started for the first picture that is worth it.
    private lazy var team = ThreadTeam(count: count) { [current] in current.work?.work($0, thread: $1) }

    /// On a busy machine, a thread may be interrupted in the middle of a tile, for longer than the whole picture takes. Then
    /// some pictures are drawn without other threads: few if it was an exception, and four times as many each time that
    /// it happens again.
    private static let picturesAfterWaiting = (least: 2, most: 128)
    private var picturesAfterNextWaiting = picturesAfterWaiting.least
    private var picturesAlone = 0
    private var isAlone = false

    /// - Parameter count: nil: as many as there are processors to use.
    package init(count: Int? = nil) {
        // More threads than that have too little to do in a picture.
        self.count = max(1, count ?? min(16, MachineProcessors.count))
    }

    /// To be called before the work on each picture.
    package func beginPicture() {
        isAlone = picturesAlone > 0
        picturesAlone = max(0, picturesAlone - 1)
    }

    /// Does all pieces and waits for them. It allocates nothing.
    /// - Parameter isWorthIt: false: the caller has done it before others wake up.
    func run(_ work: some PictureWork, pieces: Int, isWorthIt: Bool) {
        guard isWorthIt, !isAlone, count > 1 else {
            for piece in 0..<pieces { work.work(piece, thread: 0) }
            return
        }
        current.work = work
        defer { current.work = nil }
        let duration = team.run(pieces)
        let limits = Self.picturesAfterWaiting
        if duration.waited > duration.worked {
            picturesAlone = picturesAfterNextWaiting
            picturesAfterNextWaiting = min(limits.most, 4 * picturesAfterNextWaiting)
        } else {
            picturesAfterNextWaiting = max(limits.least, picturesAfterNextWaiting - 1)
        }
    }
}
