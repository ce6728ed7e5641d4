import Compositing
import Pixels
import Synchronization
import Threads

/// Runs a sink on a thread of its own, so that drawing does not wait for encoding. One frame waits for the sink at a
/// time; more may until the sink has taken its first one, which takes an encoder some tenths of a second. When the
/// program is asked to end, it takes no more frames, so that `take` does not wait for a stalled output. Without a
/// frame, no sink is made, and nothing is written.
package final class SinkThread: FrameSink, Sendable {
    package struct Outcome: Sendable {
        package var writtenFrames = 0
        /// Frames that were left out because the sink was too slow.
        package var droppedFrames = 0
        package var failure: (any Error)?
    }

    /// The sink takes no more frames, and `Outcome.failure` does not say why.
    package struct Ended: Error, CustomStringConvertible {
        package let description = "the output has ended"
    }

    private let frames = Mailbox<Frame>()
    private let early: Mutex<EarlyFrames>
    private let spares = SparePixels()
    private let state = Mutex(Outcome())
    private let keepsEvery: Bool
    private let stopSignal = StopSignal()
    private let thread: Mutex<DedicatedThread.Handle?> = Mutex(nil)
    private let handler: Int

    /// - Parameters:
    ///   - keepsEvery: whether `take` waits for the sink. Otherwise a newer frame replaces one that still waits.
    ///   - keepsEarly: whether those that are replaced before the sink has taken its first frame are written, too, up
    ///     to a limit. They come late: it is for files.
    ///   - makeSink: makes the sink on its thread, for the first frame. When the signal stops, the sink must fail
    ///     instead of waiting.
    package init(
        keepsEvery: Bool, keepsEarly: Bool = false,
        makeSink: @escaping @Sendable (StopSignal) throws -> any FrameSink
    ) {
        self.keepsEvery = keepsEvery
        early = Mutex(EarlyFrames(keeps: keepsEarly))
        handler = StopSignal.program.onStop { [frames] in frames.close() }
        do throws(NoThread) {
            let handle = try DedicatedThread.start { self.serve(makeSink) }
            thread.withLock { $0 = handle }
        } catch {
            state.withLock { $0.failure = error }
            frames.close()
        }
    }

    deinit { StopSignal.program.forget(handler) }

    package var outcome: Outcome { state.withLock { $0 } }

    /// Hands a frame to the sink's thread.
    /// - Throws: the error that made the sink fail.
    package func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        let seconds = frame.seconds
        early.withLock { $0.noteOffered(seconds) }
        if keepsEvery {
            guard frames.put(frame) else { throw outcome.failure ?? Ended() }
        } else if let old = frames.replace(frame) {
            guard !frames.isClosed else { throw outcome.failure ?? Ended() }
            var frame: Frame? = consume old
            early.withLock { $0.keep(&frame) }
            guard let dropped = frame else { return spares.take() }
            noteDropped(1)
            spares.give(dropped.reusedPixels())
        }
        return spares.take()
    }

    /// Writes none of the frames that still wait, and keeps no early ones any more: everything is covered from now on.
    /// The one that the sink is taking is written. Where every frame is kept, it does nothing.
    package func forgetWaiting() {
        if keepsEvery { return }
        noteDropped(early.withLock { $0.forget() })
    }

    private func noteDropped(_ count: Int) { state.withLock { $0.droppedFrames += count } }

    /// Hands over a copy of a frame's pixels.
    /// - Throws: `OutOfMemory`, or what made the sink fail.
    package func takeCopy(of pixels: borrowing PixelBuffer, at seconds: Double) throws {
        var copy = try PixelBuffer.reusing(
            spares.take(), width: pixels.width, height: pixels.height, format: pixels.format)
        copy.overwrite(with: pixels)
        if let spare = try take(Frame(copy, seconds: seconds)) { spares.give(spare) }
    }

    /// Takes no more frames. The thread writes what is left, completes the output and ends.
    package func close() { frames.close() }

    /// Writes what is left and completes the output.
    /// - Throws: the error that made the sink fail.
    package func finish() throws {
        if let failure = finish(within: nil).failure { throw failure }
    }

    /// Writes what is left and completes the output.
    /// - Parameter seconds: how long that may take; then the sink is stopped. Nil: any time.
    package func finish(within seconds: Double?) -> Outcome {
        frames.close()
        guard let handle = takeHandle() else { return outcome }
        if let seconds, !handle.wait(seconds: seconds) { stopSignal.stop() }
        handle.join()
        return outcome
    }

    /// Ends the sink without completing the output, and waits for its thread.
    package func cancel() {
        stopSignal.stop()
        frames.close()
        takeHandle()?.join()
    }

    private func takeHandle() -> DedicatedThread.Handle? {
        thread.withLock { handle in
            defer { handle = nil }
            return handle
        }
    }

    private func serve(_ makeSink: @Sendable (StopSignal) throws -> any FrameSink) {
        defer {
            frames.close()
            noteDropped(early.withLock { $0.end() })
        }
        do {
            var made: (any FrameSink)?
            while let frame = frames.take(waiting: nil) {
                if stopSignal.isStopped { throw Ended() }
                let seconds = frame.seconds
                let taken = early.withLock { $0.taken(seconds) }
                let sink = try made ?? makeSink(stopSignal)
                made = sink
                while let older = early.withLock({ $0.take(before: seconds) }) { try write(older, to: sink) }
                if early.withLock({ $0.isForgotten(taken) }) {
                    noteDropped(1)
                    spares.give(frame.reusedPixels())
                    continue
                }
                try write(frame, to: sink)
            }
            if stopSignal.isStopped { throw Ended() }
            try made?.finish()
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    private func write(_ frame: consuming Frame, to sink: any FrameSink) throws {
        if let spare = try sink.take(frame) { spares.give(spare) }
        state.withLock { $0.writtenFrames += 1 }
        early.withLock { $0.stopKeeping() }
    }
}

/// Frames that newer ones have replaced before the sink has taken its first frame, and which are not to be written.
private struct EarlyFrames: Sendable {
    private var frames: [(seconds: Double, frame: Mailbox<Frame>)] = []
    /// Whether more are kept.
    private var keeps: Bool
    private var bytes = 0
    private var coverings = 0
    /// The times of the last offered frame, of the newest frame that is written or comes next, and of the newest frame that
    /// must not be written any more.
    private var (offered, written, forgotten) = (-Double.infinity, -Double.infinity, -Double.infinity)

    private static let most = (frames: 30, bytes: 128 << 20)

    init(keeps: Bool) { self.keeps = keeps }

    mutating func noteOffered(_ seconds: Double?) {
        guard let seconds else { return }
        offered = seconds
        // What is offered is to be written, also if another source's time begins earlier.
        if seconds <= forgotten { forgotten = seconds.nextDown }
    }

    /// Takes the frame, unless there is no room, a newer one has been written, or none is kept any more.
    mutating func keep(_ frame: inout Frame?) {
        guard keeps, let kept = frame.take() else { return }
        let (size, seconds) = (kept.pixels.bytesPerRow * kept.pixels.height, kept.seconds ?? written)
        guard frames.count < Self.most.frames, bytes + size <= Self.most.bytes, seconds > written else {
            frame = consume kept
            return
        }
        bytes += size
        let mailbox = Mailbox<Frame>()
        _ = mailbox.replace(kept)
        frames.append((seconds, mailbox))
    }

    /// A frame that the sink has in hand.
    struct Taken {
        fileprivate let isForgotten: Bool
        fileprivate let coverings: Int
    }

    /// Takes the oldest waiting frame if it is older than a given time.
    /// - Returns: nil: the frame of that time is next.
    mutating func take(before seconds: Double?) -> Frame? {
        let seconds = seconds ?? .infinity
        guard let first = frames.first, first.seconds < seconds else {
            written = seconds
            return nil
        }
        frames.removeFirst()
        return first.frame.take(waiting: 0)
    }

    /// The sink takes a frame in hand, which it may hold for long before it writes it.
    func taken(_ seconds: Double?) -> Taken {
        Taken(isForgotten: seconds.map { $0 <= forgotten } ?? false, coverings: coverings)
    }

    /// Times do not tell for a frame in hand: in a pause, the covered frame may have the same.
    func isForgotten(_ frame: Taken) -> Bool { frame.isForgotten || frame.coverings != coverings }

    /// The sink has taken a frame. Those that are kept are still written.
    mutating func stopKeeping() { keeps = false }

    /// Keeps nothing any more.
    /// - Returns: how many frames were kept.
    mutating func end() -> Int {
        defer { frames = [] }
        keeps = false
        return frames.count
    }

    /// The same, and nothing that has been offered is to be written any more.
    mutating func forget() -> Int {
        forgotten = offered
        coverings += 1
        return end()
    }
}
