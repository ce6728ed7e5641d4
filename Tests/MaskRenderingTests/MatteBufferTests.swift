import AllocationCounter
import FaceGeometry
import MaskRendering
import Occlusion
import Pixels
import Testing

@Suite struct MatteBufferTests {
    private func matte(_ width: Int, _ height: Int) -> OcclusionMatte {
        OcclusionMatte(
            box: FaceBox(x: 0, y: 0, width: 1, height: 1), width: width, height: height,
            alpha: (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    /// Mattes of any size are whole, and only the first, a wider and a higher one allocate.
    @Test func memoryIsUsedAgain() throws {
        var buffer = MatteBuffer()
        for (number, size) in [(20, 30), (50, 10), (10, 40), (50, 40), (64, 40), (3, 3), (64, 64)].enumerated() {
            let matte = matte(size.0, size.1)
            var isWhole = true
            let before = allocation_count()
            try buffer.withPixels(of: matte) { picture, rectangle in
                if rectangle != PixelRectangle(x: 0, y: 0, width: size.0, height: size.1) { isWhole = false }
                for y in 0..<size.1 {
                    for x in 0..<size.0 where picture[x, y] != SIMD4(repeating: UInt16(matte.alpha[y * size.0 + x])) {
                        isWhole = false
                    }
                }
            }
            let count = allocation_count() - before
            #expect(isWhole && (count == 0 || number < 3), "\(size): \(count)")
        }
    }
}
