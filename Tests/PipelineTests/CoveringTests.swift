import Compositing
import FaceGeometry
import FaceRecognition
import FaceTracking
import FrameProcessing
import People
import Pixels
import TestSupport
import Testing

/// Frames in which all faces are covered.
@Suite struct CoveringTests {
    /// A frame of small squares after all faces have been covered.
    private struct Covered {
        let isBlurred: Bool
        let chosen: Int
        private var pixels: [SIMD4<UInt16>] = []

        init(_ places: [OrientedBox]?, faces: [FaceInstance] = [], but people: PeopleCoverings? = nil) throws {
            var pixels = try PixelBuffer(width: 400, height: 300, format: .rgba8)
            for y in 0..<300 {
                for x in 0..<400 {
                    let isLight = (x / 4 + y / 4) % 2 == 0
                    pixels.fill(x..<x + 1, ofRow: y, with: isLight ? [200, 180, 160, 255] : [0, 0, 0, 255])
                }
            }
            var frame = Frame(pixels, seconds: 0)
            frame.facePlaces = places.map { .known($0) } ?? .unknown
            frame.faces = faces
            frame = try frame.copy()
            try frame.coverFaces(.solid, but: people)
            (isBlurred, chosen) = (frame.isBlurred, frame.chosenFaces.count)
            for y in 0..<300 { for x in 0..<400 { self.pixels.append(frame.pixels[x, y]) } }
        }

        subscript(x: Int, y: Int) -> [Int] { (0..<3).map { Int(pixels[400 * y + x][$0]) } }

        func covers(_ point: Point) -> Bool {
            self[Int(point.x), Int(point.y)] == (0..<3).map { Int(FaceCover.color[$0]) }
        }
    }

    private func face(at center: Point, _ identity: FaceIdentity = .notSought) throws -> FaceInstance {
        let reference = try Repository.referenceFace()
        var instance = FaceInstance(
            face: Face(landmarks: reference.landmarks.mapped { 60 * $0 + center }, reference: reference), trackID: 7)
        instance.identity = identity
        return instance
    }

    @Test func placesAreCovered() throws {
        let frame = try Covered([OrientedBox(center: Point(100, 100), side: 60, roll: 0)])
        #expect(frame.covers(Point(100, 100)) && frame.covers(Point(72, 128)) && !frame.isBlurred)
        #expect(!frame.covers(Point(300, 200)))
    }

    @Test func trackedFacesAreCoveredThatHaveNoPlace() throws {
        let face = try face(at: Point(200, 100))
        let frame = try Covered([], faces: [face])
        #expect(frame.covers(face.face.box.center) && frame.chosen == 1)
    }

    /// Nothing is left of the squares.
    @Test func whatHasNotBeenSearchedIsCoveredAsAWhole() throws {
        let frame = try Covered(nil)
        #expect(frame.isBlurred)
        for x in 1..<400 { #expect(zip(frame[x, 150], frame[x - 1, 150]).allSatisfy { abs($0 - $1) < 8 }) }
    }

    /// Who may be seen is, with the place that is hers; a stranger beside her is not, and in doubt nobody.
    @Test(arguments: [
        (FaceIdentity.person("Ada"), false), (.uncertain(["Ada"]), true), (.unknown, true), (.notSought, true),
    ])
    func whoMayBeSeenIsNotCovered(_ identity: FaceIdentity, _ hides: Bool) throws {
        var settings = PeopleSettings()
        settings.people = [.init(try PersonName("Ada"), .unmasked)]
        let people = try PeopleCoverings(settings) { _ in try Repository.mask("skull") }
        let ada = try face(at: Point(200, 100), identity)
        let box = OrientedBox(ada.face.box)
        let stranger = OrientedBox(center: box.center + Point(150, 100), side: box.side, roll: 0)
        let frame = try Covered([stranger, box], faces: [ada], but: people)
        #expect(frame.covers(box.center) == hides)
        #expect(frame.covers(stranger.center))
    }

    /// Beside a face that wears a mask: nobody knows whose the other one is. Where nobody has looked, it may be anywhere.
    @Test func facesThatAreNotTrackedAreBlurred() throws {
        func differences(_ places: Frame.FacePlaces) throws -> (
            tracked: Int, other: Int, elsewhere: Int, isBlurred: Bool
        ) {
            let ada = try face(at: Point(40, 60))
            var frame = Frame(try PixelBuffer(width: 400, height: 300, format: .rgba8), seconds: 0)
            for y in 0..<300 {
                for x in 0..<400 {
                    frame.pixels.fill(
                        x..<x + 1, ofRow: y, with: (x / 4 + y / 4) % 2 == 0 ? [220, 220, 220, 255] : [0, 0, 0, 255])
                }
            }
            let before = try frame.copy()
            (frame.faces, frame.facePlaces) = ([ada], places)
            try frame.blurUntrackedFaces()
            func changed(_ point: Point) -> Int {
                abs(Int(frame.pixels[Int(point.x), Int(point.y)].x) - Int(before.pixels[Int(point.x), Int(point.y)].x))
            }
            return (
                changed(ada.face.box.center), changed(Point(300, 150)), changed(Point(200, 280)), frame.isBlurred
            )
        }
        let box = OrientedBox(try face(at: Point(40, 60)).face.box)
        let other = OrientedBox(center: Point(300, 150), side: 60, roll: 0)
        let both = try differences(.known([other, box]))
        #expect(both.tracked == 0 && both.other > 30 && both.elsewhere == 0 && !both.isBlurred, "\(both)")
        let unsought = try differences(.notSought)
        #expect(unsought.other == 0 && !unsought.isBlurred)
        let unknown = try differences(.unknown)
        #expect(unknown.other > 30 && unknown.elsewhere > 30 && unknown.isBlurred, "\(unknown)")
    }
}
