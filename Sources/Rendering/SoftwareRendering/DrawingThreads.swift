import Machine
import Threads

/// The caller's thread and others, which share the work on one picture after another: layers, tiles, and rows that are
/// blurred. Whoever draws one picture shares them; they belong to one thread at a time.
package final class DrawingThreads {
    /// The caller's included.
    package let count: Int

    /// What the threads do now. While they work, nobody changes it.
    private final class Work: @unchecked Sendable {
        var body: (_ piece: Int, _ thread: Int) -> Void = { _, _ in }
    }

    private let work = Work()
    /// Started for the first picture that is worth it.
    private lazy var team = ThreadTeam(count: count) { [work] piece, thread in work.body(piece, thread) }

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

    /// Does all pieces and waits for them.
    /// - Parameters:
    ///   - isWorthIt: false: the caller has done it before others wake up.
    ///   - body: gets the piece, and the thread, from 0 to `count`. Different threads call it at the same time.
    func run(_ pieces: Int, isWorthIt: Bool, _ body: (_ piece: Int, _ thread: Int) -> Void) {
        guard isWorthIt, !isAlone, count > 1 else {
            for piece in 0..<pieces { body(piece, 0) }
            return
        }
        let duration = withoutActuallyEscaping(body) { body in
            work.body = body
            defer { work.body = { _, _ in } }
            return team.run(pieces)
        }
        let limits = Self.picturesAfterWaiting
        if duration.waited > duration.worked {
            picturesAlone = picturesAfterNextWaiting
            picturesAfterNextWaiting = min(limits.most, 4 * picturesAfterNextWaiting)
        } else {
            picturesAfterNextWaiting = max(limits.least, picturesAfterNextWaiting - 1)
        }
    }
}
