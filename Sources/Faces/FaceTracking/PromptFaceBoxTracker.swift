import Detection
import FaceGeometry
import Pixels
import Threads

/// Tracks the boxes of all faces in a live picture that is shown at once: also of faces that have no landmarks, such as profiles.
///
/// A detector searches a frame now and then, on a thread of its own. What it finds is carried by optical flow (`BoxFlow`) through
/// the frames that have come meanwhile, and on from there for `FaceBoxTracker.Settings.hold`. So a new face has no box for as long
/// as a search takes, and the time to the next one. In a new scene, nothing is known before its first search has ended. It belongs
/// to one thread.
package final class PromptFaceBoxTracker {
    /// Seconds between the starts of searches.
    private static let interval = 0.3
    /// A longer time between two frames is an interruption, in seconds: what was followed before it is not any more.
    private static let longestStep = 0.5
    /// After so long without a search that has ended, faces may be anywhere, in seconds.
    private static let longestWait = 1.5
    /// Where more frames wait for a search, every second one is left out: to follow faces through them takes time.
    private static let mostFrames = 16

    /// A frame, reduced for flow.
    private final class GreyFrame {
        let pixels: PixelBuffer
        /// Pixels of the frame for a pixel of it.
        let scale: Float
        let seconds: Double

        init(_ frame: borrowing PixelBuffer, seconds: Double) throws {
            pixels = try FaceBoxTracker.flowPicture(of: frame)
            scale = FaceBoxTracker.flowScale(of: frame)
            self.seconds = seconds
        }
    }

    /// A face, in pixels of grey frames.
    private struct FollowedFace {
        private(set) var box: OrientedBox
        /// Since when flow has had nothing to follow; nil: it has.
        private(set) var blindSince: Double?
        /// When it was last known that the detector had found it.
        var lastFound: Double
        private let flow = BoxFlow()

        init(_ box: OrientedBox, in frame: GreyFrame) {
            (self.box, lastFound) = (box, frame.seconds)
            flow.start(frame.pixels, box: box)
        }

        mutating func follow(into frame: GreyFrame) {
            let step = flow.step(frame.pixels, box: box)
            if step.agreement >= FaceBoxTracks.Constant.leastAgreement {
                (box, blindSince) = (step.box, nil)
            } else {
                // It is likely to be where it was.
                flow.start(frame.pixels, box: box)
                blindSince = blindSince ?? frame.seconds
            }
        }

        func isLost(in frame: GreyFrame, after hold: Double) -> Bool {
            let isBlind = blindSince.map { frame.seconds - $0 > FaceBoxTracks.Constant.longestBlind } ?? false
            return isBlind || frame.seconds - lastFound > hold || !FaceBoxTracks.isInside(box, frame.pixels)
        }
    }

    private let search: FaceSearch
    private let settings: FaceBoxTracker.Settings
    private let owner = OwningThread()
    private var faces: [FollowedFace] = []
    /// From the one that is being searched on; empty: none is.
    private var sinceSearch: [GreyFrame] = []
    /// Whether the result of the search says nothing about the present scene.
    private var isStale = false
    private var lastSearch = -Double.infinity
    /// When the last search of this scene ended, in the time of frames, in seconds; nil: none has.
    private var lastAnswer: Double?
    private var reduction = SearchReduction()
    private var last: (seconds: Double, bounds: PixelRectangle)?
    /// Whether frames wait for the end of each search, so that the same frames always have the same result.
    private let waits: Bool

    /// - Parameters:
    ///   - waits: whether frames wait for the end of each search, so that the same frames always have the same result.
    ///   - makeDetector: makes the detector, on the thread that it belongs to.
    /// - Throws: `NoThread`, or an error of `makeDetector`.
    package init(
        waits: Bool, settings: FaceBoxTracker.Settings = FaceBoxTracker.Settings(),
        detector makeDetector: @escaping @Sendable () throws -> any FaceDetector
    ) throws {
        (self.waits, self.settings) = (waits, settings)
        search = try FaceSearch(background: !waits, isUrgent: true, detector: makeDetector, thoroughDetector: nil)
    }

    /// Takes the next frame, `rgba8`.
    /// - Parameter isCut: whether it shows another scene than the frame before.
    /// - Returns: the boxes of its faces as far as they are known, in pixels of it, in the convention of dlib's detector. Nil: no
    ///   search has ended for a while, or none since the scene began.
    /// - Throws: an error of the detector, or `OutOfMemory`.
    package func add(_ frame: borrowing PixelBuffer, at seconds: Double, isCut: Bool) throws -> [OrientedBox]? {
        owner.check()
        let goesOn = last.map { (0...Self.longestStep).contains(seconds - $0.seconds) && $0.bounds == frame.bounds }
        last = (seconds, frame.bounds)
        if isCut || goesOn != true {
            (faces, lastSearch, lastAnswer) = ([], -.infinity, nil)
            isStale = !sinceSearch.isEmpty
        }
        let grey = try GreyFrame(frame, seconds: seconds)
        for index in faces.indices { faces[index].follow(into: grey) }
        if !sinceSearch.isEmpty, !isStale { noteFollowing(grey) }
        try takeResult(at: seconds)
        // Half a millisecond of tolerance: frame times are rounded.
        if sinceSearch.isEmpty, seconds - lastSearch >= Self.interval - 0.0005 {
            (sinceSearch, lastSearch) = ([grey], seconds)
            try search.start(frame, reducedBy: reduction.chosen(for: frame))
            if waits { try takeResult(at: seconds) }
        }
        faces.removeAll { $0.isLost(in: grey, after: settings.hold) }
        guard let lastAnswer, seconds - lastAnswer <= Self.longestWait else { return nil }
        return faces.map {
            OrientedBox(center: grey.scale * $0.box.center, side: grey.scale * $0.box.side, roll: $0.box.roll)
        }
    }

    private func noteFollowing(_ frame: GreyFrame) {
        sinceSearch.append(frame)
        guard sinceSearch.count > Self.mostFrames else { return }
        // The one that is searched and the newest stay.
        let last = sinceSearch.count - 1
        sinceSearch = sinceSearch.indices.filter { $0.isMultiple(of: 2) || $0 == last }.map { sinceSearch[$0] }
    }

    private func takeResult(at seconds: Double) throws {
        guard let searched = sinceSearch.first, let result = try search.takeResult() else { return }
        if !waits { reduction.note(result.cost) }
        let following = sinceSearch.dropFirst()
        sinceSearch = []
        guard !isStale else { return isStale = false }
        lastAnswer = seconds
        var free = Set(faces.indices)
        let sightings = result.faces.compactMap { settings.sighting(of: $0.box, $0.score, scale: searched.scale) }
        for sighting in sightings.sorted(by: { $0.score > $1.score }) {
            var found = FollowedFace(sighting.box, in: searched)
            for frame in following { found.follow(into: frame) }
            found.lastFound = seconds
            let near = free.filter { FaceBoxTracks.areOne(faces[$0].box, found.box) }
            let nearest = near.min {
                (faces[$0].box.center - found.box.center).length < (faces[$1].box.center - found.box.center).length
            }
            if let nearest {
                faces[nearest] = found
                free.remove(nearest)
            } else if sighting.score >= settings.startingScore {
                faces.append(found)
            }
        }
    }
}
