import Compositing
import FaceGeometry
import Foundation
import FrameProcessing
import FrameSources
import Pixels
import Synchronization
import TestSupport
import Testing
import Threads

/// The path of a frame with fake ends: a source that counts, an analyzer that may delay or fail, a sink that notes.
@Suite struct FramePipelineTests {
    struct Broken: Error, Equatable { let stage: String }

    /// A source that takes its time to end delays the next one, which may be the same camera, but nobody else.
    @Test func aSourceIsOpenedWhenTheOneBeforeIsClosed() throws {
        final class Slow: FrameSource {
            let isClosed: Mutex<Bool>
            let (reached, gate) = (Mailbox<Bool>(), Mailbox<Bool>())
            init() { isClosed = Mutex(false) }
            func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
                _ = reached.replace(true)
                _ = gate.take(waiting: nil)
                isClosed.withLock { $0 = true }
                return .ended
            }
        }
        struct Handed: @unchecked Sendable { let source: Slow }
        let slow = Handed(source: Slow())
        let first = FramePipeline(
            FrameSourceDescription(name: "slow", isLive: true, frameRate: 100) { _ in slow.source }
        ) { Analyzer() }
        #expect(slow.source.reached.take(waiting: 120) == true)
        first.cancel()
        let wasClosed = Mailbox<Bool>()
        let other = source(count: 5)
        let second = FramePipeline(
            FrameSourceDescription(name: "next", isLive: false, frameRate: 100) { stop in
                _ = wasClosed.replace(slow.source.isClosed.withLock { $0 })
                return try other.open(stop)
            }, after: first
        ) { Analyzer() }
        #expect(first.next(waiting: 0) == nil && second.next(waiting: 0) == nil && !second.isFinished)
        _ = slow.source.gate.replace(true)
        #expect(wasClosed.take(waiting: 120) == true)
        var count = 0
        while let frame = second.next(waiting: 120) {
            _ = frame.reusedPixels()
            count += 1
        }
        #expect(count == 5 && second.isFinished)
        second.stop()
    }

    /// Without a frame, ffmpeg would complain of a file without pictures, and leave a half one.
    @Test func withoutAFrameThereIsNoSink() {
        let made = Mutex(0)
        let sink = SinkThread(keepsEvery: true) { _ in
            made.withLock { $0 += 1 }
            return Sink(failsAt: nil)
        }
        let outcome = sink.finish(within: nil)
        #expect(made.withLock { $0 } == 0 && outcome.writtenFrames == 0 && outcome.failure == nil)
    }

    // MARK: Fakes

    /// Numbers its frames by the first pixel.
    private final class Counter: FrameSource {
        let count: Int
        let pause: Double
        let stop: StopSignal
        let failsAt: Int?
        /// Of how many frames each still picture has; nil: they are none.
        let framesEach: Int?
        var next = 0

        init(count: Int, pause: Double, failsAt: Int?, framesEach: Int?, stop: StopSignal) {
            self.count = count
            self.pause = pause
            self.failsAt = failsAt
            self.framesEach = framesEach
            self.stop = stop
        }

        func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
            guard next < count, stop.sleep(seconds: pause) else { return .ended }
            if next == failsAt { throw Broken(stage: "source") }
            var pixels = try PixelBuffer.reusing(spare, width: 16, height: 16, format: .rgba8)
            let grey = UInt8(next % 256)
            pixels.withMutableRow(0) { $0[0] = SIMD4(grey, grey, grey, 255) }
            let scene = framesEach.map { next / $0 }
            next += 1
            return .frame(SourceFrame(pixels, seconds: Double(next) / 100, scene: scene))
        }
    }

    private func source(
        count: Int, pause: Double = 0, isLive: Bool = false, canPause: Bool = true, failsAt: Int? = nil,
        framesEach: Int? = nil
    ) -> FrameSourceDescription {
        FrameSourceDescription(name: "counter", isLive: isLive, canPause: canPause, frameRate: 100) { stop in
            Counter(count: count, pause: pause, failsAt: failsAt, framesEach: framesEach, stop: stop)
        }
    }

    /// Gives frames back one after another, `delay` frames late.
    private final class Analyzer: FaceAnalyzer {
        final class Box { var frame: Frame?; init(_ frame: consuming Frame) { self.frame = consume frame } }

        let delay: Int
        let failsAt: Int?
        var waiting: [Box] = []

        init(delay: Int = 0, failsAt: Int? = nil) {
            self.delay = delay
            self.failsAt = failsAt
        }

        func add(_ frame: consuming Frame) throws {
            if frame.number == failsAt { throw Broken(stage: "analyzer") }
            waiting.append(Box(frame))
        }

        func next(isEnding: Bool) -> Frame? {
            guard waiting.count > (isEnding ? 0 : delay) else { return nil }
            return waiting.removeFirst().frame.take()
        }
    }

    private final class Sink: FrameSink {
        var numbers: [Int] = []
        var isFinished = false
        let failsAt: Int?

        init(failsAt: Int? = nil) { self.failsAt = failsAt }

        func take(_ frame: consuming Frame) throws -> PixelBuffer? {
            if frame.number == failsAt { throw Broken(stage: "sink") }
            #expect(Int(frame.pixels[0, 0].x) == frame.number % 256)
            numbers.append(frame.number)
            return frame.reusedPixels()
        }

        func finish() { isFinished = true }
    }

    // MARK: Tests

    @Test(arguments: [0, 1, 7]) func everyFrameComesThroughInOrder(delay: Int) throws {
        let pipeline = FramePipeline(source(count: 300)) { Analyzer(delay: delay) }
        let sink = Sink()
        var composed = 0
        let isComplete = try pipeline.run(into: sink, isCancelled: { false }, compose: { _ in composed += 1 })
        #expect(isComplete && sink.isFinished && composed == 300)
        #expect(sink.numbers == Array(0..<300))
        #expect(pipeline.status.droppedFrames == 0)
    }

    /// Also with a sink on a thread of its own, which is slower than everything before it.
    @Test func everyFrameWaitsForASlowSink() throws {
        final class Slow: FrameSink {
            let note: (Int) -> Void
            init(_ note: @escaping (Int) -> Void) { self.note = note }
            func take(_ frame: consuming Frame) throws -> PixelBuffer? {
                usleep(1000)
                note(frame.number)
                return frame.reusedPixels()
            }
            func finish() { note(-1) }
        }
        let numbers = SharedNumbers()
        let sink = SinkThread(keepsEvery: true) { _ in Slow { numbers.append($0) } }
        let pipeline = FramePipeline(source(count: 100)) { Analyzer() }
        #expect(try pipeline.run(into: sink, isCancelled: { false }, compose: { _ in }))
        #expect(numbers.all == Array(0..<100) + [-1])
        #expect(sink.outcome.writtenFrames == 100 && sink.outcome.droppedFrames == 0)
    }

    private final class SharedNumbers: Sendable {
        private let numbers = Mutex<[Int]>([])
        func append(_ number: Int) { numbers.withLock { $0.append(number) } }
        var all: [Int] { numbers.withLock { $0 } }
    }

    /// Takes the frames until the end, more slowly than they come, and stops the pipeline.
    /// - Returns: their numbers.
    private func takeSlowly(_ pipeline: FramePipeline) -> [Int] {
        var numbers: [Int] = []
        while !pipeline.isFinished {
            guard let frame = pipeline.next(waiting: 5) else { continue }
            numbers.append(frame.number)
            usleep(20_000)
        }
        pipeline.stop()
        return numbers
    }

    /// From a live source a slow caller gets the newest frame, and every other one is counted as dropped.
    @Test func theNewestFrameWinsWhenLive() throws {
        let pipeline = FramePipeline(source(count: 200, pause: 0.002, isLive: true)) { Analyzer() }
        let numbers = takeSlowly(pipeline)
        #expect(numbers == numbers.sorted() && numbers.count < 200)
        #expect(pipeline.status.capturedFrames == 200 && pipeline.status.hasEnded)
        #expect(pipeline.status.droppedFrames + numbers.count == 200)
    }

    /// Until somebody takes its first frame, the source does not go on to its last ones.
    @Test func aStillPictureIsShownFromItsFirstFrameOn() throws {
        let pipeline = FramePipeline(source(count: 60, isLive: true, framesEach: 20)) { Analyzer() }
        for _ in 0..<120_000 where pipeline.status.capturedFrames < 4 { usleep(1000) }
        usleep(100_000)
        #expect(pipeline.status.capturedFrames == 4)
        let numbers = takeSlowly(pipeline)
        #expect([0, 1, 2, 20, 21, 22, 40, 41, 42].allSatisfy(numbers.contains))
        #expect(numbers == numbers.sorted() && numbers.count < 60)
    }

    /// A clip begins when somebody is ready for it; a camera does not wait.
    @Test(arguments: [true, false]) func theFirstFrameIsWaitedFor(canPause: Bool) throws {
        let pipeline = FramePipeline(source(count: 60, isLive: true, canPause: canPause)) { Analyzer() }
        let least = canPause ? 4 : 60
        for _ in 0..<120_000 where pipeline.status.capturedFrames < least { usleep(1000) }
        usleep(100_000)
        #expect(pipeline.status.capturedFrames == least)
        let numbers = takeSlowly(pipeline)
        #expect(!canPause || numbers.starts(with: [0, 1, 2]), "\(numbers)")
    }

    /// What the first frames have waited is not caught up: frames that come too fast would be dropped.
    @Test func theClockBeginsAfterTheFirstFrames() {
        var pacemaker = Pacemaker(StopSignal())
        var last = ContinuousClock.now
        for number in 0...Pacemaker.firstFrames {
            usleep(50_000)
            last = .now
            pacemaker.wait(for: 0.001 * Double(number))
        }
        let next = 0.001 * Double(Pacemaker.firstFrames + 1)
        let late = pacemaker.lateness(of: next)
        #expect(late <= (.now - last) / .seconds(1))
        usleep(100_000)
        let later = pacemaker.lateness(of: next)
        // After a long pause the clock would start anew.
        #expect(later > 0.05 || .now - last > .seconds(0.5))
    }

    /// Notes the numbers of the frames that it takes.
    private final class NotingSink: FrameSink {
        private let numbers: SharedNumbers
        init(_ numbers: SharedNumbers) { self.numbers = numbers }
        func take(_ frame: consuming Frame) throws -> PixelBuffer? {
            numbers.append(frame.number)
            return frame.reusedPixels()
        }
        func finish() {}
    }

    /// A sink that starts when it is told to, and has begun to.
    private func startingSink(
        _ numbers: SharedNumbers, keepsEarly: Bool
    ) throws -> (sink: SinkThread, gate: Mailbox<Bool>) {
        let (gate, beginning) = (Mailbox<Bool>(), Mailbox<Bool>())
        let sink = SinkThread(keepsEvery: false, keepsEarly: keepsEarly) { _ in
            _ = beginning.replace(true)
            _ = gate.take(waiting: nil)
            return NotingSink(numbers)
        }
        try offer(0, to: sink)
        _ = beginning.take(waiting: nil)
        return (sink, gate)
    }

    private func offer(_ number: Int, at seconds: Double? = nil, to sink: SinkThread) throws {
        let pixels = try PixelBuffer(width: 16, height: 16, format: .rgba8)
        _ = try sink.take(Frame(SourceFrame(pixels, seconds: seconds ?? Double(number) / 100), number: number))
    }

    /// An encoder takes some time to start: what comes meanwhile is written, too, up to a limit.
    @Test(arguments: [20, 200], [true, false]) func framesWaitForASinkThatStarts(count: Int, keepsEarly: Bool) throws {
        let numbers = SharedNumbers()
        let (sink, gate) = try startingSink(numbers, keepsEarly: keepsEarly)
        for number in 1..<count { try offer(number, to: sink) }
        _ = gate.replace(true)
        let outcome = sink.finish(within: nil)
        #expect(numbers.all == numbers.all.sorted() && numbers.all.last == count - 1)
        #expect(numbers.all.starts(with: 0..<(keepsEarly ? min(count, 30) : 1)), "\(numbers.all)")
        #expect(numbers.all.count == (keepsEarly ? min(count, 32) : 2))
        #expect(outcome.droppedFrames == count - numbers.all.count)
    }

    /// Frames 0 to 5 are bare, frame 6 is covered: nothing bare is written after somebody has covered everything.
    @Test(arguments: [true, false]) func coveringForgetsWhatWaits(keepsEarly: Bool) throws {
        let numbers = SharedNumbers()
        let (sink, gate) = try startingSink(numbers, keepsEarly: keepsEarly)
        for number in 1...5 { try offer(number, to: sink) }
        sink.forgetWaiting()
        try offer(6, to: sink)
        _ = gate.replace(true)
        let outcome = sink.finish(within: nil)
        #expect(numbers.all == [6] && outcome.writtenFrames == 1 && outcome.droppedFrames == 6)
    }

    /// In a pause, the covered frame has the time of the bare one.
    @Test(arguments: [true, false]) func coveringInAPauseForgetsWhatWaits(keepsEarly: Bool) throws {
        let numbers = SharedNumbers()
        let (sink, gate) = try startingSink(numbers, keepsEarly: keepsEarly)
        try offer(1, at: 0, to: sink)
        sink.forgetWaiting()
        try offer(2, at: 0, to: sink)
        _ = gate.replace(true)
        let outcome = sink.finish(within: nil)
        #expect(numbers.all == [2] && outcome.droppedFrames == 2, "\(numbers.all)")
    }

    /// Each stage may wait when the stop comes: the source for its next frame, the analyzer and the source for a caller
    /// who takes nothing.
    @Test(arguments: [(60.0, true), (60.0, false), (0.0, false), (0.0, true)])
    func stoppingEndsEveryStage(pause: Double, isLive: Bool) throws {
        let pipeline = FramePipeline(source(count: 1_000_000, pause: pause, isLive: isLive)) { Analyzer() }
        if pause == 0 { while pipeline.status.capturedFrames < 2 { usleep(1000) } }
        pipeline.stop()
        #expect(pipeline.status.hasEnded && pipeline.status.failure == nil)
    }

    @Test func cancellingEndsWithoutCompletingTheOutput() throws {
        let pipeline = FramePipeline(source(count: 1_000_000)) { Analyzer() }
        let sink = Sink()
        let isComplete = try pipeline.run(
            into: sink, isCancelled: { sink.numbers.count >= 10 }, compose: { _ in })
        #expect(!isComplete && !sink.isFinished && sink.numbers.count == 10)
        #expect(pipeline.status.hasEnded)
    }

    @Test(arguments: ["source", "analyzer", "compositor", "sink", "sink thread"])
    func anErrorInAnyStageEndsAllAndIsReportedOnce(stage: String) throws {
        let pipeline = FramePipeline(source(count: 100_000, failsAt: stage == "source" ? 20 : nil)) {
            Analyzer(failsAt: stage == "analyzer" ? 20 : nil)
        }
        let sink: any FrameSink =
            stage == "sink thread"
            ? SinkThread(keepsEvery: true) { _ in Sink(failsAt: 20) } : Sink(failsAt: stage == "sink" ? 20 : nil)
        #expect(throws: Broken(stage: stage == "sink thread" ? "sink" : stage)) {
            _ = try pipeline.run(into: sink, isCancelled: { false }) { frame in
                if stage == "compositor", frame.number == 20 { throw Broken(stage: stage) }
            }
        }
        #expect(pipeline.status.hasEnded)
        #expect((sink as? Sink)?.isFinished != true)
    }

    @Test func stagesThatCannotBeMadeAreErrors() throws {
        let noSource = FrameSourceDescription(name: "none", isLive: true, frameRate: nil) { _ in
            throw Broken(stage: "source")
        }
        let first = FramePipeline(noSource) { Analyzer() }
        #expect(throws: Broken(stage: "source")) {
            _ = try first.run(into: Sink(), isCancelled: { false }, compose: { _ in })
        }
        let second = FramePipeline(source(count: 10)) { throw Broken(stage: "analyzer") }
        #expect(throws: Broken(stage: "analyzer")) {
            _ = try second.run(into: Sink(), isCancelled: { false }, compose: { _ in })
        }
    }
}
