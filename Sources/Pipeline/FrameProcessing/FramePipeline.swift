import Compositing
import FrameSources
import Pixels
import Synchronization
import Threads

/// The first half of a frame's path: a source and an analyzer on threads of their own. The caller takes the analyzed
/// frames, draws on them and gives them to a sink, with `run` or in a loop of its own.
///
/// From a live source the newest frame wins, so that no delay builds up; from others every frame comes through, and a
/// faster stage waits for a slower one. Between two stages waits one frame at most. The source waits until its first frame
/// has been taken, if it can pause, and until the first of each still picture has been: their time begins then, and a
/// program that loads its networks misses nothing.
package final class FramePipeline: Sendable {
    /// The state of the source, for display.
    package struct Status: Sendable {
        /// Why there are no frames just now, as a sentence for the user.
        package var waiting: String?
        /// Whether the source has ended.
        package var hasEnded = false
        /// The first error of the source or the analyzer. It ended both.
        package var failure: (any Error)?
        package var capturedFrames = 0
        /// Whether the source pauses. One that cannot pause goes on.
        package var isPaused = false
        /// Frames that a newer one replaced before they were analyzed or taken.
        package var droppedFrames = 0

        package init() {}
    }

    private let captured = Mailbox<Frame>()
    private let analyzed = Mailbox<Frame>()
    private let spares = SparePixels()
    private let state = Mutex(Status())
    private let stopSignal = StopSignal()
    private let threads: Mutex<[DedicatedThread.Handle]> = Mutex([])
    private let keepsEvery: Bool
    private let canPause: Bool

    /// Starts at once.
    /// - Parameters:
    ///   - source: if it `isLive`, frames may be dropped.
    ///   - previous: whose source is closed before this one is opened, as it may be the same camera; the caller does not
    ///     wait for that. It goes on if no thread can be made (`NoThread` as the failure of the status).
    ///   - makeAnalyzer: makes the analyzer on its thread.
    package init(
        _ source: FrameSourceDescription, after previous: FramePipeline? = nil,
        makeAnalyzer: @escaping @Sendable () throws -> any FaceAnalyzer
    ) {
        (keepsEvery, canPause) = (!source.isLive, source.canPause)
        // It is taken out, so that it does not live as long as this one.
        let before = Mailbox<FramePipeline>()
        if let previous { _ = before.replace(previous) }
        do throws(NoThread) {
            let analyzing = try DedicatedThread.start { self.analyze(makeAnalyzer) }
            threads.withLock { $0.append(analyzing) }
            let capturing = try DedicatedThread.start {
                before.take(waiting: 0)?.stop()
                self.capture(source)
            }
            threads.withLock { $0.append(capturing) }
        } catch {
            fail(error)
            state.withLock { $0.hasEnded = true }
            stopSignal.stop()
            captured.close()
            analyzed.close()
        }
    }

    package var status: Status { state.withLock { $0 } }

    /// The next analyzed frame; from a live source, the newest.
    /// - Parameter seconds: how long to wait for it.
    package func next(waiting seconds: Double) -> Frame? { analyzed.take(waiting: seconds) }

    /// Whether all frames have been taken.
    package var isFinished: Bool { analyzed.isDrained }

    /// Pauses a source that can pause, or resumes it.
    package func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    /// Gives memory back for another frame.
    package func reuse(_ pixels: consuming PixelBuffer) { spares.give(pixels) }

    /// Ends the source and the analyzer and does not wait for their threads. No more frames can be taken.
    package func cancel() {
        stopSignal.stop()
        captured.close()
        analyzed.close()
    }

    /// Ends the source and the analyzer and waits for their threads.
    package func stop() {
        cancel()
        let handles = threads.withLock { handles in
            defer { handles = [] }
            return handles
        }
        for handle in handles { handle.join() }
    }

    // MARK: Source

    private func capture(_ description: FrameSourceDescription) {
        defer {
            state.withLock { $0.hasEnded = true }
            captured.close()
        }
        do {
            let source = try description.open(stopSignal)
            var start = FirstFrames(areOfSource: description.canPause)
            while !stopSignal.isStopped {
                if description.canPause, status.isPaused {
                    _ = stopSignal.sleep(seconds: 0.02)
                    continue
                }
                switch try source.next(reusing: spares.take()) {
                case .frame(let source):
                    let number = state.withLock { state in
                        defer { state.capturedFrames += 1 }
                        state.waiting = nil
                        return state.capturedFrames
                    }
                    let waits = start.includes(source.scene)
                    guard hand(Frame(source, number: number), to: captured, waits: waits) else { return }
                case .nothing:
                    break
                case .waiting(let reason):
                    state.withLock { $0.waiting = reason }
                case .ended:
                    return
                }
            }
        } catch {
            fail(error)
        }
    }

    /// - Parameter waits: until the frame before has been taken, also if the source is live.
    /// - Returns: whether to go on.
    private func hand(_ frame: consuming Frame, to mailbox: Mailbox<Frame>, waits: Bool) -> Bool {
        if keepsEvery || waits { return mailbox.put(frame) }
        if let old = mailbox.replace(frame) {
            state.withLock { $0.droppedFrames += 1 }
            reuse(old.reusedPixels())
        }
        return !mailbox.isClosed
    }

    // MARK: Analyzer

    private func analyze(_ makeAnalyzer: @Sendable () throws -> any FaceAnalyzer) {
        defer { analyzed.close() }
        do {
            let analyzer = try makeAnalyzer()
            var start = FirstFrames(areOfSource: canPause)
            while let frame = captured.take(waiting: nil) {
                try analyzer.add(frame)
                guard try handOn(analyzer, &start, isEnding: false) else { return }
            }
            if !stopSignal.isStopped { _ = try handOn(analyzer, &start, isEnding: true) }
        } catch {
            fail(error)
            stopSignal.stop()
            captured.close()
        }
    }

    /// - Returns: whether to go on.
    private func handOn(_ analyzer: any FaceAnalyzer, _ start: inout FirstFrames, isEnding: Bool) throws -> Bool {
        while let frame = try analyzer.next(isEnding: isEnding) {
            let waits = start.includes(frame.scene)
            guard hand(frame, to: analyzed, waits: waits) else { return false }
        }
        return true
    }

    /// The first error counts: others follow from it.
    private func fail(_ error: any Error) {
        state.withLock { state in
            if state.failure == nil { state.failure = error }
        }
    }
}

/// The first frames of each still picture, or of a source that can pause.
private struct FirstFrames {
    /// The first frame has been taken when the fourth one has been handed on: the analyzer and the two mailboxes hold
    /// one each. An analyzer that looks ahead holds more: then it has not been taken yet.
    private static let count = Pacemaker.firstFrames

    private var scene: Int?
    private var frames = 0
    /// Whether a frame without a scene may be one of the source's first ones.
    private var isOfSource: Bool

    init(areOfSource: Bool) { isOfSource = areOfSource }

    /// - Parameter scene: of the next frame; nil: it is no still picture.
    mutating func includes(_ scene: Int?) -> Bool {
        if scene != self.scene { (self.scene, frames) = (scene, 0) }
        frames += 1
        if frames > Self.count { isOfSource = false }
        return frames <= Self.count && (scene != nil || isOfSource)
    }
}

extension FramePipeline {
    /// The second half of the path: draws on every frame and gives it to a sink, until the source ends; then completes
    /// the sink's output. Afterwards the pipeline has stopped. An error in any stage ends all of them.
    /// - Parameters:
    ///   - isCancelled: asked about ten times a second and before each frame.
    ///   - compose: draws on a frame, on the caller's thread.
    /// - Returns: false if it was cancelled. The sink's output is then not complete.
    /// - Throws: the first error.
    package func run(
        into sink: any FrameSink, isCancelled: () -> Bool, compose: (inout Frame) throws -> Void
    ) throws -> Bool {
        defer { stop() }
        while !isCancelled() {
            guard var frame = next(waiting: 0.1) else {
                if isFinished { break }
                continue
            }
            try compose(&frame)
            if let spare = try sink.take(frame) { reuse(spare) }
        }
        if isCancelled() { return false }
        if let failure = status.failure { throw failure }
        try sink.finish()
        return true
    }
}
