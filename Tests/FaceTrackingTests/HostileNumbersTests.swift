import COpticalFlow
import Testing

/// Numbers that are none, or that no picture contains, into the optical flow: a clip's forged times once led there.
@Suite struct HostileNumbersTests {
    private static let side = Int32(COPTICALFLOW_LARGEST_SIDE)
    private static let hostile: [Float] = [.nan, -.nan, .infinity, -.infinity, 1e30, -1e30, 3e9, -3e9]

    /// A patch of noise, cut from a picture at a place.
    private static func patch(_ place: copticalflow_place) -> [Float] {
        let picture = (0..<(64 * 48)).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) }
        var patch = [Float](repeating: 0, count: Int(COPTICALFLOW_LARGEST_PIXELS))
        var place = place
        picture.withUnsafeBufferPointer {
            var image = copticalflow_image(
                pixels: $0.baseAddress, width: 64, height: 48, channels: 1, bytes_per_row: 64)
            copticalflow_cut(&image, &place, side, &patch)
        }
        return patch
    }

    private static let honest = patch(copticalflow_place(origin: (0, 0), across: (0.3, 0), down: (0, 0.25)))

    @Test(arguments: hostile) func pointsAreNotFollowed(_ number: Float) {
        for points in [[number, 20, 20, number], [number, number, -number, number]] {
            for (from, to) in [(points, [20, 20, 30, 30]), ([20, 20, 30, 30], points), (points, points)] {
                var moved = to
                var residuals: [Float] = [0, 0]
                copticalflow_follow(Self.honest, Self.honest, Self.side, 2, from, &moved, &residuals)
                #expect(residuals == [-1, -1], "\(from) to \(to): \(residuals)")
            }
        }
    }

    @Test(arguments: hostile) func patchesAreCutAnywhere(_ number: Float) {
        for place in [
            copticalflow_place(origin: (number, 0), across: (1, 0), down: (0, 1)),
            copticalflow_place(origin: (0, 0), across: (number, number), down: (0, number)),
        ] {
            let patch = Self.patch(place)
            #expect(patch.count == Int(COPTICALFLOW_LARGEST_PIXELS))
            // Whatever is in it: what is searched in it stays within it.
            var corners = [Float](repeating: 0, count: 200)
            let count = copticalflow_corners(patch, Self.side, 4, [number, 0], [number, number], &corners, 100)
            #expect((0...100).contains(count))
            var moved: [Float] = [20, 20]
            var residuals: [Float] = [0]
            copticalflow_follow(Self.honest, patch, Self.side, 1, [20, 20], &moved, &residuals)
        }
    }
}
