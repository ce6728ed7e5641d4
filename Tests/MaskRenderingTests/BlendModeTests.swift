import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels
import TestSupport
import Testing

/// What is drawn against the formulas of W3C's "Compositing and Blending Level 1", written down here a second time.
@Suite struct BlendModeTests {
    private typealias Color = SIMD3<Double>

    private static func lum(_ c: Color) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
    private static func sat(_ c: Color) -> Double { c.max() - c.min() }

    private static func clip(_ color: Color) -> Color {
        var c = color
        let l = lum(c)
        let (n, x) = (c.min(), c.max())
        if n < 0 { for i in 0..<3 { c[i] = l + (c[i] - l) * l / (l - n) } }
        if x > 1 { for i in 0..<3 { c[i] = l + (c[i] - l) * (1 - l) / (x - l) } }
        return c
    }

    private static func setLum(_ c: Color, _ l: Double) -> Color { clip(c + (l - lum(c))) }

    /// By sorting, as the specification says it.
    private static func setSat(_ c: Color, _ s: Double) -> Color {
        let order = (0..<3).sorted { c[$0] < c[$1] }
        var result = Color.zero
        if c[order[2]] > c[order[0]] {
            result[order[1]] = (c[order[1]] - c[order[0]]) * s / (c[order[2]] - c[order[0]])
            result[order[2]] = s
        }
        return result
    }

    private static func separable(_ mode: BlendMode, _ b: Double, _ s: Double) -> Double {
        switch mode {
        case .multiply: b * s
        case .screen: b + s - b * s
        case .overlay: separable(.hardLight, s, b)
        case .darken: min(b, s)
        case .lighten: max(b, s)
        case .colorDodge: b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: s <= 0.5 ? b * 2 * s : separable(.screen, b, 2 * s - 1)
        case .softLight:
            s <= 0.5
                ? b - (1 - 2 * s) * b * (1 - b)
                : b + (2 * s - 1) * ((b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()) - b)
        case .difference: abs(b - s)
        case .exclusion: b + s - 2 * b * s
        default: s
        }
    }

    private static func blend(_ mode: BlendMode, _ b: Color, _ s: Color) -> Color {
        switch mode {
        case .hue: return setLum(setSat(s, sat(b)), lum(b))
        case .saturation: return setLum(setSat(b, sat(s)), lum(b))
        case .color: return setLum(s, lum(b))
        case .luminosity: return setLum(b, lum(s))
        default: return Color(separable(mode, b.x, s.x), separable(mode, b.y, s.y), separable(mode, b.z, s.z))
        }
    }

    /// That OpenGL agrees with the software, `RendererAgreementTests` tells, too.
    @Test(arguments: BlendMode.allCases, SlowTests.areWanted ? [RendererChoice.opengl, .software] : [.software])
    func modesAreThoseOfTheSpecification(_ mode: BlendMode, _ choice: RendererChoice) throws {
        let reference = try Repository.referenceFace()
        let renderer = try choice == .opengl ? sharedRenderer.get() : sharedSoftwareRenderer.get()
        let landmarks = reference.landmarks.mapped { Point(20, 10) + 500 * $0 }
        let face = Face(landmarks: landmarks, reference: reference)
        let sources: [SIMD4<UInt8>] = [
            SIMD4(200, 60, 30, 255), SIMD4(0, 128, 255, 255), SIMD4(255, 255, 255, 128), SIMD4(64, 64, 64, 255),
            SIMD4(10, 250, 120, 200),
        ]
        for source in sources {
            let texture = Texture(path: "plain", pixels: try plain(64, 64, source))
            var layer = Layer(
                .warp(WarpLayer(picture: .texture(texture), textureCoordinates: reference.vertices, openings: [])))
            layer.blendMode = mode
            layer.opacities = [AnimatableValue(0.8)]
            let mask = Mask(name: "plain", author: nil, license: nil, layers: [layer], folder: "")
            // An opaque picture, once by fixed function where there is one; and one that lets half through.
            for (isOpaque, alpha) in [(true, UInt8(255)), (false, 255), (false, 128)] {
                let before = try colors(alpha: alpha)
                var after = try before.copy()
                try renderer.perform {
                    try $0.draw(mask, on: [face], in: &after, encoding: .init(isOpaque: isOpaque))
                }
                let sourceAlpha = 0.8 * Double(source.w) / 255
                let color = Color(Double(source.x), Double(source.y), Double(source.z)) / 255
                for y in stride(from: 220, to: 300, by: 7) {
                    for x in stride(from: 200, to: 340, by: 9) {
                        let pixel = before[x, y]
                        let below = Color(Double(pixel.x), Double(pixel.y), Double(pixel.z)) / 255
                        let belowAlpha = Double(alpha) / 255
                        let mixed = (1 - belowAlpha) * color + belowAlpha * Self.blend(mode, below, color)
                        let total = sourceAlpha + belowAlpha * (1 - sourceAlpha)
                        let expected =
                            (sourceAlpha * mixed + (1 - sourceAlpha) * belowAlpha * below) / total
                        let drawn = after[x, y]
                        for (value, wanted) in zip([drawn.x, drawn.y, drawn.z], [expected.x, expected.y, expected.z]) {
                            // Textures are kept premultiplied in 8 bits, which steep modes amplify.
                            #expect(
                                abs(Double(value) - 255 * wanted) <= (source.w == 255 ? 1.5 : 4),
                                "\(mode) of \(source) over \(pixel): \(drawn), expected \(255 * expected)")
                        }
                    }
                }
            }
        }
    }

    /// All hues in light and dark, and greys.
    private func colors(alpha: UInt8) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 540, height: 540, format: .rgba8)
        for y in 0..<540 {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(
                        UInt8((x * 7 + y * 3) % 256), UInt8((x * 2 + y * 11) % 256), UInt8((x * 5 + y) % 256), alpha)
                    if y % 14 == 10 { row[x] = SIMD4(UInt8(x % 256), UInt8(x % 256), UInt8(x % 256), alpha) }
                }
            }
        }
        return picture
    }
}
