import COpticalFlow
import FaceGeometry
import Pixels

/// A square patch of a picture, rotated and scaled with a face, for optical flow: grey, with its pyramid. Its memory is
/// allocated once.
final class FlowPatch {
    /// Side of the patch, in its own pixels: large faces have more detail.
    private(set) var side = sides[0].side
    /// The sides, and from which side of the box in the picture, in its pixels, each is used. Flow is finer in a patch with
    /// the picture's own resolution; large faces are seldom sharper than two thirds of it.
    private static let sides: [(side: Int, from: Float)] = [
        (64, 0), (128, 128), (Int(COPTICALFLOW_LARGEST_SIDE), 268),
    ]

    private let pixels: UnsafeMutablePointer<Float>
    /// Maps pixels of the patch to pixels of the picture; both origins are the centre of the first pixel.
    private var place = copticalflow_place(origin: (0, 0), across: (1, 0), down: (0, 1))

    /// The face that it was extracted from.
    private var box = OrientedBox(center: .zero, side: 0, roll: 0)

    init() {
        pixels = .allocate(capacity: Int(COPTICALFLOW_LARGEST_PIXELS))
        pixels.initialize(repeating: 0, count: Int(COPTICALFLOW_LARGEST_PIXELS))
    }

    deinit { pixels.deallocate() }

    /// Extracts the patch from a picture.
    func extract(_ picture: borrowing PixelBuffer, from box: OrientedBox) {
        self.box = box
        for size in Self.sides where box.side >= size.from { side = size.side }
        let across = box.across / Float(side)
        let down = box.down / Float(side)
        let origin = box.origin + (across + down) / 2 - 0.5
        place = copticalflow_place(origin: (origin.x, origin.y), across: (across.x, across.y), down: (down.x, down.y))
        extract(picture)
    }

    /// Extracts the patch from the same place as another patch.
    func extract(_ picture: borrowing PixelBuffer, likeThat other: FlowPatch) {
        place = other.place
        side = other.side
        box = other.box
        extract(picture)
    }

    /// Whether a patch from another box would show nearly the same part of the picture.
    func isNear(_ other: OrientedBox) -> Bool {
        (box.center - other.center).length < Self.near * other.side
            && abs(box.side - other.side) < Self.near * other.side
            && abs(box.roll - other.roll) < Self.near
    }

    /// In sides of the box; in radians.
    private static let near: Float = 0.02

    private func extract(_ picture: borrowing PixelBuffer) {
        precondition(picture.format != .rgba16, "optical flow takes 8 bits a component")
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let (channels, bytesPerRow, side) = (Int32(picture.format.bytesPerPixel), picture.bytesPerRow, Int32(side))
        picture.withUnsafeBytes { bytes in
            var image = copticalflow_image(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                channels: channels, bytes_per_row: bytesPerRow)
            copticalflow_cut(&image, &place, side, pixels)
        }
    }

    /// The patch reduced to 16 × 16.
    var coarse: InlineArray<256, Float> {
        // The smallest level of the pyramid is the last part.
        let level = pixels + (side * side + side * side / 4)
        let width = side / 4
        let block = width / 16
        return InlineArray { (index: Int) -> Float in
            let (row, column): (Int, Int) = (index / 16, index % 16)
            let start: Int = block * (row * width + column)
            let corner = level + start
            var sum: Float = 0
            for y in 0..<block { for x in 0..<block { sum += corner[y * width + x] } }
            return sum / Float(block * block)
        }
    }

    /// The sum of horizontal differences of grey values divided by the sum of vertical ones, in a window of the patch: high
    /// for vertical structures.
    /// - Parameters:
    ///   - center: in pixels of the picture.
    ///   - size: of the window along the patch's axes, in pixels of the picture.
    func uprightness(around center: Point, size: Point) -> Float {
        let across = Point(place.across.0, place.across.1)
        let step = max(across.length, 1e-6)
        let offset = center - 0.5 - Point(place.origin.0, place.origin.1)
        let middle = Point((offset * across).sum(), across.x * offset.y - across.y * offset.x) / (step * step)
        let half = size / (2 * step)
        // What is far outside, or not a number, must not be converted.
        func clamped(_ value: Float) -> Int { Int(max(-1, min(Float(side), value.rounded()))) }
        let left = max(1, clamped(middle.x - half.x))
        let right = min(side - 2, clamped(middle.x + half.x))
        let top = max(1, clamped(middle.y - half.y))
        let bottom = min(side - 2, clamped(middle.y + half.y))
        guard left <= right, top <= bottom else { return 1 }
        var (horizontal, vertical) = (Float(0), Float(1e-3))
        for y in top...bottom {
            for x in left...right {
                let pixel = pixels + (y * side + x)
                horizontal += abs(pixel[1] - pixel[-1])
                vertical += abs(pixel[side] - pixel[-side])
            }
        }
        return horizontal / vertical
    }

    /// Follows points from the picture of this patch to the picture of another patch with the same place.
    /// - Parameters:
    ///   - count: the number of points that are followed; the rest is ignored.
    ///   - moved: in pixels of the picture. Where the search starts; afterwards, where the points were found.
    ///   - residual: afterwards, the mean absolute grey difference left around each point, or a negative value where it
    ///     could not be followed.
    func follow<let capacity: Int>(
        _ points: InlineArray<capacity, Point>, count: Int, into other: FlowPatch,
        moved: inout InlineArray<capacity, Point>, residual: inout InlineArray<capacity, Float>
    ) {
        let coordinates = coordinates
        var inside = points
        for index in 0..<count {
            inside[index] = coordinates.inside(points[index])
            moved[index] = coordinates.inside(moved[index])
        }
        withUnsafeBytes(of: inside) { from in
            withUnsafeMutableBytes(of: &moved) { to in
                withUnsafeMutableBytes(of: &residual) { left in
                    copticalflow_follow(
                        pixels, other.pixels, Int32(side), Int32(count),
                        from.baseAddress?.assumingMemoryBound(to: Float.self),
                        to.baseAddress?.assumingMemoryBound(to: Float.self),
                        left.baseAddress?.assumingMemoryBound(to: Float.self))
                }
            }
        }
        for index in 0..<count { moved[index] = coordinates.outside(moved[index]) }
    }

    /// The point in each cell of the patch that is easiest to follow.
    /// - Parameters:
    ///   - face: the landmarks, in pixels of the picture. Points are wanted in the box around them that is upright in the
    ///     patch.
    ///   - smallestCell: the least side of a cell, in pixels of the patch.
    ///   - corners: afterwards, the points, in pixels of the picture. From row to row as many as there is room for.
    /// - Returns: the number of points.
    func corners<let capacity: Int>(
        on face: Landmarks, smallestCell: Int, _ corners: inout InlineArray<capacity, Point>
    ) -> Int {
        let coordinates = coordinates
        var low = coordinates.inside(face[0])
        var high = low
        for index in 1..<Landmarks.count {
            let point = coordinates.inside(face[index])
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        let count = withUnsafeMutableBytes(of: &corners) { corners in
            withUnsafeBytes(of: low) { low in
                withUnsafeBytes(of: high) { high in
                    copticalflow_corners(
                        pixels, Int32(side), Int32(max(side / Self.cells, smallestCell)),
                        low.baseAddress?.assumingMemoryBound(to: Float.self),
                        high.baseAddress?.assumingMemoryBound(to: Float.self),
                        corners.baseAddress?.assumingMemoryBound(to: Float.self), Int32(capacity))
                }
            }
        }
        for index in 0..<Int(count) { corners[index] = coordinates.outside(corners[index]) }
        return Int(count)
    }

    /// The number of cells of `corners` along a side.
    private static let cells = 26

    /// Pixels of the picture, with pixel centres at +0.5, and of the patch, with the first centre at 0.
    private struct Coordinates {
        let origin: Point
        let across: Point
        let down: Point

        func inside(_ point: Point) -> Point {
            let offset = point - origin
            return Point(offset.x * down.y - offset.y * down.x, across.x * offset.y - across.y * offset.x)
                / (across.x * down.y - across.y * down.x)
        }

        func outside(_ point: Point) -> Point { origin + point.x * across + point.y * down }
    }

    private var coordinates: Coordinates {
        Coordinates(
            origin: Point(place.origin.0, place.origin.1) + 0.5, across: Point(place.across.0, place.across.1),
            down: Point(place.down.0, place.down.1))
    }
}
