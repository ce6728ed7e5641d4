import Compositing
import FaceGeometry
import FaceTracking
import Glibc
import Pixels
import TestSupport
import Testing

@Suite struct FaceCoverTests {
    private func isCover(_ pixel: SIMD4<UInt16>, _ format: PixelFormat) -> Bool {
        let color = SIMD4<UInt16>(truncatingIfNeeded: FaceCover.color)
        return pixel == (format == .rgba16 ? color &* 257 : color)
    }

    /// Every pixel near a landmark, a head point, the box and all between them is opaque; the rest is as it was.
    @Test(arguments: [PixelFormat.rgba8, .rgba16], [Float(0), 0.7, 2, 3.1])
    func everythingInsideIsCovered(_ format: PixelFormat, _ tilt: Float) throws {
        let reference = try Repository.referenceFace()
        let rotation = Point(cos(tilt), sin(tilt))
        let landmarks = reference.landmarks.mapped { point in
            let p = 90 * (point - 0.5)
            return Point(150 + rotation.x * p.x - rotation.y * p.y, 140 + rotation.y * p.x + rotation.x * p.y)
        }
        let face = Face(landmarks: landmarks, reference: reference)
        var picture = try PixelBuffer(width: 300, height: 280, format: format)
        FaceCover(face).draw(in: &picture)
        let (corner, far) = (Point(face.box.x, face.box.y), Point(face.box.x, face.box.y) + face.box.width)
        let points = face.vertices + [corner, far, Point(corner.x, far.y), Point(far.x, corner.y)]
        for first in points {
            for second in points {
                for share in [Float(0), 0.25, 0.5] {
                    let place = first + share * (second - first)
                    #expect(isCover(picture[Int(place.x), Int(place.y)], format))
                    // Ears and hair.
                    let margin = 0.2 * face.box.width
                    for shift in [Point(margin, 0), Point(-margin, 0), Point(0, margin), Point(0, -margin)] {
                        let near = place + shift
                        #expect(isCover(picture[Int(near.x), Int(near.y)], format))
                    }
                }
            }
        }
        for (x, y) in [(5, 5), (294, 5), (5, 274), (294, 274)] { #expect(picture[x, y] == .zero) }
    }

    /// Of a mosaic, at most four by four colours are left; of a blur, nothing that changes from pixel to pixel.
    @Test(arguments: [PixelFormat.rgba8, .rgba16], [FaceCover.Style.mosaic, .blur])
    func littleIsLeft(_ format: PixelFormat, _ style: FaceCover.Style) throws {
        let reference = try Repository.referenceFace()
        let face = Face(landmarks: reference.landmarks.mapped { 60 + 100 * $0 }, reference: reference)
        var picture = try PixelBuffer(width: 220, height: 220, format: .rgba8)
        for y in 0..<220 {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(UInt8(x % 2 * 255), UInt8(y % 2 * 255), UInt8((x * y) % 251), 255)
                }
            }
        }
        if format == .rgba16 {
            var deep = try PixelBuffer(width: 220, height: 220, format: .rgba16)
            for y in 0..<220 { deep.copy(0..<220, ofRow: y, from: picture, to: 0, row: y) }
            picture = deep
        }
        try FaceCover(face).draw(style, in: &picture)
        var colors: Set<SIMD4<UInt16>> = []
        var largest = 0
        for y in Int(face.box.y)..<Int(face.box.y + face.box.height) {
            for x in Int(face.box.x)..<Int(face.box.x + face.box.width) {
                let (pixel, next) = (picture[x, y], picture[x + 1, y])
                colors.insert(pixel)
                let scale = format == .rgba16 ? 257 : 1
                for index in 0..<3 { largest = max(largest, abs(Int(pixel[index]) - Int(next[index])) / scale) }
            }
        }
        #expect(style == .mosaic ? colors.count <= 16 : largest <= 4, "\(colors.count) colours, steps of \(largest)")
    }

    /// A mosaic is a rectangle of equal parts: nothing of it is cut askew.
    @Test func aMosaicHasStraightEdges() throws {
        let reference = try Repository.referenceFace()
        let face = Face(landmarks: reference.landmarks.mapped { 60 + 100 * $0 }, reference: reference)
        var picture = try PixelBuffer(width: 220, height: 220, format: .rgba8)
        for y in 0..<220 {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(x), UInt8(y), UInt8((x * y) % 251), 255) }
            }
        }
        try FaceCover(face).draw(.mosaic, in: &picture)
        func runs(_ pixels: [SIMD4<UInt16>]) -> [Int] {
            var lengths: [Int] = []
            for (index, pixel) in pixels.enumerated() {
                if index > 0, pixel == pixels[index - 1] { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            }
            return lengths.filter { $0 > 1 }
        }
        let across = runs((0..<220).map { picture[$0, 110] })
        let along = runs((0..<220).map { picture[110, $0] })
        for lengths in [across, along] {
            #expect((2...4).contains(lengths.count), "\(lengths)")
            #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1, "\(lengths)")
        }
        // All rows that it reaches are alike.
        let rows = Set((0..<220).map { y in runs((0..<220).map { x in picture[x, y] }) })
        #expect(rows == [[], across], "\(rows)")
    }

    /// The squares of a face of which only a corner is seen are no smaller than those of the whole face.
    @Test func theEdgeMakesNoSquareSmaller() throws {
        let reference = try Repository.referenceFace()
        let face = Face(landmarks: reference.landmarks.mapped { -50 + 100 * $0 }, reference: reference)
        var picture = try PixelBuffer(width: 220, height: 220, format: .rgba8)
        for y in 0..<220 {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(x), UInt8(y), UInt8((x * y) % 251), 255) }
            }
        }
        try FaceCover(face).draw(.mosaic, in: &picture)
        var colors: Set<SIMD4<UInt16>> = []
        for y in 0..<30 { for x in 0..<30 { colors.insert(picture[x, y]) } }
        #expect(colors.count == 1, "\(colors.count)")
    }

    /// What is under a drawn face makes no difference to it: it covers as much as one colour does.
    @Test(arguments: [PixelFormat.rgba8, .rgba16]) func aDrawnFaceHidesAll(_ format: PixelFormat) throws {
        let reference = try Repository.referenceFace()
        let landmarks = reference.landmarks.mapped { 60 + 100 * $0 }
        func drawn(_ style: FaceCover.Style, on ground: UInt8) throws -> PixelBuffer {
            var picture = try PixelBuffer(width: 220, height: 220, format: format)
            for y in 0..<220 {
                for x in 0..<220 {
                    let value = ground &+ UInt8((x * 7 + y * 13) % 40)
                    picture.fill(x..<x + 1, ofRow: y, with: SIMD4(value, value, value, 255))
                }
            }
            try FaceCover(Face(landmarks: landmarks, reference: reference)).draw(style, in: &picture)
            return picture
        }
        let solid = try drawn(.solid, on: 190)
        let dark = try drawn(.face, on: 10)
        let bright = try drawn(.face, on: 190)
        var covered = 0
        var colors: Set<SIMD4<UInt16>> = []
        for y in 0..<220 {
            for x in 0..<220 where isCover(solid[x, y], format) {
                covered += 1
                colors.insert(bright[x, y])
                if dark[x, y] != bright[x, y] { Issue.record("(\(x), \(y)) shows what is under it") }
            }
        }
        #expect(covered > 10_000 && colors.count > 200, "a face, and not one colour: \(colors.count)")
    }

    /// The edge of its hood is soft: no pixel beside it differs much from both neighbours' colours as a hard edge does.
    @Test(arguments: [PixelFormat.rgba8, .rgba16], [Float(0), 0.4]) func aDrawnFaceHasASoftEdge(
        _ format: PixelFormat, _ tilt: Float
    ) throws {
        var picture = try PixelBuffer(width: 240, height: 240, format: format)
        for y in 0..<240 { picture.fill(0..<240, ofRow: y, with: SIMD4(255, 255, 255, 255)) }
        let box = OrientedBox(center: Point(120, 120), side: 70, roll: tilt)
        try FaceCover(UnsureFace(box: box, score: 1)).draw(.face, in: &picture)
        let scale = format == .rgba16 ? 257 : 1
        let grey = (0..<240).map { y in (0..<240).map { x in Int(picture[x, y].x) / scale } }
        // Between cloth and ground there are pixels of both.
        let mixed = grey.joined().count { $0 > 80 && $0 < 190 }
        let edge = grey.map { row in row.first { $0 < 255 }.map { $0 } }.compactMap { $0 }
        #expect(mixed > 100 && Set(edge).count > 30, "\(mixed), \(Set(edge).count)")
        for (x, y) in [(2, 2), (237, 2), (2, 237), (237, 237)] { #expect(grey[y][x] == 255) }
    }

    /// As are boxes that a detector may give.
    @Test(arguments: FaceCover.Style.allCases, [Float.nan, .infinity, -.infinity, 1e30, 0, -5])
    func anyBoxCanBeDrawn(_ style: FaceCover.Style, _ value: Float) throws {
        var picture = try PixelBuffer(width: 60, height: 60, format: .rgba8)
        for box in [
            OrientedBox(center: Point(30, 30), side: value, roll: 0),
            OrientedBox(center: Point(value, 30), side: 20, roll: 0),
            OrientedBox(center: Point(30, 30), side: 20, roll: value),
        ] { try FaceCover(UnsureFace(box: box, score: 1)).draw(style, in: &picture) }
    }

    @Test func partsOutsideAreClipped() throws {
        let reference = try Repository.referenceFace()
        for place in [Point(-300, -300), Point(-20, 10), Point(90, 90), Point(1e9, 0), Point(0, -1e9)] {
            let face = Face(landmarks: reference.landmarks.mapped { place + 60 * $0 }, reference: reference)
            var picture = try PixelBuffer(width: 100, height: 100, format: .rgba8)
            FaceCover(face).draw(in: &picture)
            let box = OrientedBox(center: place, side: 40, roll: 0.3)
            FaceCover(UnsureFace(box: box, score: 0.5)).draw(in: &picture)
            let center = face.box.center
            if (0..<100).contains(center.x), (0..<100).contains(center.y) {
                #expect(isCover(picture[Int(center.x), Int(center.y)], .rgba8))
            }
        }
        var picture = try PixelBuffer(width: 10, height: 10, format: .rgba8)
        FaceCover(UnsureFace(box: OrientedBox(center: Point(.nan, 5), side: 4, roll: 0), score: 1)).draw(in: &picture)
        #expect(picture[5, 5] == .zero)
    }
}
