import FaceGeometry
import Foundation
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Layers that follow the light on the skin.
extension LayerKindTests {
    // MARK: Light

    /// Skin lit from the left.
    private func litSkin(_ brightness: (Float, Float)) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 400, height: 400, format: .rgba8)
        for y in 0..<400 {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let share = Float(x) / 400
                    let light = brightness.0 * (1 - share) + brightness.1 * share
                    row[x] = SIMD4(UInt8(min(255, 200 * light)), UInt8(150 * light), UInt8(120 * light), 255)
                }
            }
        }
        return picture
    }

    @Test func paintTakesTheShadingOfTheSkin() throws {
        var layer = try warp(SIMD4(120, 120, 120, 255))
        let somebody = instance()
        // In a bright room, so that the paint is not darkened.
        var flat = try litSkin((1.4, 0.5))
        var lit = try flat.copy()
        try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &flat) }
        layer.light.shading = 1
        try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &lit) }
        #expect(flat[150, 230] == flat[250, 230])
        #expect(Int(lit[140, 230].x) > Int(lit[260, 230].x) + 25, "\(lit[140, 230]) \(lit[260, 230])")
        // On the mean it is as bright as it was.
        let mean = (Int(lit[140, 230].x) + Int(lit[260, 230].x)) / 2
        #expect(abs(mean - 120) < 12, "\(mean)")
    }

    @Test func colorsMoveToTheSkins() throws {
        var layer = try warp(SIMD4(40, 90, 200, 255))
        layer.light.color = 1
        let somebody = instance()
        var picture = try litSkin((0.9, 0.9))
        try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &picture) }
        let pixel = picture[200, 230]
        #expect(
            abs(Int(pixel.x) - 180) < 8 && abs(Int(pixel.y) - 135) < 8 && abs(Int(pixel.z) - 108) < 8, "\(pixel)")
    }

    @Test func detailShowsThrough() throws {
        var layer = try warp(SIMD4(120, 120, 120, 255))
        let somebody = instance()
        var picture = try litSkin((0.8, 0.8))
        // A wrinkle.
        for x in 120..<280 { picture.withMutableRow(250) { $0[x] = SIMD4(100, 75, 60, 255) } }
        var plain = try picture.copy()
        try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &plain) }
        #expect(plain[200, 250] == plain[200, 246])
        layer.light.detail = 1
        try renderer.perform { try $0.draw(mask(layer), on: [somebody], in: &picture) }
        #expect(Int(picture[200, 250].x) < Int(picture[200, 244].x) - 25)
    }

    /// In a light that flickers by a third, the mask's colour changes by less than can be seen from frame to frame: ΔE
    /// of at most 1 (CIE 1976).
    @Test func matchingDoesNotFlicker() throws {
        var layer = try warp(SIMD4(160, 90, 60, 255))
        layer.light = LightMatching(shading: 1, color: 1)
        let somebody = instance()
        // Light is held still from frame to frame.
        let composer = MaskComposer(reference: reference, mesh: try Repository.mesh())
        let mask = mask(layer)
        var last: SIMD3<Double>?
        var largest = 0.0
        for frame in 0..<90 {
            let light: Float = 0.85 + 0.15 * (frame % 3 == 0 ? 1 : -1)
            var picture = try litSkin((light, light))
            let list = composer.drawList(mask, on: [somebody], at: Double(frame) / 30, in: picture)
            try renderer.perform { try $0.execute(list, in: &picture, encoding: .init(isOpaque: true)) }
            let lab = Self.lab(picture[200, 230])
            if let last, frame > 30 { largest = max(largest, ((lab - last) * (lab - last)).sum().squareRoot()) }
            last = lab
        }
        #expect(largest <= 1, "ΔE \(largest)")
        // The next picture by itself remembers nothing.
        var picture = try litSkin((0.3, 0.3))
        let list = composer.drawList(mask, on: [somebody], in: picture)
        try renderer.perform { try $0.execute(list, in: &picture, encoding: ColorEncoding()) }
        #expect(Self.lab(picture[200, 230]).x < 30)
    }

    /// CIE L*a*b* under D65.
    private static func lab(_ pixel: SIMD4<UInt16>) -> SIMD3<Double> {
        func linear(_ value: UInt16) -> Double {
            let c = Double(value) / 255
            return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
        }
        let (r, g, b) = (linear(pixel.x), linear(pixel.y), linear(pixel.z))
        func f(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116 }
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
        return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }
}
