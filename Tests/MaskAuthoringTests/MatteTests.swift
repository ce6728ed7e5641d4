import FaceGeometry
import MaskAuthoring
import Masks
import Pixels
import TestSupport
import Testing

/// The brush on a texture's transparency.
@Suite struct MatteTests {
    /// Opaque skin at the left, hair under transparency in the middle, nothing at the right third.
    private func texture(_ width: Int = 300, _ height: Int = 150) throws -> Texture {
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] =
                        x < width / 3
                        ? SIMD4(200, 150, 120, 255) : x < 2 * width / 3 ? SIMD4(40, 30, 20, 0) : SIMD4(0, 0, 0, 0)
                }
            }
        }
        return Texture(path: "face.png", pixels: pixels, fileKind: .png)
    }

    private func painted(
        _ matte: Matte, _ brush: MatteBrush, through places: [Point]
    ) -> Matte {
        var stroke = MatteStroke(brush, on: matte, at: places[0])
        for place in places.dropFirst() { stroke.move(through: [place]) }
        stroke.finish()
        return stroke.result
    }

    private func alpha(_ matte: Matte, _ x: Int, _ y: Int) throws -> Int { Int(try matte.pixels()[x, y].w) }

    @Test func aDotErasesWithASoftEdge() throws {
        let matte = Matte(try texture())
        let hard = painted(matte, MatteBrush(action: .erase, diameter: 40, softness: 0), through: [Point(50, 75)])
        #expect(try alpha(hard, 50, 75) == 0 && alpha(hard, 68, 75) == 0 && alpha(hard, 72, 75) == 255)
        let soft = painted(matte, MatteBrush(action: .erase, diameter: 40, softness: 1), through: [Point(50, 75)])
        let profile = try (50..<75).map { try alpha(soft, $0, 75) }
        #expect(zip(profile, profile.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(profile[0] < 3 && (80...175).contains(profile[10]) && profile[21] == 255, "\(profile)")
        // Only whole tiles differ, and nothing beyond them.
        #expect(hard.difference(from: matte) == PixelRectangle(x: 0, y: 0, width: 128, height: 128))
        #expect(matte.difference(from: matte) == nil && !matte.isChanged && hard.isChanged)
    }

    @Test func aSymmetricStrokeIsOnBothSides() throws {
        let matte = Matte(try texture(256, 256))
        let symmetry = PointSymmetry(try Repository.referenceFace().vertices.map { 256 * $0 })
        let brush = MatteBrush(action: .paint(SIMD3(255, 0, 0)), diameter: 20, softness: 0.3)
        var stroke = MatteStroke(brush, on: matte, at: Point(200, 60), symmetry: symmetry)
        stroke.move(through: [Point(190, 120)])
        stroke.finish()
        let both = try stroke.result.pixels()
        let one = try painted(matte, brush, through: [Point(200, 60), Point(190, 120)]).pixels()
        for y in 40..<140 {
            for x in 170..<220 where one[x, y] == SIMD4(255, 0, 0, 255) {
                #expect(both[x, y] == one[x, y] && both[255 - x, y] == one[x, y], "\(x) \(y)")
                #expect(one[255 - x, y] != one[x, y])
            }
        }
        #expect(one[195, 90] == SIMD4(255, 0, 0, 255))
    }

    /// However often the mouse reports its place, and whether the line crosses itself.
    @Test func aStrokeDependsOnItsWayOnly() throws {
        let matte = Matte(try texture())
        let brush = MatteBrush(action: .erase, diameter: 24, softness: 0.8)
        let ends = [Point(20, 40), Point(95, 110)]
        let slow = (0...200).map { ends[0] + Float($0) / 200 * (ends[1] - ends[0]) }
        let quick = try painted(matte, brush, through: ends).pixels()
        for places in [slow, slow + slow.reversed() + slow] {
            let other = try painted(matte, brush, through: places).pixels()
            for y in 0..<150 {
                for x in 0..<300 { #expect(abs(Int(quick[x, y].w) - Int(other[x, y].w)) <= 3, "\(x) \(y)") }
            }
        }
    }

    /// A quick movement has no corners: the line passes inside of the one that three places make.
    @Test func aQuickStrokeIsACurve() throws {
        let matte = Matte(try texture())
        let brush = MatteBrush(action: .erase, diameter: 4, softness: 0)
        let curve = painted(matte, brush, through: [Point(10, 20), Point(80, 20), Point(80, 120)])
        #expect(try alpha(curve, 79, 20) == 255)
        #expect(try alpha(curve, 12, 19) == 0 && alpha(curve, 79, 118) == 0)
        // The middle of the curve.
        #expect(try alpha(curve, 71, 33) == 0)
    }

    @Test func onlyWhatHasAColourIsRestored() throws {
        let matte = Matte(try texture())
        let all = MatteBrush(action: .restore, diameter: 80, softness: 0)
        let restored = painted(matte, all, through: [Point(0, 75), Point(300, 75)])
        #expect(try alpha(restored, 150, 75) == 255 && alpha(restored, 199, 75) == 255)
        #expect(try alpha(restored, 201, 75) == 0 && alpha(restored, 150, 30) == 0)
        let pixels = try restored.pixels()
        #expect(pixels[150, 75] == SIMD4(40, 30, 20, 255))
        // What is erased comes back whole, and is then no change.
        let erase = MatteBrush(action: .erase, diameter: 500, softness: 0)
        let erased = painted(matte, erase, through: [Point(50, 75)])
        #expect(try alpha(erased, 0, 0) == 0 && alpha(erased, 99, 149) == 0)
        let skin = MatteBrush(action: .restore, diameter: 20, softness: 0)
        let rows = stride(from: 0, through: 150, by: 10).map { Float($0) }
        let back = rows.reduce(erased) { painted($0, skin, through: [Point(0, $1), Point(89.4, $1)]) }
        #expect(back.difference(from: matte).map { $0.x >= 64 } == true)
        #expect(try alpha(back, 70, 75) == 255)
    }

    /// Paint covers, over what is transparent in its own colour; what is erased then can be restored, and nothing of it is in
    /// the picture before.
    @Test func aColourIsPainted() throws {
        let matte = Matte(try texture())
        let red = SIMD3<UInt8>(200, 10, 20)
        let brush = MatteBrush(action: .paint(red), diameter: 40, softness: 0.5)
        let dots = [Point(50, 75), Point(250, 75)].reduce(matte) { painted($0, brush, through: [$1]) }
        let pixels = try dots.pixels()
        #expect(pixels[50, 75] == SIMD4(200, 10, 20, 255) && pixels[250, 75] == SIMD4(200, 10, 20, 255))
        // Halfway out, over skin and over nothing.
        #expect(pixels[65, 75].x == 200 && (11...149).contains(pixels[65, 75].y) && pixels[65, 75].w == 255)
        #expect(pixels[265, 75].y == 10 && (80...175).contains(pixels[265, 75].w), "\(pixels[265, 75])")
        #expect(try matte.pixels()[50, 75] == SIMD4(200, 150, 120, 255) && dots != matte && dots.isChanged)
        #expect(dots.difference(from: matte)?.x == 0)
        let erase = MatteBrush(action: .erase, diameter: 60, softness: 0)
        let erased = painted(dots, erase, through: [Point(250, 75)])
        #expect(try alpha(erased, 250, 75) == 0)
        let restore = MatteBrush(action: .restore, diameter: 60, softness: 0)
        let restored = try painted(erased, restore, through: [Point(250, 75)]).pixels()
        #expect(restored[250, 75] == SIMD4(200, 10, 20, 255) && restored[275, 75].w == 0)
    }

    /// Black that is erased, and saved, is not taken for what was never painted.
    @Test func erasedBlackCanBeRestored() throws {
        var pixels = try PixelBuffer(width: 70, height: 70, format: .rgba8)
        pixels.fill(SIMD4(0, 0, 0, 255))
        let matte = Matte(Texture(path: "black.png", pixels: pixels, fileKind: .png))
        let dot = MatteBrush(action: .erase, diameter: 300, softness: 0)
        let saved = try painted(matte, dot, through: [Point(35, 35)]).pixels()
        #expect(saved[69, 69] == SIMD4(1, 1, 1, 0))
        let again = Matte(Texture(path: "black.png", pixels: saved, fileKind: .png))
        let restored = painted(
            again, MatteBrush(action: .restore, diameter: 300, softness: 0), through: [Point(35, 35)])
        #expect(try alpha(restored, 69, 69) == 255)
    }

    @Test func placesMayBeAnywhere() throws {
        let matte = Matte(try texture(70, 3))
        let far: [Float] = [-1e9, 1e9, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, 35]
        for x in far {
            for y in far {
                let brush = MatteBrush(action: .erase, diameter: 12, softness: 0.5)
                let result = painted(matte, brush, through: [Point(1, 1), Point(x, y), Point(y, x), Point(35, 1)])
                #expect(result.bounds == matte.bounds)
            }
        }
    }

    @Test func revisionsKnowWhatHasChanged() throws {
        var textures = MatteTextures()
        let base = try texture()
        let erase = MatteBrush(action: .erase, diameter: 10, softness: 0)
        var matte = Matte(base)
        let first = try #require(try textures.textures(["face.png": matte], in: "")["face.png"])
        #expect(first === base)
        matte = painted(matte, erase, through: [Point(10, 10)])
        let second = try #require(try textures.textures(["face.png": matte], in: "")["face.png"])
        matte = painted(matte, erase, through: [Point(100, 140)])
        let third = try #require(try textures.textures(["face.png": matte], in: "")["face.png"])
        #expect(second.changes(since: 0) == PixelRectangle(x: 0, y: 0, width: 64, height: 64))
        #expect(third.changes(since: 1) == PixelRectangle(x: 64, y: 128, width: 64, height: 22))
        #expect(third.changes(since: 0) == PixelRectangle(x: 0, y: 0, width: 128, height: 150))
        #expect(third.changes(since: 2) == nil && third.changes(since: 3) == nil && third.picture === base.picture)
        #expect(third.pixels[10, 10].w == 0 && third.pixels[99, 139].w == 0 && third.pixels[99, 5].w == 255)
        // Nobody else holds the one before the last: its memory becomes that of the next.
        var places: [UInt] = []
        for x in 1...6 {
            matte = painted(matte, erase, through: [Point(20 * Float(x), 60)])
            let next = try #require(try textures.textures(["face.png": matte], in: "")["face.png"])
            places.append(next.pixels.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
            #expect(next.pixels[min(99, 20 * x), 60].w == 0 && next.pixels[10, 10].w == 0)
        }
        #expect(Set(places.dropFirst(2)).count == 2 && places[2] == places[4], "\(places)")
        let last = try textures.textures(["face.png": matte], in: "")["face.png"]
        #expect(try textures.textures(["face.png": matte], in: "")["face.png"] === last)
    }
}
