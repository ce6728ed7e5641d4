import Detection
import FaceGeometry
import Glibc
import LandmarkModels
import Pixels

extension PhotographFaces {
    /// The detector network's score from which on a place that the mesh does not confirm is worth a second opinion.
    private static let doubtfulScore: Float = 0.4
    /// How far apart, in sides of the first one, and how different, as the logarithm of the ratio of their sides, two places
    /// found at different rotations may be to be those of the same face.
    private static let (sameFace, sameSize): (Float, Float) = (0.6, 0.5)

    /// Searches with the detector network, at any rotation. A photograph in which it finds no face is searched for small
    /// faces in each rotation.
    func search(
        _ photograph: borrowing PixelBuffer, _ minimumFaceWidth: Int?, with detector: NetworkFaceDetector
    ) throws -> Search {
        let clock = ContinuousClock()
        var search = Search()
        let smallest =
            minimumFaceWidth.map { Float($0) }
            ?? DetectionPlan.smallestFace(width: photograph.width, height: photograph.height)
        let start = clock.now
        let rolls = try detector.searchWhole(photograph)
        search.detectionTime += clock.now - start
        for roll in rolls where search.candidates.isEmpty {
            let start = clock.now
            let candidates = try detector.candidates(in: photograph, smallestFace: smallest, roll: roll)
            let detected = clock.now
            search.detectionTime += detected - start
            for candidate in candidates {
                guard !search.knows(FaceBox(candidate.box)) else { continue }
                let face = try face(candidate, orAt: roll, among: candidates, in: photograph, detector)
                guard let found = face else {
                    // At another rotation, CenterFace would not be asked; what is less clear is rarely a face.
                    let isClear = candidate.score > Self.doubtfulScore && abs(candidate.box.roll) < 0.1
                    search.isDoubtful = search.isDoubtful || isClear
                    continue
                }
                guard found.box.width >= Float(minimumFaceWidth ?? 0), !search.knows(found.box) else { continue }
                search.candidates.append(found)
            }
            search.landmarkTime += clock.now - detected
        }
        search.candidates.sort { $0.box.area > $1.box.area }
        // Beside a small face there are often smaller ones.
        let small = 0.6 * DetectionPlan.smallestFace(width: photograph.width, height: photograph.height)
        let hasSmallFace = search.candidates.contains { $0.box.width < small }
        search.isDoubtful = search.isDoubtful || search.candidates.isEmpty || hasSmallFace
        return search
    }

    /// The face at a place that was found at some rotation, or at that of most faces if the mesh is surer of it there: the
    /// detector takes a few upright faces for faces upside down, and then not quite at their place.
    /// - Parameter others: all candidates.
    private func face(
        _ candidate: FaceCandidate, orAt roll: Float, among others: [FaceCandidate],
        in photograph: borrowing PixelBuffer, _ detector: NetworkFaceDetector
    ) throws -> Candidate? {
        guard var best = try face(candidate, in: photograph, detector) else { return nil }
        guard candidate.box.roll != roll else { return best }
        let upright = others.filter { other in
            other.box.roll == roll
                && (other.box.center - candidate.box.center).length < Self.sameFace * candidate.box.side
                && abs(log(other.box.side / candidate.box.side)) < Self.sameSize
        }
        for other in upright + [candidate.turned(to: roll)] {
            guard let found = try face(other, in: photograph, detector),
                (found.box.center - candidate.box.center).length < Self.sameFace * candidate.box.side,
                let doubt = found.estimate.uncertainty, let least = best.estimate.uncertainty, doubt <= least
            else { continue }
            best = found
        }
        return best
    }

    /// - Returns: nil when there is no face.
    func face(
        _ candidate: FaceCandidate, in photograph: borrowing PixelBuffer, _ detector: NetworkFaceDetector
    ) throws -> Candidate? {
        let (box, estimate): (OrientedBox, LandmarkEstimate)
        if let mesh = try model() as? MeshLandmarkModel {
            guard let found = try mesh.confirm(candidate, in: photograph) else { return nil }
            (box, estimate) = (OrientedBox(around: found.landmarks), LandmarkEstimate(found))
        } else {
            guard let found = try detector.confirmedBox(of: candidate, in: photograph) else { return nil }
            (box, estimate) = (found, try model().estimate(in: photograph, box: found))
        }
        return Candidate(box: FaceBox(box), detectorScore: Double(candidate.score), estimate: estimate)
    }
}
