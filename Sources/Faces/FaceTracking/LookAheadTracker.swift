import Detection
import FaceGeometry
import LandmarkModels
import Pixels
import Threads

/// Tracks the faces in recorded video with look-ahead: landmarks are smoothed without lag, and a track starts in the frame
/// in which the face enters the picture rather than the frame in which the detector finds it. A cut is told from a flash by
/// the frames after it. A frame that mixes two scenes gets the faces of both. Frames come out in order, delayed by about half a
/// second of the video; less where they are so large that the frames held back would take more than `largestHeldBytes`. It
/// belongs to one thread.
package final class LookAheadTracker {
    private let owner = OwningThread()
    /// A frame with its faces.
    package struct Output: ~Copyable {
        package var pixels: PixelBuffer
        package let seconds: Double
        package let faces: [FaceInstance]
        /// Whether the scene is another one than in the frame before. A frame that mixes two scenes is one of its own.
        package let isCut: Bool
        /// Whether it mixes two scenes, and has the faces of both.
        package let isMixture: Bool

        /// The pixel buffer, for reuse by another frame.
        package consuming func reusedPixels() -> PixelBuffer { pixels }
    }

    /// One face in one frame before smoothing.
    struct Sighting {
        let trackID: Int
        /// Number of the uninterrupted stretch of frames in which the face was followed.
        var stretch: Int
        var measurement: LandmarkMeasurement
        /// See `Face.uncertainty`; nil where the face was not seen, but was in the frames before and after.
        var uncertainty: Float?
        var isSeen = true
        /// See `FaceInstance.mayBeAnother`.
        var mayBeAnother = false
        /// The instance as the tracker reported it; nil in frames before the detector found the face.
        var tracked: FaceInstance?
    }

    final class Slot {
        var pixels: PixelBuffer?
        let moment: SceneCutDetector.Moment
        let byteCount: Int
        /// Known when it is tracked.
        var isCut = false
        /// Whether it mixes two scenes: then it is not tracked, and has no sightings.
        var isMixture = false
        var sightings: [Sighting] = []

        var seconds: Double { moment.seconds }

        init(_ pixels: consuming PixelBuffer, seconds: Double) {
            byteCount = pixels.bytesPerRow * pixels.height
            moment = SceneCutDetector.Moment(SceneSignature(pixels), seconds: seconds)
            self.pixels = consume pixels
        }

        /// Whether the frame has not been handed out yet.
        var isHeld: Bool { pixels != nil }

        /// - Returns: false when the frame has been handed out already.
        func read<Failure>(_ body: (borrowing PixelBuffer) throws(Failure) -> Void) throws(Failure) -> Bool {
            guard let held = pixels.take() else { return false }
            do throws(Failure) {
                try body(held)
            } catch {
                pixels = consume held
                throw error
            }
            pixels = consume held
            return true
        }
    }

    /// How long frames are held back, in seconds: as far as smoothing looks ahead, and half of the longest interval
    /// between searches.
    private static let delay = LookAheadSmoothing.future
    /// How long a frame is held back in which a face has just been lost: if it is found again by then, the gap is closed.
    private static let delayAfterLoss = 0.8
    /// The memory that frames held back may take for that, in bytes,
    private static let largestDelayedBytes = 400_000_000

    /// Added to the track ID of a person who is in both scenes of a mixture.
    private static let secondID = 1_000_000
    /// How far a face is moved at most in a mixture, in its widths.
    private static let farthest: Float = 0.1

    private let tracker: FaceTracker
    private let largestHeldBytes: Int
    let model: any LandmarkModel
    private let reference: ReferenceFace
    let mean: MeanFace
    let mesh: LandmarkMesh
    /// Frames that are not tracked yet: what follows them says whether they belong to another scene.
    private var arrivals: [Slot] = []
    private var cuts = SceneCutDetector()
    /// The tracked frames held back, and before them frames already handed out, whose sightings smoothing still needs.
    var slots: [Slot] = []
    private var nextOut = 0
    /// The current stretch of each track ID.
    var stretches: [Int: Int] = [:]
    private var stretchCount = 0
    /// Called with each frame that is tracked, and its faces before smoothing and before any is followed back.
    package var observe:
        (
            (_ faces: [FaceInstance], _ pixels: borrowing PixelBuffer, _ seconds: Double, _ isCut: Bool) throws -> Void
        )?

    /// - Parameters:
    ///   - largestHeldBytes: the memory that all frames held back may take.
    ///   - detector, thoroughDetector: as those of `FaceTracker`.
    package init(
        model: any LandmarkModel, reference: ReferenceFace, settings: FaceTracker.Settings = FaceTracker.Settings(),
        largestHeldBytes: Int = 1_500_000_000,
        detector: @escaping @Sendable () throws -> any FaceDetector = { try HOGFaceDetector() },
        thoroughDetector: (@Sendable () throws -> any FaceDetector)? = nil
    ) throws {
        self.largestHeldBytes = largestHeldBytes
        var settings = settings
        settings.searchesInBackground = false
        // A shot may be over before the third search.
        settings.startsThoroughly = true
        tracker = try FaceTracker(
            model: model, reference: reference, settings: settings, detector: detector,
            thoroughDetector: thoroughDetector)
        self.model = model
        self.reference = reference
        mean = MeanFace(reference)
        mesh = LandmarkMesh(mean, reference)
    }

    /// Takes the next frame, RGBA with 8 bits.
    /// - Parameter seconds: its time, later than that of the frame before.
    package func add(_ pixels: consuming PixelBuffer, at seconds: Double) throws {
        owner.check()
        arrivals.append(Slot(pixels, seconds: seconds))
        while canTrack { try trackArrival() }
    }

    /// Whether the first arrival's successors are known as far as they matter, or take too much memory.
    private var canTrack: Bool {
        guard let first = arrivals.first, let last = arrivals.last else { return false }
        let following = arrivals.count - 1
        return following >= SceneCutDetector.frames.most
            || following >= SceneCutDetector.frames.least
                && last.seconds - first.seconds >= SceneCutDetector.longestFlash
            || following > 0 && heldBytes > largestHeldBytes
    }

    private var heldBytes: Int {
        arrivals.reduce(0) { $0 + $1.byteCount } + slots[nextOut...].reduce(0) { $0 + $1.byteCount }
    }

    private func trackArrival() throws {
        let slot = arrivals.removeFirst()
        slot.isCut = cuts.isCut(slot.moment, before: arrivals.map(\.moment))
        slot.isMixture = cuts.isMixture
        guard !slot.isMixture else { return slots.append(slot) }
        _ = try slot.read { pixels in
            try tracker.track(pixels, at: slot.seconds, isCut: slot.isCut)
            if let observe { try observe(tracker.faces.map(\.instance), pixels, slot.seconds, slot.isCut) }
        }
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
                    trackID: face.trackID, stretch: stretch, measurement: face.measurement,
                    uncertainty: face.face.uncertainty, tracked: face.instance))
            if isNew {
                try followBack(face, stretch: stretch)
                bridgeGap(before: face.trackID)
            }
        }
    }

    /// The next frame that has been held back long enough, or nil.
    /// - Parameter isEnding: whether no more frames will be added; then the remaining frames come out at once.
    package func next(isEnding: Bool) throws -> Output? {
        owner.check()
        while isEnding, !arrivals.isEmpty { try trackArrival() }
        guard nextOut < slots.count, let last = slots.last else { return nil }
        let slot = slots[nextOut]
        let delay = awaitsLostFace ? Self.delayAfterLoss : Self.delay
        guard isEnding || last.seconds >= slot.seconds + delay || heldBytes > largestHeldBytes else { return nil }
        // The faces of the scene that begins after it.
        if slot.isMixture, nextOut + 1 == slots.count, !arrivals.isEmpty { try trackArrival() }
        guard let pixels = slot.pixels.take() else { return nil }
        let faces = slot.isMixture ? facesOfMixture(at: nextOut) : faces(at: nextOut)
        nextOut += 1
        while nextOut > 0, slots[0].seconds < slot.seconds - LookAheadSmoothing.past {
            slots.removeFirst()
            nextOut -= 1
        }
        return Output(
            pixels: pixels, seconds: slot.seconds, faces: faces, isCut: slot.isCut, isMixture: slot.isMixture)
    }

    private func faces(at index: Int) -> [FaceInstance] {
        slots[index].sightings.map { sighting in
            var instance = instance(of: sighting, landmarks: smoothed(sighting, at: index))
            instance.isSeen = sighting.isSeen
            instance.mayBeAnother = sighting.mayBeAnother
            return instance
        }
    }

    /// The faces in a frame that mixes two scenes: those of the frame before, and those of the frame after, as they move.
    /// Whether it shows the same people is not known.
    private func facesOfMixture(at index: Int) -> [FaceInstance] {
        [-1, 1].filter { slots.indices.contains(index + $0) }.flatMap { side in
            slots[index + side].sightings.map { sighting in
                let near = smoothed(sighting, at: index + side)
                let motion = motion(of: sighting, near, from: index + side, to: index)
                var instance = instance(of: sighting, landmarks: near.mappedWithIndex { $1 + motion })
                instance.isSeen = false
                instance.mayBeAnother = true
                // The same person may be in both scenes. Track IDs in a frame differ.
                if side > 0, slots[index - 1].sightings.contains(where: { $0.trackID == sighting.trackID }) {
                    instance.trackID += Self.secondID
                }
                return instance
            }
        }
    }

    /// How far a face is likely to have moved from a frame to the one beside it, of another scene: as fast as between that
    /// frame and the one beyond, but at most by `farthest`, because it may have stopped.
    private func motion(of sighting: Sighting, _ near: Landmarks, from side: Int, to index: Int) -> Point {
        let beyond = 2 * side - index
        guard slots.indices.contains(beyond),
            let farther = slots[beyond].sightings.first(where: { $0.stretch == sighting.stretch })
        else { return .zero }
        let elapsed = slots[side].seconds - slots[beyond].seconds
        let share = elapsed == 0 ? 0 : Float((slots[index].seconds - slots[side].seconds) / elapsed)
        let motion = min(1, max(0, share)) * (near.bounds.center - smoothed(farther, at: beyond).bounds.center)
        return min(1, Self.farthest * near.bounds.width / max(motion.length, 1e-3)) * motion
    }

    private func instance(of sighting: Sighting, landmarks: Landmarks) -> FaceInstance {
        var face = Face(landmarks: landmarks, reference: reference, uncertainty: sighting.uncertainty)
        face.take(sighting.measurement.headPoints, mean: mean)
        var instance = sighting.tracked ?? FaceInstance(face: face, trackID: sighting.trackID)
        instance.face = face
        return instance
    }

    /// Whether the next frame to be handed out lacks a face that the frame before has in the same scene.
    private var awaitsLostFace: Bool {
        let slot = slots[nextOut]
        guard nextOut > 0, !slot.isCut, (slots.count - nextOut) * slot.byteCount < Self.largestDelayedBytes else {
            return false
        }
        return !slots[nextOut - 1].sightings.allSatisfy { old in
            slot.sightings.contains { $0.stretch == old.stretch }
        }
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
}
