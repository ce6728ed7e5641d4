import FaceTracking
import Foundation
import Masking
import Media
import Pixels
import Synchronization
import TestSupport
import Testing
import Threads

@Suite struct LivePipelineTests {
    /// Numbers its frames by their colour.
    private final class Counter: FrameSource {
        let count: Int
        let pause: Double
        let stop: StopSignal
        let progress: Progress
        var next = 0

        init(count: Int, pause: Double, stop: StopSignal, progress: Progress) {
            self.count = count
            self.pause = pause
            self.stop = stop
            self.progress = progress
        }

        func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
            progress.hasBegun.store(true, ordering: .releasing)
            guard next < count else { return .ended }
            guard stop.sleep(seconds: pause) else {
                progress.wasStopped.store(true, ordering: .releasing)
                return .ended
            }
            var pixels = try PixelBuffer.reusing(spare, width: 64, height: 64, format: .rgba8)
            let grey = UInt8(next % 256)
            pixels.withMutableRow(0) { $0[0] = SIMD4(grey, grey, grey, 255) }
            next += 1
            return .frame(SourceFrame(pixels, seconds: Double(next) / 100))
        }
    }

    /// What a counter has done.
    private final class Progress: Sendable {
        /// Whether a frame has been asked for.
        let hasBegun = Atomic(false)
        /// Whether a stop has ended its pause.
        let wasStopped = Atomic(false)
    }

    private func description(
        count: Int, pause: Double, progress: Progress = Progress()
    ) -> FrameSourceDescription {
        FrameSourceDescription(name: "counter", isLive: true, frameRate: 100) { stop in
            Counter(count: count, pause: pause, stop: stop, progress: progress)
        }
    }

    private func tracker() throws -> @Sendable () throws -> FaceTracker {
        let reference = try Repository.referenceFace()
        return {
            try FaceTracker(
                model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference)
        }
    }

    private func isEmpty(_ frame: consuming LiveFrame?) -> Bool { frame == nil }

    @Test func everyFrameComesThroughWhenAsked() throws {
        let pipeline = LivePipeline(description(count: 60, pause: 0), keepsEvery: true, tracker: try tracker())
        var numbers: [Int] = []
        while !pipeline.isFinished || numbers.count < 60 {
            guard let frame = pipeline.next(waiting: waitingLimit) else { break }
            #expect(Int(frame.source.pixels[0, 0].x) == frame.number)
            numbers.append(frame.number)
            usleep(500)
            pipeline.reuse(frame.reusedPixels())
        }
        pipeline.stop()
        #expect(numbers == Array(0..<60))
        #expect(pipeline.status.droppedFrames == 0)
    }

    /// A slow reader gets the newest frame, never an old one.
    @Test func theNewestWins() throws {
        let pipeline = LivePipeline(description(count: 200, pause: 0.005), keepsEvery: false, tracker: try tracker())
        var numbers: [Int] = []
        while let frame = pipeline.next(waiting: waitingLimit) {
            numbers.append(frame.number)
            let captured = pipeline.status.capturedFrames
            try wait(for: "ten more frames than \(captured), or the end", pause: 0.001) {
                pipeline.status
            } until: {
                $0.capturedFrames >= captured + 10 || $0.hasEnded
            }
        }
        pipeline.stop()
        #expect(numbers == Set(numbers).sorted())
        #expect(numbers.count <= 21, "one in ten, and the last one")
        let status = pipeline.status
        #expect(status.capturedFrames == 200 && status.hasEnded)
        // Nothing is lost without being counted.
        #expect(status.droppedFrames + numbers.count == 200)
    }

    @Test func stoppingEndsAtOnce() throws {
        let progress = Progress()
        let pipeline = LivePipeline(
            description(count: 1000, pause: 600, progress: progress), keepsEvery: false, tracker: try tracker())
        try wait(for: "the source is asked for a frame") { progress.hasBegun.load(ordering: .acquiring) }
        pipeline.stop()
        let wasStopped = progress.wasStopped.load(ordering: .acquiring)
        #expect(wasStopped)
        let nothing = isEmpty(pipeline.next(waiting: 0))
        #expect(nothing)
    }

    @Test func aFailureIsToldAndEnds() throws {
        struct Broken: Error {}
        let source = FrameSourceDescription(name: "broken", isLive: true, frameRate: nil) { _ in throw Broken() }
        let pipeline = LivePipeline(source, keepsEvery: false, tracker: try tracker())
        let nothing = isEmpty(pipeline.next(waiting: waitingLimit))
        #expect(nothing)
        #expect(pipeline.status.failure is Broken)
        pipeline.stop()
    }
}
