import Detection
import FaceGeometry
import Glibc
import Pixels
import Threads

/// Tracks the boxes of all faces in recorded video, from the first frame in which each can be seen to the last: what is needed
/// to cover them. It has no need of landmarks, so that profiles and small faces are tracked, too.
///
/// The detector searches some frames. Between them, and where a face is not found, optical flow carries its box (`BoxFlow`):
/// forward for `Settings.hold`, and from where it was first found backward. What is not found again within a scene's gap is
/// interpolated. Cuts end all tracks; a box stays for a tenth of a second beyond, because cuts may be smeared. It belongs to one thread.
package final class FaceBoxTracker {
    package struct Settings: Sendable {
        /// Seconds between searches, and between those at full size: the others are at half the width and height, which takes a
        /// quarter of the time. Frames that differ much from the one before are searched, too, at full size.
        package var interval = 0.1
        package var thoroughInterval = 0.3
        /// The detector's score from which on a place starts a track, and from which on it goes on with one.
        package var startingScore = 0.4
        package var continuingScore = 0.2
        /// A place with a lower score goes on with a track only near to where flow leads: it may be a hand beside the face.
        package var trustedScore = 0.4
        /// A track that was found only once counts if that was with at least this score, or if it was too short to be found
        /// again: fewer than `fewSearches` searches at full size fell into it.
        package var sureScore = 0.7
        package var fewSearches = 3
        /// How long a face is followed without being found again, in seconds.
        package var hold = 1.5

        package init() {}

        package init(_ thoroughness: SearchThoroughness) {
            switch thoroughness {
            case .sure: (startingScore, sureScore) = (0.5, 0.8)
            case .balanced: break
            case .careful:
                (startingScore, sureScore) = (0.25, 0.4)
                thoroughInterval = interval
            }
        }
    }

    /// One face, in a row of frames.
    package struct Track: Sendable {
        /// The number of the first frame, counted from 0.
        package fileprivate(set) var first: Int
        /// One for each frame from the first on, in pixels of the frame, in the convention of dlib's detector.
        package fileprivate(set) var boxes: [OrientedBox]
        /// The best score with which it was found, and how often it was.
        package fileprivate(set) var score: Double
        package fileprivate(set) var sightings: Int

        /// Of its boxes, in pixels of the frame.
        package var largestSide: Float { boxes.map(\.side).max() ?? 0 }

        /// Its box in a frame; nil where it is not.
        package func box(in frame: Int) -> OrientedBox? {
            boxes.indices.contains(frame - first) ? boxes[frame - first] : nil
        }
    }

    /// A frame as far as tracking needs it.
    private final class Picture {
        let grey: PixelBuffer
        let moment: SceneCutDetector.Moment
        /// In pixels of `grey`; nil: it was not searched.
        let found: [(box: OrientedBox, score: Double)]?

        init(
            _ grey: consuming PixelBuffer, _ moment: SceneCutDetector.Moment,
            found: [(box: OrientedBox, score: Double)]?
        ) {
            self.grey = grey
            self.moment = moment
            self.found = found
        }
    }

    private final class ActiveTrack {
        var track: Track
        var box: OrientedBox
        let flow = BoxFlow()
        var lastSeen: Double
        /// Since when flow has had nothing to follow; with it, the place in `track.boxes` where it was last good.
        var lostFlow: (seconds: Double, place: Int)?

        init(_ track: Track, box: OrientedBox, seconds: Double) {
            self.track = track
            self.box = box
            lastSeen = seconds
        }
    }

    private enum Constant {
        /// Frames are reduced to this width for flow, in pixels.
        static let width = 640
        /// From how many points' agreement on flow is believed.
        static let leastAgreement: Float = 0.35
        /// A face is lost after so long without flow and without being found, in seconds.
        static let longestBlind = 0.7
        /// How far back a new face is followed, in seconds and frames.
        static let back = (seconds: 1.5, frames: 100)
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
        /// How far covers reach across a cut, in seconds: cuts may be smeared over some frames.
        static let beyondCut = 0.1
        /// A frame that is so distant from the one before is searched: it may begin a scene.
        static let change: Float = 0.12
    }

    private let detector: any FaceDetector
    private let settings: Settings
    private let corrections: FaceBoxCorrections
    private let owner = OwningThread()
    private var cuts = SceneCutDetector()
    private var arrivals: [Picture] = []
    /// Tracked pictures of the current scene, the newest last.
    private var recent: [Picture] = []
    private var active: [ActiveTrack] = []
    /// Those that ended in the current scene, and all others.
    private var ended: [Track] = []
    private var done: [Track] = []
    private var count = 0
    /// Of all frames; and the numbers of those that begin a scene, and of those that were searched at full size.
    private var times: [Double] = []
    private var sceneStarts: [Int] = []
    private var thoroughSearches: [Int] = []
    private var lastSearch = -Double.infinity
    private var lastThoroughSearch = -Double.infinity
    private var lastSignature: SceneSignature?
    /// The frame after one that mixes two scenes, which shows the faces of both.
    private var firstAfterMixture: Int?
    /// The number of the scene's first frame, and the times of its frames.
    private var scene: (first: Int, times: [Double]) = (0, [])
    /// Pixels of a frame for a pixel of `grey`.
    private var scale: Float = 1

    package init(
        detector: any FaceDetector, settings: Settings = Settings(), corrections: FaceBoxCorrections = .init()
    ) {
        self.detector = detector
        self.settings = settings
        self.corrections = corrections
    }

    /// Takes the next frame, `rgba8`.
    /// - Parameter seconds: its time, later than that of the frame before.
    package func add(_ frame: borrowing PixelBuffer, at seconds: Double) throws {
        owner.check()
        let width = min(frame.width, Constant.width)
        let height = max(1, (frame.height * width + frame.width / 2) / frame.width)
        scale = Float(frame.width) / Float(width)
        let signature = SceneSignature(frame)
        let hasChanged = lastSignature?.distance(to: signature).map { $0 > Constant.change } ?? true
        lastSignature = signature
        var found: [(box: OrientedBox, score: Double)]?
        // Half a millisecond of tolerance: frame times are rounded.
        if hasChanged || seconds - lastSearch >= settings.interval - 0.0005 {
            lastSearch = seconds
            let isThorough = hasChanged || seconds - lastThoroughSearch >= settings.thoroughInterval - 0.0005
            if isThorough {
                lastThoroughSearch = seconds
                thoroughSearches.append(times.count)
            }
            found = try search(frame, isThorough: isThorough)
        }
        let added = corrections.added.filter { $0.frame == times.count }.map { place in
            let box = OrientedBox(center: place.box.center / scale, side: place.box.side / scale, roll: 0)
            return (box: box, score: 1.0)
        }
        if !added.isEmpty { found = (found ?? []) + added }
        times.append(seconds)
        let grey = try frame.grey(width: width, height: height)
        arrivals.append(Picture(grey, .init(signature, seconds: seconds), found: found))
        while canTrack { trackArrival() }
    }

    /// What the detector finds in a frame, in pixels of the picture for flow.
    private func search(
        _ frame: borrowing PixelBuffer, isThorough: Bool
    ) throws -> [(box: OrientedBox, score: Double)] {
        let (width, height) = (max(1, frame.width / (isThorough ? 1 : 2)), max(1, frame.height / (isThorough ? 1 : 2)))
        let detections: [FaceDetection]
        if !detector.seesColor {
            detections = try detector.detections(in: frame.grey(width: width, height: height))
        } else if isThorough {
            detections = try detector.detections(in: frame)
        } else {
            detections = try detector.detections(in: frame.resized(width: width, height: height))
        }
        // Pixels of the searched picture for a pixel of the one for flow.
        let scale = scale * Float(width) / Float(frame.width)
        return detections.compactMap { detection in
            guard detection.score >= min(settings.continuingScore, settings.startingScore) else { return nil }
            let box = detector.boxConvention.landmarkBox(detection)
            let found = OrientedBox(center: box.center / scale, side: box.side / scale, roll: 0)
            guard found.center.x.isFinite, found.center.y.isFinite, found.side > 1, found.side.isFinite else {
                return nil
            }
            return (found, detection.score)
        }
    }

    /// Ends the video.
    /// - Returns: all faces, in the order of their first frames.
    package func finish() -> [Track] {
        owner.check()
        while !arrivals.isEmpty { trackArrival() }
        endScene()
        defer { done = [] }
        let tracks = done.filter(isBelieved).map { track in
            var track = track
            extendAcrossCuts(&track)
            track.boxes = track.boxes.map {
                OrientedBox(center: scale * $0.center, side: scale * $0.side, roll: $0.roll)
            }
            return track
        }.sorted { ($0.first, $0.boxes.count) < ($1.first, $1.boxes.count) }
        return corrections.remaining(tracks)
    }

    private func isBelieved(_ track: Track) -> Bool {
        if track.sightings > 1 || track.score >= settings.sureScore { return true }
        let frames = track.first..<track.first + track.boxes.count
        return thoroughSearches.count(where: frames.contains) < settings.fewSearches
    }

    /// Where a track ends or begins at a cut, the frames beyond it may show some of the face.
    private func extendAcrossCuts(_ track: inout Track) {
        let end = track.first + track.boxes.count
        if sceneStarts.contains(end) {
            var frame = end
            while frame < times.count, times[frame] - times[end] < Constant.beyondCut {
                track.boxes.append(track.boxes[track.boxes.count - 1])
                frame += 1
            }
        }
        guard let start = sceneStarts.last(where: { $0 <= track.first }), start > 0,
            times[track.first] - times[start] < Constant.beyondCut
        else { return }
        while track.first > 0, times[start] - times[track.first - 1] <= Constant.beyondCut {
            track.boxes.insert(track.boxes[0], at: 0)
            track.first -= 1
        }
    }

    /// Whether so many frames are known after the first arrival that a cut can be told from a flash.
    private var canTrack: Bool {
        guard let first = arrivals.first, let last = arrivals.last else { return false }
        let following = arrivals.count - 1
        return following >= SceneCutDetector.frames.most
            || following >= SceneCutDetector.frames.least
                && last.moment.seconds - first.moment.seconds >= SceneCutDetector.longestFlash
    }

    private func trackArrival() {
        let picture = arrivals.removeFirst()
        if cuts.isCut(picture.moment, before: arrivals.map(\.moment)) {
            if cuts.isMixture { for old in active { old.track.boxes.append(old.box) } }
            sceneStarts.append(count)
            endScene()
        }
        let (number, now) = (count, picture.moment.seconds)
        count += 1
        scene.times.append(now)
        if cuts.isMixture {
            firstAfterMixture = count
            return
        }
        if recent.count > Constant.back.frames { recent.removeFirst() }
        while let first = recent.first, now - first.moment.seconds > Constant.back.seconds { recent.removeFirst() }
        for old in active { follow(old, into: picture) }
        if let found = picture.found { match(found, in: picture, number) }
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
            if old.lostFlow == nil { old.lostFlow = (picture.moment.seconds, old.track.boxes.count - 1) }
        }
        old.track.boxes.append(old.box)
    }

    private func match(_ found: [(box: OrientedBox, score: Double)], in picture: Picture, _ number: Int) {
        var free = active
        for (box, score) in found.sorted(by: { $0.score > $1.score }) {
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
    }

    private func see(_ old: ActiveTrack, _ box: OrientedBox, _ score: Double, in picture: Picture) {
        if score < settings.trustedScore, old.lostFlow == nil {
            let ratio = max(old.box.side, box.side) / max(min(old.box.side, box.side), 1e-3)
            let distance = (old.box.center - box.center).length
            guard distance < Constant.weakNear * old.box.side, ratio < Constant.weakRatio else { return }
        }
        let last = old.track.boxes.count - 1
        old.track.boxes[last] = box
        if let place = old.lostFlow?.place { Self.bridge(&old.track.boxes, from: place, to: last) }
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
            hasLostFlow = step.agreement < Constant.leastAgreement
            guard !hasLostFlow, isInside(step.box, recent[older].grey),
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
            while first > scene.first, picture.moment.seconds - times[first - 1] <= settings.thoroughInterval {
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
        let end = old.first + old.boxes.count - 1
        guard let last = old.boxes.last, end < frame, end >= scene.first, frame - scene.first < scene.times.count else {
            return false
        }
        let gap = scene.times[frame - scene.first] - scene.times[end - scene.first]
        return gap <= Constant.longestGap && Self.areOne(last, box)
    }

    private func endLost(_ picture: Picture) {
        let now = picture.moment.seconds
        active.removeAll { old in
            let isBlind = old.lostFlow.map { now - $0.seconds > Constant.longestBlind } ?? false
            let isLost = isBlind || now - old.lastSeen > settings.hold
            guard isLost || !isInside(old.box, picture.grey) else { return false }
            ended.append(old.track)
            return true
        }
    }

    private func endScene() {
        done += ended + active.map(\.track)
        (ended, active, recent) = ([], [], [])
        scene = (count, [])
    }

    private func isInside(_ box: OrientedBox, _ picture: borrowing PixelBuffer) -> Bool {
        let reach = Constant.coverReach * box.side
        return box.center.x + reach >= 0 && box.center.y + reach >= 0 && box.center.x - reach <= Float(picture.width)
            && box.center.y - reach <= Float(picture.height)
    }

    private static func areOne(_ a: OrientedBox, _ b: OrientedBox) -> Bool {
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
        let end = old.first + old.boxes.count
        if new.first < end {
            track.boxes.removeLast(min(end - new.first, track.boxes.count - 1))
        }
        let last = track.boxes.count - 1
        let gap = new.first - (track.first + track.boxes.count)
        if gap > 0 { track.boxes += Array(repeating: track.boxes[last], count: gap) }
        let start = track.boxes.count
        track.boxes += new.boxes.dropFirst(max(0, track.first + track.boxes.count - new.first))
        bridge(&track.boxes, from: last, to: start)
        track.score = max(old.score, new.score)
        track.sightings += new.sightings
        return track
    }
}
