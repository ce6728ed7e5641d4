import Display
import FaceGeometry
import MaskAuthoring
import Pixels

/// A texture, as the brush has changed it, with its transparency as a tint over the whole picture: one sees what was
/// cut out and could be restored. Large pictures are reduced to about what is seen, and only changes are drawn again.
final class MattePicture {
    private var shown: (matte: Matte, level: Int, panel: PanelPicture)?
    /// For each amount of tint, how much of a colour stays and what is added to it.
    private static let tint = SIMD3<Int32>(30, 90, 255)
    /// Of 255: how strong the tint is over what is transparent.
    private static let strength: Int32 = 150
    /// Where nothing was ever painted, nothing can be restored.
    private static let nothing = SIMD4<UInt8>(26, 27, 32, 255)

    /// Forgets the picture, and the memory it takes.
    func clear() { shown = nil }

    /// - Parameter scale: window units per pixel of the texture.
    func panel(_ matte: Matte, scale: Float) -> PanelPicture? {
        // Up to two pixels for each of the window's units.
        var level = 0
        while scale * Float(2 << level) <= 1, max(matte.bounds.width, matte.bounds.height) >> level > 256 { level += 1 }
        if let shown, shown.matte.base === matte.base, shown.level == level {
            if let changed = matte.difference(from: shown.matte) { update(shown.panel, matte, level, changed) }
            self.shown = (matte, level, shown.panel)
            return shown.panel
        }
        guard let part = Self.part(matte, level, matte.bounds) else { return nil }
        let panel = PanelPicture(part.pixels, for: .pixels)
        shown = (matte, level, panel)
        return panel
    }

    private func update(_ panel: PanelPicture, _ matte: Matte, _ level: Int, _ changed: PixelRectangle) {
        guard let part = Self.part(matte, level, changed) else { return }
        panel.replace(part.pixels, at: part.corner)
    }

    private struct Part: ~Copyable {
        let pixels: PixelBuffer
        /// In the reduced picture.
        let corner: (x: Int, y: Int)
    }

    /// The reduced picture of a part; nil if there is too little memory for it.
    /// - Parameter level: each pixel is the mean of (2^level)².
    private static func part(_ matte: Matte, _ level: Int, _ area: PixelRectangle) -> Part? {
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
        for line in top..<height {
            for index in sums.indices { sums[index] = .zero }
            let rows = PixelRectangle(x: whole.x, y: line << level, width: whole.width, height: side)
                .intersection(matte.bounds)
            matte.forEachRow(in: rows) { _, colors, alpha in
                for x in 0..<rows.width {
                    let color = shown(colors[x], alpha[x])
                    sums[x >> level] &+= SIMD4(Int32(color.x), Int32(color.y), Int32(color.z), 1)
                }
            }
            pixels.withMutableRow(line - top) { row in
                for x in row.indices {
                    let (sum, count) = (sums[x], max(1, sums[x].w))
                    row[x] = SIMD4(
                        UInt8(truncatingIfNeeded: sum.x / count), UInt8(truncatingIfNeeded: sum.y / count),
                        UInt8(truncatingIfNeeded: sum.z / count), 255)
                }
            }
        }
        return Part(pixels: pixels, corner: (left, top))
    }

    private static func shown(_ pixel: SIMD4<UInt8>, _ alpha: UInt8) -> SIMD4<UInt8> {
        guard alpha < 255 else { return pixel }
        guard Matte.hasColor(pixel) else { return nothing }
        let share = (255 - Int32(alpha)) * strength / 255
        let color = SIMD3(Int32(pixel.x), Int32(pixel.y), Int32(pixel.z))
        let mixed = (color &* (255 - share) &+ tint &* share) / 255
        return SIMD4(
            UInt8(truncatingIfNeeded: mixed.x), UInt8(truncatingIfNeeded: mixed.y), UInt8(truncatingIfNeeded: mixed.z),
            255)
    }
}
