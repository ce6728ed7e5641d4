import Media
import Pixels
import Synchronization
import Threads

/// Writes frames to a file, a device or an address on a thread of its own, so that whoever draws does not wait for the
/// encoder.
package final class ClipSink: Sendable {
    private struct Parcel: ~Copyable, Sendable {
        var pixels: PixelBuffer
        let seconds: Double
    }

    package struct Outcome: Sendable {
        package var writtenFrames = 0
        /// Frames that the encoder was too slow for. At a constant rate the ones before are shown longer.
        package var droppedFrames = 0
        package var failure: ClipError?
    }

    package let target: String
    package let width: Int
    package let height: Int
    private let parcels = Mailbox<Parcel>()
    private let spares = Mailbox<PixelBuffer>()
    private let state = Mutex(Outcome())
    private let keepsEvery: Bool
    private let stopSignal = StopSignal()
    private let thread: Mutex<DedicatedThread.Handle?> = Mutex(nil)

    /// - Parameter keepsEvery: whether `offer` waits for the encoder instead of leaving frames out.
    package init(width: Int, height: Int, settings: ClipWriter.Settings, keepsEvery: Bool) {
        target = settings.target
        self.width = width
        self.height = height
        self.keepsEvery = keepsEvery
        let handle = DedicatedThread.start { self.write(settings) }
        thread.withLock { $0 = handle }
    }

    package var outcome: Outcome { state.withLock { $0 } }

    /// Takes a copy of a frame.
    /// - Parameter seconds: since the start of the recording.
    /// - Returns: whether the sink still takes frames; if not, `outcome` says why.
    package func offer(_ pixels: borrowing PixelBuffer, at seconds: Double) -> Bool {
        guard pixels.width == width, pixels.height == height, !parcels.isClosed,
            var copy = try? PixelBuffer.reusing(
                spares.take(waiting: 0), width: width, height: height, format: .rgba8)
        else { return false }
        copy.overwrite(with: pixels)
        let parcel = Parcel(pixels: copy, seconds: seconds)
        if keepsEvery { return parcels.put(parcel) }
        if let old = parcels.replace(parcel) {
            state.withLock { $0.droppedFrames += 1 }
            _ = spares.replace(old.pixels)
        }
        return true
    }

    /// Writes what is left and ends the file.
    /// - Parameter seconds: how long the encoder may take; then it is ended as it is.
    package func finish(within seconds: Double = 20) -> Outcome {
        parcels.close()
        let handle = thread.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let handle {
            let stopSignal = stopSignal
            let finished = StopSignal()
            let guardian = DedicatedThread.start { if finished.sleep(seconds: seconds) { stopSignal.stop() } }
            handle.join()
            finished.stop()
            guardian.join()
        }
        return outcome
    }

    private func write(_ settings: ClipWriter.Settings) {
        defer { parcels.close() }
        do {
            let writer = try ClipWriter(width: width, height: height, settings: settings)
            let handler = stopSignal.onStop(writer.stopper())
            defer { stopSignal.forget(handler) }
            while let parcel = parcels.take(waiting: nil) {
                try writer.write(parcel.pixels, at: parcel.seconds)
                _ = spares.replace(parcel.pixels)
                state.withLock { $0.writtenFrames += 1 }
            }
            try writer.finish()
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
