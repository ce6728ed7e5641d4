import Occlusion
import Pixels

/// Memory in which mattes become pixels for the graphics card. It grows in steps, and is kept from picture to picture.
package struct MatteBuffer: ~Copyable {
    private var pixels: PixelBuffer?

    /// A matte that grows with a face is not a little too large in every picture.
    private static let step = 32

    package init() {}

    /// - Parameter use: gets the matte in the top left corner of a picture: the same value in all four components.
    package mutating func withPixels(
        of matte: OcclusionMatte, _ use: (_ picture: borrowing PixelBuffer, _ rectangle: PixelRectangle) -> Void
    ) throws(OutOfMemory) {
        var pixels = try largeEnough(for: matte)
        for y in 0..<matte.height {
            pixels.withMutableRow(y) { row in
                for x in 0..<matte.width { row[x] = SIMD4(repeating: matte.alpha[y * matte.width + x]) }
            }
        }
        use(pixels, PixelRectangle(x: 0, y: 0, width: matte.width, height: matte.height))
        self.pixels = consume pixels
    }

    private mutating func largeEnough(for matte: OcclusionMatte) throws(OutOfMemory) -> PixelBuffer {
        func rounded(_ side: Int) -> Int { (side + Self.step - 1) / Self.step * Self.step }
        let (width, height) = (rounded(matte.width), rounded(matte.height))
        guard let pixels = pixels.take() else {
            return try PixelBuffer(width: width, height: height, format: .rgba8)
        }
        if pixels.width >= matte.width, pixels.height >= matte.height { return pixels }
        return try PixelBuffer(
            width: max(width, pixels.width), height: max(height, pixels.height), format: .rgba8)
    }
}
