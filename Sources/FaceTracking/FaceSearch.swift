import Dispatch
import FaceGeometry
import Pixels
import Synchronization
import Threads

/// Runs a detector on frames, synchronously or on a thread of its own.
final class FaceSearch {
    struct Result: Sendable {
        /// In the landmark model's convention, in pixels of the frame.
        var boxes: [OrientedBox] = []
        /// In seconds.
        var cost: Double = 0
    }

    private enum Worker {
        case here(any FaceDetector)
        case background(SearchThread)
    }

    private let worker: Worker
    private let smallestDetected: Int
    private let seesColor: Bool
    private var result: Result?

    /// - Parameter background: whether to search on a thread of its own.
    init(background: Bool, detector makeDetector: @escaping @Sendable () throws -> any FaceDetector) throws {
        if background {
            let thread = try SearchThread(makeDetector)
            worker = .background(thread)
            smallestDetected = thread.smallestFace
            seesColor = thread.seesColor
        } else {
            let detector = try makeDetector()
            worker = .here(detector)
            smallestDetected = detector.smallestFace
            seesColor = detector.seesColor
        }
    }

    deinit {
        if case .background(let thread) = worker { thread.finish() }
    }

    var isBusy: Bool {
        if case .background(let thread) = worker { return thread.isBusy }
        return false
    }

    /// Starts to search a frame.
    /// - Parameter smallestFace: in pixels.
    func start(_ frame: borrowing PixelBuffer, smallestFace: Float) throws {
        // Magnifying the frame would cost more than a live frame rate allows.
        let scale = min(1, Float(smallestDetected) / max(smallestFace, 1))
        let width = max(1, Int((Float(frame.width) * scale).rounded()))
        let height = max(1, Int((Float(frame.height) * scale).rounded()))
        let job = SearchJob(
            picture: try seesColor || frame.format == .grey8
                ? frame.resized(width: width, height: height) : frame.grey(width: width, height: height),
            scale: Float(width) / Float(frame.width))
        switch worker {
        case .here(let detector): result = try job.run(detector)
        case .background(let thread): thread.start(job)
        }
    }

    /// The result of the last search, if it has finished; nil after it has been taken.
    func takeResult() throws -> Result? {
        switch worker {
        case .here:
            defer { result = nil }
            return result
        case .background(let thread): return try thread.takeResult()
        }
    }
}

/// A picture to search.
private final class SearchJob: Sendable {
    let picture: PixelBuffer
    let scale: Float

    init(picture: consuming PixelBuffer, scale: Float) {
        self.picture = picture
        self.scale = scale
    }

    func run(_ detector: any FaceDetector) throws -> FaceSearch.Result {
        let clock = ContinuousClock()
        let start = clock.now
        let boxes = try detector.detections(in: picture).map {
            let box = detector.boxConvention.landmarkBox($0)
            return OrientedBox(center: box.center / scale, side: box.side / scale, roll: box.roll)
        }
        return FaceSearch.Result(boxes: boxes, cost: (clock.now - start) / .seconds(1))
    }
}

/// The thread that a detector belongs to.
private final class SearchThread: Sendable {
    let smallestFace: Int
    let seesColor: Bool

    private struct State {
        var job: SearchJob?
        var isBusy = false
        var isFinished = false
        var outcome: Swift.Result<FaceSearch.Result, any Error>?
    }

    private let mailbox: Mailbox
    private let thread: DedicatedThread.Handle

    private final class Mailbox: Sendable {
        let state = Mutex(State())
        let filled = DispatchSemaphore(value: 0)
    }

    init(_ makeDetector: @escaping @Sendable () throws -> any FaceDetector) throws {
        let mailbox = Mailbox()
        let made = MadeDetector()
        self.mailbox = mailbox
        thread = DedicatedThread.start {
            do {
                let detector = try makeDetector()
                made.report(.success((detector.smallestFace, detector.seesColor)))
                Self.serve(mailbox, detector)
            } catch {
                made.report(.failure(error))
            }
        }
        (smallestFace, seesColor) = try made.wait()
    }

    private static func serve(_ mailbox: Mailbox, _ detector: any FaceDetector) {
        while true {
            mailbox.filled.wait()
            let job = mailbox.state.withLock { state in
                defer { state.job = nil }
                return state.isFinished ? nil : state.job
            }
            guard let job else { return }
            let outcome = Swift.Result { try job.run(detector) }
            mailbox.state.withLock { state in
                state.outcome = outcome
                state.isBusy = false
            }
        }
    }

    var isBusy: Bool { mailbox.state.withLock { $0.isBusy } }

    func start(_ job: SearchJob) {
        mailbox.state.withLock { state in
            state.job = job
            state.isBusy = true
        }
        mailbox.filled.signal()
    }

    func takeResult() throws -> FaceSearch.Result? {
        try mailbox.state.withLock { state in
            defer { state.outcome = nil }
            return state.outcome
        }?.get()
    }

    func finish() {
        mailbox.state.withLock { $0.isFinished = true }
        mailbox.filled.signal()
        thread.join()
    }
}

/// Hands the outcome of making the detector from the new thread to the one that waits for it.
private final class MadeDetector: Sendable {
    private let traits = Mutex<Swift.Result<(smallestFace: Int, seesColor: Bool), any Error>?>(nil)
    private let ready = DispatchSemaphore(value: 0)

    func report(_ result: Swift.Result<(smallestFace: Int, seesColor: Bool), any Error>) {
        traits.withLock { $0 = result }
        ready.signal()
    }

    func wait() throws -> (smallestFace: Int, seesColor: Bool) {
        ready.wait()
        guard let result = traits.withLock({ $0 }) else {
            throw VisionError(.failed, "the detector's thread ended unexpectedly")
        }
        return try result.get()
    }
}
