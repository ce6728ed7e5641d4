import AllocationCounter
import FaceGeometry
import FaceTracking
import ImageFiles
import LandmarkModels
import Pixels
import Synchronization
import TestSupport
import Testing
import Vision

/// Counts how often a frame takes what was awaited before it.
private final class CountingModel: LandmarkModel {
    private let model: any LandmarkModel
    private let count = Mutex(0)

    init(_ model: any LandmarkModel) { self.model = model }

    var completions: Int { count.withLock { $0 } }

    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
        try model.estimate(in: picture, box: box)
    }

    func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, expected: Landmarks?, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        try model.estimate(in: picture, box: box, expected: expected, memory: &memory)
    }

    func prepare(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> PreparedEvaluation? {
        try model.prepare(in: picture, box: box)
    }

    func result(of prepared: PreparedEvaluation) throws(VisionError) -> LandmarkEstimate {
        try model.result(of: prepared)
    }

    func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox, with prepared: PreparedEvaluation,
        memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        try model.estimate(in: picture, box: box, with: prepared, memory: &memory)
    }

    func complete(
        _ prepared: PreparedEvaluation, with part: Landmarks, memory: inout LandmarkMemory
    ) throws(VisionError) -> LandmarkEstimate {
        count.withLock { $0 += 1 }
        return try model.complete(prepared, with: part, memory: &memory)
    }

    func recycle(_ prepared: PreparedEvaluation) { model.recycle(prepared) }

    func box(around landmarks: Landmarks) -> OrientedBox { model.box(around: landmarks) }
}

/// While a face is slow and easy to follow, the mesh is evaluated between the frames.
@Suite(.enabled(if: hasNetworks, absenceOfNetworks)) struct AwaitedEvaluationTests {
    /// A part of a portrait that moves to and fro by a pixel in each frame.
    private static let frames = Result {
        let portrait = try PictureReader.read("\(Repository.root)/samples/photograph/astronaut.jpg").pixels.copy()
        return try (0..<48).map { index -> Picture in
            var frame = try PixelBuffer(width: 320, height: 320, format: .rgba8)
            let (left, top) = (60 + abs(index % 32 - 16), abs(index % 18 - 9))
            for y in 0..<frame.height {
                portrait.withRow(top + y) { from in
                    frame.withMutableRow(y) { row in for x in row.indices { row[x] = from[left + x] } }
                }
            }
            return Picture(frame)
        }
    }

    private struct Followed: Equatable {
        var landmarks: [Point] = []
        var headPoints: [Point] = []
        var uncertainty: Float?
    }

    /// - Parameter overwrites: whether a frame's memory is used otherwise as soon as it is tracked.
    private func follow(
        threads: Int, overwrites: Bool = false
    ) throws -> (faces: [Followed], completions: [Int], allocations: [UInt64]) {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        // While it is followed, nothing is searched.
        settings.maximumFaces = 1
        settings.threads = threads
        let model = CountingModel(try FaceModels().loadLandmarkModel(for: .frames))
        let tracker = try FaceTracker(model: model, reference: Repository.referenceFace(), settings: settings)
        var allocations: [UInt64] = []
        var completions: [Int] = []
        let faces = try Self.frames.get().enumerated().map { index, picture in
            var frame = try picture.pixels.copy()
            let before = allocation_count()
            try tracker.track(frame, at: Double(index) / 10)
            if index > 30 { allocations.append(allocation_count() - before) }
            completions.append(model.completions)
            if overwrites { frame.fill(SIMD4(0, 0, 0, 255)) }
            try #require(tracker.faces.count == 1)
            let face = tracker.faces[0].face
            return Followed(
                landmarks: face.landmarks.points, headPoints: face.headPoints.points, uncertainty: face.uncertainty)
        }
        return (faces, completions, allocations)
    }

    @Test func theSameOnAnyThread() throws {
        let alone = try follow(threads: 1)
        let together = try follow(threads: 2, overwrites: true)
        for index in alone.faces.indices {
            #expect(together.faces[index] == alone.faces[index], "frame \(index)")
        }
        #expect(together.completions == alone.completions)
        // In every third frame, after the face has become familiar.
        let late = alone.completions.suffix(18)
        #expect(late[late.endIndex - 1] - late[late.startIndex] >= 5, "\(alone.completions)")
    }

    @Test(arguments: [1, 2]) func allocatesNothing(threads: Int) throws {
        let allocations = try follow(threads: threads).allocations
        #expect(allocations.count > 8 && allocations.allSatisfy { $0 == 0 }, "\(allocations)")
    }
}
