import FaceGeometry
import Pixels

/// How a face looks in a picture: sharp or blurred, dark or bright.
package struct FaceLook: Equatable, Sendable {
    /// 0: sharp … 1: nothing but blur. The no-reference measure of Crete, Dolmiere, Ladret & Nicolas ("The Blur Effect:
    /// Perception and Estimation with a New No-Reference Perceptual Blur Metric", 2007): how little the differences between
    /// neighbours lose when the picture is blurred once more. 1 where the picture has no differences.
    package private(set) var blur: Float = 1
    /// The mean brightness, 0…1, of the encoded values.
    package private(set) var brightness: Float = 0
    /// The share that is nearly white.
    package private(set) var overexposed: Float = 0
    /// The darker half by the brighter one, 0…1.
    package private(set) var evenness: Float = 1

    /// Larger faces are measured at this size, in pixels.
    private static let largestSide = 256
    private static let white: Float = 250

    /// - Parameters:
    ///   - picture: `rgba8`.
    ///   - face: its place is the box around its landmarks, as far as it lies inside the picture.
    package init(_ face: Face, in picture: borrowing PixelBuffer) {
        let bounds = face.landmarks.bounds
        guard bounds.width.isFinite, bounds.height.isFinite, bounds.x.isFinite, bounds.y.isFinite else { return }
        let left = max(0, bounds.x), top = max(0, bounds.y)
        let right = min(Float(picture.width), bounds.x + bounds.width)
        let bottom = min(Float(picture.height), bounds.y + bounds.height)
        guard right - left >= 16, bottom - top >= 16 else { return }
        let step = max(1, max(right - left, bottom - top) / Float(Self.largestSide))
        let (columns, rows) = (Int((right - left) / step), Int((bottom - top) / step))
        var grey = [Float](repeating: 0, count: columns * rows)
        for row in 0..<rows {
            picture.withRow(min(picture.height - 1, Int(top + (Float(row) + 0.5) * step))) { pixels in
                for column in 0..<columns {
                    let pixel = SIMD4<Float>(pixels[min(pixels.count - 1, Int(left + (Float(column) + 0.5) * step))])
                    // ITU-R BT.601.
                    grey[row * columns + column] = 0.299 * pixel.x + 0.587 * pixel.y + 0.114 * pixel.z
                }
            }
        }
        measureLight(grey, columns: columns)
        let across = Self.blur(grey, count: columns, lines: rows, step: 1, lineStep: columns)
        let down = Self.blur(grey, count: rows, lines: columns, step: columns, lineStep: 1)
        blur = max(across, down)
    }

    private mutating func measureLight(_ grey: [Float], columns: Int) {
        var halves: (left: Float, right: Float) = (0, 0)
        var white = 0
        for (index, value) in grey.enumerated() {
            if index % columns < columns / 2 { halves.left += value } else { halves.right += value }
            if value >= Self.white { white += 1 }
        }
        brightness = (halves.left + halves.right) / Float(grey.count) / 255
        overexposed = Float(white) / Float(grey.count)
        let (rows, half) = (grey.count / columns, columns / 2)
        let left = halves.left / Float(max(1, rows * half))
        let right = halves.right / Float(max(1, rows * (columns - half)))
        evenness = min(left, right) / max(left, right, 1)
    }

    /// The measure along one direction.
    /// - Parameters:
    ///   - count: of the values in a line; `step` lies between two of them, `lineStep` between two lines.
    private static func blur(_ grey: [Float], count: Int, lines: Int, step: Int, lineStep: Int) -> Float {
        // The width of the blur in the paper: nine values.
        let reach = 4
        guard count > 2 * reach + 2 else { return 1 }
        var (before, lost): (Float, Float) = (0, 0)
        for line in 0..<lines {
            let start = line * lineStep
            for index in (reach + 1)..<(count - reach) {
                let added = grey[start + (index + reach) * step], removed = grey[start + (index - reach - 1) * step]
                let difference = abs(grey[start + index * step] - grey[start + (index - 1) * step])
                // Two neighbours' means of nine values differ by the values that one of them has more.
                let blurred = abs(added - removed) / Float(2 * reach + 1)
                before += difference
                lost += max(0, difference - blurred)
            }
        }
        return before > 0 ? (before - lost) / before : 1
    }
}
