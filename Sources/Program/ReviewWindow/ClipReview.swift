import Clips
import Display
import FaceGeometry
import FaceTracking
import Files
import Installation
import Records
import Threads
import Videos

/// Looks through the faces of a clip.
package final class ClipReview {
    /// What was decided, in this review and before.
    package struct Summary: Equatable, Sendable {
        package var isReviewed = false
        /// Tracks that are left as they are, and places that were missed.
        package var uncovered = 0
        package var covered = 0
        /// Whether something else is decided than when the review began.
        package var hasChanged = false
        /// Whether covers are among that.
        package var changesCovers = false
    }

    private let subject: ClipSubject
    private let session: ReviewSession
    private let before: ReviewDecisions

    /// - Parameters:
    ///   - result: its name in the folder of `file`, which this writes.
    ///   - checksum: of the clip, as `Checksum.ofFile` finds it.
    ///   - search: of the clip.
    ///   - scale: the size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
    ///   - progress: gets the number of frames that were searched, from time to time.
    /// - Throws: `GraphicsError` without a display.
    package init(
        _ clip: FilePath, _ information: ClipInformation, result: FilePath, checksum: UInt64, file: ReviewFile,
        search: ClipSearch, data: DataFolder, scale: Float?, progress: @escaping (_ frames: Int) -> Void
    ) throws {
        before = file.decisions(on: result, checksum: checksum) ?? ReviewDecisions()
        subject = ClipSubject(clip, information, search: search, decisions: before, progress: progress) {
            decisions throws(FileError) in
            try file.note(decisions, on: result, checksum: checksum)
        }
        session = try ReviewSession(subject, title: clip.name.description, data: data, scale: scale)
    }

    /// Runs until the window is closed or `isCancelled` returns true; it is asked once per frame.
    /// - Throws: the errors of the search.
    package func run(isCancelled: () -> Bool) throws -> Summary {
        try session.run(isCancelled: isCancelled)
        let decisions = subject.decisions
        return Summary(
            isReviewed: decisions.isReviewed, uncovered: decisions.uncovered.count, covered: decisions.covered.count,
            hasChanged: decisions != before,
            changesCovers: decisions.uncovered != before.uncovered || decisions.covered != before.covered)
    }
}

private final class ClipSubject: ReviewSubject {
    typealias Save = (ReviewDecisions) throws(FileError) -> Void

    private let clip: FilePath
    private let information: ClipInformation
    private let search: ClipSearch
    private let save: Save
    private let progress: (Int) -> Void
    private(set) var decisions: ReviewDecisions
    /// Nil until the first search has ended.
    private var found: Found?
    private var hasNoFrames = false
    private var history: [(faces: ClipFaces, frame: Int)] = []
    /// The frame that is wanted, and the one that is shown.
    private var cursor = 0
    private var shown = 0
    private var track: Int?
    /// The frames that were shown in this review.
    private var seen: Set<Int> = []
    /// When and where playing began; nil: it is not played.
    private var playing: (since: ContinuousClock.Instant, frame: Int)?

    private struct Found {
        var faces: ClipFaces
        let times: [Double]
        let frames: ClipFrames
        var timeLine: TimeLine
    }

    init(
        _ clip: FilePath, _ information: ClipInformation, search: ClipSearch, decisions: ReviewDecisions,
        progress: @escaping (Int) -> Void, save: @escaping Save
    ) {
        (self.clip, self.information, self.decisions, self.save) = (clip, information, decisions, save)
        self.search = search
        self.progress = progress
        if let known = search.known, known.marks.added == FaceBoxCorrections(decisions).marks.added {
            take(known)
        } else {
            search.start(decisions)
        }
    }

    var timeLineHeight: Float { TimeLine.height }
    var noteOnAdding: String {
        "The next run covers it up to 4 s back and 1.5 s on, as far as it can be followed. R follows it now"
    }
    var help: String {
        """
        Space, N\tThis frame is right: next, the first, middle and last of each track
        Left, Right\tThe track before, or after, that you have not looked at; doubtful ones come first
        Comma, Period\tOne frame back, or on
        P\tPlay, or stop
        R\tFollow what you have added, and show where the next run covers it
        Time line\tClick: go to a track, or to a place
        Esc, Q\tQuit; what you decided is saved
        H, F1\tThis help
        """
    }

    // MARK: Showing

    var scene: ReviewScene {
        if hasNoFrames { return ReviewScene(content: .obstacle("\(clip.name.shortened) has no frames.")) }
        guard let found, !search.isRunning else {
            let total = information.frameCount.map { " of \($0)" } ?? ""
            let action = search.known == nil ? "Looking for faces in" : "Following the faces of"
            return ReviewScene(
                content: .waiting("\(action) \(clip.name.shortened): frame \(search.count)\(total) …"))
        }
        if let failure = found.frames.failure { return ReviewScene(content: .obstacle("\(failure)")) }
        guard let picture = found.frames.picture(shown) else {
            return ReviewScene(content: .waiting("Reading frame \(shown + 1) …"))
        }
        let faces = found.faces.faces(in: shown)
        return ReviewScene(
            content: .picture(picture), faces: faces.map(\.shown),
            chosen: track.flatMap { track in faces.firstIndex { $0.face == .track(track) } })
    }

    var status: String {
        guard let found else { return "\(clip.name.shortened)" }
        let tracks = found.faces.tracks
        let place =
            tracks.isEmpty
            ? "no face found" : track.map { text(of: $0, found.faces) } ?? "\(tracks.count) tracks"
        return [
            place, "\(found.faces.lookedAtCount) looked at",
            "frame \(shown + 1) of \(found.times.count), \(Self.text(found.times[shown] - found.times[0]))",
            "\(clip.name.shortened)" + (found.faces.isReviewed ? " (reviewed)" : ""),
        ].joined(separator: "  ·  ")
    }

    private func text(of track: Int, _ faces: ClipFaces) -> String {
        let place = faces.order.firstIndex(of: track).map { $0 + 1 } ?? 0
        let rest = unseen(of: faces.tracks[track]).count
        let parts = [
            "track \(place) of \(faces.tracks.count)", faces.tracks[track].isDoubtful ? "doubtful" : nil,
            rest == 0 || faces.tracks[track].isLookedAt ? nil : "\(rest) of its frames to look at",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// The frames of a track that must be seen, and were not.
    private func unseen(of track: ClipFaces.Track) -> [Int] { track.telling.subtracting(seen).sorted() }

    private static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        let rest = tenths % 600
        return "\(tenths / 600):\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
    }

    func update() throws -> Bool {
        if search.isRunning {
            let count = search.count
            if let result = search.take() { if let new = try result.get() { take(new) } } else { progress(count) }
            return true
        }
        guard let found else { return false }
        let hasNew = found.frames.update()
        if let playing { play(playing, found) }
        found.frames.want(cursor)
        let old = shown
        if found.frames.picture(cursor) != nil {
            shown = cursor
            seen.insert(shown)
        }
        return hasNew || shown != old || playing != nil
    }

    private func take(_ new: FaceBoxSearch) {
        hasNoFrames = new.times.isEmpty
        if hasNoFrames { return }
        let isFirst = found == nil
        let looked = found?.faces.tracks.filter(\.isLookedAt) ?? []
        let chosen = track.flatMap { found?.faces.tracks[$0] }
        var faces = ClipFaces(new.tracks.map { .init($0) }, decisions: decisions)
        for (index, track) in faces.tracks.enumerated() where looked.contains(where: { $0.isSameTrack(as: track) }) {
            faces.look(at: index)
        }
        let frames = found?.frames ?? ClipFrames(clip, information, times: new.times)
        found = Found(
            faces: faces, times: new.times, frames: frames,
            timeLine: TimeLine(faces.tracks, frameCount: new.times.count))
        track = chosen.flatMap { chosen in faces.tracks.firstIndex { chosen.isSameTrack(as: $0) } }
        history = []
        cursor = min(cursor, new.times.count - 1)
        shown = min(shown, new.times.count - 1)
        // What was shown before had other covers.
        seen = []
        if isFirst { move(by: 1) }
    }

    private func play(_ start: (since: ContinuousClock.Instant, frame: Int), _ found: Found) {
        let seconds = found.times[start.frame] + (ContinuousClock.now - start.since) / .seconds(1)
        let due = (found.times.firstIndex { $0 > seconds } ?? found.times.count) - 1
        let next = min(due, found.times.count - 1)
        if found.frames.picture(next) != nil {
            cursor = next
            if next == found.times.count - 1 { playing = nil }
        } else {
            // It goes on from the last frame that is there.
            cursor = (cursor...max(cursor, next)).last { found.frames.picture($0) != nil } ?? cursor
            cursor = min(cursor + 1, found.times.count - 1)
            playing = (.now, cursor)
        }
    }

    // MARK: Deciding

    /// - Throws: if it cannot be saved; then nothing has changed.
    private func change(_ body: (inout ClipFaces) -> Void) throws(FileError) {
        // Nobody has seen what is not there yet.
        guard let old = found?.faces, !search.isRunning, shown == cursor else { return }
        var new = old
        body(&new)
        try set(new)
        history.append((old, shown))
    }

    private func set(_ faces: ClipFaces) throws(FileError) {
        let (old, new) = (found?.faces, faces.decisions)
        if new != decisions { try save(new) }
        decisions = new
        guard let times = found?.times else { return }
        found?.faces = faces
        found?.timeLine = TimeLine(faces.tracks, frameCount: times.count)
        // Their numbers have changed.
        if faces.tracks.count != old?.tracks.count { track = nil }
    }

    func toggle(_ face: Int) throws(FileError) {
        guard let faces = found?.faces.faces(in: shown), faces.indices.contains(face) else { return }
        let chosen = faces[face].face
        try change { $0.toggle(chosen, in: shown) }
        if case .track(let index) = chosen, found?.faces.tracks.count == history.last?.faces.tracks.count {
            track = index
        }
    }

    func add(_ box: FaceBox) throws(FileError) { try change { $0.add(box, in: shown) } }

    func approve() throws(FileError) -> String? {
        // Nobody has seen what is not there yet.
        guard let faces = found?.faces, scene.picture != nil, shown == cursor else { return nil }
        playing = nil
        if let track, !faces.tracks[track].isLookedAt {
            if let next = unseen(of: faces.tracks[track]).first {
                cursor = next
                return nil
            }
            try change { $0.look(at: track) }
        }
        if let next = found?.faces.tracks.firstIndex(where: { !$0.isLookedAt }) {
            show(found?.faces.track(after: track, step: 1) ?? next)
            return nil
        }
        try change { $0.isReviewed = true }
        return faces.tracks.isEmpty
            ? "Reviewed: this clip shows nobody, and the next run writes it uncovered. Q quits"
            : "All tracks are looked at. P plays the clip: only that shows faces that were not found. Q quits"
    }

    func undo() throws(FileError) -> Bool {
        guard let (faces, frame) = history.last, !search.isRunning else { return false }
        try set(faces)
        history.removeLast()
        cursor = frame
        return true
    }

    // MARK: Moving

    func move(by step: Int) {
        guard let next = found?.faces.track(after: track, step: step) else { return }
        show(next)
    }

    func choose(_ face: Int) {
        guard let faces = found?.faces.faces(in: shown), faces.indices.contains(face) else { return }
        if case .track(let index) = faces[face].face { track = index }
    }

    private func show(_ track: Int) {
        guard let tracks = found?.faces.tracks, tracks.indices.contains(track) else { return }
        playing = nil
        self.track = track
        cursor = unseen(of: tracks[track]).first ?? tracks[track].middle
    }

    private func step(by frames: Int) {
        playing = nil
        cursor = max(0, min((found?.times.count ?? 1) - 1, cursor + frames))
    }

    func press(_ key: WindowEvent.Key) -> Bool {
        switch key {
        case .comma: step(by: -1)
        case .period: step(by: 1)
        case .letter("p"):
            guard let count = found?.times.count else { return true }
            if playing == nil, cursor == count - 1 { cursor = 0 }
            playing = playing == nil ? (.now, cursor) : nil
        case .letter("r"): if !search.isRunning { search.start(decisions) }
        default: return false
        }
        return true
    }

    func drawTimeLine(_ canvas: Canvas) -> Bool {
        guard let found, !search.isRunning else { return false }
        switch found.timeLine.draw(found.faces, frame: cursor, track: track, canvas) {
        case .track(let index): show(index)
        case .frame(let frame):
            playing = nil
            cursor = frame
        case nil: return false
        }
        return true
    }

    func stop() {
        search.stop()
        found?.frames.stop()
    }
}

extension ClipFaces.Track {
    /// Whether two searches found the same face in the same frames.
    fileprivate func isSameTrack(as other: ClipFaces.Track) -> Bool {
        guard let box = box(in: middle), let there = other.box(in: middle) else { return false }
        return box.isAroundSameFace(as: there)
    }
}
