import FaceGeometry
import Testing

/// Who wears which of several masks.
@Suite struct MaskPlacesTests {
    /// From right to left, in a picture of 400 × 200 pixels.
    private let faces = [300, 200, 20].map { FaceBox(x: $0, y: 50, width: 60, height: 80) }
    private func places(_ order: [Int], _ chosen: ChosenMask...) -> MaskPlaces {
        MaskPlaces(order: order, chosen: chosen, in: (width: 400, height: 200))
    }

    @Test func theyComeInTurnFromTheLeft() {
        #expect(MaskPlaces.fromLeft(faces) == [2, 1, 0])
        #expect(places([0, 1, 2]).masks(of: faces) == [2, 1, 0])
        #expect(places([1, 0]).masks(of: faces) == [1, 0, 1])
        #expect(places([]).masks(of: faces) == [0, 0, 0], "without an order there is one mask")
        #expect(places([1, 0]).masks(of: []) == [])
    }

    /// The place counts, and not which face of how many it was: a larger picture shows more faces.
    @Test func aChoiceIsForTheFaceAtItsPlace() {
        let middle = ChosenMask(place: Point(0.57, 0.45), mask: nil)
        #expect(places([0, 1], middle).masks(of: faces) == [0, nil, 0])
        let more = faces + [FaceBox(x: 90, y: 50, width: 60, height: 80)]
        #expect(places([0, 1], middle).masks(of: more) == [1, nil, 0, 1])
        let nowhere = ChosenMask(place: Point(0.99, 0.01), mask: nil)
        #expect(places([0, 1], nowhere).masks(of: faces) == [0, 1, 0], "nobody is there")
        let again = ChosenMask(place: Point(0.58, 0.5), mask: 0)
        #expect(places([0, 1], middle, again).masks(of: faces) == [0, 0, 0], "the last one counts")
    }

    @Test func ofTwoFacesOverEachOtherTheNearestOneIsMeant() {
        let pair = [FaceBox(x: 100, y: 50, width: 80, height: 80), FaceBox(x: 140, y: 50, width: 80, height: 80)]
        #expect(places([0], .init(place: Point(0.43, 0.45), mask: 1)).masks(of: pair) == [0, 1])
        #expect(places([0], .init(place: Point(0.37, 0.45), mask: 1)).masks(of: pair) == [1, 0])
        #expect(MaskPlaces.face(at: Point(172, 90), among: pair) == 1)
        #expect(MaskPlaces.face(at: Point(148, 90), among: pair) == 0)
        #expect(MaskPlaces.face(at: Point(99, 90), among: pair) == nil)
    }
}
