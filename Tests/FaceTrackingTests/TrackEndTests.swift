import FaceGeometry
import FaceTracking
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// When tracks end, and when they must not.
@Suite(.serialized) struct TrackEndTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func settings() -> FaceTracker.Settings {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        return settings
    }

    private func sequence(_ name: String) throws -> DrawnSequence {
        try #require(DrawnSequence.all.first { $0.name == name })
    }

    /// The landmark model does not know a face that is turned this far, but the skin can be followed.
    @Test func aHeadThatTurnsAwayIsKept() throws {
        let tracking = try SequenceTracking.whole("turningAway")
        let turned = tracking.frames.map { $0.faces.first?.face.uncertainty ?? 1 }.max() ?? 0
        #expect(turned > 0.08, "the model is in doubt: \(turned)")
        for (index, frame) in tracking.frames.enumerated() {
            #expect(tracking.face(of: 0, in: frame)?.trackID == 1, "frame \(index)")
        }
    }

    /// What is in front of the face from then on is no face.
    @Test func aHandThatStaysEndsTheTrack() throws {
        let sequence = try sequence("stayingCovered")
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings())
        var frames: [Int] = []
        for index in 0..<45 {
            try tracker.track(sequence.picture(index, reference: reference), at: sequence.seconds(index))
            if !tracker.faces.isEmpty { frames.append(index) }
        }
        print("a hand stays from frame \(25 * DrawnSequence.covering) on; followed in frames \(frames)")
        #expect(frames.prefix(15) == ArraySlice(0..<15))
        #expect(try #require(frames.last) < Int(25 * DrawnSequence.covering) + 10)
    }

    /// A face that dissolves into an empty room is let go as soon as it cannot be seen, without a cut being found.
    @Test func whatDissolvesIsLetGo() throws {
        let (face, room) = (try sequence("still"), try sequence("leaving"))
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings())
        let empty = try room.picture(60, reference: reference)
        let people = try (0..<4).map { Picture(try face.picture($0, reference: reference)) }
        var frames: [Int] = []
        for index in 0..<50 {
            let share = Float(max(0, min(10, index - 15))) / 10
            var picture = try people[index % 4].pixels.copy()
            for y in 0..<picture.height {
                empty.withRow(y) { from in
                    picture.withMutableRow(y) { to in
                        for x in to.indices {
                            let mixed =
                                (1 - share) * SIMD4<Float>(to[x]) + share * SIMD4<Float>(from[x])
                            to[x] = SIMD4<UInt8>(mixed.rounded(.toNearestOrEven))
                        }
                    }
                }
            }
            try tracker.track(picture, at: Double(index) / 25)
            if !tracker.faces.isEmpty { frames.append(index) }
        }
        #expect(frames.prefix(20) == ArraySlice(0..<20))
        #expect(try #require(frames.last) < 30, "\(frames)")
    }

    /// With a look ahead, a hand that passes leaves no gap.
    @Test func aGapIsBridged() throws {
        let sequence = try sequence("covered")
        let tracker = try LookAheadTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings())
        var faces: [[FaceInstance]] = []
        // Twice as fast as it is drawn.
        let frames = Array(stride(from: 0, to: sequence.frameCount, by: 2))
        for (place, index) in frames.enumerated() {
            try tracker.add(sequence.picture(index, reference: reference), at: sequence.seconds(place))
            while let output = try tracker.next(isEnding: false) { faces.append(output.faces) }
        }
        while let output = try tracker.next(isEnding: true) { faces.append(output.faces) }
        #expect(faces.count == frames.count)
        print("covered: \(faces.count { $0.contains { !$0.isSeen } }) frames bridged")
        for (index, faces) in faces.enumerated() {
            #expect(faces.map(\.trackID) == [1], "frame \(index)")
            let truth = sequence.landmarks(frames[index], reference: reference)[0].bounds
            let found = try #require(faces.first).face.landmarks.bounds
            #expect((found.center - truth.center).length < truth.width / 4, "frame \(index)")
        }
    }
}
