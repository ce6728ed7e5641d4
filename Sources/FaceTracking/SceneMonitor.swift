import FaceGeometry
import Pixels

/// Watches the picture as a whole: whether another scene has been cut to, and how still the camera is held.
///
/// Stillness is measured by registering successive pictures by a shift, averaged over a short history, as Apple's
/// sample "Building a Feature-Rich App for Sports Analysis" (WWDC 2020, "Action & Vision") does.
package struct SceneMonitor: ~Copyable {
    /// Whether the last frame belongs to another scene than the one before.
    package private(set) var isCut = false
    /// The mean shift of the last half second, in shares of the picture's width a second; nil until there is enough.
    package private(set) var motion: Float?

    /// Below this `motion` the camera counts as still.
    package static let stillMotion: Float = 0.01
    package var isStill: Bool { motion.map { $0 < Self.stillMotion } ?? false }

    private var signature = InlineArray<576, UInt8>(repeating: 0)
    private var hasSignature = false
    /// How much pictures of this scene usually differ from each other.
    private var usualDifference: Float = 2

    private var patch = FlowPatch()
    private var nextPatch = FlowPatch()
    private var hasPatch = false
    private var sincePatch: Float = 0
    private var shifts = InlineArray<10, Float>(repeating: 0)
    private var shiftCount = 0

    package init() {}

    /// Takes the next frame.
    package mutating func watch(_ picture: borrowing PixelBuffer, seconds: Float) {
        lookForCut(picture)
        if isCut {
            hasPatch = false
            shiftCount = 0
            motion = nil
        }
        measureShift(picture, seconds: seconds)
    }

    // MARK: Cuts

    /// 32 × 18 pixels tell scenes apart: the picture must differ in brightness nearly everywhere, and far more than it
    /// has been differing from frame to frame.
    private mutating func lookForCut(_ picture: borrowing PixelBuffer) {
        let new = Self.signature(of: picture)
        defer {
            signature = new
            hasSignature = true
        }
        isCut = false
        guard hasSignature else { return }
        var (sum, changed) = (0, 0)
        for index in new.indices {
            let difference = abs(Int(new[index]) - Int(signature[index]))
            sum += difference
            if difference > 20 { changed += 1 }
        }
        let mean = Float(sum) / Float(new.count)
        isCut = mean > 18 && mean > 6 * usualDifference && changed > new.count * 2 / 5
        if !isCut { usualDifference += 0.1 * (mean - usualDifference) }
    }

    private static func signature(of picture: borrowing PixelBuffer) -> InlineArray<576, UInt8> {
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let channels = picture.format.bytesPerPixel
        return picture.withUnsafeBytes { bytes in
            InlineArray { index in
                let x = (2 * (index % 32) + 1) * width / 64
                let y = (2 * (index / 32) + 1) * height / 36
                // Green stands for brightness.
                return bytes[y * stride + x * channels + (channels > 1 ? 1 : 0)]
            }
        }
    }

    // MARK: Stillness

    /// How often pictures are registered, in seconds.
    private static let interval: Float = 0.05

    private mutating func measureShift(_ picture: borrowing PixelBuffer, seconds: Float) {
        sincePatch += seconds
        guard !hasPatch || sincePatch >= Self.interval * 0.99 else { return }
        let (width, height) = (Float(picture.width), Float(picture.height))
        nextPatch.extract(picture, wholeOf: Point(width, height))
        if hasPatch {
            let grid = InlineArray<24, Point> { index in
                Point((Float(index % 6) + 0.5) / 6 * width, (Float(index / 6) + 0.5) / 4 * height)
            }
            let flow = patch.follow(grid, into: nextPatch)
            shifts[shiftCount % shifts.count] =
                Self.medianShift(from: grid, to: flow.moved, residual: flow.residual).length / width / sincePatch
            shiftCount += 1
            if shiftCount >= shifts.count {
                var sum: Float = 0
                for index in shifts.indices { sum += shifts[index] }
                motion = sum / Float(shifts.count)
            }
        }
        swap(&patch, &nextPatch)
        hasPatch = true
        sincePatch = 0
    }

    /// The median of what could be followed, in each direction: who walks through the picture does not shake it.
    private static func medianShift(
        from: InlineArray<24, Point>, to: InlineArray<24, Point>, residual: InlineArray<24, Float>
    ) -> Point {
        var (horizontal, vertical) = (from, to)
        var count = 0
        for index in from.indices where residual[index] >= 0 {
            let shift = to[index] - from[index]
            var place = count
            while place > 0, horizontal[place - 1].x > shift.x {
                horizontal[place].x = horizontal[place - 1].x
                place -= 1
            }
            horizontal[place].x = shift.x
            place = count
            while place > 0, vertical[place - 1].y > shift.y {
                vertical[place].y = vertical[place - 1].y
                place -= 1
            }
            vertical[place].y = shift.y
            count += 1
        }
        return count == 0 ? .zero : Point(horizontal[count / 2].x, vertical[count / 2].y)
    }
}
