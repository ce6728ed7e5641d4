import Detection
import FaceGeometry
import LandmarkModels
import Pixels

/// The search for photographs in which no face may be overlooked.
extension PhotographFaces {
    /// The width in pixels from which on faces are covered. People are hardly recognised in narrower ones, and each smaller size
    /// makes the search much slower.
    package static let smallestCovered = 12

    /// The detector network's score from which on a place may be a face if the mesh finds one, too, with a presence from
    /// `unsurePresence` on; and the score from which on it may be one in any case, for heads that turn too far for the
    /// mesh. In 36 pictures of people, that covers one or two places too many in a picture, and half of a crowd's.
    private static let unsureScore: Float = 0.2
    private static let unsurePresence: Float = 0.05
    private static let likelyScore: Float = 0.6
    /// The score of dlib's detector from which on a place may be a face. Above 0 there is one.
    private static let unsureHOGScore = -0.4

    /// The faces in an `rgba8` photograph, and what is perhaps one. This takes several times as long as `faces`.
    /// - Parameter minimumFaceWidth: narrower faces are left out, in pixels.
    package func thoroughSearch(
        in photograph: borrowing PixelBuffer, minimumFaceWidth: Int, _ thoroughness: SearchThoroughness
    ) throws -> Result {
        if let network = detector as? NetworkFaceDetector {
            guard let recallDetector = try recallDetector(.thorough) else {
                var found = try thoroughSearch(photograph, minimumFaceWidth, with: network, atAllRotations: true)
                if thoroughness == .sure { found.unsure = [] }
                return found
            }
            let smallest = recallDetector.smallestFace(ofWidth: photograph.width, height: photograph.height)
            var width = minimumFaceWidth
            if thoroughness != .careful, smallest <= Float(minimumFaceWidth) {
                // CenterFace finds the smaller ones.
                width = max(
                    width, Int(0.5 * DetectionPlan.smallestFace(width: photograph.width, height: photograph.height)))
            }
            var found = try thoroughSearch(
                photograph, width, with: network, atAllRotations: thoroughness == .careful)
            // What CenterFace can see, it decides.
            switch thoroughness {
            case .sure: found.unsure = []
            case .balanced: found.unsure.removeAll { $0.box.side >= smallest }
            case .careful: break
            }
            return try addPlaces(to: found, photograph, minimumFaceWidth, thoroughness, recallDetector)
        }
        let hog = detector as? HOGFaceDetector
        hog?.leastScore = thoroughness == .sure ? 0 : Self.unsureHOGScore
        defer { hog?.leastScore = 0 }
        (detector as? CenterFaceDetector)?.leastScore = Self.leastPlace(thoroughness)
        var all = Search()
        let size = Point(Float(photograph.width), Float(photograph.height))
        for orientation in Self.rotations {
            let rotated = try photograph.copy().turnedUpright(from: orientation)
            let found = try search(rotated, minimumFaceWidth)
            all.detectionTime += found.detectionTime
            all.landmarkTime += found.landmarkTime
            for candidate in found.candidates {
                let upright = candidate.mapped { orientation.source(of: $0, size: size) }
                if let known = all.candidates.firstIndex(where: { OrientedBox(upright.box).isInside($0.box) }) {
                    // Of a face that is found at several rotations, the clearest one is right.
                    if all.candidates[known].detectorScore >= upright.detectorScore { continue }
                    all.candidates.remove(at: known)
                }
                all.candidates.append(upright)
            }
        }
        let unsure = all.candidates.filter { $0.detectorScore <= 0 }
        all.candidates.removeAll { $0.detectorScore <= 0 }
        all.candidates.sort { $0.box.area > $1.box.area }
        var result = result(all)
        result.unsure = unsure.map {
            UnsureFace(box: OrientedBox($0.box), score: Float(1 + $0.detectorScore / -Self.unsureHOGScore) / 2)
        }
        return result
    }

    private func thoroughSearch(
        _ photograph: borrowing PixelBuffer, _ minimumFaceWidth: Int, with detector: NetworkFaceDetector,
        atAllRotations: Bool
    ) throws -> Result {
        detector.leastScore = Self.unsureScore
        defer { detector.leastScore = NetworkFaceDetector.candidateScore }
        let clock = ContinuousClock()
        var search = Search()
        var unsure: [UnsureFace] = []
        var examined: [FaceCandidate] = []
        let start = clock.now
        let rolls = try detector.searchWhole(photograph)
        search.detectionTime += clock.now - start
        for roll in rolls where atAllRotations || search.candidates.isEmpty {
            let start = clock.now
            let candidates = try detector.candidates(
                in: photograph, smallestFace: Float(minimumFaceWidth), roll: roll)
            let detected = clock.now
            search.detectionTime += detected - start
            // Those of the whole picture come again with each rotation.
            for candidate in candidates
            where !examined.contains(candidate)
                && !search.candidates.contains(where: { candidate.box.isInside($0.box) })
            {
                examined.append(candidate)
                if candidate.score > NetworkFaceDetector.candidateScore,
                    let found = try face(candidate, in: photograph, detector),
                    found.box.width >= Float(minimumFaceWidth)
                {
                    let isKnown = search.candidates.contains { OrientedBox(found.box).isInside($0.box) }
                    if !isKnown { search.candidates.append(found) }
                } else if candidate.box.side >= Float(minimumFaceWidth),
                    let place = try unsureFace(candidate, in: photograph, detector)
                {
                    unsure.append(place)
                }
            }
            search.landmarkTime += clock.now - detected
        }
        search.candidates.sort { $0.box.area > $1.box.area }
        var result = result(search)
        // The likeliest of those at one place stands for all.
        for place in unsure.sorted(by: { $0.score > $1.score })
        where !search.candidates.contains(where: { place.box.isInside($0.box) })
            && !result.unsure.contains(where: { place.box.isInside(FaceBox($0.box)) })
        {
            result.unsure.append(place)
        }
        return result
    }

    /// - Returns: nil where it is certain enough that there is no face.
    private func unsureFace(
        _ candidate: FaceCandidate, in photograph: borrowing PixelBuffer, _ detector: NetworkFaceDetector
    ) throws -> UnsureFace? {
        let presence =
            if let mesh = try model() as? MeshLandmarkModel {
                try mesh.presence(of: candidate, in: photograph)
            } else {
                try detector.presence(of: candidate, in: photograph)
            }
        guard candidate.score > Self.likelyScore || presence > Self.unsurePresence else { return nil }
        return UnsureFace(box: candidate.box, score: max(candidate.score, presence))
    }
}

extension OrientedBox {
    /// Whether most of this box lies in one around the same face.
    fileprivate func isInside(_ known: FaceBox) -> Bool {
        let size = max(known.width, known.height)
        return (known.center - center).length < 0.5 * size && side < 1.5 * size
    }
}
