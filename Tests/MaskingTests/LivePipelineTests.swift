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
        var next = 0

        init(count: Int, pause: Double, stop: StopSignal) {
            self.count = count
            self.pause = pause
            self.stop = stop
        }

        func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
            guard next < count, stop.sleep(seconds: pause) else { return .ended }
            var pixels = try PixelBuffer.reusing(spare, width: 64, height: 64, format: .rgba8)
            let grey = UInt8(next % 256)
            pixels.withMutableRow(0) { $0[0] = SIMD4(grey, grey, grey, 255) }
            next += 1
            return .frame(SourceFrame(pixels, seconds: Double(next) / 100))
        }
    }

    private func description(count: Int, pause: Double) -> FrameSourceDescription {
        FrameSourceDescription(name: "counter", isLive: true, frameRate: 100) { stop in
            Counter(count: count, pause: pause, stop: stop)
        }
    }

    private func tracker() throws -> @Sendable () throws -> FaceTracker {
        let reference = try Repository.referenceFace()
        return {
            try FaceTracker(
                cascade: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference)
        }
    }

    private func isEmpty(_ frame: consuming LiveFrame?) -> Bool { frame == nil }

    @Test func everyFrameComesThroughWhenAsked() throws {
        let pipeline = LivePipeline(description(count: 60, pause: 0), keepsEvery: true, tracker: try tracker())
        var numbers: [Int] = []
        while !pipeline.isFinished || numbers.count < 60 {
            guard let frame = pipeline.next(waiting: 5) else { break }
            #expect(Int(frame.source.pixels[0, 0].x) == frame.number)
            numbers.append(frame.number)
            usleep(500)
            pipeline.reuse(frame.reusedPixels())
        }
        pipeline.stop()
        #expect(numbers == Array(0..<60))
        #expect(pipeline.status.droppedFrames == 0)
    }

    /// Who is slow gets the newest frame, never an old one.
    @Test func theNewestWins() throws {
        let pipeline = LivePipeline(description(count: 200, pause: 0.005), keepsEvery: false, tracker: try tracker())
        var numbers: [Int] = []
        while let frame = pipeline.next(waiting: 5) {
            numbers.append(frame.number)
            usleep(50_000)
        }
        pipeline.stop()
        #expect(numbers == numbers.sorted() && numbers.count > 5 && numbers.count < 60)
        let status = pipeline.status
        #expect(status.capturedFrames == 200 && status.hasEnded)
        // Nothing is lost without being counted.
        #expect(status.droppedFrames + numbers.count == 200)
    }

    @Test func stoppingEndsAtOnce() throws {
        let pipeline = LivePipeline(description(count: 1000, pause: 60), keepsEvery: false, tracker: try tracker())
        usleep(100_000)
        let start = ContinuousClock.now
        pipeline.stop()
        #expect(ContinuousClock.now - start < .seconds(5))
        let nothing = isEmpty(pipeline.next(waiting: 0))
        #expect(nothing)
    }

    @Test func aFailureIsToldAndEnds() throws {
        struct Broken: Error {}
        let source = FrameSourceDescription(name: "broken", isLive: true, frameRate: nil) { _ in throw Broken() }
        let pipeline = LivePipeline(source, keepsEvery: false, tracker: try tracker())
        let nothing = isEmpty(pipeline.next(waiting: 5))
        #expect(nothing)
        #expect(pipeline.status.failure is Broken)
        pipeline.stop()
    }
}
