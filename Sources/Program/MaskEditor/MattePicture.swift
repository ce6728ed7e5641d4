import Display
import FaceGeometry
import MaskAuthoring
import Pixels

/// A texture, as the brush has changed it, as it is or with a tint over what was cut out and could be restored. Large
/// pictures are reduced to about what is seen, and only changes are drawn again.
final class MattePicture {
    /// How its pixels are shown.
    struct Look: Equatable {
        /// Whether what could be restored is shown, tinted.
        let tintsErased: Bool
        /// The colour of all that is painted; nil: its own.
        let pigment: SIMD3<UInt8>?
    }

    private var shown: (matte: Matte, level: Int, look: Look, panel: PanelPicture)?
    /// For each amount of tint, how much of a colour stays and what is added to it.
    private static let tint = SIMD3<Int32>(30, 90, 255)
    /// Of 255: how strong the tint is over what is transparent.
    private static let strength: Int32 = 150

    /// Forgets the picture, and the memory it takes.
    func clear() { shown = nil }

    /// - Parameter scale: window units per pixel of the texture.
    func panel(_ matte: Matte, scale: Float, _ look: Look) -> PanelPicture? {
        // Up to two pixels for each of the window's units.
        var level = 0
        while scale * Float(2 << level) <= 1, max(matte.bounds.width, matte.bounds.height) >> level > 256 { level += 1 }
        if let shown, shown.matte.base === matte.base, shown.level == level, shown.look == look {
            if let changed = matte.difference(from: shown.matte),
                let part = Self.part(matte, level, changed, look)
            {
                shown.panel.replace(part.pixels, at: part.corner)
            }
            self.shown = (matte, level, look, shown.panel)
            return shown.panel
        }
        guard let part = Self.part(matte, level, matte.bounds, look) else { return nil }
        let panel = PanelPicture(part.pixels, for: .pixels)
        shown = (matte, level, look, panel)
        return panel
    }

    private struct Part: ~Copyable {
        let pixels: PixelBuffer
        /// In the reduced picture.
        let corner: (x: Int, y: Int)
    }

    /// The reduced picture of a part; nil if there is too little memory for it.
    /// - Parameter level: each pixel is the mean of (2^level)².
    private static func part(
        _ matte: Matte, _ level: Int, _ area: PixelRectangle, _ look: Look
    ) -> Part? {
        let side = 1 << level
        let (left, top) = (area.x >> level, area.y >> level)
        let (width, height) = (
            (area.x + area.width + side - 1) >> level, (area.y + area.height + side - 1) >> level
        )
        let whole = PixelRectangle(x: left << level, y: top << level, width: (width - left) << level, height: 1)
        guard var pixels = try? PixelBuffer(width: width - left, height: height - top, format: .rgba8) else {
            return nil
        }
        var sums = [SIMD4<Int32>](repeating: .zero, count: width - left)
        var counts = [Int32](repeating: 0, count: width - left)
        for line in top..<height {
            for index in sums.indices { (sums[index], counts[index]) = (.zero, 0) }
            let rows = PixelRectangle(x: whole.x, y: line << level, width: whole.width, height: side)
                .intersection(matte.bounds)
            matte.forEachRow(in: rows) { _, colors, alpha in
                for x in 0..<rows.width {
                    let color = SIMD4<Int32>(truncatingIfNeeded: shown(colors[x], alpha[x], look))
                    // What is transparent has no part in the colour.
                    sums[x >> level] &+= SIMD4(color.x &* color.w, color.y &* color.w, color.z &* color.w, color.w)
                    counts[x >> level] &+= 1
                }
            }
            pixels.withMutableRow(line - top) { row in
                for x in row.indices {
                    let (sum, alpha) = (sums[x], max(1, sums[x].w))
                    row[x] = SIMD4(
                        truncatingIfNeeded: SIMD4(
                            sum.x / alpha, sum.y / alpha, sum.z / alpha, sum.w / max(1, counts[x])))
                }
            }
        }
        return Part(pixels: pixels, corner: (left, top))
    }

    private static func shown(_ pixel: SIMD4<UInt8>, _ alpha: UInt8, _ look: Look) -> SIMD4<UInt8> {
        let seen = look.pigment ?? SIMD3(pixel.x, pixel.y, pixel.z)
        // Where nothing was ever painted, nothing can be restored.
        guard alpha < 255, look.tintsErased, Matte.hasColor(pixel) else { return SIMD4(seen, alpha) }
        let share = (255 - Int32(alpha)) * strength / 255
        let color = SIMD3<Int32>(truncatingIfNeeded: seen)
        let mixed = (color &* (255 - share) &+ tint &* share) / 255
        return SIMD4(
            UInt8(truncatingIfNeeded: mixed.x), UInt8(truncatingIfNeeded: mixed.y), UInt8(truncatingIfNeeded: mixed.z),
            255)
    }
}
