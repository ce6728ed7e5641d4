import FaceGeometry
import FaceTracking
import Records

/// The faces of a clip under review, each in a row of frames, and what is decided about them.
package struct ClipFaces: Equatable, Sendable {
    package struct Track: Equatable, Sendable {
        /// The number of the first frame, counted from 0.
        package let first: Int
        /// One for each frame from the first on, in pixels of the frame.
        package let boxes: [OrientedBox]
        /// The frames of its scene; see `FaceBoxTracker.Track`.
        package let scene: Range<Int>
        /// How often it was found, marks included, and the best score with which it was, 0…1.
        package let sightings: Int
        package let score: Double
        /// Whether it is there only because somebody said so.
        package fileprivate(set) var isAdded = false
        /// Where somebody uncovered it; nil: it is covered.
        package fileprivate(set) var uncovering: ReviewDecisions.Mark?
        /// Whether somebody has looked at it, and left it or changed it.
        package fileprivate(set) var isLookedAt = false

        package init(
            first: Int, boxes: [OrientedBox], sightings: Int, score: Double, scene: Range<Int>? = nil
        ) {
            (self.first, self.boxes, self.scene) = (first, boxes, scene ?? first..<first + boxes.count)
            (self.sightings, self.score) = (sightings, max(0, min(1, score)))
        }

        package var frames: Range<Int> { first..<first + boxes.count }
        package var middle: Int { first + boxes.count / 2 }
        /// Those that somebody must have seen who says that the track is right.
        package var telling: Set<Int> { [first, middle, frames.upperBound - 1] }

        /// How likely it is no face, 0…1: what was found once is half as certain as its score. 0 where somebody has seen a face.
        package var doubt: Double {
            isAdded ? 0 : 1 - score * Double(sightings) / Double(sightings + 1)
        }
        package var isDoubtful: Bool { doubt > 0.5 }

        /// Whether it is covered there: somebody who uncovers it does so up to the cuts.
        package func isCovered(in frame: Int) -> Bool {
            guard let place = uncovering?.frame else { return true }
            return (frame < scene.lowerBound) != (place < scene.lowerBound)
                || (frame < scene.upperBound) != (place < scene.upperBound)
        }

        package func box(in frame: Int) -> OrientedBox? { frames.contains(frame) ? boxes[frame - first] : nil }
    }

    /// A face of a frame: a track by its index, or a mark that no track goes through yet.
    package enum Face: Equatable, Sendable {
        case track(Int)
        case mark(Int)
    }

    package private(set) var tracks: [Track]
    /// Faces that somebody has added.
    package private(set) var marks: [ReviewDecisions.Mark]
    package var isReviewed: Bool
    /// Marks of uncovered tracks that this search has not found: another one may.
    private var others: [ReviewDecisions.Mark]

    /// - Parameters:
    ///   - tracks: in the order of their first frames. They were searched with the marks of `decisions.covered`, and not without
    ///     those of `decisions.uncovered`.
    ///   - decisions: of this and earlier reviews.
    package init(_ tracks: [Track], decisions: ReviewDecisions) {
        var all = tracks
        for (index, track) in tracks.enumerated() {
            let count = decisions.covered.count { mark in
                track.box(in: mark.frame)?.isAroundSameFace(as: OrientedBox(mark.box)) ?? false
            }
            all[index].isAdded = count > 0 && track.sightings <= count
            all[index].isLookedAt =
                decisions.isReviewed || decisions.confirmed.contains { Self.goes(track, through: $0) }
        }
        var others: [ReviewDecisions.Mark] = []
        for mark in decisions.uncovered {
            let boxes = all.map { $0.uncovering == nil ? $0.box(in: mark.frame) : nil }
            if let nearest = OrientedBox(mark.box).nearest(of: boxes) {
                (all[nearest].uncovering, all[nearest].isLookedAt) = (mark, true)
            } else {
                others.append(mark)
            }
        }
        self.tracks = all
        self.others = others
        marks = decisions.covered
        isReviewed = decisions.isReviewed
    }

    package var decisions: ReviewDecisions {
        var decisions = ReviewDecisions()
        decisions.isReviewed = isReviewed
        decisions.uncovered = tracks.compactMap(\.uncovering) + others
        decisions.covered = marks
        decisions.confirmed = confirmed
        return decisions
    }

    /// Places along the covered tracks that were looked at, so that each is found again everywhere.
    private var confirmed: [ReviewDecisions.Mark] {
        let covered = tracks.filter { $0.uncovering == nil && !$0.isAdded && (isReviewed || $0.isLookedAt) }
        let length = covered.map(\.boxes.count).reduce(0, +)
        let step = max(Self.confirmedStep, length / Self.mostConfirmed)
        return covered.flatMap { track in
            stride(from: track.first + min(step, track.boxes.count) / 2, to: track.frames.upperBound, by: step)
                .compactMap {
                    frame in track.box(in: frame).map { .init(box: FaceBox($0), frame: frame) }
                }
        }
    }
    /// In frames.
    private static let confirmedStep = 25
    private static let mostConfirmed = 5000

    /// Whether a search would find tracks that are not here yet.
    package var hasUntrackedMarks: Bool { marks.contains { !isTracked($0) } }

    /// What is on a frame.
    package func faces(in frame: Int) -> [(face: Face, shown: ReviewFace)] {
        let found = tracks.indices.compactMap { index -> (Face, ReviewFace)? in
            guard let box = tracks[index].box(in: frame) else { return nil }
            let track = tracks[index]
            let origin = track.isAdded ? ReviewFace.Origin.added : .found(isDoubtful: track.isDoubtful)
            return (
                .track(index), ReviewFace(box: FaceBox(box), origin: origin, isCovered: track.isCovered(in: frame))
            )
        }
        let added = marks.indices.compactMap { index -> (Face, ReviewFace)? in
            guard marks[index].frame == frame, !isTracked(marks[index]) else { return nil }
            return (.mark(index), ReviewFace(box: marks[index].box, origin: .added))
        }
        return found + added
    }

    private func isTracked(_ mark: ReviewDecisions.Mark) -> Bool { tracks.contains { Self.goes($0, through: mark) } }

    private static func goes(_ track: Track, through mark: ReviewDecisions.Mark) -> Bool {
        track.box(in: mark.frame)?.isAroundSameFace(as: OrientedBox(mark.box)) ?? false
    }

    // MARK: Deciding

    /// Uncovers a track up to the cuts, or covers it again; what was added is removed.
    /// - Parameter frame: where it was seen.
    package mutating func toggle(_ face: Face, in frame: Int) {
        switch face {
        case .mark(let index): if marks.indices.contains(index) { marks.remove(at: index) }
        case .track(let index):
            guard tracks.indices.contains(index) else { return }
            if tracks[index].isAdded {
                let track = tracks.remove(at: index)
                marks.removeAll { Self.goes(track, through: $0) }
            } else if tracks[index].uncovering != nil {
                let track = tracks[index]
                tracks[index].uncovering = nil
                others.removeAll { Self.goes(track, through: $0) }
            } else if let box = tracks[index].box(in: frame) {
                let track = tracks[index]
                tracks[index].uncovering = ReviewDecisions.Mark(box: FaceBox(box), frame: frame)
                // A place that somebody has covered would keep the whole track covered.
                marks.removeAll { Self.goes(track, through: $0) }
            }
        }
    }

    /// Covers a place. A track through it that was uncovered is covered again: its face has moved there.
    package mutating func add(_ box: FaceBox, in frame: Int) {
        let mark = ReviewDecisions.Mark(box: box, frame: frame)
        for index in tracks.indices where tracks[index].uncovering != nil && Self.goes(tracks[index], through: mark) {
            tracks[index].uncovering = nil
        }
        others.removeAll { $0.frame == frame && OrientedBox($0.box).isAroundSameFace(as: OrientedBox(box)) }
        marks.append(mark)
    }

    // MARK: Looking

    package mutating func look(at track: Int) { if tracks.indices.contains(track) { tracks[track].isLookedAt = true } }

    package var lookedAtCount: Int { tracks.count(where: \.isLookedAt) }

    /// The tracks, the most doubtful one first.
    package var order: [Int] {
        tracks.indices.sorted { (tracks[$1].doubt, $0) < (tracks[$0].doubt, $1) }
    }

    /// The next track in `order`, or the one before, that nobody has looked at; once all have been looked at, simply the next one.
    /// - Parameters:
    ///   - track: from which on; nil: from before the first.
    ///   - step: 1 or -1.
    /// - Returns: nil if there are no tracks.
    package func track(after track: Int?, step: Int) -> Int? {
        guard !tracks.isEmpty else { return nil }
        let (order, count) = (order, tracks.count)
        let start = track.flatMap { order.firstIndex(of: $0) } ?? (step > 0 ? -1 : count)
        let following = (1...count).map { order[((start + step * $0) % count + count) % count] }
        return following.first { !tracks[$0].isLookedAt } ?? following.first
    }
}

extension ClipFaces.Track {
    init(_ track: FaceBoxTracker.Track) {
        self.init(
            first: track.first, boxes: track.boxes, sightings: track.sightings, score: track.score, scene: track.scene)
    }
}
