import Compositing
import FaceGeometry
import FaceTracking
import FrameProcessing
import People
import Pixels
import TestSupport
import Testing

/// Frames in which all faces are covered.
@Suite struct CoveringTests {
    private static let ground = SIMD4<UInt8>(200, 180, 160, 255)

    private func frame(_ places: [OrientedBox]?, faces: [FaceInstance] = []) throws -> Frame {
        var pixels = try PixelBuffer(width: 400, height: 300, format: .rgba8)
        for y in 0..<300 {
            for x in 0..<400 {
                pixels.fill(x..<x + 1, ofRow: y, with: (x / 4 + y / 4) % 2 == 0 ? Self.ground : [0, 0, 0, 255])
            }
        }
        var frame = Frame(pixels, seconds: 0)
        frame.placesOfFaces = places
        frame.faces = faces
        return frame
    }

    private func face(at center: Point, _ identity: FaceIdentity = .notSought) throws -> FaceInstance {
        let reference = try Repository.referenceFace()
        var instance = FaceInstance(
            face: Face(landmarks: reference.landmarks.mapped { 60 * $0 + center }, reference: reference), trackID: 7)
        instance.identity = identity
        return instance
    }

    private func isCovered(_ frame: borrowing Frame, _ point: Point) -> Bool {
        frame.pixels[Int(point.x), Int(point.y)] == FaceCover.color
    }

    @Test func placesAreCovered() throws {
        var frame = try frame([OrientedBox(center: Point(100, 100), side: 60, roll: 0)])
        try frame.coverFaces(.solid, but: nil)
        #expect(isCovered(frame, Point(100, 100)) && isCovered(frame, Point(72, 128)) && !frame.isBlurred)
        #expect(!isCovered(frame, Point(300, 200)))
    }

    @Test func trackedFacesAreCoveredThatHaveNoPlace() throws {
        let face = try face(at: Point(200, 100))
        var frame = try frame([], faces: [face])
        try frame.coverFaces(.solid, but: nil)
        #expect(isCovered(frame, face.face.box.center) && frame.chosenFaces.count == 1)
    }

    /// Nothing is left of the squares.
    @Test func whatHasNotBeenSearchedIsCoveredAsAWhole() throws {
        var frame = try frame(nil).copy()
        try frame.coverFaces(.solid, but: nil)
        #expect(frame.isBlurred)
        for x in 1..<400 {
            let difference =
                SIMD4<Int>(truncatingIfNeeded: frame.pixels[x, 150])
                &- SIMD4<Int>(truncatingIfNeeded: frame.pixels[x - 1, 150])
            #expect((0..<3).allSatisfy { abs(difference[$0]) < 8 })
        }
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
        var frame = try frame([stranger, box], faces: [ada])
        try frame.coverFaces(.solid, but: people)
        #expect(isCovered(frame, box.center) == hides)
        #expect(isCovered(frame, stranger.center))
    }
}
