import FaceGeometry
import FaceTracking
import Records
import ReviewWindow
import Testing

/// Decisions about the tracks of a clip, without a window.
@Suite struct ClipFacesTests {
    private static func track(
        _ x: Float, _ frames: Range<Int>, sightings: Int = 4, score: Double = 0.9, scene: Range<Int>? = nil
    ) -> ClipFaces.Track {
        .init(
            first: frames.lowerBound,
            boxes: frames.map { OrientedBox(center: Point(x + Float($0), 100), side: 80, roll: 0) },
            sightings: sightings, score: score, scene: scene)
    }

    private static func mark(_ x: Float, _ frame: Int) -> ReviewDecisions.Mark {
        .init(box: FaceBox(OrientedBox(center: Point(x, 100), side: 80, roll: 0)), frame: frame)
    }

    @Test func aClickTakesTheWholeTrack() {
        var faces = ClipFaces([Self.track(100, 0..<20), Self.track(400, 10..<30)], decisions: .init())
        #expect(faces.faces(in: 5).count == 1 && faces.faces(in: 15).count == 2)
        faces.toggle(.track(1), in: 15)
        #expect(faces.decisions.uncovered == [Self.mark(415, 15)])
        #expect(faces.faces(in: 29).map(\.shown.isCovered) == [false])
        faces.toggle(.track(1), in: 12)
        #expect(faces.decisions.isEmpty)
    }

    /// As the next run does it: beyond the cuts, it may cover somebody else.
    @Test(arguments: [(15, [true, false, true]), (11, [false, true, true]), (29, [true, true, false])])
    func aClickGoesNoFartherThanTheCuts(_ frame: Int, _ isCovered: [Bool]) {
        var faces = ClipFaces([Self.track(100, 10..<30, scene: 13..<27)], decisions: .init())
        faces.toggle(.track(0), in: frame)
        #expect([12, 13, 27].map { faces.faces(in: $0).first?.shown.isCovered } == isCovered)
        #expect([10, 26, 29].map { faces.faces(in: $0).first?.shown.isCovered } == isCovered)
    }

    @Test func anAddedFaceIsSeenInItsFrameUntilItIsFollowed() {
        var faces = ClipFaces([Self.track(100, 0..<20)], decisions: .init())
        faces.add(Self.mark(300, 7).box, in: 7)
        #expect(faces.faces(in: 7).count == 2 && faces.faces(in: 8).count == 1 && faces.hasUntrackedMarks)
        // The next search follows it, and finds it nowhere else.
        let again = [Self.track(100, 0..<20), Self.track(293, 2..<15, sightings: 1)]
        var followed = ClipFaces(again, decisions: faces.decisions)
        #expect(!followed.hasUntrackedMarks && followed.tracks.map(\.isAdded) == [false, true])
        #expect(followed.faces(in: 7).map(\.shown.isAdded) == [false, true])
        followed.toggle(.track(1), in: 10)
        #expect(followed.tracks.count == 1 && followed.decisions.isEmpty)
        // One that it finds by itself, too, is a found one.
        let found = ClipFaces([Self.track(293, 2..<15, sightings: 3)], decisions: faces.decisions)
        #expect(!found.tracks[0].isAdded && found.decisions == faces.decisions)
        faces.toggle(.mark(0), in: 7)
        #expect(faces.decisions.isEmpty)
    }

    @Test func earlierDecisionsAreKept() {
        var decisions = ReviewDecisions()
        decisions.uncovered = [Self.mark(415, 15), Self.mark(900, 3)]
        let faces = ClipFaces([Self.track(100, 0..<20), Self.track(400, 10..<30)], decisions: decisions)
        #expect(faces.tracks.map { $0.uncovering == nil } == [true, false])
        // What this search has not found may be found by another one.
        #expect(faces.decisions == decisions)
    }

    /// What is said last counts.
    @Test func coveringAndUncoveringEndEachOther() {
        let track = Self.track(100, 0..<60)
        var faces = ClipFaces([track], decisions: .init())
        faces.toggle(.track(0), in: 3)
        // The track has moved on to somebody else.
        faces.add(Self.mark(140, 40).box, in: 40)
        #expect(faces.decisions.uncovered.isEmpty && faces.decisions.covered.count == 1)
        faces.toggle(.track(0), in: 50)
        #expect(faces.decisions.covered.isEmpty && faces.decisions.uncovered == [Self.mark(150, 50)])
        // Two marks of what a later search sees as one track.
        var decisions = ReviewDecisions()
        decisions.uncovered = [Self.mark(105, 5), Self.mark(150, 50)]
        var joined = ClipFaces([track], decisions: decisions)
        joined.toggle(.track(0), in: 20)
        #expect(joined.decisions.uncovered.isEmpty && joined.decisions.covered.isEmpty)
    }

    /// All along the tracks that are covered when somebody says that all is right.
    @Test func coveredTracksAreConfirmed() {
        var faces = ClipFaces([Self.track(100, 0..<60), Self.track(400, 10..<30)], decisions: .init())
        faces.toggle(.track(1), in: 12)
        #expect(faces.decisions.confirmed.isEmpty)
        faces.isReviewed = true
        let confirmed = faces.decisions.confirmed
        #expect(confirmed.count == 2 && confirmed.allSatisfy { $0.box.center.x < 200 }, "\(confirmed)")
        #expect(ClipFaces([], decisions: faces.decisions).decisions.confirmed.isEmpty)
    }

    /// A review may take several sittings: what was looked at is kept, and stays covered.
    @Test func whatWasLookedAtIsKept() {
        let tracks = [Self.track(100, 0..<60), Self.track(400, 10..<30), Self.track(700, 10..<30)]
        var faces = ClipFaces(tracks, decisions: .init())
        faces.look(at: 0)
        faces.toggle(.track(2), in: 12)
        let decisions = faces.decisions
        #expect(!decisions.isReviewed && decisions.confirmed.allSatisfy { $0.box.center.x < 200 })
        let later = ClipFaces(tracks, decisions: decisions)
        #expect(later.tracks.map(\.isLookedAt) == [true, false, true])
        #expect(later.decisions == decisions)
    }

    @Test func decisionsBecomeCorrections() {
        var decisions = ReviewDecisions()
        (decisions.covered, decisions.confirmed) = ([Self.mark(100, 1)], [Self.mark(200, 2)])
        decisions.uncovered = [Self.mark(300, 3)]
        let corrections = FaceBoxCorrections(decisions)
        let places = [corrections.added, corrections.confirmed, corrections.removed].flatMap { $0 }
        #expect(places.map(\.frame) == [1, 2, 3] && places.map(\.box.center.x) == [100, 200, 300])
    }

    @Test func tracksComeOneAfterAnother() {
        var faces = ClipFaces(
            [Self.track(0, 0..<5), Self.track(0, 5..<9), Self.track(0, 9..<12)], decisions: .init())
        #expect(faces.track(after: nil, step: 1) == 0 && faces.track(after: nil, step: -1) == 2)
        faces.look(at: 0)
        faces.look(at: 1)
        #expect(faces.track(after: 0, step: 1) == 2 && faces.lookedAtCount == 2)
        faces.look(at: 2)
        // All are looked at: simply the next one.
        #expect(faces.track(after: 0, step: 1) == 1 && faces.track(after: 0, step: -1) == 2)
        #expect(ClipFaces([], decisions: .init()).track(after: nil, step: 1) == nil)
    }

    /// A low score, or a face that was found only once, is in doubt; what somebody has added is not.
    @Test func doubtfulTracksComeFirst() {
        var decisions = ReviewDecisions()
        decisions.covered = [Self.mark(905, 5)]
        let faces = ClipFaces(
            [
                Self.track(0, 0..<20, sightings: 9, score: 0.9), Self.track(300, 0..<20, sightings: 1, score: 0.8),
                Self.track(600, 0..<20, sightings: 9, score: 0.45), Self.track(900, 0..<20, sightings: 1, score: 1),
                Self.track(1200, 0..<20, sightings: 9, score: 0.9),
            ], decisions: decisions)
        #expect(faces.order == [1, 2, 0, 4, 3], "\(faces.tracks.map(\.doubt))")
        #expect(faces.tracks.map(\.isDoubtful) == [false, true, true, false, false])
        #expect(faces.faces(in: 3).map(\.shown.isDoubtful) == [false, true, true, false, false])
        #expect(faces.track(after: nil, step: 1) == 1 && faces.track(after: 1, step: 1) == 2)
    }

    @Test func aTrackIsSeenByItsFirstMiddleAndLastFrame() {
        #expect(Self.track(0, 10..<31).telling == [10, 20, 30])
        #expect(Self.track(0, 7..<8).telling == [7])
    }
}
