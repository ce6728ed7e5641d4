import CVision
import Pixels

/// Draws pictures as comics, with OpenCV. It belongs to one thread at a time.
package final class ComicPainter {
    /// How a picture is drawn.
    package struct Style: Sendable {
        /// Of the face that decides the scale, in pixels.
        package var faceWidth: Float
        /// The picture is computed at one part in so many of its width; 1 or more.
        package var reduction: Int
        /// The brightness, 0…1, that becomes black and that which becomes white.
        package var black: Float, white: Float
        /// The exponent between them.
        package var gamma: Float
        /// The brightness of skin after that, 0…1.
        package var skin: Float
        /// Of brightness, 1 or more.
        package var levels: Float
        /// How much becomes a line: 0 nothing, 1 as usual.
        package var lines: Float
        /// How far spots vanish before lines are drawn, 0…1.
        package var smoothing: Float
        /// Of the ink, sRGB-encoded, 0…1.
        package var ink: SIMD3<Float>
        /// Of the whole drawing, 0…1.
        package var opacity: Float

        package init(
            faceWidth: Float, reduction: Int, black: Float = 0, white: Float = 1, gamma: Float = 1, skin: Float = 0.66,
            levels: Float = 4, lines: Float = 1, smoothing: Float = 1, ink: SIMD3<Float> = .zero, opacity: Float = 1
        ) {
            self.faceWidth = faceWidth
            self.reduction = reduction
            (self.black, self.white, self.gamma, self.skin) = (black, white, gamma, skin)
            (self.levels, self.lines, self.smoothing) = (levels, lines, smoothing)
            (self.ink, self.opacity) = (ink, opacity)
        }
    }

    private let handle: OpaquePointer

    /// - Throws: `VisionError` if there is not enough memory.
    package init() throws(VisionError) {
        var status = cvision_status()
        guard let handle = cvision_comic_create(&status) else { throw VisionError(status) }
        self.handle = handle
    }

    deinit { cvision_comic_destroy(handle) }

    /// - Parameter picture: `rgba8` or `rgba16`; alpha stays.
    /// - Throws: `VisionError` if there is not enough memory, or a number of the style is out of its range.
    package func draw(_ picture: inout PixelBuffer, _ style: Style) throws(VisionError) {
        precondition(picture.format != .grey8)
        var status = cvision_status()
        let ink = (255 * style.ink + 0.5).clamped(lowerBound: .zero, upperBound: .init(repeating: 255))
        var drawn = cvision_comic_style(
            face_width: style.faceWidth, reduction: Float(style.reduction), black: style.black, white: style.white,
            gamma: style.gamma, skin: style.skin, levels: style.levels, lines: style.lines, smoothing: style.smoothing,
            opacity: style.opacity, line_color: (UInt8(ink.x), UInt8(ink.y), UInt8(ink.z)))
        let (width, height, stride) = (Int32(picture.width), Int32(picture.height), picture.bytesPerRow)
        let isDeep = picture.format == .rgba16
        let isDone = picture.withUnsafeMutableBytes { bytes in
            cvision_comic_draw(handle, bytes.baseAddress, width, height, stride, isDeep, &drawn, &status)
        }
        guard isDone else { throw VisionError(status) }
    }
}
