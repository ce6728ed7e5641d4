import Compositing
import FaceGeometry
import MaskComposition
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

/// Pictures that are drawn as comics.
@Suite struct ComicDrawerTests {
    private func portrait(width: Int = 480, faceWidth: Float = 160) throws -> SyntheticPortrait {
        let scale = Float(width) / 480
        return try SyntheticPortrait(
            DrawnFace(), width: width, height: width,
            placement: DrawnFacePlacement(center: scale * Point(240, 260), faceWidth: faceWidth * scale),
            quality: .samples(1), reference: Repository.referenceFace())
    }

    private func mask(_ comic: Comic = Comic(), opacity: Float = 1) -> Mask {
        var layer = Layer(.comic(comic))
        layer.opacities = [AnimatableValue(opacity)]
        return Mask(name: "Comic", author: nil, license: nil, layers: [layer], folder: "/")
    }

    private func draw(
        _ picture: inout PixelBuffer, _ instances: [FaceInstance], with drawer: ComicDrawer = ComicDrawer(),
        _ mask: Mask? = nil, at seconds: Double? = nil
    ) throws {
        let mask = mask ?? self.mask()
        try drawer.retouch(
            &picture, before: DrawList(), on: instances.map { WornMask(mask, on: $0) }, at: seconds)
    }

    private func noisy(_ picture: borrowing PixelBuffer, seed: UInt64, by amplitude: Int) throws -> PixelBuffer {
        var result = try picture.copy()
        var state = seed
        for y in 0..<result.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let noise = Int(state >> 33) % (2 * amplitude + 1) - amplitude
                    for channel in 0..<3 { row[x][channel] = UInt8(max(0, min(255, Int(row[x][channel]) + noise))) }
                }
            }
        }
        return result
    }

    /// The mean difference of two pictures, and how many pixels differ by more than a sixth of the range.
    private func difference(_ one: borrowing PixelBuffer, _ other: borrowing PixelBuffer) -> (
        mean: Double, share: Double
    ) {
        var (sum, many) = (0, 0)
        for y in 0..<one.height {
            for x in 0..<one.width {
                let (a, b) = (one[x, y], other[x, y])
                let most = (0..<3).map { abs(Int(a[$0]) - Int(b[$0])) }.max() ?? 0
                sum += most
                many += most > 42 ? 1 : 0
            }
        }
        let count = Double(one.width * one.height)
        return (Double(sum) / count, Double(many) / count)
    }

    @Test func aFaceGetsFlatColorsAndInk() throws {
        let portrait = try self.portrait()
        let original = try noisy(portrait.pixels, seed: 1, by: 8)
        var picture = try original.copy()
        try draw(&picture, [portrait.instance])
        /// How many of a face's pixels are like their neighbour, and how many are black.
        func look(_ picture: borrowing PixelBuffer) -> (flat: Int, black: Int) {
            var (flat, black) = (0, 0)
            for y in 180..<340 {
                for x in 160..<320 {
                    let (here, beside) = (picture[x, y], picture[x + 1, y])
                    if (0..<3).allSatisfy({ abs(Int(here[$0]) - Int(beside[$0])) <= 1 }) { flat += 1 }
                    if max(here.x, here.y, here.z) < 24 { black += 1 }
                }
            }
            return (flat, black)
        }
        let (before, after) = (look(original), look(picture))
        #expect(after.black > before.black + 100, "\(before) \(after)")
        #expect(after.flat > 2 * before.flat, "\(before) \(after)")
    }

    @Test func linesMayBeLeftOut() throws {
        let portrait = try self.portrait()
        func darkest(_ lines: Float) throws -> Int {
            var picture = try portrait.pixels.copy()
            try draw(&picture, [portrait.instance], mask(Comic(lines: lines, color: SIMD3(0, 1, 0))))
            return (0..<480).reduce(0) { count, y in
                count + (0..<480).filter { Int(picture[$0, y].y) > 150 + Int(picture[$0, y].x) }.count
            }
        }
        let (none, some, many) = (try darkest(0), try darkest(1), try darkest(3))
        #expect(none < some && some < many, "\(none) \(some) \(many)")
    }

    /// A photograph of twice the size shows the same drawing.
    @Test func theDrawingIsTheSameAtAnySize() throws {
        let small = try portrait()
        let large = try portrait(width: 960)
        var one = try small.pixels.copy()
        var two = try large.pixels.copy()
        try draw(&one, [small.instance])
        try draw(&two, [large.instance])
        let (mean, share) = difference(one, try two.halved())
        #expect(mean < 6 && share < 0.04, "\(mean) \(share)")
    }

    @Test func noiseDoesNotMakeItFlicker() throws {
        let portrait = try self.portrait()
        var first = try noisy(portrait.pixels, seed: 1, by: 8)
        var second = try noisy(portrait.pixels, seed: 2, by: 8)
        let before = difference(first, second).mean
        let drawer = ComicDrawer()
        try draw(&first, [portrait.instance], with: drawer, at: 0)
        try draw(&second, [portrait.instance], with: drawer, at: 0.04)
        let after = difference(first, second)
        #expect(after.mean < 0.7 * before && after.share < 0.01, "\(before) \(after)")
    }

    @Test func sixteenBitsAndAlphaStay() throws {
        let portrait = try self.portrait()
        var shallow = try portrait.pixels.copy()
        var deep = try PixelBuffer(width: 480, height: 480, format: .rgba16)
        for y in 0..<480 { shallow.withMutableRow(y) { row in for x in row.indices { row[x].w = UInt8(x % 256) } } }
        deep.withUnsafeMutableBytes { [stride = deep.bytesPerRow] bytes in
            for y in 0..<480 {
                for x in 0..<480 {
                    bytes.storeBytes(
                        of: 257 &* SIMD4<UInt16>(truncatingIfNeeded: shallow[x, y]), toByteOffset: y * stride + 8 * x,
                        as: SIMD4<UInt16>.self)
                }
            }
        }
        try draw(&shallow, [portrait.instance])
        try draw(&deep, [portrait.instance])
        let result = try deep.withEightBits()
        #expect(difference(shallow, result).mean < 0.6)
        for x in [0, 100, 479] {
            #expect(Int(shallow[x, 200].w) == x % 256 && Int(result[x, 200].w) == x % 256)
        }
    }

    /// It fades when the face is lost, and comes back at once in another scene.
    @Test func itFadesWithTheLastFace() throws {
        let portrait = try self.portrait()
        let drawer = ComicDrawer()
        func change(at seconds: Double, _ instances: [FaceInstance]) throws -> Double {
            var picture = try portrait.pixels.copy()
            try draw(&picture, instances, with: drawer, at: seconds)
            return difference(picture, portrait.pixels).mean
        }
        #expect(try change(at: 0, []) == 0)
        let whole = try change(at: 0.04, [portrait.instance])
        // In a pause, the same picture is drawn again when the mask is taken off.
        #expect(try change(at: 0.04, []) == 0)
        #expect(try change(at: 0.04, [portrait.instance]) == whole)
        let fading = try change(at: 0.24, [])
        #expect(fading > 0.2 * whole && fading < 0.8 * whole, "\(whole) \(fading)")
        #expect(try change(at: 0.6, []) == 0)
        drawer.interrupt()
        #expect(try change(at: 0.64, [portrait.instance]) == whole)
    }

    @Test func ofSeveralMasksTheLargestFacesCounts() throws {
        let portrait = try self.portrait()
        let small = try self.portrait(faceWidth: 60)
        var picture = try portrait.pixels.copy()
        var other = small.instance
        other.trackID = 2
        let (green, red) = (mask(Comic(color: SIMD3(0, 1, 0))), mask(Comic(color: SIMD3(1, 0, 0))))
        let worn = [WornMask(red, on: other), WornMask(green, on: portrait.instance)]
        try ComicDrawer().retouch(&picture, before: DrawList(), on: worn, at: nil)
        let inked = (0..<480).reduce(0) { count, y in
            count + (0..<480).filter { Int(picture[$0, y].y) > 150 + Int(picture[$0, y].x) }.count
        }
        #expect(inked > 500)
        // Nor those that are invisible.
        var none = try portrait.pixels.copy()
        try draw(&none, [portrait.instance], mask(opacity: 0))
        #expect(difference(none, portrait.pixels).mean == 0)
    }

    /// Large pictures are computed in bands, which must not be seen.
    @Test func bandsHaveNoSeams() throws {
        let portrait = try self.portrait(width: 1100)
        let style = ComicPainter.Style(faceWidth: 100, reduction: 1)
        let area = PixelRectangle(x: 0, y: 600, width: 1100, height: 500)
        var whole = try portrait.pixels.copy()
        var part = try portrait.pixels.copy(of: area)
        let painter = try ComicPainter()
        try painter.draw(&whole, style)
        try painter.draw(&part, style)
        var most = 0
        for y in 30..<500 {
            for x in 0..<1100 {
                let (one, other) = (whole[x, 600 + y], part[x, y])
                for channel in 0..<3 { most = max(most, abs(Int(one[channel]) - Int(other[channel]))) }
            }
        }
        #expect(most <= 1)
    }

    /// Also in pictures that are smaller than a cell.
    @Test(arguments: [(1, 1), (3, 200), (200, 2), (17, 31)]) func tinyPicturesAreDrawn(_ width: Int, _ height: Int)
        throws
    {
        let painter = try ComicPainter()
        for reduction in [1, 2, 5, 1000] {
            var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
            picture.fill(SIMD4(200, 150, 120, 255))
            try painter.draw(&picture, ComicPainter.Style(faceWidth: 300, reduction: reduction))
            #expect(picture[width - 1, height - 1].w == 255)
        }
    }

    @Test func wrongNumbersAreRefused() throws {
        let painter = try ComicPainter()
        var picture = try PixelBuffer(width: 40, height: 40, format: .rgba8)
        for style in [
            ComicPainter.Style(faceWidth: .nan, reduction: 1),
            .init(faceWidth: 100, reduction: 1, black: 1, white: 0.5),
            .init(faceWidth: 100, reduction: 1, levels: .infinity), .init(faceWidth: 100, reduction: 1, opacity: 2),
        ] {
            #expect(throws: VisionError.self) { try painter.draw(&picture, style) }
        }
    }
}
