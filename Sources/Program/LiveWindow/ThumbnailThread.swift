import FaceGeometry
import Files
import Installation
import Masks
import Pixels
import Synchronization
import Threads

/// Draws thumbnails of masks on a thread of its own, one at a time and with low priority: whatever is in the window goes
/// first. Those of earlier runs are read from the disk. The thread ends when nothing waits.
package final class ThumbnailThread: Sendable {
    /// A mask whose thumbnail is wanted.
    package struct Request: Sendable {
        /// Tells masks apart.
        package let index: Int
        /// The mask's package; nil: it has none, so that its thumbnail is not kept on the disk.
        package let folder: FilePath?
        /// Used where there is no package.
        package let mask: Mask?

        package init(index: Int, folder: FilePath?, mask: Mask?) {
            (self.index, self.folder, self.mask) = (index, folder, mask)
        }
    }

    /// Pixels that several threads may read.
    package final class Thumbnail: Sendable {
        /// `rgba8`, a square.
        package let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private let queue = Queue()
    private let stop = StopSignal()
    private let data: DataFolder
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    private let side: Int

    /// - Parameters:
    ///   - data: has the portraits that wear the masks.
    ///   - side: the width and height of thumbnails in pixels.
    package init(data: DataFolder, reference: ReferenceFace, mesh: FaceMesh, side: Int) {
        (self.data, self.reference, self.mesh, self.side) = (data, reference, mesh, side)
    }

    /// Why no mask can be drawn, for the user; nil: nothing is known to be in the way.
    package var trouble: String? {
        let samples = data.path / "samples"
        return samples.isMissing ? "Pictures of the masks need the folder samples, which is not in \(data.path)." : nil
    }

    /// Waits until the picture is read, or the thumbnail drawn, that is being worked on: nothing may run, or be half on the
    /// disk, when the process ends.
    deinit {
        stop.stop()
        let thread = queue.state.withLock { state in
            state.waiting = []
            return state.thread
        }
        thread?.wait()
    }

    /// Sets what is drawn, first to last, in the place of what waits. One that is being drawn is finished, and is not drawn
    /// again. Where the system gives no more threads, nothing is drawn. To be called on one thread.
    package func draw(_ requests: [Request]) {
        let mustStart = queue.state.withLock { state in
            let done = state.finished.map(\.index) + (state.current.map { [$0] } ?? [])
            state.waiting = requests.filter { !done.contains($0.index) }
            guard !state.isRunning, !state.waiting.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        guard mustStart else { return }
        let thread = try? DedicatedThread.start { [queue, stop, data, reference, mesh, side] in
            DedicatedThread.lowerPriorityOfCaller()
            let painter = try? ThumbnailPainter(data: data, reference: reference, mesh: mesh, side: side, stop: stop)
            while let request = queue.next() { queue.finish(painter?.thumbnail(request)) }
        }
        queue.state.withLock { state in
            state.thread = thread
            if thread == nil { state.isRunning = false }
        }
    }

    /// The thumbnails drawn since the last call, by the indices of the requests. A thumbnail is nil if the mask cannot
    /// be loaded or drawn.
    package func take() -> [(index: Int, thumbnail: Thumbnail?)] {
        queue.state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
    }

    /// State that the thread and its owner share.
    private final class Queue: Sendable {
        struct State: Sendable {
            var waiting: [Request] = []
            var current: Int?
            var finished: [(index: Int, thumbnail: Thumbnail?)] = []
            var isRunning = false
            var thread: DedicatedThread.Handle?
        }

        let state = Mutex(State())

        /// - Returns: nil: the thread is to end.
        func next() -> Request? {
            state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.isRunning = false
                    return nil
                }
                let request = state.waiting.removeFirst()
                state.current = request.index
                return request
            }
        }

        func finish(_ thumbnail: Thumbnail?) {
            state.withLock { state in
                if let index = state.current { state.finished.append((index, thumbnail)) }
                state.current = nil
            }
        }
    }
}
