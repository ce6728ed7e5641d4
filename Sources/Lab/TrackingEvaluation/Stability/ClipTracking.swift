import Clips
import Detection
import Evaluation
import FaceGeometry
import FaceTracking
import LandmarkModels
import Pixels

/// Follows the largest face at the start of a clip in all ways that are compared, in one pass over its frames.
final class ClipTracking {
    private(set) var times: [Double] = []
    private(set) var live = LandmarkTrack()
    /// The vertices of the mesh in each frame, in pixels: live, and with look-ahead smoothing after `twoPass`.
    private(set) var liveVertices: [[Point]?] = []
    private(set) var twoPassVertices: [[Point]?] = []
    private(set) var identitySwitches = 0
    /// How often each state of the face began, in the order of `Expression.States.names`.
    private(set) var events = Expression.States.names.map { (name: $0, count: 0) }
    /// For each frame, whether it belongs to another scene than the frame before.
    private(set) var cuts: [Bool] = []
    let skin = SkinMotionRecorder()
    let raw: LandmarkChain
    let dlib: LandmarkChain
    var overlay: MeshDrawing?

    private let clip: ClipReader
    private let tracker: FaceTracker
    private let detector: any FaceDetector
    private let reference: ReferenceFace
    private let mean: MeanFace
    private var measured: [LandmarkMeasurement?] = []
    private var identities: [Int?] = []
    /// Milliseconds per frame.
    private(set) var stages: [Samples] = []

    init(_ clip: ClipReader, models: FaceModels, reference: ReferenceFace) throws {
        self.clip = clip
        let model = try models.loadLandmarkModel(for: .frames)
        let predictor = try DlibLandmarkPredictor(modelPath: models.cascade)
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        tracker = try FaceTracker(model: model, reference: reference, settings: settings) {
            try models.makeDetector(for: .frames)
        }
        detector = try models.makeDetector(for: .frames)
        self.reference = reference
        mean = MeanFace(reference)
        raw = LandmarkChain {
            model.box(around: $0)
        } evaluate: { frame, box in
            try model.estimate(in: frame, box: box).landmarks
        }
        // dlib's boxes are upright.
        dlib = LandmarkChain {
            OrientedBox(around: $0, uprightRoll: .infinity)
        } evaluate: { frame, box in
            try predictor.landmarks(in: frame, box: FaceBox(box))
        }
    }

    func run(isStopped: StopCheck) throws {
        let clock = ContinuousClock()
        var frame = try clip.makeFrame()
        var watched: Int?
        while let seconds = try clip.read(into: &frame) {
            try checkStop(isStopped)
            times.append(seconds)
            // Both chains begin in the same box.
            var found: FaceBox??
            let find = { (frame: borrowing PixelBuffer) throws -> FaceBox? in
                if let found { return found }
                let box = try self.largestFace(in: frame)
                found = .some(box)
                return box
            }
            try tracker.track(frame, at: seconds)
            cuts.append(tracker.isCut)
            try skin.add(
                frame, isCut: tracker.isCut,
                lastFace: raw.track.frames.last.flatMap { $0 }.map { Face(landmarks: $0, reference: reference) })
            if tracker.isCut {
                raw.restart()
                dlib.restart()
            }
            let start = clock.now
            try dlib.follow(frame, find: find)
            let predicted = clock.now
            try raw.follow(frame, find: find)
            let evaluated = clock.now
            note("dlib", predicted - start)
            note("raw", evaluated - predicted)
            note("follow", .seconds(tracker.times.follow))
            note("smooth", .seconds(tracker.times.smooth))
            note("scene", .seconds(tracker.times.scene))
            note("search", .seconds(tracker.times.search))
            let face = nearest(to: raw.track.frames.last ?? nil, watched: watched)
            if let face {
                if let watched, watched != face.trackID { identitySwitches += 1 }
                watched = face.trackID
            }
            for index in events.indices where face?.events.began.contains(.init(rawValue: 1 << index)) == true {
                events[index].count += 1
            }
            live.frames.append(face?.face.landmarks)
            liveVertices.append(face?.face.vertices)
            measured.append(face?.measurement)
            identities.append(face?.trackID)
            try overlay?.draw(tracker.faces, on: frame)
        }
    }

    /// The live track with look-ahead smoothing, separately in each stretch with the same track ID.
    func twoPass() -> LandmarkTrack {
        var result = live
        twoPassVertices = liveVertices
        for stretch in live.stretches {
            var start = stretch.lowerBound
            while start < stretch.upperBound {
                let end = (start..<stretch.upperBound).first { identities[$0] != identities[start] }
                let part = start..<(end ?? stretch.upperBound)
                let track = part.compactMap { index in
                    measured[index].map { (seconds: times[index], measurement: $0) }
                }
                for (place, index) in part.enumerated() {
                    let landmarks = LookAheadSmoothing.smooth(track, at: place, mean: mean)
                    result.frames[index] = landmarks
                    var face = Face(landmarks: landmarks, reference: reference)
                    face.take(track[place].measurement.headPoints, mean: mean)
                    twoPassVertices[index] = face.vertices
                }
                start = part.upperBound
            }
        }
        return result
    }

    private func note(_ name: String, _ duration: Duration) {
        let index = stages.firstIndex { $0.name == name } ?? stages.count
        if index == stages.count { stages.append(Samples(name)) }
        stages[index].add(duration)
    }

    private func largestFace(in frame: borrowing PixelBuffer) throws -> FaceBox? {
        let scale = min(1, 640 / Float(frame.width))
        let grey = try frame.grey(
            width: max(1, Int((Float(frame.width) * scale).rounded())),
            height: max(1, Int((Float(frame.height) * scale).rounded())))
        return try detector.detections(in: grey).max { $0.box.area < $1.box.area }
            .map {
                FaceBox(
                    x: $0.box.x / scale, y: $0.box.y / scale, width: $0.box.width / scale,
                    height: $0.box.height / scale)
            }
    }

    /// The tracked face at the place of the raw landmarks; nil if none exists within half a face's width.
    private func nearest(to landmarks: Landmarks?, watched: Int?) -> TrackedFace? {
        guard let landmarks else { return tracker.faces.first { $0.trackID == watched } }
        let center = landmarks.bounds.center
        let nearest = tracker.faces.min {
            ($0.face.landmarks.bounds.center - center).length < ($1.face.landmarks.bounds.center - center).length
        }
        guard let nearest, (nearest.face.landmarks.bounds.center - center).length < landmarks.bounds.width / 2 else {
            return nil
        }
        return nearest
    }
}
