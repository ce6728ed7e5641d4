import FaceGeometry
import FaceTracking
import Foundation
import SyntheticFaces
import TestSupport
import Testing

/// Landmarks stick to the face through everything that disturbs: they neither pop nor creep.
@Suite(.serialized) struct StickingTests {
    /// What happens to a drawn person, when it is over (in seconds), and the longest slip in one frame, in widths of the
    /// face.
    @Test(
        arguments: [
            ("covered", 2.9, 0.04), ("switched", 2.2, 0.02), ("away", 3.0, 0.03), ("shaking", 0, 0.02),
            ("talking", 0, 0.01), ("turning", 0, 0.01),
        ] as [(String, Double, Float)])
    func disturbancesLeaveNoTrace(_ name: String, end: Double, slip: Float) throws {
        let tracking = try SequenceTracking(name)
        let offsets = tracking.offsets
        print("\(name): largest slip \(tracking.largestSlip) of the width")
        #expect(tracking.largestSlip < slip)
        guard end > 0 else { return }
        // Half a second later the face is where it was before, and stays there.
        let rate = DrawnSequence.framesPerSecond
        let before = try #require(offsets[Int(0.5 * rate)])
        for index in Int((end + 0.5) * rate)..<offsets.count {
            let offset = try #require(offsets[index], "frame \(index)")
            #expect((offset - before).length < 0.03, "frame \(index)")
        }
    }

    /// A camera that drops a frame now and then, and one that halves its rate.
    @Test(arguments: ["walking", "shaking"]) func droppedFramesDoNotPop(_ name: String) throws {
        for isDropped in [{ $0 % 7 == 5 }, { $0 > 30 && $0 % 2 == 0 }] as [(Int) -> Bool] {
            let tracking = try SequenceTracking(name, isDropped: isDropped)
            print("\(name): largest slip \(tracking.largestSlip) of the width")
            #expect(tracking.largestSlip < 0.03)
            let ours = try #require(tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks })
            let dlib = try #require(tracking.errors { $0.dlib })
            #expect(ours.aboutMean < dlib.aboutMean)
        }
    }

    /// The landmarks of a mouth that talks do not lag behind it.
    @Test(arguments: ["talking", "turning"]) func expressionsAreKeptUpWith(_ name: String) throws {
        let tracking = try SequenceTracking(name)
        let ours = try #require(tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks })
        let dlib = try #require(tracking.errors { $0.dlib })
        print("\(name): \(ours.aboutMean) of the width against dlib's \(dlib.aboutMean), in all \(ours.total)")
        #expect(ours.aboutMean < dlib.aboutMean)
    }

    // MARK: The correction

    private func corrected(
        _ offset: (Int) -> Float, rate: Float = 25, strength: Float = 1
    ) throws -> [Float] {
        let reference = try Repository.referenceFace()
        let mean = MeanFace(reference)
        let face = reference.landmarks.mapped { 300 * $0 }
        var correction = LandmarkCorrection()
        correction.strength = strength
        var landmarks = face
        return (0..<100).map { index in
            landmarks = correction.correct(
                landmarks, towards: face.mapped { $0 + Point(300 * offset(index), 0) }, side: 300, seconds: 1 / rate,
                isReliable: true, mean: mean)
            return (landmarks.center.x - face.center.x) / 300
        }
    }

    /// Of a model that trembles by 0.012 from frame to frame, an eighth is left at the lowest rate. Correcting more slowly
    /// would leave less, but the pose would then wander in noisy pictures (`noisy`).
    @Test(arguments: [12, 25, 60] as [Float]) func tremblingOfTheModelIsNotSeen(_ rate: Float) throws {
        let offsets = try corrected({ $0 % 2 == 0 ? 0.006 : -0.006 }, rate: rate)
        let steps = zip(offsets.dropFirst(31), offsets.dropFirst(30)).map { abs($0 - $1) }
        #expect(try #require(steps.max()) < 0.0015)
    }

    /// What the model insists on is done at once: a face that was lost by flow is found again.
    @Test(arguments: [12, 25, 60] as [Float]) func largeErrorsAreCorrectedFast(_ rate: Float) throws {
        let offsets = try corrected({ $0 < 20 ? 0 : 0.2 }, rate: rate)
        #expect(offsets[20 + Int(rate / 3)] > 0.15)
    }

    @Test func withoutSmoothingLandmarksAreTheModels() throws {
        let offsets = try corrected({ Float($0 % 3) * 0.01 }, strength: 0)
        for index in 0..<100 { #expect(abs(offsets[index] - Float(index % 3) * 0.01) < 1e-4) }
    }
}
