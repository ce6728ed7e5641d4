import Detection
import Evaluation
import FaceGeometry
import Files
import ImageFiles
import NeuralNetworks
import Pixels

/// The detections of face detectors in the pictures of a folder, and their times.
package struct DetectorEvaluation {
    /// One detector on one picture.
    package struct Row {
        package let detector: String
        /// The picture's name without its folder.
        package let picture: String
        package let megapixels: Double
        package let found: Int
        /// Faces that are not the annotated one; nil without an annotation.
        package let falseFaces: Int?
        /// Whether the annotated face is found; nil without an annotation.
        package let isFound: Bool?
        /// Milliseconds of the first, the second and the tenth call. The first includes the detector's preparations.
        package let times: [Double]
    }

    /// Detectors in the order in which they were run.
    package let names: [String]
    package let rows: [Row]

    private typealias NamedDetector = (name: String, detector: any FaceDetector)

    /// - Throws: `FileError`, `EvaluationError`, `PictureError`, `VisionError`.
    package init(folder: String, isStopped: StopCheck) throws {
        let pictures = try AnnotatedPictures(folder: folder).entries
        var detectors: [NamedDetector] = []
        if NetworkFolder.standard.isUsable { detectors.append(("network", try NetworkFaceDetector())) }
        if NetworkFolder.standard.hasCenterFace { detectors.append(("centerface", try CenterFaceDetector())) }
        detectors.append(("hog", try HOGFaceDetector()))
        for features in CascadeFaceDetector.Features.allCases {
            detectors.append((features.rawValue, try CascadeFaceDetector(features)))
        }
        names = detectors.map(\.name)
        rows = try pictures.flatMap { try Self.rows($0, detectors, isStopped) }
    }

    private static func rows(
        _ entry: AnnotatedPictures.Entry, _ detectors: [NamedDetector], _ isStopped: StopCheck
    ) throws -> [Row] {
        let picture = try PictureReader.read(entry.path).pixels.withEightBits()
        let grey = try picture.grey(width: picture.width, height: picture.height)
        var rows: [Row] = []
        for (name, detector) in detectors {
            var times = Samples()
            var found: [FaceDetection] = []
            for _ in 0..<10 {
                try checkStop(isStopped)
                let start = ContinuousClock.now
                found =
                    detector.seesColor
                    ? try detector.detections(in: picture) : try detector.detections(in: grey)
                times.add(ContinuousClock.now - start)
            }
            let isTrue = entry.landmarks.map { truth in
                found.contains { isFace(detector.boxConvention.landmarkBox($0.box), truth) }
            }
            rows.append(
                Row(
                    detector: name, picture: entry.name,
                    megapixels: Double(picture.width * picture.height) / 1_000_000, found: found.count,
                    falseFaces: isTrue.map { found.count - ($0 ? 1 : 0) }, isFound: isTrue,
                    times: [times.values[0], times.values[1], times.values[9]]))
        }
        return rows
    }

    /// Whether a box is that of the annotated face: its centre within half the face's size, its width between half and
    /// twice that size.
    private static func isFace(_ box: FaceBox, _ truth: Landmarks) -> Bool {
        let bounds = truth.bounds
        let size = max(bounds.width, bounds.height)
        return (box.center - bounds.center).length < size / 2 && box.width > size / 2 && box.width < size * 2
    }
}

// MARK: Statistics

extension DetectorEvaluation {
    /// All pictures of one detector together.
    package struct Total {
        package let detector: String
        package let found: Int
        package let falseFaces: Int
        /// The fraction of what is found in annotated pictures that is the annotated face; nil if nothing is found there.
        package let precision: Double?
        /// The fraction of the annotated faces that are found; nil without annotations.
        package let recall: Double?
        /// Of the second calls.
        package let milliseconds: Double
    }

    package var totals: [Total] {
        names.map { name in
            let own = rows.filter { $0.detector == name }
            let annotated = own.filter { $0.isFound != nil }
            let right = annotated.count { $0.isFound == true }
            let foundThere = annotated.map(\.found).reduce(0, +)
            return Total(
                detector: name, found: own.map(\.found).reduce(0, +),
                falseFaces: own.compactMap(\.falseFaces).reduce(0, +),
                precision: foundThere > 0 ? Double(right) / Double(foundThere) : nil,
                recall: annotated.isEmpty ? nil : Double(right) / Double(annotated.count),
                milliseconds: own.map { $0.times[1] }.reduce(0, +))
        }
    }

    /// The time of the second call by the picture's size.
    package var plot: LinePlot {
        LinePlot(
            title: "Detectors: time of the second call", xLabel: "megapixels", yLabel: "milliseconds",
            xMaximum: max(rows.map(\.megapixels).max() ?? 1, 0.1),
            yMaximum: max(rows.map { $0.times[1] }.max() ?? 1, 1),
            lines: names.map { name in
                let own = rows.filter { $0.detector == name }.sorted { $0.megapixels < $1.megapixels }
                return .init(name: name, points: own.map { ($0.megapixels, $0.times[1]) })
            })
    }
}
