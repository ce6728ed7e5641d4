import Pixels
import TestSupport
import Testing
import Vision

/// What is behind people is replaced, and they are not.
@Suite struct BackgroundPainterTests {
    private static let (width, height) = (640, 360)
    /// A person that is a red disc in the middle, in pixels.
    private static let radius = 100.0
    private static let green = SIMD4<UInt8>(0, 255, 0, 255)

    private static func distance(_ x: Int, _ y: Int) -> Double {
        let (dx, dy) = (Double(x - width / 2), Double(y - height / 2))
        return (dx * dx + dy * dy).squareRoot() - radius
    }

    /// The disc before stripes of grey.
    private static func scene() throws -> PixelBuffer {
        var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            picture.withMutableRow(y) { row in
                for x in 0..<width {
                    let grey: UInt8 = x / 4 % 2 == 0 ? 150 : 210
                    row[x] = distance(x, y) < 0 ? SIMD4(200, 30, 30, 255) : SIMD4(grey, grey, grey, 255)
                }
            }
        }
        return picture
    }

    /// Of 128 × 72 cells, as blurred as a network's.
    private static let matte: [Float] = (0..<72).flatMap { y in
        (0..<128).map { x in Float(max(0, min(1, 0.5 - distance(5 * x + 2, 5 * y + 2) / 12))) }
    }

    @Test func anotherPictureIsSeenBehindThePerson() throws {
        let scene = try Self.scene()
        var picture = try scene.copy()
        var backdrop = try PixelBuffer(width: Self.width, height: Self.height, format: .rgba8)
        backdrop.fill(Self.green)
        try BackgroundPainter().replace(in: &picture, matte: Self.matte, width: 128, height: 72, by: backdrop)
        var (lost, left, grey) = (0, 0, 0)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (distance, pixel) = (Self.distance(x, y), picture[x, y])
                if distance < -12, pixel != scene[x, y] { lost += 1 }
                if distance > 12, pixel != SIMD4(truncatingIfNeeded: Self.green) { left += 1 }
                // Of the old background, nothing is as blue as it was.
                if distance > 2, pixel.z > 60 { grey += 1 }
            }
        }
        #expect(lost == 0, "pixels of the person have changed")
        #expect(left == 0, "the old background is seen")
        #expect(grey < 40, "a rim of the old background is seen")
    }

    @Test func aBlurredBackgroundHasNothingOfThePerson() throws {
        var picture = try Self.scene()
        try BackgroundPainter().blur(&picture, matte: Self.matte, width: 128, height: 72)
        var (stripes, red, transparent) = (0, 0, 0)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let pixel = picture[x, y]
                if pixel.w != 255 { transparent += 1 }
                guard Self.distance(x, y) > 12 else { continue }
                if abs(Int(pixel.x) - 180) > 12 { stripes += 1 }
                if Int(pixel.x) - Int(pixel.y) > 4 { red += 1 }
            }
        }
        #expect(stripes == 0, "the stripes are seen")
        #expect(red == 0, "there is a halo of the person's colour")
        #expect(transparent == 0)
    }

    @Test func whatIsNoPersonBecomesTransparent() throws {
        let scene = try Self.scene()
        var picture = try scene.copy()
        try BackgroundPainter().cutOut(&picture, matte: Self.matte, width: 128, height: 72)
        var (lost, left, grey, soft) = (0, 0, 0, 0)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (distance, pixel) = (Self.distance(x, y), picture[x, y])
                if distance < -12, pixel != scene[x, y] { lost += 1 }
                if distance > 24, pixel != .zero { left += 1 }
                // Straight alpha: the edge has the person's colour, not one that is darker or of the background.
                if pixel.w > 40, pixel.w < 255 {
                    soft += 1
                    if abs(Int(pixel.x) - 200) > 30 || pixel.y > 80 { grey += 1 }
                }
            }
        }
        #expect(lost == 0, "pixels of the person have changed")
        #expect(left == 0, "colours of the background are left")
        #expect(soft > 200 && grey * 20 < soft, "\(grey) of \(soft) pixels of the edge have other colours")
    }

    @Test(arguments: [(1, 1), (16, 9), (3, 500), (1921, 3)]) func anySizeIsReplaced(_ width: Int, _ height: Int) throws
    {
        var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
        picture.fill(SIMD4(10, 20, 30, 255))
        let painter = try BackgroundPainter()
        try painter.blur(&picture, matte: [1], width: 1, height: 1)
        #expect(picture[width - 1, height - 1] == SIMD4(10, 20, 30, 255), "all of it is a person")
        try painter.blur(&picture, matte: [0.6], width: 1, height: 1)
        let mixed = picture[width - 1, height - 1]
        #expect(abs(Int(mixed.x) - 10) <= 1 && abs(Int(mixed.z) - 30) <= 1 && mixed.w == 255, "one colour stays")
        var backdrop = try PixelBuffer(width: width, height: height, format: .rgba8)
        backdrop.fill(Self.green)
        try painter.replace(in: &picture, matte: [0, 0], width: 2, height: 1, by: backdrop)
        #expect(picture[width - 1, height - 1] == SIMD4(truncatingIfNeeded: Self.green), "nothing of it is")
    }
}
