import Compositing
import FaceGeometry
import Glibc
import Pixels

/// The part of frames that vertical recordings show: 9:16, as high as the frame, around the largest face and what it wears. It
/// stays while the face is near its middle, as a person who holds a camera would, and otherwise follows smoothly.
package struct VerticalCrop: Sendable {
    /// The middle of the part, in widths of the frame; nil: no face has been seen.
    private var middle: Double?
    /// Whether it moves, until the face is in the middle again.
    private var isMoving = false
    /// The time of the last frame.
    private var seconds = 0.0

    /// How far the face may be from the middle, in widths of the part.
    private static let slack = 0.15
    /// At which distance it counts as there, likewise.
    private static let near = 0.02
    /// The time in which the distance falls to 1/e, in seconds.
    private static let delay = 0.5

    package init() {}

    /// To be called for each frame.
    /// - Parameters:
    ///   - face: the middle of the face to follow, in pixels from the left; nil: no face is seen, and the part stays.
    ///   - mask: the columns of the mask on it, which are held as far as there is room; nil: it wears none.
    ///   - isCut: whether the frame shows another scene than the one before.
    package mutating func follow(
        _ face: Float?, mask: Range<Int>? = nil, in size: (width: Int, height: Int), isCut: Bool, at seconds: Double
    ) {
        defer { self.seconds = seconds }
        guard let face, face.isFinite else { return }
        let share = Double(Self.columns(of: size, around: 0.5).count) / Double(size.width)
        let held = Self.middles(holding: mask, in: size, share: share)
        func clamped(_ middle: Double) -> Double {
            held.map { max($0.lowerBound, min($0.upperBound, middle)) } ?? middle
        }
        let wanted = clamped(Double(face) / Double(size.width))
        guard let middle, !isCut else {
            (self.middle, isMoving) = (wanted, false)
            return
        }
        let distance = abs(wanted - middle)
        if distance > Self.slack * share || abs(clamped(middle) - middle) > Self.near * share { isMoving = true }
        if distance < Self.near * share { isMoving = false }
        guard isMoving else { return }
        self.middle = middle + (wanted - middle) * (1 - exp(-max(0, seconds - self.seconds) / Self.delay))
    }

    /// Where the middle may be, in widths of the frame, so that the part holds a mask; nil: anywhere. A mask that is too wide is
    /// held in its middle.
    private static func middles(
        holding mask: Range<Int>?, in size: (width: Int, height: Int), share: Double
    ) -> ClosedRange<Double>? {
        guard let mask, !mask.isEmpty else { return nil }
        let (left, right) = (Double(mask.lowerBound) / Double(size.width), Double(mask.upperBound) / Double(size.width))
        // It stops a little before the place that it moves to.
        let reach = share / 2 - near * share
        let (first, last) = (right - reach, left + reach)
        return first <= last ? first...last : ((left + right) / 2)...((left + right) / 2)
    }

    /// The columns of the part. Their number is even, and the same for all frames of a size.
    /// - Parameter isMirrored: whether the frame has been mirrored.
    package func columns(of size: (width: Int, height: Int), isMirrored: Bool) -> Range<Int> {
        let middle = middle ?? 0.5
        return Self.columns(of: size, around: isMirrored ? 1 - middle : middle)
    }

    private static func columns(of size: (width: Int, height: Int), around middle: Double) -> Range<Int> {
        let width = min(size.width, max(2, size.height * 9 / 16 & ~1))
        let left = Int((middle * Double(size.width)).rounded()) - width / 2
        let first = max(0, min(size.width - width, left))
        return first..<(first + width)
    }
}

extension Frame {
    /// The largest face with landmarks; nil: none is seen.
    private var largestFace: FaceInstance? { faces.max { $0.face.box.width < $1.face.box.width } }
    var trackOfLargestFace: Int? { largestFace?.trackID }

    /// The middle of the largest face, with landmarks or without, in pixels from the left; nil: no face is seen.
    var middleOfLargestFace: Float? {
        if let largestFace { return largestFace.face.box.center.x }
        guard case .known(let boxes) = facePlaces else { return nil }
        return boxes.max { $0.side < $1.side }?.center.x
    }
}

extension PixelBuffer {
    /// Darkens all other columns. The format must be `rgba8`.
    mutating func darken(outside columns: Range<Int>) {
        for y in 0..<height {
            withMutableRow(y) { row in
                for x in row.indices where !columns.contains(x) {
                    row[x] = SIMD4(row[x].x / 3, row[x].y / 3, row[x].z / 3, row[x].w)
                }
            }
        }
    }

    /// A copy of some columns. The format must be `rgba8`.
    borrowing func columns(_ columns: Range<Int>) throws(OutOfMemory) -> PixelBuffer {
        var result = try PixelBuffer(width: columns.count, height: height, format: .rgba8)
        for y in 0..<height {
            withRow(y) { source in
                result.withMutableRow(y) { row in for x in row.indices { row[x] = source[columns.lowerBound + x] } }
            }
        }
        return result
    }
}
