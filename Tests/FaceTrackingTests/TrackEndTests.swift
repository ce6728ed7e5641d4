import FaceGeometry
import FaceTracking
import ImageFiles
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// When tracks end, and when they must not.
@Suite struct TrackEndTests {
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
    @Test(.slow) func aHeadThatTurnsAwayIsKept() throws {
        let tracking = try SequenceTracking.whole("turningAway")
        let turned = tracking.frames.map { $0.faces.first?.face.uncertainty ?? 1 }.max() ?? 0
        #expect(turned > 0.08, "the model is in doubt: \(turned)")
        for (index, frame) in tracking.frames.enumerated() {
            #expect(tracking.face(of: 0, in: frame)?.trackID == 1, "frame \(index)")
        }
    }

    /// What is in front of the face from then on is no face.
    @Test(.slow) func aHandThatStaysEndsTheTrack() throws {
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
    @Test func dissolvingFacesAreDropped() throws {
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
            picture.mix(empty, share: share)
            try tracker.track(picture, at: Double(index) / 25)
            if !tracker.faces.isEmpty { frames.append(index) }
        }
        #expect(frames.prefix(20) == ArraySlice(0..<20))
        #expect(try #require(frames.last) < 30, "\(frames)")
    }

    /// With a look ahead, a hand that passes leaves no gap.
    @Test(.slow) func aGapIsBridged() throws {
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

    /// In a frame that mixes two scenes, as in blended or interlaced video, the faces of both keep their masks.
    @Test(arguments: [Float(0.5), .nan, 0.25, 0.75].prefix(SlowTests.areWanted ? 4 : 1))
    func bothScenesOfAMixtureKeepTheirFaces(share: Float) throws {
        let scenes = try ["astronaut", "ada"].map { name in
            let path = "\(Repository.root)/samples/\(name == "ada" ? name : "photograph/" + name).jpg"
            let picture = try PictureReader.read(path)
            return Picture(try picture.pixels.resized(width: 480, height: 480))
        }
        let tracker = try LookAheadTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings())
        var outputs: [(faces: [FaceInstance], isCut: Bool)] = []
        for index in 0..<40 {
            var frame = try moved(scenes[index < 20 ? 0 : 1], by: 2 * index)
            if index == 20 { try frame.mix(moved(scenes[0], by: 2 * index), share: 1 - share) }
            try tracker.add(frame, at: Double(index) / 25)
            while let output = try tracker.next(isEnding: false) { outputs.append((output.faces, output.isCut)) }
        }
        while let output = try tracker.next(isEnding: true) { outputs.append((output.faces, output.isCut)) }
        #expect(outputs.indices.filter { outputs[$0].isCut } == [20, 21])
        let (before, mixture, after) = (outputs[19].faces, outputs[20].faces, outputs[21].faces)
        try #require(before.count == 1 && after.count == 1)
        #expect(mixture.map(\.trackID) == [before[0].trackID, after[0].trackID])
        // Neither is known to be the same person.
        #expect(mixture.allSatisfy { !$0.isSeen && $0.mayBeAnother })
        for (face, (other, step)) in zip(mixture, [(before[0], Float(2)), (after[0], Float(-2))]) {
            let motion = face.face.landmarks.bounds.center - other.face.landmarks.bounds.center
            #expect((motion - Point(step, 0)).length < 1, "\(motion)")
        }
    }

    /// A picture of a camera that has moved to the left.
    private func moved(_ scene: Picture, by x: Int) throws -> PixelBuffer {
        var result = try scene.pixels.copy()
        for y in 0..<result.height {
            scene.pixels.withRow(y) { from in
                result.withMutableRow(y) { to in
                    for column in to.indices { to[column] = from[max(0, column - x)] }
                }
            }
        }
        return result
    }
}

extension PixelBuffer {
    /// Mixes a part of another picture into this one.
    /// - Parameter share: of the other picture; not a number: every other row is of it.
    fileprivate mutating func mix(_ other: borrowing PixelBuffer, share: Float) {
        for y in 0..<height {
            let share = share.isNaN ? Float(y % 2) : share
            other.withRow(y) { from in
                withMutableRow(y) { to in
                    for x in to.indices {
                        let mixed = (1 - share) * SIMD4<Float>(to[x]) + share * SIMD4<Float>(from[x])
                        to[x] = SIMD4<UInt8>(mixed.rounded(.toNearestOrEven))
                    }
                }
            }
        }
    }
}
