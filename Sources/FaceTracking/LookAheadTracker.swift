import FaceGeometry
import Pixels

/// Tracks the faces in recorded video with look-ahead: landmarks are smoothed without lag, and a track starts in the frame
/// in which the face enters the picture rather than the frame in which the detector finds it. Frames come out in order,
/// delayed by `delay` seconds of the video. It belongs to one thread.
package final class LookAheadTracker {
    /// A frame with its faces.
    package struct Output: ~Copyable {
        package var pixels: PixelBuffer
        package let seconds: Double
        package let faces: [FaceInstance]
        /// Whether the scene is another one than in the frame before.
        package let isCut: Bool

        /// The pixel buffer, for reuse by another frame.
        package consuming func reusedPixels() -> PixelBuffer { pixels }
    }

    /// One face in one frame before smoothing.
    private struct Sighting {
        let trackID: Int
        /// Number of the uninterrupted stretch of frames in which the face was followed.
        let stretch: Int
        var measurement: LandmarkMeasurement
        /// The instance as the tracker reported it; nil in frames before the detector found the face.
        var tracked: FaceInstance?
    }

    private final class Slot {
        var pixels: PixelBuffer?
        let seconds: Double
        let isCut: Bool
        var sightings: [Sighting] = []

        init(_ pixels: consuming PixelBuffer, seconds: Double, isCut: Bool) {
            self.pixels = consume pixels
            self.seconds = seconds
            self.isCut = isCut
        }

        /// - Returns: false when the frame has been handed out already.
        func read(_ body: (borrowing PixelBuffer) throws -> Void) throws -> Bool {
            guard let held = pixels.take() else { return false }
            do {
                try body(held)
            } catch {
                pixels = consume held
                throw error
            }
            pixels = consume held
            return true
        }
    }

    /// How long frames are held back, in seconds: as far as smoothing looks ahead, and nearly as long as the longest
    /// interval between searches.
    private static let delay = LookAheadSmoothing.future

    private let tracker: FaceTracker
    private let model: any LandmarkModel
    private let reference: ReferenceFace
    private let mean: MeanFace
    private let mesh: LandmarkMesh
    /// The frames held back, and before them frames already handed out, whose sightings smoothing still needs.
    private var slots: [Slot] = []
    private var nextOut = 0
    /// The current stretch of each track ID.
    private var stretches: [Int: Int] = [:]
    private var stretchCount = 0

    package init(
        model: any LandmarkModel, reference: ReferenceFace, settings: FaceTracker.Settings = FaceTracker.Settings()
    ) throws {
        var settings = settings
        settings.searchesInBackground = false
        tracker = try FaceTracker(model: model, reference: reference, settings: settings)
        self.model = model
        self.reference = reference
        mean = MeanFace(reference)
        mesh = LandmarkMesh(mean)
    }

    /// Takes the next frame, RGBA with 8 bits.
    /// - Parameter seconds: its time, later than that of the frame before.
    package func add(_ pixels: consuming PixelBuffer, at seconds: Double) throws {
        try tracker.track(pixels, at: seconds)
        let slot = Slot(pixels, seconds: seconds, isCut: tracker.scene.isCut)
        slots.append(slot)
        for face in tracker.faces {
            let isNew = face.age <= 1 || stretches[face.trackID] == nil
            if isNew {
                stretchCount += 1
                stretches[face.trackID] = stretchCount
            }
            let stretch = stretches[face.trackID] ?? 0
            slot.sightings.append(
                Sighting(
                    trackID: face.trackID, stretch: stretch, measurement: face.measurement, tracked: face.instance))
            if isNew { try followBack(face, stretch: stretch) }
        }
    }

    /// The next frame that has been held back long enough, or nil.
    /// - Parameter isEnding: whether no more frames will be added; then the remaining frames come out at once.
    package func next(isEnding: Bool) -> Output? {
        guard nextOut < slots.count, let last = slots.last else { return nil }
        let slot = slots[nextOut]
        guard isEnding || last.seconds >= slot.seconds + Self.delay else { return nil }
        guard let pixels = slot.pixels.take() else { return nil }
        let faces = slot.sightings.map { sighting in
            let landmarks = smoothed(sighting, at: nextOut)
            let face = Face(
                landmarks: landmarks, reference: reference,
                headPoints: sighting.measurement.headPoints(for: landmarks, mean: mean))
            var instance = sighting.tracked ?? FaceInstance(face: face, trackID: sighting.trackID)
            instance.face = face
            return instance
        }
        nextOut += 1
        while nextOut > 0, slots[0].seconds < slot.seconds - LookAheadSmoothing.past {
            slots.removeFirst()
            nextOut -= 1
        }
        return Output(pixels: pixels, seconds: slot.seconds, faces: faces, isCut: slot.isCut)
    }

    private func smoothed(_ sighting: Sighting, at index: Int) -> Landmarks {
        func same(_ index: Int) -> LandmarkMeasurement? {
            slots[index].sightings.first { $0.stretch == sighting.stretch }?.measurement
        }
        var track: [(seconds: Double, measurement: LandmarkMeasurement)] = []
        var first = index
        while first > 0, same(first - 1) != nil { first -= 1 }
        var place = first
        while place < slots.count, let measurement = same(place) {
            track.append((slots[place].seconds, measurement))
            place += 1
        }
        return LookAheadSmoothing.smooth(track, at: index - first, mean: mean)
    }

    /// Follows a newly found face backwards in time through the frames held back, as long as it is certainly a face and
    /// does not belong to another track.
    private func followBack(_ face: TrackedFace, stretch: Int) throws {
        guard let last = slots.last?.seconds else { return }
        var before = last
        var follower: FaceFollower?
        for index in slots.indices.reversed() {
            let slot = slots[index]
            let elapsed = Float(before - slot.seconds)
            let isThere = try slot.read { pixels in
                if let follower {
                    try follower.follow(pixels, seconds: elapsed)
                    try follower.probe(pixels)
                } else {
                    let start = OrientedBox(around: face.measurement.fused)
                    follower = try FaceFollower(pixels, box: start, model: model, mean: mean, mesh: mesh)
                }
            }
            // A frame without pixels has been handed out.
            guard isThere, let follower else { return }
            if index == slots.count - 1 {
                if slot.isCut { return }
                continue
            }
            before = slot.seconds
            let box = follower.box
            let isTaken = slot.sightings.contains {
                ($0.measurement.fused.bounds.center - box.center).length < 0.5 * box.side
            }
            guard !follower.hasJumped, follower.uncertainty < FaceTracker.startingUncertainty, !isTaken else {
                return
            }
            // The step that leads here leads from this frame to the later one, too.
            var measurement = follower.measurement
            if let later = slots[index + 1].sightings.firstIndex(where: { $0.stretch == stretch }) {
                slots[index + 1].sightings[later].measurement.step = measurement.step?.inverse
            }
            measurement.step = nil
            slot.sightings.append(Sighting(trackID: face.trackID, stretch: stretch, measurement: measurement))
            if slot.isCut { return }
        }
    }
}
