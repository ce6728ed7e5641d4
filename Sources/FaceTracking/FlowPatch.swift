import COpticalFlow
import FaceGeometry
import Pixels

/// A square patch of a picture, rotated and scaled with a face, for optical flow: grey, of fixed size, with its pyramid.
/// Its memory is allocated once.
final class FlowPatch {
    /// Side of the patch, in its own pixels.
    static let side = Float(COPTICALFLOW_SIDE)

    private let pixels: UnsafeMutablePointer<Float>
    /// Maps pixels of the patch to pixels of the picture; both origins are the centre of the first pixel.
    private var place = copticalflow_place(origin: (0, 0), across: (1, 0), down: (0, 1))

    init() {
        pixels = .allocate(capacity: Int(COPTICALFLOW_PIXELS))
        pixels.initialize(repeating: 0, count: Int(COPTICALFLOW_PIXELS))
    }

    deinit { pixels.deallocate() }

    /// Extracts the patch from a picture.
    func extract(_ picture: borrowing PixelBuffer, from box: OrientedBox) {
        let across = box.across / Self.side
        let down = box.down / Self.side
        let origin = box.origin + (across + down) / 2 - 0.5
        place = copticalflow_place(origin: (origin.x, origin.y), across: (across.x, across.y), down: (down.x, down.y))
        extract(picture)
    }

    /// Extracts the patch from the same place as another patch.
    func extract(_ picture: borrowing PixelBuffer, likeThat other: FlowPatch) {
        place = other.place
        extract(picture)
    }

    private func extract(_ picture: borrowing PixelBuffer) {
        precondition(picture.format != .rgba16, "optical flow takes 8 bits a component")
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let (channels, bytesPerRow) = (Int32(picture.format.bytesPerPixel), picture.bytesPerRow)
        picture.withUnsafeBytes { bytes in
            var image = copticalflow_image(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                channels: channels, bytes_per_row: bytesPerRow)
            copticalflow_cut(&image, &place, pixels)
        }
    }

    /// The patch at an eighth of its size, 16 × 16.
    var coarse: InlineArray<256, Float> {
        // The smallest level of the pyramid is the last part.
        let half = Int(COPTICALFLOW_SIDE) >> (Int(COPTICALFLOW_LEVELS) - 1)
        let level = pixels + (Int(COPTICALFLOW_PIXELS) - half * half)
        return InlineArray { index in
            let corner = level + (2 * (index / 16) * half + 2 * (index % 16))
            return (corner[0] + corner[1] + corner[half] + corner[half + 1]) / 4
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
        let side = Int(Self.side)
        // What is far outside, or not a number, must not be converted.
        func clamped(_ value: Float) -> Int { Int(max(-1, min(Self.side, value.rounded()))) }
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
    /// - Returns: the points, in pixels of the picture, and for each the mean absolute grey difference left around it, or
    ///   a negative value where it could not be followed.
    func follow<let count: Int>(
        _ points: InlineArray<count, Point>, into other: FlowPatch
    ) -> (moved: InlineArray<count, Point>, residual: InlineArray<count, Float>) {
        let origin = Point(place.origin.0, place.origin.1) + 0.5
        let across = Point(place.across.0, place.across.1)
        let down = Point(place.down.0, place.down.1)
        let determinant = across.x * down.y - across.y * down.x
        var inside = InlineArray<count, Point> { index in
            let offset = points[index] - origin
            return Point(offset.x * down.y - offset.y * down.x, across.x * offset.y - across.y * offset.x)
                / determinant
        }
        var moved = inside
        var residual = InlineArray<count, Float>(repeating: -1)
        withUnsafeMutableBytes(of: &inside) { from in
            withUnsafeMutableBytes(of: &moved) { to in
                withUnsafeMutableBytes(of: &residual) { left in
                    copticalflow_follow(
                        pixels, other.pixels, Int32(count), from.baseAddress?.assumingMemoryBound(to: Float.self),
                        to.baseAddress?.assumingMemoryBound(to: Float.self),
                        left.baseAddress?.assumingMemoryBound(to: Float.self))
                }
            }
        }
        let result = InlineArray<count, Point> { origin + moved[$0].x * across + moved[$0].y * down }
        return (result, residual)
    }
}
