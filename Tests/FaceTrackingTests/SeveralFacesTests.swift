import AllocationCounter
import FaceGeometry
import FaceTracking
import Glibc
import LandmarkModels
import Pixels
import Synchronization
import SyntheticFaces
import TestSupport
import Testing
import Vision

/// Several faces are followed on several threads.
@Suite struct SeveralFacesTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    /// Of four people in a picture of 2 × 2 drawn ones.
    private static let people = ["still", "turning", "talking", "flickering"]

    private static let drawn = Result {
        let reference = try Repository.referenceFace()
        return try people.map { name in
            let sequence = try #require(DrawnSequence.all.first { $0.name == name })
            return Picture(try sequence.picture(12, reference: reference))
        }
    }

    /// Each of them moves on its own.
    private func frame(_ index: Int) throws -> PixelBuffer {
        let (width, height) = (DrawnSequence.width, DrawnSequence.height)
        var frame = try PixelBuffer(width: 2 * width, height: 2 * height, format: .rgba8)
        for (person, picture) in try Self.drawn.get().enumerated() {
            let angle = Float(index) / Float(5 + person)
            let (across, down) = (Int(8 * sin(angle)), Int(6 * cos(1.3 * angle)))
            for y in 0..<height {
                let line = min(max(y - down, 0), height - 1)
                picture.pixels.withRow(line) { from in
                    frame.withMutableRow(person / 2 * height + y) { row in
                        for x in 0..<width {
                            row[person % 2 * width + x] = from[min(max(x - across, 0), width - 1)]
                        }
                    }
                }
            }
        }
        return frame
    }

    private func tracker(threads: Int, model: any LandmarkModel) throws -> FaceTracker {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        settings.threads = threads
        return try FaceTracker(model: model, reference: reference, settings: settings)
    }

    /// The landmarks of all faces in all frames, with threads.
    private func landmarks(threads: Int, frames: [Picture]) throws -> [[[Point]]] {
        let tracker = try tracker(threads: threads, model: FaceModels().loadLandmarkModel(for: .frames))
        return try frames.enumerated().map { index, frame in
            try tracker.track(frame.pixels, at: Double(index) / 25)
            return tracker.faces.map(\.face.landmarks.points)
        }
    }

    @Test func anyNumberOfThreadsFindsTheSame() throws {
        let frames = try (0..<24).map { Picture(try frame($0)) }
        let alone = try landmarks(threads: 1, frames: frames)
        #expect(alone.dropFirst().allSatisfy { $0.count == Self.people.count }, "\(alone.map(\.count))")
        #expect(Set(alone.flatMap { $0.map { $0[30] } }).count > 80, "they move")
        for threads in [2, 5] {
            let together = try landmarks(threads: threads, frames: frames)
            for index in frames.indices { #expect(together[index] == alone[index], "frame \(index)") }
        }
    }

    @Test func followingAllocatesNothingOnAnyThread() throws {
        let model = CountingModel(try LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath))
        let tracker = try tracker(threads: 3, model: model)
        let frames = try (0..<2).map { Picture(try frame($0)) }
        var counts: [UInt64] = []
        for index in 0..<60 {
            let before = (allocation_count(), model.allocations.load(ordering: .relaxed))
            try tracker.track(frames[index % 2].pixels, at: Double(index) / 25)
            // Other frames start a search.
            guard index >= 20, tracker.times.search < 20e-6 else { continue }
            counts.append(allocation_count() - before.0 + model.allocations.load(ordering: .relaxed) - before.1)
        }
        #expect(tracker.faces.count == Self.people.count)
        #expect(counts.count > 10 && counts.allSatisfy { $0 == 0 }, "\(counts)")
        #expect(model.threads.load(ordering: .relaxed) > 0)
    }

    /// Faces that fail lose their tracks; the others are followed. When the model works again, all are found again.
    @Test func errorsEndTheTracksOfTheirFaces() throws {
        let model = FailingModel(try LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath))
        let tracker = try tracker(threads: 3, model: model)
        let frame = try frame(0)
        for index in 0..<3 { try tracker.track(frame, at: Double(index) / 25) }
        model.fails.store(true, ordering: .relaxed)
        for index in 3..<40 {
            try tracker.track(frame, at: Double(index) / 25)
            #expect(tracker.faces.count == 2, "frame \(index)")
        }
        model.fails.store(false, ordering: .relaxed)
        for index in 40..<80 { try tracker.track(frame, at: Double(index) / 25) }
        #expect(tracker.faces.count == Self.people.count)
    }
}

/// Notes what threads other than the one that made it allocate between two evaluations: all of what following a face does
/// lies between them.
private final class CountingModel: LandmarkModel {
    let allocations = Atomic<UInt64>(0)
    let threads = Atomic<Int>(0)
    private let model: any LandmarkModel
    private let last: pthread_key_t
    private let maker = pthread_self()

    init(_ model: any LandmarkModel) {
        self.model = model
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        last = key
    }

    deinit { pthread_key_delete(last) }

    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
        guard pthread_equal(maker, pthread_self()) == 0 else { return try model.estimate(in: picture, box: box) }
        let count = Int(allocation_count()) + 1
        if let before = pthread_getspecific(last) {
            allocations.add(UInt64(count - Int(bitPattern: before)), ordering: .relaxed)
        } else {
            threads.add(1, ordering: .relaxed)
        }
        pthread_setspecific(last, UnsafeRawPointer(bitPattern: count))
        return try model.estimate(in: picture, box: box)
    }
}

/// Finds nothing on faces in the lower half of the picture, if it is told so.
private final class FailingModel: LandmarkModel {
    let fails = Atomic<Bool>(false)
    private let model: any LandmarkModel

    init(_ model: any LandmarkModel) { self.model = model }

    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
        if fails.load(ordering: .relaxed), box.center.y > 240 { throw VisionError(.failed, "no landmarks") }
        return try model.estimate(in: picture, box: box)
    }
}
