import FaceGeometry
import Glibc
import MaskComposition
import Masks
import Pixels
import Vision

/// Draws pictures as comics before masks are drawn, for their layers of that type. The largest face that wears one decides how
/// it is drawn, all of them how bright. It belongs to one stream.
package final class ComicDrawer: FrameRetouch {
    /// Nil until there is something to draw.
    private var painter: ComicPainter?
    private var histogram = LumaHistogram()
    /// The brightness around the face, and its width, steadied; nil: none was seen in this scene.
    private var exposure: Exposure?
    private var width: Float = 0
    private var reduction = 1
    /// What is drawn, and how far the drawing is seen, 0…1: it fades when the last face vanishes.
    private var drawn = (comic: Comic(), opacity: Float(0), presence: Float(0))
    /// The time of the last picture; nil: it had none.
    private var last: Double?

    /// So wide a face is where the picture is computed, in pixels: finer lines would be wrinkles.
    private static let usualWidth: Float = 125
    /// After which a change of light is followed, in seconds.
    private static let inertia: Float = 0.4
    /// So many faces say how bright it is.
    private static let mostMeasured = 8
    /// So long it appears or vanishes within a scene, in seconds.
    private static let fading: Float = 0.4

    package init() {}

    package let loss = "pictures are not drawn as comics"
    package let needsPeople = false

    package func interrupt() { exposure = nil }

    package func retouch(
        _ picture: inout PixelBuffer, before list: DrawList, on worn: [WornMask], at seconds: Double?
    ) throws {
        guard picture.format != .grey8 else { return }
        let passed = Self.seconds(from: last, to: seconds)
        last = seconds
        if let (comic, opacity, box) = chosen(worn) {
            let isNew = exposure == nil || passed == .infinity
            drawn = (comic, opacity, isNew ? 1 : min(1, drawn.presence + passed / Self.fading))
            measure(worn, box, in: picture, after: isNew ? .infinity : passed)
        } else {
            // The same picture again, as in a pause: nothing fades.
            drawn.presence = passed > 0 ? max(0, drawn.presence - passed / Self.fading) : 0
            if drawn.presence == 0 { exposure = nil }
        }
        guard let exposure else { return }
        let painter = try self.painter ?? ComicPainter()
        self.painter = painter
        let comic = drawn.comic
        try painter.draw(
            &picture,
            ComicPainter.Style(
                faceWidth: width, reduction: reduction, black: exposure.black, white: exposure.white,
                gamma: exposure.gamma, skin: exposure.shownSkin, levels: comic.levels, lines: comic.lines,
                smoothing: comic.smoothing, ink: comic.color, opacity: drawn.opacity * drawn.presence))
    }

    /// The layer of the largest face that shows one, its opacity, and the face's box.
    private func chosen(_ worn: [WornMask]) -> (Comic, Float, FaceBox)? {
        let largest = largest(of: worn)
        var result: (Comic, Float, FaceBox)?
        for one in worn {
            let box = one.instance.face.box
            if let result, result.2.area >= box.area { continue }
            if let (comic, opacity) = shown(one, largest) { result = (comic, opacity, box) }
        }
        return result
    }

    private func largest(of worn: [WornMask]) -> Int? {
        worn.max { $0.instance.face.box.area < $1.instance.face.box.area }?.instance.trackID
    }

    /// The first visible layer of a mask, with its opacity.
    private func shown(_ one: WornMask, _ largest: Int?) -> (Comic, Float)? {
        for layer in one.mask.layers {
            guard case .comic(let comic) = layer.content else { continue }
            let opacity = layer.visibility(on: one.instance, isLargest: one.instance.trackID == largest)
            if opacity > 0 { return (comic, opacity) }
        }
        return nil
    }

    /// Infinite if one of the pictures has no time.
    private static func seconds(from last: Double?, to new: Double?) -> Float {
        guard let last, let new else { return .infinity }
        return Float(max(0, new - last))
    }

    /// - Parameters:
    ///   - box: of the face that decides the scale.
    ///   - passed: seconds since the last picture; infinite: this one is new.
    private func measure(_ worn: [WornMask], _ box: FaceBox, in picture: borrowing PixelBuffer, after passed: Float) {
        let largest = largest(of: worn)
        var (mean, count): (Exposure?, Float) = (nil, 0)
        // The nearest to the viewer come last.
        for one in worn.suffix(Self.mostMeasured) where shown(one, largest) != nil {
            let new = Exposure(one.instance.face.box, in: picture, &histogram)
            count += 1
            mean = mean?.moved(to: new, by: 1 / count) ?? new
        }
        guard let new = mean else { return }
        let rate = 1 - exp(-passed / Self.inertia)
        exposure = exposure?.moved(to: new, by: rate) ?? new
        let widened = max(1, box.width)
        width = rate < 1 ? width + rate * (widened - width) : widened
        let share = width / Self.usualWidth
        // Not to and fro between two sizes.
        if rate == 1 || abs(share - Float(reduction)) > 0.75 { reduction = max(1, Int(min(1000, share.rounded()))) }
    }
}

extension ComicDrawer {
    /// How bright a face and what is around it are, 0…1.
    struct Exposure: Equatable {
        /// What becomes black, and what becomes white.
        var black: Float
        var white: Float
        var skin: Float

        /// In good light.
        private static let usualSkin: Float = 0.66

        /// - Parameters:
        ///   - box: of the face, in pixels of the picture.
        ///   - picture: `rgba8` or `rgba16`.
        ///   - histogram: its memory is used.
        init(_ box: FaceBox, in picture: borrowing PixelBuffer, _ histogram: inout LumaHistogram) {
            let side = (box.width + box.height) / 2
            histogram.read(picture, center: box.center + Point(0, 0.1 * side), reach: 0.32 * side)
            // Brows, eyes and beards are darker.
            skin = histogram.value(at: 0.65)
            histogram.read(picture, center: box.center - Point(0, 0.1 * side), reach: 0.95 * side)
            black = 0.6 * min(0.35, histogram.value(at: 0.02))
            white = min(1, max(histogram.value(at: 0.98) + 0.02, skin + 0.07, black + 0.5))
        }

        /// The exponent that makes the skin about as bright as in good light.
        var gamma: Float {
            let share = share
            let aim = share + 0.6 * (Self.usualSkin - share)
            return min(1.15, max(0.6, log(aim) / log(share)))
        }

        /// The brightness of the skin afterwards.
        var shownSkin: Float { pow(share, gamma) }

        private var share: Float { min(0.97, max(0.03, (skin - black) / (white - black))) }

        func moved(to other: Exposure, by rate: Float) -> Exposure {
            var result = self
            result.black += rate * (other.black - black)
            result.white += rate * (other.white - white)
            result.skin += rate * (other.skin - skin)
            return result
        }
    }

    /// How often each brightness occurs in a part of a picture.
    struct LumaHistogram {
        private var counts = [Int](repeating: 0, count: 256)
        private var total = 0
        private static let side = 48

        /// Takes samples of a square, as far as it is in the picture.
        /// - Parameters:
        ///   - picture: `rgba8` or `rgba16`.
        ///   - center: in pixels.
        ///   - reach: half of the square's side, in pixels.
        mutating func read(_ picture: borrowing PixelBuffer, center: Point, reach: Float) {
            for index in counts.indices { counts[index] = 0 }
            total = 0
            let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
            let isDeep = picture.format == .rgba16
            picture.withUnsafeBytes { bytes in
                for row in 0..<Self.side {
                    let y = center.y + reach * (Float(2 * row + 1) / Float(Self.side) - 1)
                    guard y >= 0, y < Float(height) else { continue }
                    for column in 0..<Self.side {
                        let x = center.x + reach * (Float(2 * column + 1) / Float(Self.side) - 1)
                        guard x >= 0, x < Float(width) else { continue }
                        let offset = Int(y) * stride + Int(x) * (isDeep ? 8 : 4)
                        // The upper byte of a component is the second one.
                        let (first, step) = isDeep ? (offset + 1, 2) : (offset, 1)
                        let luma =
                            299 * Int(bytes[first]) + 587 * Int(bytes[first + step]) + 114
                            * Int(bytes[first + 2 * step])
                        counts[luma / 1000] += 1
                        total += 1
                    }
                }
            }
        }

        /// - Parameter share: of the samples, 0…1.
        /// - Returns: the brightness, 0…1, that so many do not exceed; 0.5 without samples.
        func value(at share: Float) -> Float {
            var rest = max(1, Int(share * Float(total)))
            guard total > 0 else { return 0.5 }
            for (value, count) in counts.enumerated() {
                rest -= count
                if rest <= 0 { return Float(value) / 255 }
            }
            return 1
        }
    }
}
