import FaceGeometry
import Files
import Records
import ReviewWindow
import Testing

/// The order of photographs, decisions about them, and taking these back, without a window.
@Suite struct ReviewListTests {
    private final class Saved {
        var decisions: [FilePath: ReviewDecisions] = [:]
        var fails = false

        func save(_ new: ReviewDecisions, _ result: FilePath, _ checksum: UInt64) throws(FileError) {
            if fails { throw FileError(.unwritable, path: result, "the disk is full") }
            decisions[result] = new
        }
    }

    private static func box(_ x: Float, side: Float = 100) -> FaceBox {
        FaceBox(x: x, y: 50, width: side, height: side)
    }

    private static func photograph(
        _ name: FilePath, doubt: Double = 0, boxes: [FaceBox] = [], sureCount: Int? = nil,
        _ decisions: ReviewDecisions = ReviewDecisions()
    ) -> ReviewedPhotograph {
        ReviewedPhotograph(
            result: name, source: "/original" / name, checksum: 7, doubt: doubt, boxes: boxes,
            sureCount: sureCount ?? boxes.count, decisions: decisions)
    }

    private static func decisions(
        uncovered: [FaceBox] = [], covered: [FaceBox] = [], confirmed: [FaceBox] = [], isReviewed: Bool = false
    ) -> ReviewDecisions {
        var decisions = ReviewDecisions()
        decisions.uncovered = uncovered.map { .init(box: $0) }
        decisions.covered = covered.map { .init(box: $0) }
        decisions.confirmed = confirmed.map { .init(box: $0) }
        decisions.isReviewed = isReviewed
        return decisions
    }

    @Test func doubtfulOnesComeFirstAndReviewedOnesLast() {
        let list = ReviewList([
            Self.photograph("a", doubt: 0.1), Self.photograph("done", doubt: 1, Self.decisions(isReviewed: true)),
            Self.photograph("c", doubt: 0.9), Self.photograph("b", doubt: 0.9),
        ]) { _, _, _ in }
        #expect(list.photographs.map(\.result) == ["b", "c", "a", "done"])
        #expect(list.reviewedCount == 1 && list.current?.result == "b")
    }

    @Test func decisionsAreSavedBeforeTheyAreShownAndTakenBack() throws {
        let saved = Saved()
        var list = ReviewList(
            [Self.photograph("a", doubt: 1, boxes: [Self.box(0), Self.box(300)]), Self.photograph("b")],
            save: saved.save)
        try list.toggle(1)
        try list.add(Self.box(600))
        try list.approve()
        #expect(list.move(by: 1) && !list.move(by: 1))
        let all = Self.decisions(
            uncovered: [Self.box(300)], covered: [Self.box(600)], confirmed: [Self.box(0)], isReviewed: true)
        #expect(saved.decisions == ["a": all])
        // From the other photograph, back to this one.
        #expect(try list.undo() && list.current?.result == "a" && list.reviewedCount == 0)
        #expect(try list.undo())
        #expect(saved.decisions["a"] == Self.decisions(uncovered: [Self.box(300)]))
        // A second click covers the face again; one on what was added removes it.
        try list.toggle(1)
        try list.add(Self.box(900))
        try list.toggle(2)
        #expect(saved.decisions["a"] == ReviewDecisions() && list.current?.faces.count == 2)
        while try list.undo() {}
        #expect(saved.decisions["a"] == ReviewDecisions())
    }

    @Test func whatCannotBeSavedIsNotDone() throws {
        let saved = Saved()
        var list = ReviewList([Self.photograph("a", boxes: [Self.box(0)])], save: saved.save)
        try list.toggle(0)
        let before = list.photographs
        saved.fails = true
        #expect(throws: FileError.self) { try list.add(Self.box(300)) }
        #expect(throws: FileError.self) { try list.approve() }
        #expect(throws: FileError.self) { _ = try list.undo() }
        #expect(list.photographs == before)
        saved.fails = false
        #expect(try list.undo() && list.photographs[0].faces[0].isCovered)
    }

    @Test func whatCannotBeSeenIsNotDecided() throws {
        let saved = Saved()
        var list = ReviewList([Self.photograph("a", boxes: [Self.box(0)])], save: saved.save)
        list.block(0, "It is gone.")
        try list.toggle(0)
        try list.approve()
        #expect(saved.decisions.isEmpty && list.reviewedCount == 0)
    }

    /// Before and after the run that has obeyed the decisions, the same is shown.
    @Test func findingsAndDecisionsAreMerged() {
        let decided = Self.decisions(uncovered: [Self.box(300)], covered: [Self.box(600)])
        let before = Self.photograph("a", boxes: [Self.box(0), Self.box(304)], decided)
        #expect(before.decisions == decided)
        #expect(before.faces.map(\.box) == [Self.box(0), Self.box(300), Self.box(600)])
        #expect(before.faces.map(\.isCovered) == [true, false, true])
        #expect(before.faces.map(\.isAdded) == [false, false, true])
        // What was confirmed is shown, though another search has not found it.
        let confirmed = Self.decisions(confirmed: [Self.box(0), Self.box(300)], isReviewed: true)
        let later = Self.photograph("a", boxes: [Self.box(304)], confirmed)
        #expect(later.faces.map(\.box) == [Self.box(304), Self.box(0)] && later.faces.allSatisfy(\.isCovered))
        // A face of twice the size is another one.
        let larger = Self.photograph("a", boxes: [Self.box(250, side: 200)], decided)
        #expect(larger.faces.count == 3 && larger.faces[0].isCovered)
    }

    @Test func aCoverContainsWhatWasDragged() throws {
        let (a, b) = (Point(420, 80), Point(300, 200))
        let box = try #require(FaceBox(covering: a, b, in: Point(1000, 800)))
        let face = ReviewFace(box: box, origin: .added)
        for corner in [a, b, Point(a.x, b.y), Point(b.x, a.y)] { #expect(face.contains(corner)) }
        #expect(!face.contains(Point(300 - 40, 80 - 40)))
        // A click, and what is beside the picture.
        #expect(FaceBox(covering: a, a + Point(2, 2), in: Point(1000, 800)) == nil)
        #expect(FaceBox(covering: Point(-50, 10), Point(-10, 60), in: Point(1000, 800)) == nil)
    }
}
