import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels
import TestSupport
import Testing

/// Make-up changes the skin and leaves what makes it skin; with both renderers.
@Suite struct MakeupTests {
    private let reference: ReferenceFace
    private let instance: FaceInstance
    private static let (light, dark) = (SIMD3<Float>(214, 168, 142), SIMD3<Float>(96, 62, 48))

    init() throws {
        reference = try Repository.referenceFace()
        let landmarks = reference.landmarks.mapped { Point(-40, -40) + 480 * $0 }
        instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
    }

    /// Skin with pores, every second pixel of which is darker by a twelfth.
    private func skin(_ color: SIMD3<Float>, _ change: (Point) -> Float = { _ in 1 }) throws
        -> PixelBuffer
    {
        var picture = try PixelBuffer(width: 400, height: 400, format: .rgba8)
        for y in 0..<400 {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let pore: Float = (x + y) % 2 == 0 ? 1.04 : 0.96
                    let value = color * pore * change(Point(Float(x), Float(y)))
                    let limited = value.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
                    row[x] = SIMD4(UInt8(limited.x), UInt8(limited.y), UInt8(limited.z), 255)
                }
            }
        }
        return picture
    }

    private func mask(_ makeup: Makeup) throws -> Mask {
        let texture = Texture(path: "plain", pixels: try plain(64, 64, SIMD4(0, 0, 0, 255)))
        var layer = Layer(
            .warp(
                WarpLayer(picture: .texture(texture), textureCoordinates: reference.vertices, openings: []))
        )
        layer.makeup = makeup
        return Mask(name: "test", author: nil, license: nil, layers: [layer], folder: "")
    }

    private func drawn(
        _ makeup: Makeup, on skin: borrowing PixelBuffer,
        _ check: (borrowing PixelBuffer, String) throws -> Void
    ) throws {
        for (name, renderer) in [
            ("software", try sharedSoftwareRenderer.get()), ("OpenGL", try sharedRenderer.get()),
        ] {
            var picture = try skin.copy()
            let mask = try mask(makeup)
            try renderer.perform { try $0.draw(mask, on: [instance], in: &picture, encoding: .video) }
            try check(picture, name)
        }
    }

    /// The mean colour, and the contrast of pores, about a place.
    private func look(_ picture: borrowing PixelBuffer, at place: Point) -> (
        mean: SIMD3<Float>, contrast: Float
    ) {
        var sums = [SIMD3<Float>.zero, .zero]
        for y in -4..<4 {
            for x in -4..<4 {
                let (column, row) = (Int(place.x) + x, Int(place.y) + y)
                let pixel = picture[column, row]
                sums[(column + row) & 1] += SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) / 32
            }
        }
        let (a, b) = (sums[0].sum(), sums[1].sum())
        return ((sums[0] + sums[1]) / 2, (a - b) / (a + b))
    }

    private var cheek: Point { Point(-40, -40) + 480 * Point(0.34, 0.6) }

    @Test func aPigmentKeepsPoresOnEverySkin() throws {
        for color in [Self.light, Self.dark] {
            let skin = try skin(color)
            let before = look(skin, at: cheek)
            try drawn(Makeup(color: SIMD3(0.7, 0.15, 0.25)), on: skin) { picture, name in
                let after = look(picture, at: cheek)
                #expect(
                    after.mean.x - after.mean.y > before.mean.x - before.mean.y + 25,
                    "\(name) \(after) \(before)")
                #expect(
                    (0.7...1.4).contains(after.contrast / before.contrast), "\(name) \(after) \(before)")
            }
        }
    }

    /// Light on one half of the face stays.
    @Test func aPigmentKeepsTheLight() throws {
        let skin = try skin(Self.light) { 1 - 0.4 * $0.x / 400 }
        try drawn(Makeup(color: SIMD3(0.6, 0.3, 0.25)), on: skin) { picture, name in
            let (left, right) = (
                look(picture, at: cheek), look(picture, at: Point(400 - cheek.x, cheek.y))
            )
            #expect(right.mean.x < 0.92 * left.mean.x, "\(name) \(left) \(right)")
        }
    }

    /// Lips and cheeks are painted, a beard on them is not; brows are drawn with dark pigments.
    @Test func aPigmentEndsAtHair() throws {
        let place = cheek
        let skin = try skin(Self.light) { ($0 - place).length < 14 ? 0.3 : 1 }
        let before = look(skin, at: place)
        func change(_ color: SIMD3<Float>, _ check: (Float, String) -> Void) throws {
            try drawn(Makeup(color: color), on: skin) { picture, name in
                let difference = look(picture, at: place).mean - before.mean
                check(max(difference.max(), -difference.min()), name)
            }
        }
        try change(SIMD3(0.8, 0.2, 0.3)) { #expect($0 < 4, "\($1) \($0)") }
        try change(SIMD3(0.25, 0.1, 0.1)) { #expect($0 > 10, "\($1) \($0)") }
    }

    @Test func smoothingRemovesBlotchesAndKeepsPores() throws {
        let place = cheek
        let skin = try skin(Self.light) { point in
            let offset = point - place
            return (offset * offset).sum() < 36 ? 0.93 : 1
        }
        let before = (blotch: look(skin, at: place), clear: look(skin, at: place + Point(0, 30)))
        let depth = before.clear.mean.y - before.blotch.mean.y
        try drawn(Makeup(smoothing: 1), on: skin) { picture, name in
            let after = (blotch: look(picture, at: place), clear: look(picture, at: place + Point(0, 30)))
            #expect(after.clear.mean.y - after.blotch.mean.y < 0.5 * depth, "\(name) \(after) \(before)")
            #expect(after.clear.contrast > 0.85 * before.clear.contrast, "\(name) \(after) \(before)")
        }
    }

    @Test func edgesAreNotSmoothed() throws {
        let skin = try skin(Self.light) { $0.x < 140 ? 0.4 : 1 }
        let row = cheek.y
        let before = (look(skin, at: Point(128, row)), look(skin, at: Point(152, row)))
        try drawn(Makeup(smoothing: 1), on: skin) { picture, name in
            let after = (look(picture, at: Point(128, row)), look(picture, at: Point(152, row)))
            #expect(
                abs(after.0.mean.y - before.0.mean.y) < 12 && abs(after.1.mean.y - before.1.mean.y) < 12,
                "\(name)")
        }
    }

    @Test func brighteningLeavesWhatIsDark() throws {
        // An iris on the white of an eye, all over the face.
        let skin = try skin(SIMD3(190, 182, 174)) { $0.x < 200 ? 1 : 0.35 }
        try drawn(Makeup(brightening: 1), on: skin) { picture, name in
            let (white, iris) = (
                look(picture, at: cheek), look(picture, at: Point(400 - cheek.x, cheek.y))
            )
            #expect(white.mean.y > 182 + 8, "\(name) \(white)")
            #expect(abs(iris.mean.y - 0.35 * 182) < 4, "\(name) \(iris)")
        }
    }
}
