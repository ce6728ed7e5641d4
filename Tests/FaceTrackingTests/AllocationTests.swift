import AllocationCounter
import FaceGeometry
import FaceTracking
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// A frame in which nothing begins or ends allocates nothing.
@Suite struct AllocationTests {
    @Test func theCounterCounts() {
        let before = allocation_count()
        let array = [Int](repeating: 7, count: Int.random(in: 100...200))
        #expect(array.count >= 100)
        #expect(allocation_count() > before)
    }

    @Test func followingAllocatesNothing() throws {
        let reference = try Repository.referenceFace()
        let sequence = try #require(DrawnSequence.all.first { $0.name == "walking" })
        // Its thread lives for as long as the tracker; nothing that it does counts here.
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference)
        let first = try sequence.picture(0, reference: reference)
        let second = try sequence.picture(1, reference: reference)
        var time = 0.0
        func next() throws -> UInt64 {
            time += 0.04
            let before = allocation_count()
            if Int(time * 25) % 2 == 0 {
                try tracker.track(first, at: time)
            } else {
                try tracker.track(second, at: time)
            }
            return allocation_count() - before
        }
        // Until the face is found, and everything that is made once is made.
        try wait(for: "the face is found", pause: 0) {
            _ = try next()
        } until: {
            !tracker.faces.isEmpty
        }
        try #require(tracker.faces.count == 1)
        for _ in 0..<20 { _ = try next() }
        // Frames that start a search, or get its result, take longer for it.
        var counts: [UInt64] = []
        try wait(for: "20 frames without search", pause: 0) {
            let count = try next()
            if tracker.times.search < 20e-6 { counts.append(count) }
            return counts.count
        } until: {
            $0 >= 20
        }
        #expect(counts.allSatisfy { $0 == 0 }, "\(counts)")
        #expect(tracker.faces.count == 1)
    }
}
