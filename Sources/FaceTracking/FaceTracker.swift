import FaceGeometry
import Pixels

/// Follows all faces of a stream of frames. It belongs to one thread.
///
/// Known faces are followed in every frame (`FaceFollower`); new ones are looked for from time to time by a detector
/// (`FaceSearch`), which the frames never wait for unless that is asked. Nothing is allocated for a frame in which no
/// search starts or ends and nobody comes or goes.
package final class FaceTracker {
    package struct Settings: Sendable {
        /// The smallest face that is looked for, in shares of the picture's height.
        package var smallestFace: Float = 0.1
        package var maximumFaces = 16
        /// Whether the detector runs on a thread of its own. Otherwise the frame waits for it, and the same frames
        /// always give the same faces: for recorded material.
        package var searchesInBackground = true
        package var smoothing = LandmarkSmoother.Settings()

        package init() {}
    }

    /// In the order in which they were found.
    package private(set) var faces: [TrackedFace] = []
    /// What the last frame took, in seconds.
    package private(set) var times = Times()
    package private(set) var scene = SceneMonitor()
    /// Called at the start of each frame, on the tracker's thread.
    package var beforeFrame: ((FaceTracker) -> Void)?
    /// How much steadier, and later, than usual (1) faces are held.
    package var smoothingStrength: Float = 1 {
        didSet { for index in inner.indices { inner[index].smoother.strength = smoothingStrength } }
    }

    package struct Times: Sendable {
        package var follow = 0.0
        package var smooth = 0.0
        package var scene = 0.0
        /// Preparing a search, or making faces of what one found; and the search itself where it does not run in the
        /// background.
        package var search = 0.0
        /// The last search by the detector, on whichever thread.
        package var detector = 0.0

        package init() {}
    }

    /// What the tracker keeps of a face besides what it tells.
    private struct Inner {
        var follower: FaceFollower
        var smoother: LandmarkSmoother
        var descriptor: FaceDescriptor
        var doubts = 0
    }

    private let settings: Settings
    private let cascade: LandmarkCascade
    private let reference: ReferenceFace
    private let mean: MeanFace
    private let search: FaceSearch
    /// One for each of `faces`.
    private var inner: [Inner] = []
    private var people = IdentityStore()
    private var schedule: SearchSchedule
    private var lastSeconds: Double?
    private var frameCount = 0

    /// What does not look like a face in so many probes one after another is let go.
    private static let patience = 3
    /// A larger uncertainty than this is doubtful.
    private static let doubtfulUncertainty: Float = 0.08
    /// So is this already when it does not look like itself.
    private static let suspiciousUncertainty: Float = 0.04
    private static let strangeLooks: Float = 0.35
    /// A face that is new must convince more.
    static let convincingUncertainty: Float = 0.055
    /// A face that nobody doubts is probed in one of so many frames.
    private static let probeInterval = 3
    /// After a longer gap between frames nothing is known any more.
    private static let longestGap = 0.5

    /// - Parameter detector: makes the detector, on the thread that it will live on.
    package init(
        cascade: LandmarkCascade, reference: ReferenceFace, settings: Settings = Settings(),
        detector: @escaping @Sendable () throws -> any FaceDetector = { try HOGFaceDetector() }
    ) throws {
        self.cascade = cascade
        self.reference = reference
        self.settings = settings
        mean = MeanFace(reference)
        search = try FaceSearch(background: settings.searchesInBackground, detector: detector)
        schedule = SearchSchedule(smallestFace: settings.smallestFace)
        faces.reserveCapacity(settings.maximumFaces)
        inner.reserveCapacity(settings.maximumFaces)
    }

    /// Takes the next frame, grey or RGBA with 8 bits. Afterwards `faces` is up to date.
    /// - Parameter seconds: the frame's time; later than that of the frame before.
    package func track(_ frame: borrowing PixelBuffer, at seconds: Double) throws {
        beforeFrame?(self)
        let clock = ContinuousClock()
        let start = clock.now
        let elapsed = seconds - (lastSeconds ?? seconds)
        lastSeconds = seconds
        frameCount += 1
        scene.watch(frame, seconds: Float(max(elapsed, 0)))
        if scene.isCut || elapsed > Self.longestGap || elapsed < 0 { endAllTracks(at: seconds) }
        let watched = clock.now
        try follow(frame, seconds: Float(max(elapsed, 0)), now: seconds)
        let followed = clock.now
        smooth(seconds: Float(max(elapsed, 0)))
        let smoothed = clock.now
        try lookForNewFaces(in: frame, at: seconds)
        times.scene = (watched - start) / .seconds(1)
        times.follow = (followed - watched) / .seconds(1)
        times.smooth = (smoothed - followed) / .seconds(1)
        times.search = (clock.now - smoothed) / .seconds(1)
    }

    // MARK: Known faces

    private func follow(_ frame: borrowing PixelBuffer, seconds: Float, now: Double) throws {
        for index in inner.indices {
            let follower = inner[index].follower
            try follower.follow(frame, seconds: seconds)
            let isDoubted = inner[index].doubts > 0
            if isDoubted || follower.hasJumped || (frameCount + faces[index].trackID) % Self.probeInterval == 0 {
                try follower.probe(frame)
                let looks = inner[index].descriptor.similarity(to: follower.descriptor)
                let isDoubtful =
                    follower.hasJumped || follower.uncertainty > Self.doubtfulUncertainty
                    || (follower.uncertainty > Self.suspiciousUncertainty && looks < Self.strangeLooks)
                inner[index].doubts = isDoubtful ? inner[index].doubts + 1 : 0
                if follower.uncertainty < Self.convincingUncertainty {
                    inner[index].descriptor.learn(follower.descriptor, share: 0.03)
                }
            }
        }
        for index in inner.indices.reversed()
        where inner[index].doubts >= Self.patience || !isInside(inner[index].follower.box, frame) {
            endTrack(index, at: now)
        }
        mergeDuplicateTracks(at: now)
    }

    /// Most of a face must be in the picture.
    private func isInside(_ box: OrientedBox, _ frame: borrowing PixelBuffer) -> Bool {
        let (width, height) = (Float(frame.width), Float(frame.height))
        let half = box.side / 2
        let across = min(box.center.x + half, width) - max(box.center.x - half, 0)
        let down = min(box.center.y + half, height) - max(box.center.y - half, 0)
        return box.side > 12 && across > 0 && down > 0 && across * down > 0.55 * box.side * box.side
    }

    /// Two that follow one and the same face, as happens when one passes before the other: whoever looks less like
    /// itself is let go.
    private func mergeDuplicateTracks(at seconds: Double) {
        var first = 0
        while first < inner.count {
            var second = first + 1
            while second < inner.count {
                let (a, b) = (inner[first].follower, inner[second].follower)
                if (a.box.center - b.box.center).length < 0.25 * min(a.box.side, b.box.side) {
                    let firstLooks = inner[first].descriptor.similarity(to: a.descriptor)
                    let secondLooks = inner[second].descriptor.similarity(to: b.descriptor)
                    endTrack(firstLooks < secondLooks ? first : second, at: seconds)
                    second = first + 1
                    if first >= inner.count { return }
                } else {
                    second += 1
                }
            }
            first += 1
        }
    }

    private func endTrack(_ index: Int, at seconds: Double) {
        people.remember(
            trackID: faces[index].trackID, descriptor: inner[index].descriptor, box: inner[index].follower.box,
            at: seconds)
        faces.remove(at: index)
        inner.remove(at: index)
        schedule.noteLoss(at: seconds)
    }

    private func endAllTracks(at seconds: Double) {
        for index in inner.indices.reversed() { endTrack(index, at: seconds) }
        schedule.hurry()
    }

    private func smooth(seconds: Float) {
        for index in inner.indices {
            let follower = inner[index].follower
            let smoothed = inner[index].smoother.smooth(follower.landmarks, seconds: seconds)
            faces[index].measurement = follower.measurement
            faces[index].age += 1
            faces[index].expression = follower.expression
            faces[index].face = Face(
                landmarks: smoothed, reference: reference, box: FaceBox(follower.box),
                uncertainty: follower.uncertainty)
            faces[index].events.update(
                faces[index].expression, yaw: faces[index].face.pose.yaw, seconds: seconds)
        }
    }

    // MARK: New faces

    private func lookForNewFaces(in frame: borrowing PixelBuffer, at seconds: Double) throws {
        if !search.isBusy {
            // What was found in an earlier frame is looked for in this one.
            if let result = try search.takeResult() { try startTracks(result, in: frame, at: seconds) }
            let cost = settings.searchesInBackground ? times.detector : 0
            if faces.count < settings.maximumFaces,
                let smallest = schedule.next(at: seconds, knownFaces: faces.count, cost: cost)
            {
                try search.start(frame, smallestFace: smallest * Float(frame.height))
                if let result = try search.takeResult() { try startTracks(result, in: frame, at: seconds) }
            }
        }
    }

    private func startTracks(_ result: FaceSearch.Result, in frame: borrowing PixelBuffer, at seconds: Double) throws {
        times.detector = result.cost
        for box in result.boxes where faces.count < settings.maximumFaces {
            let start = OrientedBox(box)
            guard !isKnown(start) else { continue }
            let follower = try FaceFollower(frame, box: start, cascade: cascade)
            guard follower.uncertainty < Self.convincingUncertainty, isInside(follower.box, frame),
                !isKnown(follower.box)
            else { continue }
            let descriptor = follower.descriptor
            let trackID = people.identify(descriptor, box: follower.box, at: seconds)
            inner.append(
                Inner(
                    follower: follower, smoother: LandmarkSmoother(mean: mean, settings: settings.smoothing),
                    descriptor: descriptor))
            inner[inner.count - 1].smoother.strength = smoothingStrength
            _ = inner[inner.count - 1].smoother.smooth(follower.landmarks, seconds: 0)
            faces.append(
                TrackedFace(
                    trackID: trackID,
                    face: Face(
                        landmarks: follower.landmarks, reference: reference, box: FaceBox(follower.box),
                        uncertainty: follower.uncertainty),
                    measurement: follower.measurement, expression: follower.expression,
                    events: ExpressionEvents(), age: 1))
        }
    }

    /// Whether a box belongs to a face that is being followed.
    private func isKnown(_ box: OrientedBox) -> Bool {
        inner.contains { other in
            let known = other.follower.box
            return (known.center - box.center).length < 0.5 * max(known.side, box.side)
        }
    }
}
