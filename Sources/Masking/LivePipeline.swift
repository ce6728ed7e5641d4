import FaceTracking
import Media
import Pixels
import Synchronization
import Threads

/// A frame on its way through the program.
package struct LiveFrame: ~Copyable, Sendable {
    package var source: SourceFrame
    /// Counts what the source gave, from 0.
    package let number: Int
    package var faces: [TrackedFace] = []
    package var tracking = FaceTracker.Times()
    /// Whether the scene is another one than in the frame before.
    package var isCut = false

    package init(_ source: consuming SourceFrame, number: Int) {
        self.source = source
        self.number = number
    }

    package func copy() throws(OutOfMemory) -> LiveFrame {
        var copy = LiveFrame(
            SourceFrame(try source.pixels.copy(), seconds: source.seconds, captured: source.captured), number: number)
        copy.faces = faces
        copy.tracking = tracking
        copy.isCut = isCut
        return copy
    }

    /// The frame is done with; its memory may take another.
    package consuming func reusedPixels() -> PixelBuffer { source.reusedPixels() }
}

/// Captures frames and follows the faces in them, on two threads of its own; whoever draws takes the frames from it.
/// Capture, tracking and drawing overlap. From a live source the newest frame wins, so that nothing queues up; from
/// others every frame comes through.
package final class LivePipeline: Sendable {
    /// What happens, for whoever shows it.
    package struct Status: Sendable {
        /// Why there are no frames just now.
        package var waiting: String?
        /// Whether there will be no more frames.
        package var hasEnded = false
        /// Why not, where that was an accident.
        package var failure: (any Error)?
        package var capturedFrames = 0
        /// Whether the source rests. A camera goes on, and its frames are left out.
        package var isPaused = false
        /// Frames that a newer one replaced before they were seen to.
        package var droppedFrames = 0
    }

    private let captured = Mailbox<LiveFrame>()
    private let tracked = Mailbox<LiveFrame>()
    private let spares = Mailbox<PixelBuffer>()
    private let state = Mutex(Status())
    private let stopSignal = StopSignal()
    private let threads: Mutex<[DedicatedThread.Handle]> = Mutex([])
    private let keepsEvery: Bool

    /// Starts at once.
    /// - Parameters:
    ///   - keepsEvery: whether frames wait for who is slower, instead of being left out.
    ///   - tracker: makes the tracker on its thread.
    package init(
        _ source: FrameSourceDescription, keepsEvery: Bool, tracker: @escaping @Sendable () throws -> FaceTracker
    ) {
        self.keepsEvery = keepsEvery
        let handles = [
            DedicatedThread.start { self.capture(source) },
            DedicatedThread.start { self.follow(tracker) },
        ]
        threads.withLock { $0 = handles }
    }

    package var status: Status { state.withLock { $0 } }

    /// The newest frame that is ready to be drawn on.
    /// - Parameter seconds: how long to wait for one.
    package func next(waiting seconds: Double) -> LiveFrame? { tracked.take(waiting: seconds) }

    /// Whether everything has been handed out.
    package var isFinished: Bool { tracked.isClosed }

    /// Lets the source rest, where it can.
    package func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    /// Gives memory back.
    package func reuse(_ pixels: consuming PixelBuffer) { _ = spares.replace(pixels) }

    /// Ends everything and waits for the threads.
    package func stop() {
        stopSignal.stop()
        captured.close()
        tracked.close()
        let handles = threads.withLock { handles in
            defer { handles = [] }
            return handles
        }
        for handle in handles { handle.join() }
    }

    // MARK: Capture

    private func capture(_ description: FrameSourceDescription) {
        defer {
            state.withLock { $0.hasEnded = true }
            captured.close()
        }
        do {
            let source = try description.open(stopSignal)
            while !stopSignal.isStopped {
                if description.canPause, status.isPaused {
                    _ = stopSignal.sleep(seconds: 0.02)
                    continue
                }
                switch try source.next(reusing: spares.take(waiting: 0)) {
                case .frame(let source):
                    let number = state.withLock { state in
                        defer { state.capturedFrames += 1 }
                        state.waiting = nil
                        return state.capturedFrames
                    }
                    guard hand(LiveFrame(source, number: number), to: captured) else { return }
                case .nothing:
                    break
                case .waiting(let reason):
                    state.withLock { $0.waiting = reason }
                case .ended:
                    return
                }
            }
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    /// - Returns: whether to go on.
    private func hand(_ frame: consuming LiveFrame, to mailbox: Mailbox<LiveFrame>) -> Bool {
        if keepsEvery { return mailbox.put(frame) }
        if let old = mailbox.replace(frame) {
            state.withLock { $0.droppedFrames += 1 }
            reuse(old.reusedPixels())
        }
        return !mailbox.isClosed
    }

    // MARK: Tracking

    private func follow(_ make: @Sendable () throws -> FaceTracker) {
        defer { tracked.close() }
        do {
            let tracker = try make()
            while var frame = captured.take(waiting: nil) {
                try tracker.track(frame.source.pixels, at: frame.source.seconds)
                // An array of its own: one that is shared would be copied by the tracker on its next write anyway.
                frame.faces = tracker.faces.map { $0 }
                frame.tracking = tracker.times
                frame.isCut = tracker.scene.isCut
                guard hand(frame, to: tracked) else { return }
            }
        } catch {
            state.withLock { $0.failure = error }
            stopSignal.stop()
            captured.close()
        }
    }
}
