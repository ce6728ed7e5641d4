import FaceGeometry
import Pixels

/// Follows the faces of recorded video, where the frames to come may be looked at too: landmarks are smoothed without
/// lag, and a face is there from the frame in which it comes into the picture and not only once the detector has found
/// it. Frames go in, and come out again a little later. It belongs to one thread.
package final class LookAheadTracker {
    /// A frame with what is known of it.
    package struct Output: ~Copyable {
        package var pixels: PixelBuffer
        package let seconds: Double
        package let faces: [FaceInstance]

        /// The frame is done with; its memory may take another.
        package consuming func reusedPixels() -> PixelBuffer { pixels }
    }

    /// One face in one frame before smoothing.
    private struct Sighting {
        let trackID: Int
        /// Counts uninterrupted stretches in which somebody is followed.
        let stretch: Int
        let measurement: LandmarkMeasurement
        /// What the face did, as the tracker saw it; nil before it was found.
        var seen: FaceInstance?
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

        /// - Returns: whether there are pixels.
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

    /// How many seconds frames wait: as far as smoothing looks ahead, and half of the longest time without a search.
    private static let delay = 0.4
    private static let smoothing = ZeroPhaseSmoothing.Settings()

    private let tracker: FaceTracker
    private let cascade: LandmarkCascade
    private let reference: ReferenceFace
    private let mean: MeanFace
    /// The frames that wait, and before them some that are gone, of which only the sightings remain.
    private var slots: [Slot] = []
    private var nextOut = 0
    /// The stretch that each trackID is in.
    private var stretches: [Int: Int] = [:]
    private var stretchCount = 0

    package init(
        cascade: LandmarkCascade, reference: ReferenceFace, settings: FaceTracker.Settings = FaceTracker.Settings()
    ) throws {
        var settings = settings
        settings.searchesInBackground = false
        tracker = try FaceTracker(cascade: cascade, reference: reference, settings: settings)
        self.cascade = cascade
        self.reference = reference
        mean = MeanFace(reference)
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
                    trackID: face.trackID, stretch: stretch, measurement: face.measurement, seen: face.instance))
            if isNew { try followBack(face, stretch: stretch) }
        }
    }

    /// The next frame that has waited long enough.
    /// - Parameter isEnding: whether no more will be added; then each frame has.
    package func next(isEnding: Bool) -> Output? {
        guard nextOut < slots.count, let last = slots.last else { return nil }
        let slot = slots[nextOut]
        guard isEnding || last.seconds >= slot.seconds + Self.delay else { return nil }
        guard let pixels = slot.pixels.take() else { return nil }
        let faces = slot.sightings.map { sighting in
            let landmarks = smoothed(sighting, at: nextOut)
            let face = Face(landmarks: landmarks, reference: reference)
            var instance = sighting.seen ?? FaceInstance(face: face, trackID: sighting.trackID)
            instance.face = face
            return instance
        }
        nextOut += 1
        while nextOut > 0, slots[0].seconds < slot.seconds - Self.delay {
            slots.removeFirst()
            nextOut -= 1
        }
        return Output(pixels: pixels, seconds: slot.seconds, faces: faces)
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
        return ZeroPhaseSmoothing.smooth(track, at: index - first, mean: mean, settings: Self.smoothing)
    }

    /// Somebody has been found who may have been there before: followed from here towards the past, for as long as it
    /// is surely a face and nobody else's.
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
                    follower = try FaceFollower(pixels, box: start, cascade: cascade)
                }
            }
            // A frame that has no pixels any more is gone.
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
            guard !follower.hasJumped, follower.uncertainty < FaceTracker.convincingUncertainty, !isTaken else {
                return
            }
            slot.sightings.append(
                Sighting(trackID: face.trackID, stretch: stretch, measurement: follower.measurement))
            if slot.isCut { return }
        }
    }
}
