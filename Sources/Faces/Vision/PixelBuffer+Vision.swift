import CVision
import FaceGeometry
import Pixels

extension PixelBuffer {
    /// Calls `body` with a C description of the pixels, without a copy. It is valid only during the call.
    package borrowing func withVisionImage<Result, Failure: Error>(
        _ body: (UnsafePointer<cvision_image>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(format != .rgba16, "the C library takes 8 bits a component")
        let (width, height, channels, stride) = (Int32(width), Int32(height), Int32(format.bytesPerPixel), bytesPerRow)
        return try withUnsafeBytes { (bytes) throws(Failure) -> Result in
            var image = cvision_image(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                channels: channels, bytes_per_row: stride)
            return try body(&image)
        }
    }

    /// A grey copy of an `rgba8` picture, resized: by area averages when it shrinks, bilinearly when it grows.
    package borrowing func grey(width: Int, height: Int) throws -> PixelBuffer {
        try changed(width: width, height: height, format: .grey8, cvision_resize_to_grey)
    }

    /// A copy of an 8-bit picture, resized in the same way.
    package borrowing func resized(width: Int, height: Int) throws -> PixelBuffer {
        try changed(width: width, height: height, format: format, cvision_resize)
    }

    /// A copy of an 8-bit picture, reduced to a longest side where it is larger, in pixels.
    package borrowing func reducedOrCopied(to longestSide: Int) throws -> PixelBuffer {
        let scale = Double(longestSide) / Double(max(width, height))
        guard scale < 1 else { return try copy() }
        return try resized(width: max(1, Int(scale * Double(width))), height: max(1, Int(scale * Double(height))))
    }

    /// A copy of an `rgba8` picture, as large as it fits into a size, in the middle.
    /// - Parameter border: the colour beside it.
    package borrowing func fitted(width: Int, height: Int, border: SIMD4<UInt8>) throws -> PixelBuffer {
        let scale = min(Double(width) / Double(self.width), Double(height) / Double(self.height))
        let part = try resized(
            width: max(1, min(width, Int((scale * Double(self.width)).rounded()))),
            height: max(1, min(height, Int((scale * Double(self.height)).rounded()))))
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        result.fill(border)
        result.paste(part, x: (width - part.width) / 2, y: (height - part.height) / 2)
        return result
    }

    /// How far this grey picture has moved as a whole since another one of the same size.
    /// - Returns: pixels to the right and down, and how certain that is, about 1 for equal pictures, near 0 for unrelated
    ///   ones.
    /// - Throws: `VisionError`.
    package borrowing func shift(since earlier: borrowing PixelBuffer) throws -> (shift: Point, certainty: Float) {
        var (x, y, certainty): (Float, Float, Float) = (0, 0, 0)
        var status = cvision_status()
        let isDone = withVisionImage { new in
            earlier.withVisionImage { old in cvision_shift(old, new, &x, &y, &certainty, &status) }
        }
        guard isDone else { throw VisionError(status) }
        return (Point(x, y), certainty)
    }

    private borrowing func changed(
        width: Int, height: Int, format: PixelFormat,
        _ change: (
            UnsafePointer<cvision_image>?, UnsafeMutablePointer<UInt8>?, Int32, Int32, Int,
            UnsafeMutablePointer<cvision_status>?
        ) -> Bool
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(width: width, height: height, format: format)
        let stride = result.bytesPerRow
        var status = cvision_status()
        let isDone = withVisionImage { image in
            result.withUnsafeMutableBytes { bytes in
                change(
                    image, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(height), stride,
                    &status)
            }
        }
        guard isDone else { throw VisionError(status) }
        return result
    }
}
