import FaceGeometry
import Graphics
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// OpenGL's context belongs to a thread; all tests share one.
let sharedRenderer = Result {
    RenderThread(
        shaders: try Repository.shaders(), reference: try Repository.referenceFace(), mesh: try Repository.mesh())
}

@Suite struct MaskRendererTests {
    let reference: ReferenceFace
    let renderer: RenderThread

    init() throws {
        reference = try Repository.referenceFace()
        renderer = try sharedRenderer.get()
    }

    // MARK: Golden pictures

    static let goldens = ["ada", "bruno", "chidi", "dalia", "emre", "finn"].flatMap { face in
        ["skull", "tiger"].map { (face, $0) }
    }

    @Test(arguments: goldens) func masksOnDrawnFaces(_ name: String, _ mask: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let picture = try PictureReader.read("\(Repository.root)/samples/\(name).jpg")
        // The landmarks are the drawing's own, so that the detector has no part in the result.
        let landmarks = sample.drawing(reference: reference).landmarks
        let face = Face(landmarks: landmarks, reference: reference)
        let loaded = try Repository.mask(mask)
        for renderer in [renderer, try sharedSoftwareRenderer.get()] {
            var picture = Picture(pixels: try picture.pixels.copy())
            try renderer.perform { try $0.draw(loaded, on: [face], in: &picture.pixels) }
            try GoldenPicture().check(try halved(picture.pixels), name: "\(name)-\(mask)")
        }
    }

    /// Two people wear each mask of the gallery, so that faces can be traded; the second has an open mouth, has blinked
    /// once, and hears a beat.
    @Test(arguments: try Repository.maskNames()) func theGallery(_ mask: String) throws {
        var picture = try PixelBuffer(width: 2 * Sample.width, height: Sample.height, format: .rgba8)
        var instances: [FaceInstance] = []
        for (index, name) in ["ada", "chidi"].enumerated() {
            let sample = try #require(Sample.all.first { $0.name == name })
            let photograph = try PictureReader.read("\(Repository.root)/samples/\(name).jpg")
            for y in 0..<Sample.height {
                picture.withMutableRow(y) { row in
                    for x in 0..<Sample.width {
                        row[index * Sample.width + x] = SIMD4<UInt8>(truncatingIfNeeded: photograph.pixels[x, y])
                    }
                }
            }
            let offset = Point(Float(index * Sample.width), 0)
            let landmarks = sample.drawing(reference: reference).landmarks.mapped { $0 + offset }
            let face = Face(landmarks: landmarks, reference: reference)
            instances.append(FaceInstance(face: face, trackID: index + 1))
            instances[index].blinks = index
            instances[index].signals[.loudness] = 0.8 * Float(index)
            instances[index].signals[.beat] = 0.7 * Float(index)
        }
        let loaded = try Repository.mask(mask)
        let hasProp = loaded.layers.contains { if case .prop = $0.content { true } else { false } }
        let people = instances
        for renderer in [renderer, try sharedSoftwareRenderer.get()] {
            var copy = try picture.copy()
            try renderer.perform { try $0.draw(loaded, on: people, at: 0.3, in: &copy) }
            var golden = GoldenPicture()
            // Where small triangles meet, OpenGL shades each, and the software renderer each surface once.
            if hasProp { golden.exceptions = 0.005 }
            try golden.check(try halved(copy), name: "gallery-\(mask)")
        }
    }

    /// Half the size, by averages of four pixels, to keep the repository small.
    func halved(_ picture: borrowing PixelBuffer) throws -> PixelBuffer {
        var result = try PixelBuffer(width: picture.width / 2, height: picture.height / 2, format: .rgba8)
        for y in 0..<result.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    let sum =
                        picture[2 * x, 2 * y] &+ picture[2 * x + 1, 2 * y] &+ picture[2 * x, 2 * y + 1]
                        &+ picture[2 * x + 1, 2 * y + 1]
                    row[x] = SIMD4<UInt8>(truncatingIfNeeded: (sum &+ 2) / 4)
                }
            }
        }
        return result
    }

    // MARK: Seams and edges

    /// The reference face itself, put into a picture.
    func face(scale: Float = 500, offset: Point = Point(20, 10)) throws -> Face {
        let landmarks = reference.landmarks.mapped { offset + scale * $0 }
        return Face(landmarks: landmarks, reference: reference)
    }

    func plainMask(
        _ color: SIMD4<UInt8>, opacity: Float = 1, openings: Set<FaceMesh.Opening> = [], layers: Int = 1
    ) throws -> Mask {
        let texture = Texture(path: "plain", pixels: try plain(64, 64, color))
        var layer = Layer(
            .warp(
                WarpLayer(
                    picture: .texture(texture), textureCoordinates: reference.vertices, openings: openings)))
        layer.opacities = [AnimatableValue(opacity)]
        return Mask(
            name: "plain", author: nil, license: nil, layers: Array(repeating: layer, count: layers), folder: "")
    }

    /// The pixels of a square picture that lie inside the mesh by more than the soft edge is wide.
    func pixelsWellInside(_ face: Face, _ mesh: FaceMesh, side: Int) -> [(x: Int, y: Int)] {
        let margin = 1.4 * WarpLayer.defaultFeather * (face.landmarks[16] - face.landmarks[0]).length
        let vertices = face.vertices
        let triangles = mesh.triangles.map { triangle in triangle.indices.map { vertices[$0] } }
        let boundary = FaceMesh.boundary(of: mesh.triangles).map { (vertices[$0.from], vertices[$0.to]) }
        var result: [(x: Int, y: Int)] = []
        for y in 0..<side {
            for x in 0..<side {
                let place = Point(Float(x) + 0.5, Float(y) + 0.5)
                let isInside = triangles.contains { p in
                    (0..<3).allSatisfy { i in
                        let edge = p[(i + 1) % 3] - p[i]
                        let offset = place - p[i]
                        return edge.x * offset.y - edge.y * offset.x >= 0
                    }
                }
                let isFarFromEdge =
                    isInside
                    && boundary.allSatisfy { (a, b) in
                        let t = max(0, min(1, ((b - a) * (place - a)).sum() / ((b - a) * (b - a)).sum()))
                        return (place - a - t * (b - a)).length > margin
                    }
                if isFarFromEdge { result.append((x, y)) }
            }
        }
        return result
    }

    @Test func anOpaqueMaskHasNoSeams() throws {
        let mask = try plainMask(SIMD4(200, 60, 30, 255))
        let face = try face()
        let mesh = try Repository.mesh()
        var picture = try plain(540, 540, SIMD4(10, 20, 200, 255))
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        let expected = try plain(540, 540, SIMD4(200, 60, 30, 255))
        let difference = try PictureDifference(picture, expected)
        let inside = pixelsWellInside(face, mesh, side: 540)
        let seams = inside.filter { x, y in difference.values[y * 540 + x] > 1 }
        #expect(seams.isEmpty, "\(seams.count) pixels, the first: \(seams.prefix(5))")
        #expect(inside.count > 50_000)
    }

    /// Half-transparent: every pixel inside has one and the same value, the mean of both colours.
    @Test func aHalfTransparentMaskHasNoLines() throws {
        let mask = try plainMask(SIMD4(255, 255, 255, 255), opacity: 0.5)
        let face = try face()
        let mesh = try Repository.mesh()
        var picture = try plain(540, 540, SIMD4(0, 0, 0, 255))
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        var values: Set<UInt16> = []
        for (x, y) in pixelsWellInside(face, mesh, side: 540) { values.insert(picture[x, y].x) }
        #expect(values.isSubset(of: [127, 128]) && !values.isEmpty)
    }

    @Test func theEdgeIsSoftAndMonotonic() throws {
        let mask = try plainMask(SIMD4(255, 255, 255, 255))
        let face = try face()
        var picture = try plain(540, 540, SIMD4(0, 0, 0, 255))
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        // From the forehead's middle up, over the hairline, and from the cheek to the left.
        let row = (0..<270).map { picture[$0, 270].x }
        #expect(row[0] == 0 && row[269] == 255)
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 })
        let steps = zip(row, row.dropFirst()).map { $1 - $0 }
        #expect((steps.max() ?? 255) < 90, "no hard step in the edge")
        #expect(row.count { $0 > 0 && $0 < 255 } >= 4)
    }

    @Test func openingsStayOpen() throws {
        let open = try plainMask(SIMD4(255, 0, 0, 255), openings: [.eyes, .mouth])
        let closed = try plainMask(SIMD4(255, 0, 0, 255))
        let face = try face()
        for (mask, expected) in [(open, UInt16(7)), (closed, UInt16(255))] {
            var picture = try plain(540, 540, SIMD4(7, 7, 7, 255))
            try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
            for outline in FaceMesh.Opening.allCases.flatMap(\.outlines) {
                let place = face.landmarks.center(of: outline)
                #expect(picture[Int(place.x), Int(place.y)].x == expected)
            }
        }
    }

    // MARK: What must not change

    @Test func pixelsOutsideKeepTheirValueToTheBit() throws {
        let tiger = try Repository.mask("tiger")
        // Deformations move paint beyond the face.
        let mask = Mask(
            name: tiger.name, author: tiger.author, license: tiger.license,
            layers: tiger.layers.filter { if case .deform = $0.content { false } else { true } }, folder: tiger.folder)
        let face = try face(scale: 300, offset: Point(100, 100))
        let before = try gradient(600, 500)
        var after = try before.copy()
        try renderer.perform { try $0.draw(mask, on: [face], in: &after) }
        let bounds = FaceBox(around: face.vertices)
        let difference = try PictureDifference(before, after)
        #expect(difference.largest > 50)
        var changedOutside = 0
        for y in 0..<500 {
            for x in 0..<600 {
                let isNear =
                    Float(x) > bounds.x - 1 && Float(x) < bounds.x + bounds.width + 1 && Float(y) > bounds.y - 1
                    && Float(y) < bounds.y + bounds.height + 1
                if !isNear && difference.values[y * 600 + x] != 0 { changedOutside += 1 }
            }
        }
        #expect(changedOutside == 0)
        // And inside the rectangle, where no triangle is: its corners.
        let corner = PixelRectangle(x: Int(bounds.x), y: Int(bounds.y), width: 8, height: 8)
        for y in corner.y..<(corner.y + 8) {
            for x in corner.x..<(corner.x + 8) { #expect(difference.values[y * 600 + x] == 0) }
        }
    }

    @Test func aTransparentMaskChangesNothing() throws {
        let mask = try plainMask(SIMD4(255, 0, 0, 0))
        let before = try gradient(300, 300)
        var after = try before.copy()
        let face = try face(scale: 280)
        try renderer.perform { try $0.draw(mask, on: [face], in: &after) }
        #expect(try PictureDifference(before, after).largest == 0)
    }

    @Test func sixteenBitsStaySixteen() throws {
        var picture = try PixelBuffer(width: 300, height: 300, format: .rgba16)
        let stride = picture.bytesPerRow
        picture.withUnsafeMutableBytes { bytes in
            for y in 0..<300 {
                for x in 0..<300 {
                    let pixel = SIMD4<UInt16>(UInt16(x * 218), UInt16(y * 218), UInt16(x * y % 65536), 65535)
                    bytes.storeBytes(of: pixel, toByteOffset: y * stride + x * 8, as: SIMD4<UInt16>.self)
                }
            }
        }
        let before = try picture.copy()
        let mask = try plainMask(SIMD4(128, 128, 128, 255), opacity: 0.5)
        let face = try face(scale: 280)
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        #expect(picture[0, 0] == before[0, 0] && picture[299, 299] == before[299, 299])
        // Neighbours on a fine ramp stay different: 8 bits would make steps of 257.
        let values = (140..<160).map { picture[$0, 90].x }
        #expect(Set(values).count == values.count)
    }
}

extension OutOfMemory {
    static var test: OutOfMemory {
        do {
            _ = try PixelBuffer(width: 1 << 40, height: 1 << 20, format: .rgba16)
            preconditionFailure("that much memory exists")
        } catch { return error }
    }
}
