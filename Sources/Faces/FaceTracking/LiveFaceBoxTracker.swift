import Detection
import FaceGeometry
import Glibc
import Pixels
import Threads

/// Tracks the boxes of all faces in a live picture that is shown a little later than it is taken: what is needed to cover them.
/// What is found meanwhile is followed back to where it could be seen first.
///
/// A detector searches one frame after another, each time the newest, on a thread of its own. The size of what it searches
/// follows from the time that it takes. `FaceBoxTracks` carries the boxes from frame to frame. A frame counts as searched if a
/// search of it, or of a later frame in its scene, has ended by the time that it is shown. It belongs to one thread.
package final class LiveFaceBoxTracker {
    /// What is known of a frame when it is shown.
    package struct Faces: Equatable, Sendable {
        /// In pixels of the frame, in the convention of dlib's detector. Nil: it has not been searched in time, and may show
        /// anybody.
        package let boxes: [OrientedBox]?
    }

    /// How long frames are held back, in seconds of the video. A face appears up to an interval between searches before one that
    /// finds it, which takes up to `SearchReduction.longestSearch`; and a cut is known from the frames of 0.15 s after it.
    package static let delay = 0.4
    /// A longer time between two frames is an interruption, in seconds: what was followed before it is not any more.
    private static let longestStep = 0.5

    /// For so long after a frame that was not searched in time, what is shown stays covered, in seconds: on a machine that is
    /// nearly too slow, the picture would flicker.
    private static let calm = 0.5

    /// A frame that has not been shown.
    private struct Waiting {
        let seconds: Double
        /// Pixels of the frame for a pixel of the picture for flow.
        let scale: Float
    }

    private let search: FaceSearch
    private let settings: FaceBoxTracker.Settings
    private let owner = OwningThread()
    private let found: FaceBoxTracks
    private var waiting: [Waiting] = []
    /// The picture that is being searched, with pixels of the frame for a pixel of it; nil: none.
    private var searched: (picture: FaceBoxTracks.Picture, scale: Float, seconds: Double)?
    private var lastSearch = -Double.infinity
    private var reduction = SearchReduction()
    /// The time of the last frame that was not searched in time.
    private var lastLag = -Double.infinity
    private var lastFrame: (seconds: Double, bounds: PixelRectangle)?
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
        var settings = settings
        // What was shown is over.
        settings.back = Self.delay + SearchReduction.longestSearch
        // Small faces are found in some searches and missed in others: after a second it is not believed any more.
        settings.fewSearches = 8
        self.settings = settings
        self.waits = waits
        search = try FaceSearch(background: !waits, isUrgent: true, detector: makeDetector, thoroughDetector: nil)
        found = FaceBoxTracks(settings)
    }

    /// Takes the next frame, `rgba8`.
    package func add(_ frame: borrowing PixelBuffer, at seconds: Double) throws {
        owner.check()
        try takeResult()
        // Nobody waits any longer: those frames are shown as what they are.
        if let searched, !(0...Self.delay).contains(seconds - searched.seconds) { found.answer(searched.picture, nil) }
        let startsScene = lastFrame.map {
            !(0...Self.longestStep).contains(seconds - $0.seconds) || $0.bounds != frame.bounds
        }
        lastFrame = (seconds, frame.bounds)
        let scale = FaceBoxTracker.flowScale(of: frame)
        waiting.append(Waiting(seconds: seconds, scale: scale))
        // Half a millisecond of tolerance: frame times are rounded.
        let isDue = !(0..<settings.interval - 0.0005).contains(seconds - lastSearch)
        let isSearched = searched == nil && isDue
        let picture = FaceBoxTracks.Picture(
            try FaceBoxTracker.flowPicture(of: frame), .init(SceneSignature(frame), seconds: seconds),
            isSearched ? .awaited : .none, startsScene: startsScene ?? true)
        found.add(picture)
        if isSearched {
            lastSearch = seconds
            try startSearch(of: frame, picture, scale, seconds)
        }
    }

    private func startSearch(
        of frame: borrowing PixelBuffer, _ picture: FaceBoxTracks.Picture, _ scale: Float, _ seconds: Double
    ) throws {
        searched = (picture, scale, seconds)
        try search.start(frame, reducedBy: reduction.chosen(for: frame))
        if waits { try takeResult() }
    }

    private func takeResult() throws {
        guard let (picture, scale, _) = searched, let result = try search.takeResult() else { return }
        searched = nil
        if !waits { reduction.note(result.cost) }
        found.answer(picture, result.faces.compactMap { settings.sighting(of: $0.box, $0.score, scale: scale) })
    }

    /// The next frame that is to be shown; nil: none yet.
    /// - Parameter isEnding: whether no frame will be added any more, and `finish` has been called. Then all come out.
    package func next(isEnding: Bool) -> Faces? {
        owner.check()
        guard let first = waiting.first, let newest = waiting.last,
            isEnding || !(0..<Self.delay - 0.0005).contains(newest.seconds - first.seconds)
        else { return nil }
        let number = found.frameCount - waiting.count
        if !found.isSearched(number) { found.hurry() }
        waiting.removeFirst()
        defer { found.forget(before: number) }
        if !found.isPassed(number) { lastLag = first.seconds }
        guard found.isSearched(number), !(0..<Self.calm).contains(first.seconds - lastLag) else {
            return Faces(boxes: nil)
        }
        return Faces(
            boxes: found.tracks.compactMap { track in
                track.box(in: number).map {
                    OrientedBox(center: first.scale * $0.center, side: first.scale * $0.side, roll: $0.roll)
                }
            })
    }

    /// No frame follows: searches what has not been searched, and waits for that.
    /// - Parameter frame: the last one.
    package func finish(_ frame: borrowing PixelBuffer) throws {
        owner.check()
        try awaitResult()
        guard let last = waiting.last, let picture = found.awaitNewest() else { return }
        try startSearch(of: frame, picture, last.scale, last.seconds)
        try awaitResult()
    }

    private func awaitResult() throws {
        while search.isBusy { usleep(1000) }
        try takeResult()
    }
}
