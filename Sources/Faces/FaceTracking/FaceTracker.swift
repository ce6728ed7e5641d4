import Detection
import FaceGeometry
import LandmarkModels
import Machine
import Pixels
import Threads
import Vision

/// Tracks all faces in a stream of frames. It belongs to one thread.
///
/// Known faces are followed in every frame (`FaceFollower`); a detector searches for new faces at intervals
/// (`FaceSearch`). Frames wait for the detector only without `Settings.searchesInBackground`. A frame allocates nothing
/// unless a search starts or ends or a track starts or ends in it, or more faces than ever have their turn at once: then
/// a network is made.
package final class FaceTracker {
    private let owner = OwningThread()
    package struct Settings: Sendable {
        /// The smallest face that is searched for.
        package var smallestFace = SmallestFace.share(0.1)
        /// The same for the thorough detector; nil: `smallestFace`.
        package var smallestForThorough: SmallestFace?
        package var maximumFaces = 16
        /// Whether the detector runs on a thread of its own. Otherwise frames wait for it, and the same frames always
        /// give the same faces, as recorded material needs.
        package var searchesInBackground = true
        /// Whether the first frame of a source or a scene waits for a search of its own, which looks for small faces, too, so
        /// that none is shown without masks. So does the first frame after a gap and, on a slow machine, one in which a face
        /// has been lost.
        package var waitsAtCuts = false
        /// Whether frames repeat still pictures: a gap between two of them ends no track.
        package var showsStills = false
        /// Whether the first search of a scene looks for small faces, too. It takes longer.
        package var startsThoroughly = false
        /// Whether a face that is probably a print on clothes is left out (`HeadInFront`). Only where faces wear masks: where
        /// one might be hidden for its person's sake, doubt hides.
        package var leavesOutPrints = false
        /// How many threads, with the caller's, follow several faces. The results do not depend on it.
        package var threads = MachineProcessors.count

        package init() {}

        /// Of recorded video that is masked.
        /// - Parameter smallestFace: nil: a tenth of the picture's height, and less for CenterFace.
        package static func video(smallestFace: SmallestFace? = nil) -> Settings {
            var settings = Settings()
            if let smallestFace { settings.smallestFace = smallestFace }
            settings.smallestForThorough = smallestFace ?? .share(0.04)
            return settings
        }
    }

    /// In the order in which their tracks started.
    package private(set) var faces: [TrackedFace] = []
    /// The time that the stages of the last frame took, in seconds.
    package private(set) var times = Times()
    /// Whether the last frame belongs to another scene than the frame before.
    package private(set) var isCut = false
    /// Called at the start of each frame, on the tracker's thread.
    package var beforeFrame: ((FaceTracker) -> Void)?
    /// How much slower than usual (1) landmarks are corrected towards the landmark model; 0: they are the model's own.
    package var smoothingStrength: Float = 1 {
        didSet { for track in tracks { track.follower.smoothingStrength = smoothingStrength } }
    }

    /// The smallest face that is searched for.
    package var smallestFace: SmallestFace {
        get { settings.smallestFace }
        set { settings.smallestFace = newValue }
    }

    /// Whether faces that are smaller than `smallestFace` are counted while no other is lost or in doubt.
    package var countsSmallerFaces: Bool {
        get { schedule.countsSmallerFaces }
        set { schedule.countsSmallerFaces = newValue }
    }

    /// How many smaller faces there are, which are not followed, as far as has been counted.
    package var smallerFaces: Int { schedule.smallerFaces }

    package struct Times: Sendable {
        package var follow = 0.0
        package var smooth = 0.0
        package var scene = 0.0
        /// Preparing a search and starting tracks from its result; also the search itself unless it runs in the
        /// background.
        package var search = 0.0
        /// The last search by the detector, on either thread.
        package var detector = 0.0

        package init() {}
    }

    private var settings: Settings
    private let model: any LandmarkModel
    private let reference: ReferenceFace
    private let mean: MeanFace
    private let mesh: LandmarkMesh
    private let search: FaceSearch
    /// One for each of `faces`.
    private var tracks: [FaceTrack] = []
    private let threads: FollowingThreads
    /// Of what the faces await between two frames.
    private let evaluations: EvaluationThread
    private var identities = IdentityStore()
    private var schedule: SearchSchedule
    private var last: (seconds: Double, bounds: PixelRectangle, waited: Double)?
    private var cuts = SceneCutDetector()
    /// How many faces in a row could not be followed, or not even begun with, because of a failure.
    private var failures = 0

    /// A track starts below this uncertainty.
    static let startingUncertainty: Float = 0.055
    /// From then on, a face that nothing has moved in front of is seen whole.
    private static let framesUntilKnown = 10
    /// All tracks end after a longer gap between frames, in seconds.
    private static let longestGap = 0.5
    /// Frames so far apart, in seconds, come from a slow machine, or a slow camera in the dark. The mask of a lost face is missed
    /// for long there until a search in the background has ended.
    private static let slowInterval = 0.15
    /// What other threads do beside a stream of frames begins when the frame has probably been drawn: after so much of the
    /// time between two frames, but at most so many seconds.
    private static let pause = (share: 0.25, longest: 0.012)
    /// A failure of one face ends its track. So many in a row, without a face that succeeds, are a failure of the landmark
    /// model or of the machine, which must not look like a video without faces.
    private static let mostFailures = 8

    /// - Parameters:
    ///   - detector: makes the detector, on the thread that will use it.
    ///   - thoroughDetector: makes another one, which finds more in thorough searches, if frames wait for them.
    /// - Throws: whatever these throw.
    package init(
        model: any LandmarkModel, reference: ReferenceFace, settings: Settings = Settings(),
        detector: @escaping @Sendable () throws -> any FaceDetector = { try HOGFaceDetector() },
        thoroughDetector: (@Sendable () throws -> any FaceDetector)? = nil
    ) throws {
        self.model = model
        self.reference = reference
        self.settings = settings
        mean = MeanFace(reference)
        mesh = LandmarkMesh(mean, reference)
        search = try FaceSearch(
            background: settings.searchesInBackground, isUrgent: settings.showsStills,
            searchesAtOnce: settings.waitsAtCuts, detector: detector, thoroughDetector: thoroughDetector)
        schedule = SearchSchedule(
            smallestFace: settings.smallestFace.share(ofHeight: 0),
            startsThoroughly: settings.startsThoroughly || settings.waitsAtCuts)
        faces.reserveCapacity(settings.maximumFaces)
        tracks.reserveCapacity(settings.maximumFaces)
        threads = FollowingThreads(
            count: min(settings.threads, settings.maximumFaces), capacity: settings.maximumFaces)
        evaluations = EvaluationThread(threads: min(settings.threads, 2), capacity: settings.maximumFaces)
    }

    deinit {
        // The model may be shared: nobody else may get what another thread still evaluates.
        evaluations.finish()
    }

    /// Takes the next frame, grey or RGBA with 8 bits, and updates `faces`.
    /// - Parameters:
    ///   - seconds: the frame's time; later than that of the frame before.
    ///   - isCut: whether the frame belongs to another scene than the one before; nil: judged by what has been seen up to now.
    package func track(_ frame: borrowing PixelBuffer, at seconds: Double, isCut known: Bool? = nil) throws {
        owner.check()
        let clock = ContinuousClock()
        let arrived = clock.now
        evaluations.finish()
        beforeFrame?(self)
        let start = clock.now
        let elapsed = seconds - (last?.seconds ?? seconds)
        // Of another size, nothing is where it was.
        let isResized = last.map { $0.bounds != frame.bounds } ?? false
        // While a still picture waits for its search, its next frames are left out; they are all the same.
        // Nor is it a gap that the frame before has waited for its search: a slow machine would search each frame.
        let missed = elapsed - (last?.waited ?? 0)
        let isGap = elapsed < 0 || missed > Self.longestGap && !settings.showsStills
        let isFirst = last == nil
        last = (seconds, frame.bounds, 0)
        isCut = (known ?? cuts.isCut(.init(SceneSignature(frame), seconds: seconds), before: [])) || isResized
        if isCut || isGap { endAllTracks(at: seconds) }
        let watched = clock.now
        let knownCount = tracks.count
        try follow(frame, seconds: Float(max(elapsed, 0)), now: seconds)
        let followed = clock.now
        updateFaces(seconds: Float(max(elapsed, 0)))
        let smoothed = clock.now
        let pause = settings.searchesInBackground ? min(Self.pause.share * max(elapsed, 0), Self.pause.longest) : 0
        let isMissed = missed > Self.slowInterval && tracks.count < knownCount
        if settings.waitsAtCuts, isCut || isGap || isFirst || isMissed {
            try searchScene(frame, at: seconds)
            last?.waited = (clock.now - smoothed) / .seconds(1)
        } else {
            try searchForNewFaces(in: frame, at: seconds, pause: .seconds(pause))
        }
        evaluations.start(tracks, after: .seconds(pause))
        times.scene = (watched - start) / .seconds(1)
        times.follow = (followed - watched + (start - arrived)) / .seconds(1)
        times.smooth = (smoothed - followed) / .seconds(1)
        times.search = (clock.now - smoothed) / .seconds(1)
    }

    // MARK: Known faces

    private func follow(_ frame: borrowing PixelBuffer, seconds: Float, now: Double) throws {
        var turns = EvaluationSchedule.Turns(amongFaces: tracks.count)
        for track in tracks { track.scheduleEvaluation(&turns) }
        threads.follow(tracks, into: frame, seconds: seconds, helper: evaluations)
        for index in tracks.indices.reversed() where try hasFailed(tracks[index].failure) { endTrack(index, at: now) }
        // While there is doubt, the detector helps.
        if tracks.contains(where: { $0.confidence.failures > 0 }) { schedule.noteLoss(at: now) }
        for index in tracks.indices.reversed()
        where tracks[index].confidence.hasEnded || !Self.isInside(tracks[index].follower.box, frame) {
            endTrack(index, at: now)
        }
        mergeDuplicateTracks(at: now)
    }

    /// Takes what happened to one face.
    /// - Throws: a failure that concerns more than this face.
    private func hasFailed(_ failure: VisionError?) throws(VisionError) -> Bool {
        failures = failure == nil ? 0 : failures + 1
        guard let failure else { return false }
        if failure.kind != .failed || failures >= Self.mostFailures { throw failure }
        return true
    }

    /// The follower of a face that begins in a box; nil if it has failed.
    private func makeFollower(
        _ frame: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> FaceFollower? {
        do throws(VisionError) {
            // Only a face that is followed shows that the model works.
            return try FaceFollower(frame, box: box, model: model, mean: mean, mesh: mesh)
        } catch {
            _ = try hasFailed(error)
            return nil
        }
    }

    /// Whether more than about half of a face's box is in the picture and the box is not tiny.
    static func isInside(_ box: OrientedBox, _ frame: borrowing PixelBuffer) -> Bool {
        let (width, height) = (Float(frame.width), Float(frame.height))
        let half = box.side / 2
        let across = min(box.center.x + half, width) - max(box.center.x - half, 0)
        let down = min(box.center.y + half, height) - max(box.center.y - half, 0)
        return box.side > 12 && across > 0 && down > 0 && across * down > 0.55 * box.side * box.side
    }

    /// Of two tracks that follow the same face, as happens when one person passes in front of another, the one less
    /// similar to its own descriptor ends.
    private func mergeDuplicateTracks(at seconds: Double) {
        var first = 0
        while first < tracks.count {
            var second = first + 1
            while second < tracks.count {
                let (a, b) = (tracks[first].follower, tracks[second].follower)
                if (a.box.center - b.box.center).length < 0.25 * min(a.box.side, b.box.side) {
                    let firstSimilarity = tracks[first].descriptor.similarity(to: a.descriptor)
                    let secondSimilarity = tracks[second].descriptor.similarity(to: b.descriptor)
                    endTrack(firstSimilarity < secondSimilarity ? first : second, at: seconds)
                    second = first + 1
                    if first >= tracks.count { return }
                } else {
                    second += 1
                }
            }
            first += 1
        }
    }

    private func endTrack(_ index: Int, at seconds: Double) {
        let confidence = tracks[index].confidence
        identities.remember(
            trackID: faces[index].trackID, descriptor: tracks[index].descriptor,
            lastDescriptor: tracks[index].lastDescriptor,
            box: tracks[index].follower.box, at: seconds)
        faces.remove(at: index)
        tracks.remove(at: index)
        schedule.noteLoss(at: seconds, wasConfirmed: confidence.wasCertain)
    }

    private func endAllTracks(at seconds: Double) {
        for index in tracks.indices.reversed() { endTrack(index, at: seconds) }
        identities.forgetPlaces()
        schedule.hurry()
    }

    private func updateFaces(seconds: Float) {
        for index in tracks.indices {
            let track = tracks[index]
            faces[index].measurement = track.measurement
            faces[index].age += 1
            faces[index].expression = track.expression
            faces[index].face = track.face
            track.note(track.face.pose, seconds: seconds)
            faces[index].events.update(
                faces[index].expression, yaw: faces[index].face.pose.yaw, seconds: seconds)
        }
    }

    // MARK: New faces

    /// - Parameter pause: before a search in the background begins.
    private func searchForNewFaces(in frame: borrowing PixelBuffer, at seconds: Double, pause: Duration) throws {
        if !search.isBusy {
            // The search ran on an earlier frame; its boxes are starting points in this one.
            if let result = try search.takeResult() {
                try startTracks(result, in: frame, at: seconds, isOfFrame: false)
            }
            let cost = settings.searchesInBackground ? times.detector : 0
            // Starting a search takes time, too; it waits for a frame in which no face has its turn, if there are any.
            let waits =
                EvaluationSchedule.Turns(amongFaces: tracks.count).leaveFramesFree && tracks.contains(where: \.hasTurn)
            schedule.smallestFace = settings.smallestFace.share(ofHeight: frame.height)
            let isNeeded = tracks.contains(where: \.confidence.reliesOnDetector)
            if faces.count < settings.maximumFaces || isNeeded, !waits,
                let smallest = schedule.next(
                    at: seconds, knownFaces: faces.count,
                    isInDoubt: isNeeded || tracks.contains { $0.confidence.failures > 0 }, cost: cost)
            {
                let share = (settings.smallestForThorough ?? settings.smallestFace).share(ofHeight: frame.height)
                try search.start(
                    frame, smallestFace: smallest * Float(frame.height),
                    smallestForThorough: schedule.wantsThoroughDetector ? share * Float(frame.height) : nil,
                    after: pause)
                guard !settings.searchesInBackground, let result = try search.takeResult() else { return }
                try startTracks(result, in: frame, at: seconds, isOfFrame: true)
            }
        }
    }

    /// Searches a frame and waits for the result.
    private func searchScene(_ frame: borrowing PixelBuffer, at seconds: Double) throws {
        schedule.hurry()
        schedule.smallestFace = settings.smallestFace.share(ofHeight: frame.height)
        guard faces.count < settings.maximumFaces,
            let smallest = schedule.next(at: seconds, knownFaces: faces.count, cost: 0)
        else { return }
        if let result = try search.searchAtOnce(frame, smallestFace: smallest * Float(frame.height)) {
            try startTracks(result, in: frame, at: seconds, isOfFrame: true)
        }
    }

    /// - Parameter isOfFrame: whether this frame was searched, and no earlier one.
    private func startTracks(
        _ result: FaceSearch.Result, in frame: borrowing PixelBuffer, at seconds: Double, isOfFrame: Bool
    ) throws {
        times.detector = result.cost
        // A face that is found although it is a little smaller than asked for is followed, too.
        let least = schedule.isCounting ? 0.8 * schedule.smallestFace * Float(frame.height) : 0
        // By index of `result.faces`.
        var refused: Set<Int> = []
        defer {
            // Those, too, that are hardly smaller and could not be followed: they are as bare. What the landmark model takes
            // for no face is none.
            if schedule.isCounting {
                let wanted = schedule.smallestFace * Float(frame.height)
                let smaller = result.faces.enumerated().count { index, face in
                    face.box.side < wanted && !refused.contains(index) && knownIndex(face.box) == nil
                }
                schedule.note(smallerFaces: smaller)
            }
        }
        for (index, start) in result.faces.enumerated() {
            let known = knownIndex(start.box)
            if known == nil, start.box.side < least { continue }
            let keyPoints = isOfFrame ? start.keyPoints : nil
            if let known, tracks[known].vouch(keyPoints) { continue }
            // A face that is followed with certainty needs no detector.
            if let known, tracks[known].confidence.failures == 0 { continue }
            guard known != nil || faces.count < settings.maximumFaces else { continue }
            refused.insert(index)
            guard let follower = try makeFollower(frame, box: start.box) else { continue }
            let isCertain = follower.uncertainty < Self.startingUncertainty
            let isVouchedFor = keyPoints?.agree(with: follower.landmarks) ?? false
            guard isCertain || isVouchedFor else { continue }
            refused.remove(index)
            guard Self.isInside(follower.box, frame), knownIndex(follower.box) == known else { continue }
            if known == nil, settings.leavesOutPrints, isPrint(follower.box) { continue }
            // Who vouches for a face does not know whose it is.
            if let known, !isCertain, !tracks[known].looksLike(follower) { continue }
            follower.smoothingStrength = smoothingStrength
            if let known {
                tracks[known].restart(with: follower)
                tracks[known].vouch(keyPoints)
                // It has no step from the frame before, so that what is smoothed later is not carried across.
                faces[known].measurement = tracks[known].measurement
                continue
            }
            let track = FaceTrack(follower, reference: reference, mean: mean)
            track.vouch(keyPoints)
            let trackID = identities.identify(track.descriptor, box: follower.box, at: seconds)
            tracks.append(track)
            faces.append(
                TrackedFace(
                    trackID: trackID, face: track.face, measurement: track.measurement, expression: track.expression,
                    events: ExpressionEvents(), age: 1, isVouchedFor: isVouchedFor))
        }
    }

    /// Whether a face is only a print on the clothes of somebody: its head would hide one that is seen whole.
    private func isPrint(_ box: OrientedBox) -> Bool {
        tracks.indices.contains { index in
            let (confidence, known) = (tracks[index].confidence, tracks[index].follower)
            return faces[index].age >= Self.framesUntilKnown && confidence.wasCertain && confidence.failures == 0
                && !confidence.isBroken && !known.isDisturbed && HeadInFront.hides(box, known.box, known.landmarks)
        }
    }

    /// The index of the track of the face that a box belongs to; nil if it has none.
    private func knownIndex(_ box: OrientedBox) -> Int? {
        tracks.firstIndex { other in
            let known = other.follower.box
            return (known.center - box.center).length < 0.5 * max(known.side, box.side)
        }
    }
}
