import FaceGeometry
import Pixels

/// Boxes of faces, from picture to picture: what trackers of recorded and of live video have in common. It is given the pictures
/// in their order, with what a detector has found in some of them. It belongs to one thread, and all boxes are in pixels of the
/// grey pictures.
///
/// Optical flow carries each box (`BoxFlow`): forward for `Settings.hold`, and from where it was first found backward. What is not
/// found again within a scene's gap is interpolated. Cuts end all tracks; a box stays for a tenth of a second beyond, because cuts
/// may be smeared, but where a cut is certainly none of these (`CutSharpness`).
final class FaceBoxTracks {
    typealias Track = FaceBoxTracker.Track
    typealias Settings = FaceBoxTracker.Settings

    /// What a detector has found.
    struct Sighting: Sendable {
        /// In the convention of dlib's detector.
        var box: OrientedBox
        var score: Double
        var origin = Origin.detector

        enum Origin: Sendable {
            case detector
            /// A person has seen the face that a detector had found, or that none had.
            case confirmed
            case added
        }
    }

    /// A frame as far as tracking needs it.
    final class Picture {
        let grey: PixelBuffer
        let moment: SceneCutDetector.Moment
        /// Nil: it was not searched.
        fileprivate(set) var found: [Sighting]?
        /// Whether its search has not ended.
        fileprivate(set) var isAwaited = false
        /// Whether the search could find all faces, small ones included.
        fileprivate var isThorough: Bool
        /// Whether nothing of the picture before holds, whatever it shows.
        fileprivate let startsScene: Bool

        /// - Parameter search: of this picture.
        init(
            _ grey: consuming PixelBuffer, _ moment: SceneCutDetector.Moment, _ search: Search,
            startsScene: Bool = false
        ) {
            self.grey = grey
            self.moment = moment
            self.startsScene = startsScene
            switch search {
            case .none: isThorough = false
            case .awaited: (isAwaited, isThorough) = (true, true)
            case .ended(let found, let isThorough): (self.found, self.isThorough) = (found, isThorough)
            }
        }
    }

    /// The search of a picture.
    enum Search {
        case none
        /// `answer` will tell what it has found. Until then, neither the picture nor those after it are tracked.
        case awaited
        case ended([Sighting], isThorough: Bool)

        /// Adds what a person has seen.
        mutating func add(_ sightings: [Sighting]) {
            if sightings.isEmpty { return }
            if case .ended(let found, let isThorough) = self {
                self = .ended(found + sightings, isThorough: isThorough)
            } else {
                self = .ended(sightings, isThorough: false)
            }
        }
    }

    private final class ActiveTrack {
        var track: Track
        var box: OrientedBox
        let flow = BoxFlow()
        var lastSeen: Double
        /// Since when flow has had nothing to follow; with it, the frame in which it was last good.
        var lostFlow: (seconds: Double, frame: Int)?

        init(_ track: Track, box: OrientedBox, seconds: Double) {
            self.track = track
            self.box = box
            lastSeen = seconds
        }
    }

    /// The times of frames by their numbers.
    private struct Times {
        /// The first frame that has not been forgotten.
        private(set) var first = 0
        private var seconds: [Double] = []

        var end: Int { first + seconds.count }
        subscript(frame: Int) -> Double { seconds[frame - first] }
        mutating func append(_ time: Double) { seconds.append(time) }

        mutating func forget(before frame: Int) {
            guard frame > first else { return }
            seconds.removeFirst(min(frame - first, seconds.count))
            first = frame
        }
    }

    enum Constant {
        /// From how many points' agreement on flow is believed.
        static let leastAgreement: Float = 0.35
        /// The same for a face that is followed back farther than `sureBack`, in seconds: it may drift away.
        static let leastAgreementFarBack: Float = 0.6
        static let sureBack = 1.5
        /// A face is lost after so long without flow and without being found, in seconds.
        static let longestBlind = 0.7
        /// How many frames back a new face is followed at most.
        static let mostFramesBack = 120
        /// The longest gap in a scene that is bridged, in seconds.
        static let longestGap = 2.0
        /// Two boxes belong together if their centres are nearer than this part of the larger one,
        static let near: Float = 0.6
        /// and the larger one is at most so many times as large.
        static let largestRatio: Float = 1.8
        /// The same for a detection too weak to start a track, where flow knows where the face is: it may be a hand beside it.
        static let weakNear: Float = 0.25
        static let weakRatio: Float = 1.3
        /// From its centre, how far a cover reaches, in sides of the box. A face may be seen until it has left the picture.
        static let coverReach: Float = 0.85
        /// How far covers reach across a cut, in seconds: cuts may be smeared over some frames, unless they are sharp.
        static let beyondCut = 0.1
        /// How long frames matter after they have been shown, in seconds: longer than gaps and `Settings.hold`.
        static let memory = 3.0
    }

    private let settings: Settings
    private var cuts = SceneCutDetector()
    private var arrivals: [Picture] = []
    /// Tracked pictures of the current scene, the newest last.
    private var recent: [Picture] = []
    private var active: [ActiveTrack] = []
    /// Those that ended in the current scene, and all others.
    private var ended: [Track] = []
    private var done: [Track] = []
    /// How many frames have been tracked.
    private var count = 0
    /// Of all frames; and the numbers of those that begin a scene, and of those that were searched thoroughly.
    private var times = Times()
    private var sceneStarts: [Int] = []
    private var thoroughSearches: [Int] = []
    /// The frame after one that mixes two scenes, which shows the faces of both.
    private var firstAfterMixture: Int?
    /// The number of the current scene's first frame.
    private var sceneStart = 0
    /// The cut that it begins with: the frame itself, the one before it, and one of that scene; nil: none that may be sharp.
    private var cut: (first: Picture, before: Picture, earlier: Picture)?
    init(_ settings: Settings) { self.settings = settings }

    /// The number of frames.
    var frameCount: Int { times.end }

    func add(_ picture: Picture) {
        times.append(picture.moment.seconds)
        arrivals.append(picture)
        trackArrivals()
    }

    /// The search of an awaited picture has ended.
    /// - Parameter found: nil: it took too long, and the picture counts as not searched.
    func answer(_ picture: Picture, _ found: [Sighting]?) {
        guard picture.isAwaited else { return }
        (picture.found, picture.isAwaited) = (found, false)
        trackArrivals()
    }

    /// The newest picture is searched after all.
    /// - Returns: nil: it has been.
    func awaitNewest() -> Picture? {
        guard let newest = arrivals.last, newest.found == nil else { return nil }
        (newest.isAwaited, newest.isThorough) = (true, true)
        return newest
    }

    private func trackArrivals() { while canTrack { trackArrival() } }

    /// Tracks what has arrived up to the last picture whose search has ended, however little is known of what follows.
    func hurry() {
        let end = arrivals.firstIndex(where: \.isAwaited) ?? arrivals.count
        guard let last = arrivals[..<end].lastIndex(where: { $0.found != nil }) else { return }
        for _ in 0...last { trackArrival() }
    }

    /// No picture follows.
    func finish() {
        while !arrivals.isEmpty { trackArrival() }
        endScene()
    }

    /// All faces of the frames that have been tracked and not forgotten.
    var tracks: [Track] {
        (done + sceneTracks).filter(isBelieved).map { track in
            var track = track
            extendAcrossCuts(&track)
            return track
        }
    }

    /// Whether a search has seen what a frame shows: one of this frame, or of a later one in its scene, from where new faces are
    /// followed back.
    func isSearched(_ frame: Int) -> Bool {
        guard let search = thoroughSearches.first(where: { $0 >= frame }) else { return false }
        return !sceneStarts.contains { $0 > frame && $0 <= search }
    }

    /// Whether a search of a frame or of a later one has ended, whatever scene that is in.
    func isPassed(_ frame: Int) -> Bool { thoroughSearches.last.map { $0 >= frame } ?? false }

    /// Forgets what matters to no frame from this one on.
    func forget(before frame: Int) {
        guard frame > times.first, frame < times.end else { return }
        var first = times.first
        while first < min(frame, count), times[frame] - times[first] > Constant.memory { first += 1 }
        times.forget(before: first)
        sceneStarts.removeAll { $0 < first }
        thoroughSearches.removeAll { $0 < first }
        done.removeAll { $0.end <= first }
        ended.removeAll { $0.end <= first }
        for old in active where old.track.first < first {
            old.track.boxes.removeFirst(min(first - old.track.first, old.track.boxes.count - 1))
            old.track.first = first
        }
    }

    private func isBelieved(_ track: Track) -> Bool {
        if track.sightings > 1 || track.score >= settings.sureScore { return true }
        let frames = track.first..<track.end
        return thoroughSearches.count(where: frames.contains) < settings.fewSearches
    }

    /// Where a track ends or begins at a cut, the frames beyond it may show some of the face.
    private func extendAcrossCuts(_ track: inout Track) {
        let end = track.end
        track.scene = track.first..<end
        if !track.endIsSharp, sceneStarts.contains(end) {
            var frame = end
            while frame < times.end, times[frame] - times[end] < Constant.beyondCut {
                track.boxes.append(track.boxes[track.boxes.count - 1])
                frame += 1
            }
        }
        guard let start = sceneStarts.last(where: { $0 <= track.first }), start > 0, track.first >= times.first,
            times[track.first] - times[start] < Constant.beyondCut
        else { return }
        let first = track.startIsSharp ? max(start, times.first) : times.first
        while track.first > first, times[start] - times[track.first - 1] <= Constant.beyondCut {
            track.boxes.insert(track.boxes[0], at: 0)
            track.first -= 1
        }
    }

    /// Whether so many frames are known after the first arrival that a cut can be told from a flash.
    private var canTrack: Bool {
        guard let first = arrivals.first, let last = arrivals.last, !first.isAwaited else { return false }
        let following = arrivals.count - 1
        return following >= SceneCutDetector.frames.most
            || following >= SceneCutDetector.frames.least
                && last.moment.seconds - first.moment.seconds >= SceneCutDetector.longestFlash
    }

    private func trackArrival() {
        let picture = arrivals.removeFirst()
        let isCut = cuts.isCut(picture.moment, before: arrivals.map(\.moment))
        if isCut || picture.startsScene {
            if cuts.isMixture { for old in active { old.track.boxes.append(old.box) } }
            sceneStarts.append(count)
            beginScene(picture, mayBeSharp: isCut && !cuts.isMixture)
        }
        let (number, now) = (count, picture.moment.seconds)
        count += 1
        if cuts.isMixture {
            firstAfterMixture = count
            // Where a person has seen a face, there is one, also in between.
            for mark in picture.found ?? [] where mark.origin != .detector {
                var track = Track(first: number, boxes: [mark.box], score: 1, sightings: 1)
                track.isAdded = mark.origin == .added
                done.append(track)
            }
            return
        }
        if recent.count > Constant.mostFramesBack { recent.removeFirst() }
        while let first = recent.first, now - first.moment.seconds > settings.back { recent.removeFirst() }
        for old in active { follow(old, into: picture) }
        if let found = picture.found {
            if picture.isThorough { thoroughSearches.append(number) }
            match(found, in: picture, number)
        }
        recent.append(picture)
        endLost(picture)
    }

    private func follow(_ old: ActiveTrack, into picture: Picture) {
        let step = old.flow.step(picture.grey, box: old.box)
        if step.agreement >= Constant.leastAgreement {
            old.box = step.box
            old.lostFlow = nil
        } else {
            // It is likely to be where it was.
            old.flow.start(picture.grey, box: old.box)
            if old.lostFlow == nil { old.lostFlow = (picture.moment.seconds, old.track.end - 1) }
        }
        old.track.boxes.append(old.box)
    }

    private func match(_ found: [Sighting], in picture: Picture, _ number: Int) {
        var free = active
        for sighting in found.filter({ $0.origin == .detector }).sorted(by: { $0.score > $1.score }) {
            let (box, score) = (sighting.box, sighting.score)
            if let place = free.indices.filter({ Self.areOne(free[$0].box, box) })
                .min(by: { (free[$0].box.center - box.center).length < (free[$1].box.center - box.center).length })
            {
                see(free.remove(at: place), box, score, in: picture)
            } else if score >= settings.startingScore,
                !active.contains(where: { $0.lastSeen == picture.moment.seconds && Self.areOne($0.box, box) })
            {
                start(box, score, in: picture, number)
            }
        }
        for mark in found where mark.origin != .detector { note(mark, in: picture, number) }
    }

    /// What a person has marked is a face, whatever is beside it.
    private func note(_ mark: Sighting, in picture: Picture, _ number: Int) {
        if let nearest = mark.box.nearest(of: active.map(\.box)).map({ active[$0] }) {
            see(nearest, mark.box, 1, in: picture)
            if mark.origin == .added { nearest.track.isAdded = true }
        } else {
            start(mark.box, 1, in: picture, number)
            if mark.origin == .added { active.last?.track.isAdded = true }
        }
    }

    private func see(_ old: ActiveTrack, _ box: OrientedBox, _ score: Double, in picture: Picture) {
        if score < settings.trustedScore, old.lostFlow == nil {
            let ratio = max(old.box.side, box.side) / max(min(old.box.side, box.side), 1e-3)
            let distance = (old.box.center - box.center).length
            guard distance < Constant.weakNear * old.box.side, ratio < Constant.weakRatio else { return }
        }
        let last = old.track.boxes.count - 1
        old.track.boxes[last] = box
        if let frame = old.lostFlow?.frame { Self.bridge(&old.track.boxes, from: frame - old.track.first, to: last) }
        old.lostFlow = nil
        old.track.score = max(old.track.score, score)
        old.track.sightings += 1
        old.lastSeen = picture.moment.seconds
        old.box = box
        old.flow.start(picture.grey, box: box)
    }

    /// Starts a track, goes back with it as far as flow leads, and joins it to one that ended where it leads to.
    private func start(_ box: OrientedBox, _ score: Double, in picture: Picture, _ number: Int) {
        var boxes = [box]
        let flow = BoxFlow()
        flow.start(picture.grey, box: box)
        var current = box
        var earlier: Track?
        var hasLostFlow = false
        for (index, older) in recent.indices.reversed().enumerated() {
            let frame = number - 1 - index
            let step = flow.step(recent[older].grey, box: current)
            let isFar = picture.moment.seconds - recent[older].moment.seconds > Constant.sureBack
            hasLostFlow = step.agreement < Constant.leastAgreement
            if isFar, step.agreement < Constant.leastAgreementFarBack { break }
            guard !hasLostFlow, Self.isInside(step.box, recent[older].grey),
                !active.contains(where: { $0.track.box(in: frame).map { Self.areOne($0, step.box) } ?? false })
            else { break }
            if let place = ended.firstIndex(where: { $0.box(in: frame).map { Self.areOne($0, step.box) } ?? false }) {
                earlier = ended.remove(at: place)
                break
            }
            current = step.box
            boxes.insert(current, at: 0)
        }
        var first = number - boxes.count + 1
        if hasLostFlow {
            // It may have been there since the last search that could have found it.
            while first > sceneStart, picture.moment.seconds - times[first - 1] <= settings.thoroughInterval {
                boxes.insert(boxes[0], at: 0)
                first -= 1
            }
        }
        if first == firstAfterMixture {
            boxes.insert(boxes[0], at: 0)
            first -= 1
        }
        if earlier == nil, let place = ended.lastIndex(where: { canBridge($0, to: boxes[0], in: first) }) {
            earlier = ended.remove(at: place)
        }
        var track = Track(first: first, boxes: boxes, score: score, sightings: 1)
        if let earlier { track = Self.joined(earlier, track) }
        let new = ActiveTrack(track, box: box, seconds: picture.moment.seconds)
        new.flow.start(picture.grey, box: box)
        active.append(new)
    }

    private func canBridge(_ old: Track, to box: OrientedBox, in frame: Int) -> Bool {
        guard let last = old.boxes.last, old.end <= frame, old.end > sceneStart else { return false }
        return times[frame] - times[old.end - 1] <= Constant.longestGap && Self.areOne(last, box)
    }

    private func endLost(_ picture: Picture) {
        let now = picture.moment.seconds
        active.removeAll { old in
            let isBlind = old.lostFlow.map { now - $0.seconds > Constant.longestBlind } ?? false
            let isLost = isBlind || now - old.lastSeen > settings.hold
            guard isLost || !Self.isInside(old.box, picture.grey) else { return false }
            ended.append(old.track)
            return true
        }
    }

    private func endScene() {
        done += sceneTracks
        (ended, active, recent) = ([], [], [])
        sceneStart = count
    }

    /// - Parameter picture: the first one of the new scene. What has arrived follows it.
    private func beginScene(_ picture: Picture, mayBeSharp: Bool) {
        var cut: (first: Picture, before: Picture, earlier: Picture)?
        if mayBeSharp, let last = recent.last {
            // One that is so far from the cut that it cannot be a repetition of a smeared frame.
            let start = picture.moment.seconds
            if let later = arrivals.firstIndex(where: { $0.moment.seconds - start >= Constant.beyondCut }) {
                for old in active {
                    old.track.endIsSharp = CutSharpness.isSharp(
                        at: old.box, frame: picture.grey, own: arrivals[later].grey, beyond: last.grey)
                }
            }
            let end = last.moment.seconds
            if let earlier = recent.lastIndex(where: { end - $0.moment.seconds >= Constant.beyondCut }) {
                cut = (picture, last, recent[earlier])
            }
        }
        endScene()
        self.cut = cut
    }

    /// Those of the current scene.
    private var sceneTracks: [Track] {
        (ended + active.map(\.track)).map { track in
            guard let cut, sceneStart >= times.first, let box = track.boxes.first, track.first >= sceneStart,
                times[max(track.first, times.first)] - times[max(sceneStart, times.first)] < Constant.beyondCut
            else { return track }
            var track = track
            track.startIsSharp = CutSharpness.isSharp(
                at: box, frame: cut.before.grey, own: cut.earlier.grey, beyond: cut.first.grey)
            return track
        }
    }

    static func isInside(_ box: OrientedBox, _ picture: borrowing PixelBuffer) -> Bool {
        let reach = Constant.coverReach * box.side
        return box.center.x + reach >= 0 && box.center.y + reach >= 0 && box.center.x - reach <= Float(picture.width)
            && box.center.y - reach <= Float(picture.height)
    }

    /// Whether two boxes may be around one face.
    static func areOne(_ a: OrientedBox, _ b: OrientedBox) -> Bool {
        let ratio = max(a.side, b.side) / max(min(a.side, b.side), 1e-3)
        return ratio <= Constant.largestRatio && (a.center - b.center).length < Constant.near * max(a.side, b.side)
    }

    /// Interpolates the boxes between two.
    private static func bridge(_ boxes: inout [OrientedBox], from first: Int, to last: Int) {
        guard first >= 0, last > first + 1 else { return }
        for index in first + 1..<last {
            let share = Float(index - first) / Float(last - first)
            boxes[index] = OrientedBox(
                center: boxes[first].center + share * (boxes[last].center - boxes[first].center),
                side: boxes[first].side + share * (boxes[last].side - boxes[first].side), roll: 0)
        }
    }

    /// A face that was lost and found again as one track.
    private static func joined(_ old: Track, _ new: Track) -> Track {
        var track = old
        if new.first < old.end {
            track.boxes.removeLast(min(old.end - new.first, track.boxes.count - 1))
        }
        let last = track.boxes.count - 1
        let gap = new.first - track.end
        if gap > 0 { track.boxes += Array(repeating: track.boxes[last], count: gap) }
        let start = track.boxes.count
        track.boxes += new.boxes.dropFirst(max(0, track.end - new.first))
        bridge(&track.boxes, from: last, to: start)
        track.score = max(old.score, new.score)
        track.sightings += new.sightings
        track.isAdded = old.isAdded || new.isAdded
        return track
    }
}
