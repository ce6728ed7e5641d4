import COpticalFlow
import FaceGeometry
import Pixels

/// Carries hands from one picture to the next by optical flow: the surroundings of faces, in grey, of the last pictures. Its
/// memory is allocated once.
package final class HandFlow {
    /// Of a patch, in its own pixels.
    private static let side = 128
    private static let pixelCount = side * side * 21 / 16
    /// More pictures are not kept.
    private static let capacity = 16
    /// A point that is followed with a larger mean difference is something else, in grey values.
    private static let largestResidual: Float = 25
    /// Fewer points tell nothing.
    private static let fewestPoints = 6
    /// A hand that moves farther between two pictures is another one, in palm lengths.
    private static let longestStep: Float = 0.7

    private let pixels: UnsafeMutablePointer<Float>
    private var place = copticalflow_place(origin: (0, 0), across: (1, 0), down: (0, 1))
    /// Pictures since, and with, the one that it began with.
    private(set) var count = 0

    package init() {
        pixels = .allocate(capacity: Self.capacity * Self.pixelCount)
        pixels.initialize(repeating: 0, count: Self.capacity * Self.pixelCount)
    }

    deinit { pixels.deallocate() }

    /// Forgets all pictures.
    package func clear() { count = 0 }

    /// Begins anew.
    /// - Parameter square: the part of this and the following pictures that is looked at; upright.
    package func begin(_ picture: borrowing PixelBuffer, square: OrientedBox) {
        let step = square.side / Float(Self.side)
        let origin = square.origin + step / 2 - 0.5
        place = copticalflow_place(origin: (origin.x, origin.y), across: (step, 0), down: (0, step))
        count = 0
        add(picture)
    }

    /// The next picture. If there are too many, it forgets all.
    /// - Parameter picture: `rgba8`.
    package func add(_ picture: borrowing PixelBuffer) {
        guard count < Self.capacity else { return clear() }
        FlowImage.cut(picture, place, side: Self.side, into: pixels + count * Self.pixelCount)
        count += 1
    }

    /// Carries a hand on.
    /// - Parameter start: the number of the picture that it was found in; 0 is the one that this began with.
    package func carry(_ hand: inout Hand, from start: Int) {
        for index in stride(from: start, to: count - 1, by: 1) {
            if let shift = shift(of: hand, from: index) { hand.move(by: shift) }
        }
    }

    /// From a picture to the next one, in pixels; nil: nobody knows.
    private func shift(of hand: Hand, from index: Int) -> Point? {
        let (origin, step) = (Point(place.origin.0, place.origin.1) + 0.5, place.across.0)
        let places = hand.points.map { ($0 - origin) / step }
        var moved = places
        var residuals = [Float](repeating: -1, count: places.count)
        places.withUnsafeBytes { from in
            moved.withUnsafeMutableBytes { to in
                copticalflow_follow(
                    pixels + index * Self.pixelCount, pixels + (index + 1) * Self.pixelCount, Int32(Self.side),
                    Int32(from.count / MemoryLayout<Point>.stride),
                    from.baseAddress?.assumingMemoryBound(to: Float.self),
                    to.baseAddress?.assumingMemoryBound(to: Float.self), &residuals)
            }
        }
        let followed = places.indices.filter { (0...Self.largestResidual).contains(residuals[$0]) }
        guard followed.count >= Self.fewestPoints else { return nil }
        func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }
        let shift =
            step
            * Point(
                median(followed.map { moved[$0].x - places[$0].x }), median(followed.map { moved[$0].y - places[$0].y })
            )
        return shift.length < Self.longestStep * hand.size ? shift : nil
    }
}

/// Whether something moves beside a face: then a hand may be coming. Its memory is allocated once.
package final class NearbyMotion {
    /// Of a patch, in its own pixels, and of its coarsest level, whose pixels are cells.
    private static let (side, cells) = (64, 16)
    private static let pixelCount = side * side * 21 / 16
    /// A cell that has changed by more grey values has moved, and something moves if so many have.
    private static let change: Float = 14
    private static let fewestCells = 4
    /// What belongs to the face, from its middle, in its widths.
    private static let (faceWidth, faceTop, faceBottom): (Float, Float, Float) = (0.6, -0.9, 0.8)

    private let pixels: UnsafeMutablePointer<Float>
    private var place = copticalflow_place(origin: (0, 0), across: (1, 0), down: (0, 1))
    /// Of each cell: whether it is beside the face.
    private var isBeside = [Bool](repeating: false, count: cells * cells)
    private var hasPicture = false

    package init() {
        pixels = .allocate(capacity: 2 * Self.pixelCount)
        pixels.initialize(repeating: 0, count: 2 * Self.pixelCount)
    }

    deinit { pixels.deallocate() }

    package func clear() { hasPicture = false }

    /// Remembers how the surroundings of a face look.
    package func begin(_ picture: borrowing PixelBuffer, near target: HandTarget) {
        let square = target.square()
        let step = square.side / Float(Self.side)
        let origin = square.origin + step / 2 - 0.5
        place = copticalflow_place(origin: (origin.x, origin.y), across: (step, 0), down: (0, step))
        for index in isBeside.indices {
            let cell = Point(Float(index % Self.cells), Float(index / Self.cells)) + 0.5
            let offset = (square.origin + square.side / Float(Self.cells) * cell - target.center) / target.width
            isBeside[index] =
                abs(offset.x) > Self.faceWidth || !(Self.faceTop...Self.faceBottom).contains(offset.y)
        }
        FlowImage.cut(picture, place, side: Self.side, into: pixels)
        hasPicture = true
    }

    /// Whether they look different now.
    package func isMoving(_ picture: borrowing PixelBuffer) -> Bool {
        guard hasPicture else { return true }
        let now = pixels + Self.pixelCount
        FlowImage.cut(picture, place, side: Self.side, into: now)
        // The coarsest level is the last part.
        let start = Self.side * Self.side * 5 / 4
        let moving = isBeside.indices.count { isBeside[$0] && abs(now[start + $0] - pixels[start + $0]) > Self.change }
        return moving >= Self.fewestCells
    }
}

private enum FlowImage {
    /// - Parameter picture: with 8 bits.
    static func cut(
        _ picture: borrowing PixelBuffer, _ place: copticalflow_place, side: Int,
        into pixels: UnsafeMutablePointer<Float>
    ) {
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let (channels, bytesPerRow) = (Int32(picture.format.bytesPerPixel), picture.bytesPerRow)
        picture.withUnsafeBytes { bytes in
            var image = copticalflow_image(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                channels: channels, bytes_per_row: bytesPerRow)
            withUnsafePointer(to: place) { copticalflow_cut(&image, $0, Int32(side), pixels) }
        }
    }
}
