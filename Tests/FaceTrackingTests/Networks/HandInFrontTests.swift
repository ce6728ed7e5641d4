import FaceGeometry
import FaceTracking
import SyntheticFaces
import TestSupport
import Testing

/// A hand moves over a drawn face. The landmark model squeezes the face into what is left of it, and is sure of itself.
@Suite(.enabled(if: hasNetworks, absenceOfNetworks)) struct HandInFrontTests {
    @Test func aHandDoesNotDragTheMask() throws {
        let sequence = try #require(DrawnSequence.all.first { $0.name == "covered" })
        let (reference, models) = (try Repository.referenceFace(), FaceModels())
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            model: models.loadLandmarkModel(for: .frames), reference: reference, settings: settings
        ) { try models.makeDetector(for: .frames) }
        // Where the drawing and the model do not agree is learnt before the hand comes.
        var bias: [[Point]] = []
        var worst: Float = 0
        for index in 0..<sequence.frameCount {
            try tracker.track(sequence.picture(index, reference: reference), at: sequence.seconds(index))
            let truth = try #require(sequence.landmarks(index, reference: reference).first)
            let face = try #require(tracker.faces.first, "frame \(index)").face
            let width = truth.bounds.width
            let offsets = (0..<Landmarks.count).map { (face.landmarks[$0] - truth[$0]) / width }
            if (12..<30).contains(index) { bias.append(offsets) }
            guard index >= 30 else { continue }
            var sum: Float = 0
            for point in 0..<Landmarks.count {
                let usual = bias.reduce(Point.zero) { $0 + $1[point] } / Float(bias.count)
                let error = (offsets[point] - usual).length
                sum += error * error
            }
            worst = max(worst, (sum / Float(Landmarks.count)).squareRoot())
        }
        print("covered: landmarks at most \(worst) of the width from where they are")
        #expect(worst < 0.03)
    }
}
