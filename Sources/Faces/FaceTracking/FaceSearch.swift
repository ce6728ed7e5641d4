import Detection
import Dispatch
import FaceGeometry
import Glibc
import Pixels
import Synchronization
import Threads
import Vision

/// Where a detector has found a face, in pixels of the frame.
struct FaceStart: Sendable {
    /// In the landmark model's convention.
    var box: OrientedBox
    /// See `FaceDetection.keyPoints`.
    var keyPoints: FaceKeyPoints?
    /// In the detector's own unit.
    var score: Double
}

/// Runs a detector on frames, synchronously or on a thread of its own.
final class FaceSearch {
    struct Result: Sendable {
        var faces: [FaceStart] = []
        /// In seconds.
        var cost: Double = 0
    }

    private enum Worker {
        case here(any FaceDetector, thorough: (any FaceDetector)?)
        /// - Parameter atOnce: a detector of the caller's thread, which has as much time as that, while the other one may be busy
        ///   with a former scene.
        case background(SearchThread, atOnce: (any FaceDetector)?)
    }

    private let worker: Worker
    private var result: Result?
    /// Whether the thread is busy with a former scene.
    private var isOutdated = false

    /// - Parameters:
    ///   - background: whether to search on a thread of its own.
    ///   - isUrgent: whether that thread is as important as the others: frames that it has not searched are not shown.
    ///   - searchesAtOnce: whether `searchAtOnce` is called. It needs a second detector then.
    ///   - makeThoroughDetector: makes another one, for more in thorough searches; not in the background.
    init(
        background: Bool, isUrgent: Bool = false, searchesAtOnce: Bool = false,
        detector makeDetector: @escaping @Sendable () throws -> any FaceDetector,
        thoroughDetector makeThoroughDetector: (@Sendable () throws -> any FaceDetector)?
    ) throws {
        if background {
            worker = .background(
                try SearchThread(isUrgent: isUrgent, makeDetector), atOnce: searchesAtOnce ? try makeDetector() : nil)
        } else {
            worker = .here(try makeDetector(), thorough: try makeThoroughDetector?())
        }
    }

    deinit {
        if case .background(let thread, _) = worker { thread.finish() }
    }

    var isBusy: Bool {
        if case .background(let thread, _) = worker { return thread.isBusy }
        return false
    }

    /// Starts to search a frame.
    /// - Parameters:
    ///   - smallestFace: in pixels.
    ///   - smallestForThorough: the same for the thorough detector, which searches after the other one; nil: it does not.
    ///   - pause: before the thread begins, if it is another one.
    func start(
        _ frame: borrowing PixelBuffer, smallestFace: Float, smallestForThorough: Float?, after pause: Duration
    ) throws {
        switch worker {
        case .here(let usual, let thorough):
            var found = try Self.search(frame, smallestFace: smallestFace, with: usual)
            if let thorough, let smallestForThorough {
                let more = try Self.search(frame, smallestFace: smallestForThorough, with: thorough)
                found.faces += more.faces
                found.cost += more.cost
            }
            result = found
        case .background(let thread, _):
            let scale = SearchScale(
                of: frame, smallestDetected: thread.smallestFace, smallestFace: smallestFace,
                seesColor: thread.seesColor)
            try thread.start(frame, scale, after: pause)
        }
    }

    /// Starts to search a frame at a smaller size.
    /// - Parameter reduction: pixels of the frame for a pixel of what is searched, along one axis; at least 1.
    func start(_ frame: borrowing PixelBuffer, reducedBy reduction: Float) throws {
        switch worker {
        case .here(let detector, _):
            result = try SearchScale(of: frame, 1 / reduction, seesColor: detector.seesColor)
                .search(frame, with: detector)
        case .background(let thread, _):
            try thread.start(
                frame, SearchScale(of: frame, 1 / reduction, seesColor: thread.seesColor), after: .zero)
        }
    }

    /// Searches a frame on the caller's thread. What is being searched meanwhile, or has been and was not taken, is of no use any
    /// more.
    /// - Parameter smallestFace: in pixels.
    /// - Returns: nil: there is no detector for it.
    func searchAtOnce(_ frame: borrowing PixelBuffer, smallestFace: Float) throws -> Result? {
        switch worker {
        case .here(let detector, _):
            result = nil
            return try Self.search(frame, smallestFace: smallestFace, with: detector)
        case .background(let thread, let detector):
            guard let detector else { return nil }
            isOutdated = thread.isBusy
            if !isOutdated { _ = try thread.takeResult() }
            return try Self.search(frame, smallestFace: smallestFace, with: detector)
        }
    }

    private static func search(
        _ frame: borrowing PixelBuffer, smallestFace: Float, with detector: any FaceDetector
    ) throws -> Result {
        let scale = SearchScale(
            of: frame, smallestDetected: detector.smallestFace, smallestFace: smallestFace,
            seesColor: detector.seesColor)
        return try scale.search(frame, with: detector)
    }

    /// The result of the last search, if it has finished; nil after it has been taken.
    func takeResult() throws -> Result? {
        switch worker {
        case .here:
            defer { result = nil }
            return result
        case .background(let thread, _):
            guard let result = try thread.takeResult() else { return nil }
            defer { isOutdated = false }
            return isOutdated ? nil : result
        }
    }
}

/// The size at which a frame is searched.
private struct SearchScale: Sendable {
    private let width: Int
    private let height: Int
    private let scale: Float
    private let isGrey: Bool

    /// - Parameters:
    ///   - smallestDetected: the smallest face that the detector finds, in pixels of the picture that it gets.
    ///   - smallestFace: the smallest one that is searched for, in pixels of the frame.
    init(of frame: borrowing PixelBuffer, smallestDetected: Int, smallestFace: Float, seesColor: Bool) {
        // Magnifying the frame would cost more than a live frame rate allows.
        self.init(of: frame, min(1, Float(smallestDetected) / max(smallestFace, 1)), seesColor: seesColor)
    }

    /// - Parameter wanted: pixels of the picture that is searched for a pixel of the frame, along one axis.
    init(of frame: borrowing PixelBuffer, _ wanted: Float, seesColor: Bool) {
        width = max(1, Int((Float(frame.width) * wanted).rounded()))
        height = max(1, Int((Float(frame.height) * wanted).rounded()))
        scale = Float(width) / Float(frame.width)
        isGrey = !seesColor && frame.format != .grey8
    }

    func search(_ frame: borrowing PixelBuffer, with detector: any FaceDetector) throws -> FaceSearch.Result {
        let clock = ContinuousClock()
        let start = clock.now
        let picture =
            try isGrey ? frame.grey(width: width, height: height) : frame.resized(width: width, height: height)
        let faces = try detector.detections(in: picture).map { detection in
            let box = detector.boxConvention.landmarkBox(detection)
            return FaceStart(
                box: OrientedBox(center: box.center / scale, side: box.side / scale, roll: box.roll),
                keyPoints: detection.keyPoints?.mapped { $0 / scale }, score: detection.score)
        }
        return FaceSearch.Result(faces: faces, cost: (clock.now - start) / .seconds(1))
    }
}

/// A copy of the frame that is searched on another thread: to copy it takes a tenth of the time of resizing it. Its
/// memory is used again for the next one. It belongs to the detector's thread during a search, and otherwise to the
/// tracker's.
private final class SearchFrame: @unchecked Sendable {
    private var pixels: PixelBuffer

    init() throws(OutOfMemory) { pixels = try PixelBuffer(width: 1, height: 1, format: .grey8) }

    func take(_ frame: borrowing PixelBuffer) throws(OutOfMemory) {
        if pixels.bounds != frame.bounds || pixels.format != frame.format {
            pixels = try PixelBuffer(width: frame.width, height: frame.height, format: frame.format)
        }
        pixels.overwrite(with: frame)
    }

    func search(_ scale: SearchScale, with detector: any FaceDetector) throws -> FaceSearch.Result {
        try scale.search(pixels, with: detector)
    }
}

/// The thread that a detector belongs to.
private final class SearchThread: Sendable {
    let smallestFace: Int
    let seesColor: Bool

    private struct State {
        /// Nil once the thread has begun with it.
        var scale: SearchScale?
        var pause = Duration.zero
        var isBusy = false
        var isFinished = false
        var outcome: Swift.Result<FaceSearch.Result, any Error>?
    }

    private let mailbox: Mailbox
    private let thread: DedicatedThread.Handle

    private final class Mailbox: Sendable {
        let state = Mutex(State())
        let filled = DispatchSemaphore(value: 0)
        let frame: SearchFrame

        init() throws(OutOfMemory) { frame = try SearchFrame() }
    }

    init(isUrgent: Bool, _ makeDetector: @escaping @Sendable () throws -> any FaceDetector) throws {
        let mailbox = try Mailbox()
        let made = MadeDetector()
        self.mailbox = mailbox
        thread = try DedicatedThread.start {
            do {
                let detector = try makeDetector()
                made.report(.success((detector.smallestFace, detector.seesColor)))
                // Frames do not wait for a search, so it should not keep them waiting either.
                if !isUrgent { DedicatedThread.lowerPriorityOfCaller() }
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
            let (scale, isFinished, pause) = mailbox.state.withLock { state in
                defer { state.scale = nil }
                return (state.scale, state.isFinished, state.pause)
            }
            guard let scale else { return }
            if isFinished { return }
            usleep(UInt32(pause / .microseconds(1)))
            let outcome = Swift.Result { try mailbox.frame.search(scale, with: detector) }
            mailbox.state.withLock { state in
                state.outcome = outcome
                state.isBusy = false
            }
        }
    }

    var isBusy: Bool { mailbox.state.withLock { $0.isBusy } }

    /// The thread must not be busy.
    func start(_ frame: borrowing PixelBuffer, _ scale: SearchScale, after pause: Duration) throws(OutOfMemory) {
        try mailbox.frame.take(frame)
        mailbox.state.withLock { state in
            state.scale = scale
            state.pause = pause
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
