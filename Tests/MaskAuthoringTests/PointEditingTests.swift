import FaceGeometry
import Files
import Foundation
import JSON
import MaskAuthoring
import Pixels
import TestSupport
import Testing

@Suite struct PointEditingTests {
    /// The reference face, turned and moved: the middle line goes with it.
    @Test func theMiddleLineIsFound() throws {
        let (cosine, sine) = (cos(Float(0.4)), sin(Float(0.4)))
        func placed(_ point: Point) -> Point {
            Point(100 + 500 * (cosine * point.x - sine * point.y), 50 + 500 * (sine * point.x + cosine * point.y))
        }
        let vertices = try Repository.referenceFace().vertices
        let symmetry = PointSymmetry(vertices.map(placed))
        for (index, vertex) in vertices.enumerated() {
            let partner = PointSymmetry.partner(of: index)
            #expect((symmetry.mirrored(placed(vertex)) - placed(vertices[partner])).length < 0.05, "\(index)")
            #expect(PointSymmetry.partner(of: partner) == index)
        }
        let nose = placed(vertices[30])
        #expect((symmetry.nearest(to: nose) - nose).length < 0.05)
        // Of 68 landmarks too.
        let ofLandmarks = PointSymmetry(vertices.prefix(68).map(placed))
        #expect((ofLandmarks.mirrored(placed(vertices[36])) - placed(vertices[45])).length < 0.05)
    }

    /// A square from 20 to 60.
    private static func texture() throws -> PixelBuffer {
        var pixels = try PixelBuffer(width: 100, height: 100, format: .rgba8)
        for y in 20..<60 { pixels.withMutableRow(y) { for x in 20..<60 { $0[x] = SIMD4(200, 100, 50, 255) } } }
        return pixels
    }

    @Test func pointsSnapToPaintedEdges() throws {
        let texture = try Self.texture()
        let (place, target) = PointSnapping().snapped(Point(23, 40), radius: 6, texture: texture)
        #expect(target == .edge && abs(place.x - 20) <= 0.5 && abs(place.y - 40) <= 1, "\(place)")
        let free = PointSnapping().snapped(Point(40, 40), radius: 6, texture: texture)
        #expect(free.target == nil && free.place == Point(40, 40))
        // Outside of the picture, and far away.
        for far in [Point(-500, 3), Point(1e30, 0), Point(99.9, 99.9), Point(.infinity, 0)] {
            #expect(PointSnapping().snapped(far, radius: 6, texture: texture).target == nil)
        }
    }

    @Test func closeTargetsComeBeforeEdges() throws {
        let texture = try Self.texture()
        var snapping = PointSnapping()
        snapping.places = [(Point(24, 41), .mirror), (Point(25, 44), .reference)]
        let (place, target) = snapping.snapped(Point(23, 40), radius: 6, texture: texture)
        #expect(target == .mirror && place == Point(24, 41))
        snapping.axis = PointSymmetry([Point](repeating: .zero, count: 79))
        #expect(snapping.snapped(Point(90, 90), radius: 3, texture: texture).target == nil)
    }

    @Test func theJournalKeepsEverything() throws {
        let folder = try TemporaryFolder()
        let journal = EditJournal(folder: FilePath(folder.path) / "mäsk é")
        #expect(try journal.read() == nil)
        var document = MaskDocument(
            manifest: .object(["format": .integer(1), "name": .string("ü \"x\""), "layers": .array([.null])]))
        document.points["a/b.pts"] = [Point(1.5, -2), Point(0.125, 1e5)]
        try journal.write(document)
        #expect(journal.path == FilePath(folder.path + "/mäsk é.journal"))
        let content = try #require(try journal.read())
        #expect(content.document == document && content.seconds > 1_700_000_000)
        journal.remove()
        #expect(try journal.read() == nil)
    }

    @Test(arguments: [
        "", "{", "{}", #"{"journal": 2, "manifest": {}, "points": {}}"#, #"{"journal": 1, "points": {}}"#,
        #"{"journal": 1, "manifest": {}, "points": {"a.pts": [[1]]}}"#,
        "{\"journal\": 1, \"manifest\": {}, \"points\": {\"../\u{301}a.pts\": []}}",
    ])
    func aBrokenJournalIsSaid(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, "mask.journal")
        #expect { _ = try EditJournal(folder: FilePath(folder.path) / "mask").read() } throws: {
            "\($0)".contains("mask.journal")
        }
    }
}
