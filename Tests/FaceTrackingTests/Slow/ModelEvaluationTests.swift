import Detection
import FaceGeometry
import FaceTracking
import LandmarkModels
import Pixels
import Synchronization
import SyntheticFaces
import TestSupport
import Testing
import Vision

/// A landmark model that knows where the synthetic people are, and notes when it is evaluated.
private final class KnowingModel: LandmarkModel {
    private struct State {
        var people: [Landmarks] = []
        /// The people at whom it has looked since the last frame began.
        var seen: [Int] = []
    }
    private let state = Mutex(State())
    /// Of all landmarks, alternately to one side and to the other, in sides of the box.
    private let error: Float
    private let uncertainty: Float?

    init(error: Float = 0, uncertainty: Float? = nil) {
        self.error = error
        self.uncertainty = uncertainty
    }

    func beginFrame(_ people: [Landmarks]) { state.withLock { $0 = State(people: people) } }

    var seen: [Int] { state.withLock { $0.seen } }

    func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
        state.withLock { state in
            func distance(_ person: Int) -> Float { (state.people[person].bounds.center - box.center).length }
            let nearest = state.people.indices.min { distance($0) < distance($1) } ?? 0
            state.seen.append(nearest)
            let landmarks = state.people[nearest].mappedWithIndex { index, point in
                point + Point((index % 2 == 0 ? 1 : -1) * error * box.side, 0)
            }
            return LandmarkEstimate(landmarks: landmarks, uncertainty: uncertainty)
        }
    }
}

private final class KnowingDetector: FaceDetector {
    let boxConvention = BoxConvention.dlib
    let smallestFace = 40
    let seesColor = false
    private let people: [Landmarks]
    private let width: Int

    /// - Parameter width: of the frames.
    init(people: [Landmarks], width: Int) {
        self.people = people
        self.width = width
    }

    func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        let scale = Float(picture.width) / Float(width)
        return people.map { person in
            FaceDetection(box: FaceBox(OrientedBox(around: person.mapped { scale * $0 })), score: 1)
        }
    }
}

/// In which frames the mesh, the costly one of two models that follow together, is evaluated.
@Suite struct ModelEvaluationTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    /// Pictures that have been drawn: tests share them.
    private static let drawn = Mutex<[String: Picture]>([:])

    private func picture(_ sequence: DrawnSequence, _ index: Int) throws -> Picture {
        try Self.drawn.withLock { drawn in
            if let known = drawn["\(sequence.name) \(index)"] { return known }
            let new = Picture(try sequence.picture(index, reference: reference))
            drawn["\(sequence.name) \(index)"] = new
            return new
        }
    }

    /// Tracks a sequence with a mesh that is always right.
    /// - Parameters:
    ///   - frames: of the sequence, in the order in which they are shown.
    ///   - cascadeError: of the other model, in sides of the box.
    ///   - change: what happens to the picture of a frame beforehand.
    /// - Returns: for each frame that is shown, the people at whom the mesh has looked.
    private func evaluations(
        _ name: String, frames: [Int], cascadeError: Float = 0.005, meshUncertainty: Float = 0.001,
        change: (_ place: Int, inout PixelBuffer) -> Void = { _, _ in }
    ) throws -> [[Int]] {
        let sequence = try #require(DrawnSequence.all.first { $0.name == name })
        let (mesh, cascade) = (KnowingModel(uncertainty: meshUncertainty), KnowingModel(error: cascadeError))
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let first = sequence.landmarks(frames[0], reference: reference)
        let tracker = try FaceTracker(
            model: CombinedLandmarkModel(mesh: mesh, cascade: cascade), reference: reference, settings: settings
        ) { KnowingDetector(people: first, width: sequence.size.width) }
        return try frames.enumerated().map { place, index in
            let people = sequence.landmarks(index, reference: reference)
            mesh.beginFrame(people)
            cascade.beginFrame(people)
            var picture = try picture(sequence, index).pixels.copy()
            change(place, &picture)
            try tracker.track(picture, at: sequence.seconds(place))
            #expect(tracker.faces.count == people.count, "frame \(place)")
            return mesh.seen
        }
    }

    /// Of "still": 40 frames, of which four are different.
    private let still = (0..<40).map { $0 % 4 }

    /// For each frame: evaluated, or not.
    private func pattern(_ evaluations: ArraySlice<[Int]>) -> String {
        String(evaluations.map { $0.isEmpty ? "." : "x" })
    }

    @Test func everyThirdFrameWhileBothAgree() throws {
        let seen = try evaluations("still", frames: still)
        // A young track is looked at in every frame.
        #expect(seen.prefix(8).allSatisfy { !$0.isEmpty }, "\(seen)")
        let pattern = pattern(seen.suffix(24))
        #expect(["x..", ".x.", "..x"].contains { String(repeating: $0, count: 8) == pattern }, "\(pattern)")
    }

    /// Less often, and two in each frame.
    @Test func everySixthFrameAmongMany() throws {
        let seen = try evaluations("twelve", frames: [Int](repeating: 0, count: 60)).suffix(24)
        #expect(seen.allSatisfy { $0.count == 2 }, "\(seen)")
        for person in 0..<12 { #expect(seen.count { $0.contains(person) } == 4, "\(seen)") }
    }

    @Test func everyFrameWhereTheyDiffer() throws {
        let seen = try evaluations("still", frames: still, cascadeError: 0.05)
        #expect(seen.allSatisfy { !$0.isEmpty }, "\(seen)")
    }

    /// The mesh is not sure that it is a face.
    @Test func everyFrameWhileAFaceIsNearlyLost() throws {
        let seen = try evaluations("still", frames: still, meshUncertainty: 0.04)
        #expect(seen.allSatisfy { !$0.isEmpty }, "\(seen)")
    }

    /// Flow is lost as soon as the face shows something else in each frame.
    @Test func atOnceWhereFlowIsPoor() throws {
        let disturbed = 30..<36
        let seen = try evaluations("still", frames: still + still.prefix(20)) { place, picture in
            guard disturbed.contains(place) else { return }
            var random = Xorshift(state: UInt64(place))
            for y in 60..<180 {
                picture.withMutableRow(y) { row in
                    for x in 100..<220 {
                        row[x] = SIMD4(SIMD3(repeating: UInt8(truncatingIfNeeded: random.next() >> 40)), 255)
                    }
                }
            }
        }
        #expect(pattern(seen[18..<30]).contains(".."), "\(seen)")
        // Where the face may have gone to; again only if flow leads elsewhere.
        #expect(seen[disturbed].allSatisfy { !$0.isEmpty }, "\(seen)")
        #expect(pattern(seen.suffix(12)).contains(".."), "\(seen)")
    }

    /// The head turns fastest at 2 s (frame 50), and stops for a moment at 3 s.
    @Test func everyFrameWhileTheHeadTurns() throws {
        let turning = try evaluations("turning", frames: Array(38..<56)).suffix(9)
        #expect(turning.allSatisfy { !$0.isEmpty }, "\(turning)")
        let resting = try evaluations("turning", frames: Array(64..<82)).suffix(9)
        #expect(pattern(resting).contains(".."), "\(resting)")
    }

    @Test func twoFacesHaveTheirTurnsInDifferentFrames() throws {
        // Both stand still in these frames.
        let seen = try evaluations("crossing", frames: (0..<48).map { $0 % 4 }).suffix(24)
        for (index, people) in seen.enumerated() { #expect(people.count <= 1, "frame \(index): \(seen)") }
        for person in 0..<2 {
            let count = seen.count { $0 == [person] }
            #expect(7...8 ~= count, "person \(person): \(seen)")
        }
    }

}

/// A reproducible random generator (Marsaglia, "Xorshift RNGs", 2003).
private struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
