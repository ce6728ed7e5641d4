import FaceGeometry
import FaceTracking
import TestSupport
import Testing

struct LandmarkCorrectionTests {
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
