import Evaluation
import FaceGeometry
import FaceTracking
import ImageFiles
import Pixels

/// How far found landmarks are from annotated ones, as in the 300-W benchmark.
package struct LandmarkEvaluation {
    package struct Result {
        /// The picture's name without its folder.
        package let picture: String
        /// The mean distance as a fraction of the distance between the outer corners of the eyes; nil if no face was
        /// found at the annotated place.
        package let error: Double?
    }

    /// A larger error counts as a failure (300-W's convention).
    package static let failureLimit = 0.08

    package let results: [Result]

    /// Finds the face nearest to each annotation of a folder.
    /// - Throws: `EvaluationError` if no picture is annotated, and the errors of reading pictures and models.
    package init(folder: String, models: FaceModels, reference: ReferenceFace, isStopped: StopCheck) throws {
        let annotated = try AnnotatedPictures(folder: folder).entries
        guard annotated.contains(where: { $0.landmarks != nil }) else {
            throw EvaluationError(.noInput, "\(folder): no picture in it has a .pts file")
        }
        let finder = try PhotographFaces(reference: reference, models: models)
        var results: [Result] = []
        for entry in annotated {
            guard let truth = entry.landmarks else { continue }
            try checkStop(isStopped)
            let picture = try PictureReader.read(entry.path).pixels.withEightBits()
            let center = truth.bounds.center
            let nearest = try finder.faces(in: picture).faces.min {
                ($0.landmarks.bounds.center - center).length < ($1.landmarks.bounds.center - center).length
            }
            let found = nearest.flatMap {
                ($0.landmarks.bounds.center - center).length < truth.bounds.width / 2 ? $0.landmarks : nil
            }
            results.append(Result(picture: entry.name, error: found.map { Self.meanError($0, truth) }))
        }
        self.results = results
    }

    /// The mean distance as a fraction of the distance between the outer corners of the eyes.
    private static func meanError(_ landmarks: Landmarks, _ truth: Landmarks) -> Double {
        let sum = (0..<Landmarks.count).reduce(Float(0)) { $0 + (landmarks[$1] - truth[$1]).length }
        return Double(sum / Float(Landmarks.count) / truth.interocularDistance)
    }
}

// MARK: Statistics

extension LandmarkEvaluation {
    /// The errors of the faces that were found, sorted.
    package var errors: [Double] { results.compactMap(\.error).sorted() }
    package var failures: Int { results.count { ($0.error ?? .infinity) > Self.failureLimit } }
    /// Nil if no face was found.
    package var mean: Double? { errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count) }
    /// Nil if no face was found.
    package var median: Double? { errors.isEmpty ? nil : Samples("", errors).median }

    /// The fraction of all pictures with at most an error, in 80 steps from 0 to the failure limit.
    package var cumulativeErrors: [(x: Double, y: Double)] {
        let errors = errors
        return (0...80).map { step in
            let limit = Self.failureLimit * Double(step) / 80
            return (limit, Double(errors.count { $0 <= limit }) / Double(results.count))
        }
    }

    /// The area under `cumulativeErrors`, 0 to 1.
    package var areaUnderCurve: Double {
        let curve = cumulativeErrors
        return zip(curve.dropFirst(), curve).map { ($0.x - $1.x) * ($0.y + $1.y) / 2 }.reduce(0, +) / Self.failureLimit
    }

    package var plot: LinePlot {
        LinePlot(
            title: "Landmarks: cumulative error", xLabel: "error, in distances between the eyes' outer corners",
            yLabel: "fraction of the pictures", xMaximum: Self.failureLimit, yMaximum: 1,
            lines: [.init(name: "bauta", points: cumulativeErrors)])
    }
}
