import Evaluation
import FaceGeometry
import FaceTracking
import Gestures
import SyntheticFaces

/// How many gestures of synthetic people are recognised.
package struct DrawnGestureEvaluation: Sendable {
    /// One drawn person.
    package struct Trial: Sendable {
        package let variation: Int
        package let framesPerSecond: Double
        /// The width of the face in pixels.
        package let faceWidth: Float
        package let recognized: [GestureEvaluation.Recognized]
        package let moments: [GestureEvaluation.Moment]
    }

    /// A gesture, or `none`.
    package typealias Kind = DrawnGesture.Kind

    package let kind: Kind
    package private(set) var trials: [Trial] = []

    /// How many people make each gesture.
    package static let people = DrawnGesture.variations

    package var name: String { kind.rawValue }
    /// The gesture that is drawn; nil: none.
    package var gesture: Gesture? { Gesture(rawValue: kind.rawValue) }
    /// How often that has been recognised once.
    package var found: Int {
        trials.count { trial in trial.recognized.count { $0.gesture == gesture } == 1 }
    }
    /// How often something else has been recognised, or the same again.
    package var others: Int { trials.reduce(0) { $0 + $1.recognized.count } - found }

    /// All kinds, or one.
    /// - Parameters:
    ///   - people: how many people, 1 to `people`.
    ///   - kind: nil: all.
    /// - Throws: `VisionError`, and `EvaluationError` if the measurement is stopped.
    package static func all(
        people: Int, kind: Kind? = nil, models: FaceModels, reference: ReferenceFace, isStopped: StopCheck
    ) throws -> [DrawnGestureEvaluation] {
        try DrawnGesture.Kind.allCases.filter { kind == nil || $0 == kind }.map {
            try DrawnGestureEvaluation(
                $0, variations: 0..<people, models: models, reference: reference, isStopped: isStopped)
        }
    }

    /// - Parameter variations: which people, 0 to `people` − 1.
    /// - Throws: `VisionError`, and `EvaluationError` if the measurement is stopped.
    package init(
        _ kind: DrawnGesture.Kind, variations: some Sequence<Int>, models: FaceModels, reference: ReferenceFace,
        isStopped: StopCheck
    ) throws {
        self.kind = kind
        let model = try models.loadLandmarkModel(for: .frames)
        for variation in variations {
            let drawn = DrawnGesture(kind, variation: variation)
            let result = try GestureEvaluation(
                drawn: drawn.sequence, tracker: try models.makeOfflineTracker(model: model, reference: reference),
                reference: reference, isStopped: isStopped)
            trials.append(
                Trial(
                    variation: variation, framesPerSecond: drawn.sequence.framesPerSecond, faceWidth: drawn.faceWidth,
                    recognized: result.recognized, moments: result.moments))
        }
    }
}
