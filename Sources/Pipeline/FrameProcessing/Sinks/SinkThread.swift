import Compositing
import Pixels
import Synchronization
import Threads

/// Runs a sink on a thread of its own, so that drawing does not wait for encoding. One frame waits for the sink at a
/// time; while the sink starts, which takes an encoder some tenths of a second, more do. When the program is asked to end, it takes no more frames, so that `take` does not wait for a stalled output.
/// Without a frame, no sink is made, and nothing is written.
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
    private let early = Mutex(EarlyFrames())
    private let spares = SparePixels()
    private let state = Mutex(Outcome())
    private let keepsEvery: Bool
    private let stopSignal = StopSignal()
    private let thread: Mutex<DedicatedThread.Handle?> = Mutex(nil)
    private let handler: Int

    /// - Parameters:
    ///   - keepsEvery: whether `take` waits for the sink. Otherwise a newer frame replaces one that still waits.
    ///   - makeSink: makes the sink on its thread, for the first frame. When the signal stops, the sink must fail instead of waiting.
    package init(keepsEvery: Bool, makeSink: @escaping @Sendable (StopSignal) throws -> any FrameSink) {
        self.keepsEvery = keepsEvery
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
        if keepsEvery {
            guard frames.put(frame) else { throw outcome.failure ?? Ended() }
        } else if let old = frames.replace(frame) {
            guard !frames.isClosed else { throw outcome.failure ?? Ended() }
            var frame: Frame? = consume old
            early.withLock { $0.keep(&frame) }
            guard let dropped = frame else { return spares.take() }
            state.withLock { $0.droppedFrames += 1 }
            spares.give(dropped.reusedPixels())
        }
        return spares.take()
    }

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
        defer { frames.close() }
        do {
            var made: (any FrameSink)?
            while let frame = frames.take(waiting: nil) {
                if stopSignal.isStopped { throw Ended() }
                let sink = try made ?? makeSink(stopSignal)
                made = sink
                let seconds = frame.seconds ?? .infinity
                while let older = early.withLock({ $0.take(before: seconds) }) { try write(older, to: sink) }
                try write(frame, to: sink)
                early.withLock { $0.noteWritten(seconds) }
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
    }
}

/// Frames that newer ones have replaced before the sink was ready for them.
private struct EarlyFrames: Sendable {
    private var frames: [(seconds: Double, frame: Mailbox<Frame>)] = []
    /// What is still kept. It is not filled up again: a sink that is always too slow gets the newest frame.
    private var (framesLeft, bytesLeft) = (30, 128 << 20)
    /// Of the newest frame that was written.
    private var written = -Double.infinity

    /// Takes the frame, unless there is no room or a newer one has been written.
    mutating func keep(_ frame: inout Frame?) {
        guard framesLeft > 0, let kept = frame.take() else { return }
        let (bytes, seconds) = (kept.pixels.bytesPerRow * kept.pixels.height, kept.seconds ?? written)
        guard bytes <= bytesLeft, seconds > written else {
            frame = consume kept
            return
        }
        (framesLeft, bytesLeft) = (framesLeft - 1, bytesLeft - bytes)
        let mailbox = Mailbox<Frame>()
        _ = mailbox.replace(kept)
        frames.append((seconds, mailbox))
    }

    /// The oldest that is older than so many seconds; nil: none is.
    mutating func take(before seconds: Double) -> Frame? {
        guard let first = frames.first, first.seconds < seconds else { return nil }
        frames.removeFirst()
        return first.frame.take(waiting: 0)
    }

    mutating func noteWritten(_ seconds: Double) { written = seconds }
}
