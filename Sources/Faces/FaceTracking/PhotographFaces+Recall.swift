import Detection
import FaceGeometry
import Glibc
import LandmarkModels
import Pixels

/// CenterFace in the search for photographs in which no face may be overlooked.
extension PhotographFaces {
    /// From this score on, a place is covered. In 44 pictures at hand, three of four places between 0.3 and 0.5 are faces,
    /// and the others are mostly a few pixels wide.
    private static let surePlace: Float = 0.4
    /// From this score on, it is covered at whatever rotation it is found.
    private static let clearPlace: Float = 0.5
    /// From this score on, it is covered if the face mesh sees something there, too.
    private static let doubtfulPlace: Float = 0.3
    private static let leastPresence: Float = 0.1
    /// In pixels of the photograph. Below that, the landmarks' agreement says nothing.
    private static let smallestClear: Float = 8
    /// In how many parts, side by side, a row of small faces is searched. Each takes up to 0.07 s.
    private static let mostParts = 3
    /// From this score on, a place tells how large faces may be.
    private static let hint: Float = 0.15
    /// The score from which on a careful search covers a place.
    private static let carefulPlace: Float = 0.2

    /// A place that CenterFace has found at one rotation, in pixels of the photograph.
    private struct Place {
        /// The mean of width and height as CenterFace reports them.
        var side: Float
        /// In the convention of dlib's detector.
        var box: OrientedBox
        var candidate: FaceCandidate
        var points: FaceKeyPoints
    }

    /// The least score of the places that are looked at.
    static func leastPlace(_ thoroughness: SearchThoroughness) -> Float {
        switch thoroughness {
        case .sure: clearPlace
        case .balanced: doubtfulPlace
        case .careful: carefulPlace
        }
    }

    /// Adds the places that CenterFace finds and the search before it did not. The photograph is searched as it is, and
    /// turned so that each face with landmarks is upright; at all four rotations if no face has landmarks. If another
    /// rotation has clearer places, the photograph lies on its side.
    func addPlaces(
        to found: Result, _ photograph: borrowing PixelBuffer, _ minimumFaceWidth: Int,
        _ thoroughness: SearchThoroughness,
        _ recallDetector: CenterFaceDetector
    ) throws -> Result {
        var result = found
        let clock = ContinuousClock()
        let start = clock.now
        let size = Point(Float(photograph.width), Float(photograph.height))
        let own = found.faces.map { Self.orientation(of: $0, size: size) }
        let searchesAll = thoroughness == .careful || own.isEmpty
        var places: [Orientation: [Place]] = [:]
        for orientation in Self.rotations where searchesAll || orientation == .upright || own.contains(orientation) {
            places[orientation] = try self.places(
                in: photograph, orientation, thoroughness, recallDetector, found.faces)
        }
        result.detectionTime += clock.now - start
        func sum(_ orientation: Orientation) -> Float {
            (places[orientation] ?? []).map(\.candidate.score).filter { $0 >= Self.surePlace }.reduce(0, +)
        }
        // Of equal ones, upright stays first.
        let best = Self.rotations.reduce(.upright) { sum($1) > sum($0) ? $1 : $0 }
        for orientation in [best] + Self.rotations {
            // An ear that is seen upside down looks like a face, but never a clear one.
            let isUpright = orientation == .upright || orientation == best || own.contains(orientation)
            let all = places.removeValue(forKey: orientation) ?? []
            let added =
                isUpright || thoroughness == .careful ? all : all.filter { $0.candidate.score >= Self.clearPlace }
            try add(added, in: photograph, minimumFaceWidth, thoroughness, to: &result)
        }
        result.faces.sort { $0.box.area > $1.box.area }
        return result
    }

    private func add(
        _ places: [Place], in photograph: borrowing PixelBuffer, _ minimumFaceWidth: Int,
        _ thoroughness: SearchThoroughness, to result: inout Result
    ) throws {
        let clock = ContinuousClock()
        let start = clock.now
        for place in places where place.side >= Float(minimumFaceWidth) {
            let isKnown =
                result.faces.contains { place.box.isAroundSameFace(as: OrientedBox($0.box)) }
                || result.unsure.contains { place.box.isAroundSameFace(as: $0.box) }
            if isKnown { continue }
            if let face = try face(at: place, in: photograph) {
                result.faces.append(face)
            } else if try isCovered(place, in: photograph, thoroughness) {
                result.unsure.append(UnsureFace(box: place.box, score: place.candidate.score))
            }
        }
        result.landmarkTime += clock.now - start
    }

    /// Adds the faces that CenterFace finds in the upright photograph and with whose points the mesh agrees, although it does
    /// not know them as faces: small and dark ones.
    func addClearFaces(to search: inout Search, _ photograph: borrowing PixelBuffer, _ minimumFaceWidth: Int?) throws {
        guard let detector = try recallDetector(.doubt) else { return }
        let clock = ContinuousClock()
        let start = clock.now
        let known = search.candidates.map { OrientedBox($0.box) }
        let places = try placesOfAllSizes(in: photograph, detector, known: known)
        let detected = clock.now
        search.detectionTime += detected - start
        for place in places {
            // Most are known, and the mesh takes longer than this.
            guard !search.knows(FaceBox(detector.boxConvention.landmarkBox(place.detection))),
                let found = try clearFace(place.candidate, place.points, in: photograph), !search.knows(found.box),
                found.box.width >= Float(minimumFaceWidth ?? 0)
            else { continue }
            search.candidates.append(found)
        }
        search.candidates.sort { $0.box.area > $1.box.area }
        search.landmarkTime += clock.now - detected
    }

    /// The face at a clear place, if the mesh's landmarks agree with its points; nil: they do not, as on things and half faces.
    private func clearFace(
        _ candidate: FaceCandidate, _ points: FaceKeyPoints, in photograph: borrowing PixelBuffer
    ) throws -> Candidate? {
        guard candidate.score >= CenterFacePlace.clearScore, let mesh = try model() as? MeshLandmarkModel else {
            return nil
        }
        let estimate = LandmarkEstimate(try mesh.estimate(at: candidate, in: photograph))
        let box = FaceBox(OrientedBox(around: estimate.landmarks))
        guard box.width >= Self.smallestClear, points.agree(with: estimate.landmarks) else { return nil }
        return Candidate(box: box, detectorScore: Double(candidate.score), estimate: estimate)
    }

    /// The places in a picture, and in rows in which faces are small, which are searched larger; those with the highest scores
    /// first.
    /// - Parameter known: boxes of faces that are known already.
    private func placesOfAllSizes(
        in picture: borrowing PixelBuffer, _ detector: CenterFaceDetector, known: [OrientedBox]
    ) throws -> [CenterFacePlace] {
        detector.leastScore = Self.hint
        let places = try detector.places(in: picture)
        let smallest = detector.smallestFace(ofWidth: picture.width, height: picture.height)
        let more = try placesOfSmallFaces(
            in: picture, near: places.map { OrientedBox($0.box) } + known, smallest: smallest, detector)
        return CenterFaceDetector.suppressed((places + more).sorted { $0.score > $1.score })
    }

    /// Where some faces are so small that CenterFace hardly sees them, others beside them are missed: people in a row. The rows
    /// of the photograph that they are in are searched once more, larger.
    /// - Parameters:
    ///   - boxes: of faces, and of what may be one.
    ///   - smallest: the side of the smallest face that was found well there, in pixels of the photograph.
    private func placesOfSmallFaces(
        in photograph: borrowing PixelBuffer, near boxes: [OrientedBox], smallest: Float, _ detector: CenterFaceDetector
    ) throws -> [CenterFacePlace] {
        let small = boxes.filter { $0.side < 2 * smallest }
        guard !small.isEmpty else { return [] }
        let side = small.map(\.side).sorted()[small.count / 2]
        let middles = small.map(\.center.y)
        let top = Int(min(Float(photograph.height), max(0, (middles.min() ?? 0) - 3 * side)))
        let bottom = Int(min(Float(photograph.height), max(0, (middles.max() ?? 0) + 3 * side)))
        guard bottom > top else { return [] }
        let height = bottom - top
        // Each part overlaps the next one by more than a face.
        let overlap = Int(2 * side)
        let step = max(2 * height, overlap, (photograph.width + Self.mostParts - 1) / Self.mostParts)
        let usual = detector.smallestFace
        detector.smallestFace = usual / 2
        defer { detector.smallestFace = usual }
        guard detector.smallestFace(ofWidth: min(step + overlap, photograph.width), height: height) < 0.8 * smallest
        else { return [] }
        return try stride(from: 0, to: photograph.width, by: step).flatMap { left in
            let width = min(step + overlap, photograph.width - left)
            let part = try photograph.copy(of: PixelRectangle(x: left, y: top, width: width, height: height))
            return try detector.places(in: part).map { $0.moved(by: Point(Float(left), Float(top))) }
        }
    }

    /// The places that are found if the photograph is seen in an orientation, those with the highest scores first.
    private func places(
        in photograph: borrowing PixelBuffer, _ orientation: Orientation, _ thoroughness: SearchThoroughness,
        _ recallDetector: CenterFaceDetector, _ known: [Face]
    ) throws -> [Place] {
        let found =
            orientation == .upright
            ? try placesOfAllSizes(in: photograph, recallDetector, known: known.map { OrientedBox($0.box) })
            : try placesOfAllSizes(
                in: photograph.copy().turnedUpright(from: orientation), recallDetector, known: [])
        let size = Point(Float(photograph.width), Float(photograph.height))
        return found.filter { $0.score >= Self.leastPlace(thoroughness) }.map { place in
            var candidate = place.candidate
            candidate.box = candidate.box.mapped { orientation.source(of: $0, size: size) }
            candidate.rightEye = orientation.source(of: candidate.rightEye, size: size)
            candidate.leftEye = orientation.source(of: candidate.leftEye, size: size)
            let box = recallDetector.boxConvention.landmarkBox(place.detection)
            return Place(
                side: OrientedBox(place.box).side, box: box.mapped { orientation.source(of: $0, size: size) },
                candidate: candidate, points: place.points.mapped { orientation.source(of: $0, size: size) })
        }
    }

    /// The face at a place, with its landmarks; nil if the landmark model does not know one there, as of profiles.
    private func face(at place: Place, in photograph: borrowing PixelBuffer) throws -> Face? {
        guard let network = detector as? NetworkFaceDetector, place.candidate.score >= Self.surePlace,
            let found = try face(place.candidate, in: photograph, network)
                ?? clearFace(place.candidate, place.points, in: photograph),
            place.box.isAroundSameFace(as: OrientedBox(found.box))
        else { return nil }
        return self.result(Search(candidates: [found])).faces.first
    }

    /// Whether a place without landmarks is covered.
    private func isCovered(
        _ place: Place, in photograph: borrowing PixelBuffer, _ thoroughness: SearchThoroughness
    ) throws -> Bool {
        if thoroughness == .careful || place.candidate.score >= Self.surePlace { return true }
        guard let mesh = try model() as? MeshLandmarkModel else { return true }
        return try mesh.presence(of: place.candidate, in: photograph) > Self.leastPresence
    }

    /// How a photograph has to be turned so that a face in it is upright, to the nearest right angle.
    private static func orientation(of face: Face, size: Point) -> Orientation {
        let topology = Landmarks.topology
        let eyes =
            face.landmarks.center(of: topology.leftEye.outline) - face.landmarks.center(of: topology.rightEye.outline)
        func agreement(_ orientation: Orientation) -> Float {
            let across = orientation.source(of: Point(1, 0), size: size) - orientation.source(of: .zero, size: size)
            return (across * eyes).sum()
        }
        return rotations.max { agreement($0) < agreement($1) } ?? .upright
    }
}

extension OrientedBox {
    /// - Parameter transform: keeps lengths and angles.
    fileprivate func mapped(_ transform: (Point) -> Point) -> OrientedBox {
        let middle = transform(center)
        let right = transform(center + across) - middle
        return OrientedBox(center: middle, side: side, roll: atan2(right.y, right.x))
    }
}
