/// Statistics of a running program, for each second and in total. Durations in milliseconds.
package struct LiveStatistics: Sendable {
    /// The stages of a frame, in order.
    package static let stages = ["track", "draw", "show", "delay"]

    /// A second, or the whole.
    package struct Summary: Sendable {
        package var seconds = 0.0
        package var frames = 0
        package var droppedFrames = 0
        package var faces = 0
        /// Frames with at least one face.
        package var framesWithFaces = 0
        /// One for each of `stages`.
        package var medians: [Double] = []
        package var slowest: [Double] = []

        /// Of the frames that the source gave, those that were dropped, 0…1.
        package var droppedShare: Double {
            let dropped = Double(max(0, droppedFrames))
            return dropped > 0 ? dropped / (dropped + Double(frames)) : 0
        }
        package var framesPerSecond: Double { seconds > 0 ? Double(frames) / seconds : 0 }
    }

    /// Durations of a stage, in milliseconds.
    private struct Samples {
        var values: [Float] = []
        private var seen = 0

        /// - Parameter limit: from so many durations on, a random sample stands for all: each is in it with the same
        ///   probability (Vitter, "Random Sampling with a Reservoir", 1985, algorithm R).
        mutating func add(_ value: Double, limit: Int) {
            let place = seen < limit ? seen : Int.random(in: 0...seen)
            seen += 1
            if place == values.count {
                values.append(Float(value))
            } else if place < limit {
                values[place] = Float(value)
            }
        }
    }

    private struct Counts {
        var start: ContinuousClock.Instant
        var frames = 0
        var faces = 0
        var framesWithFaces = 0
        var droppedBefore = 0
        /// One for each of `stages`.
        var samples = LiveStatistics.stages.map { _ in Samples() }
    }

    private var second: Counts
    /// Its durations leave out the first second, in which models and drivers prepare themselves, once that has been followed
    /// by a frame.
    private var whole: Counts
    private var isFirstSecond = true
    private var forgetsStart = false
    /// The last full second.
    package private(set) var last = Summary()

    package init() {
        let now = ContinuousClock.now
        second = Counts(start: now)
        whole = Counts(start: now)
    }

    /// - Parameter milliseconds: for the first of `stages`, one each; `noteShown` has the others of a frame that is shown on
    ///   another thread, and that may be none.
    package mutating func note(milliseconds: [Double], faces: Int) {
        if forgetsStart {
            forgetsStart = false
            whole.samples = Self.stages.map { _ in Samples() }
        }
        add(milliseconds, from: 0)
        Self.count(faces, in: &second)
        Self.count(faces, in: &whole)
    }

    private static func count(_ faces: Int, in counts: inout Counts) {
        counts.frames += 1
        counts.faces += faces
        counts.framesWithFaces += faces > 0 ? 1 : 0
    }

    /// A frame has been shown.
    /// - Parameter milliseconds: for the last two of `stages`.
    package mutating func noteShown(milliseconds: [Double]) {
        add(milliseconds, from: Self.stages.count - milliseconds.count)
    }

    private mutating func add(_ milliseconds: [Double], from first: Int) {
        for (index, value) in milliseconds.enumerated() {
            second.samples[first + index].add(value, limit: .max)
            // A long run must not fill the memory.
            whole.samples[first + index].add(value, limit: 10_000)
        }
    }

    /// Ends the second once it is over.
    /// - Parameter droppedFrames: since the start.
    /// - Returns: the second, when one has ended.
    package mutating func endSecond(droppedFrames: Int) -> Summary? {
        let now = ContinuousClock.now
        guard now - second.start >= .seconds(1) else { return nil }
        if isFirstSecond { (isFirstSecond, forgetsStart) = (false, true) }
        last = Self.summary(second, until: now, dropped: droppedFrames - second.droppedBefore)
        second = Counts(start: now, droppedBefore: droppedFrames)
        return last
    }

    package func summary(droppedFrames: Int) -> Summary {
        Self.summary(whole, until: .now, dropped: droppedFrames)
    }

    private static func summary(_ counts: Counts, until end: ContinuousClock.Instant, dropped: Int) -> Summary {
        var result = Summary()
        result.seconds = (end - counts.start) / .seconds(1)
        result.frames = counts.frames
        result.faces = counts.faces
        result.framesWithFaces = counts.framesWithFaces
        result.droppedFrames = dropped
        let sorted = counts.samples.map { $0.values.sorted() }
        result.medians = sorted.map { $0.isEmpty ? 0 : Double($0[$0.count / 2]) }
        result.slowest = sorted.map { $0.isEmpty ? 0 : Double($0[min($0.count - 1, $0.count * 99 / 100)]) }
        return result
    }
}
