extension PixelBuffer {
    /// The picture with 8 bits per component, rounded; a copy if it already has 8 bits.
    package borrowing func withEightBits() throws(OutOfMemory) -> PixelBuffer {
        guard format == .rgba16 else { return try copy() }
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        let (width, height, sourceStride, targetStride) = (width, height, bytesPerRow, result.bytesPerRow)
        withUnsafeBytes { source in
            result.withUnsafeMutableBytes { target in
                for y in 0..<height {
                    for index in 0..<(4 * width) {
                        let value = UInt32(source.load(fromByteOffset: y * sourceStride + 2 * index, as: UInt16.self))
                        target[y * targetStride + index] = UInt8((value * 255 + 32767) / 65535)
                    }
                }
            }
        }
        return result
    }

    /// The picture on a white background, for formats without transparency.
    package borrowing func flattenedOnWhite() throws(OutOfMemory) -> PixelBuffer {
        precondition(format == .rgba8)
        var result = try copy()
        for y in 0..<height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    let pixel = row[x]
                    guard pixel.w < 255 else { continue }
                    let alpha = UInt32(pixel.w)
                    let color = SIMD4<UInt32>(truncatingIfNeeded: pixel)
                    let white = SIMD4<UInt32>(repeating: 255 * (255 - alpha))
                    row[x] = SIMD4<UInt8>(truncatingIfNeeded: (color &* alpha &+ white &+ 127) / 255)
                    row[x].w = 255
                }
            }
        }
        return result
    }
}

extension SIMD4<UInt8> {
    /// Drops the fractions. The standard library's conversion does the same in generic code, 20 times as slowly.
    /// - Parameter values: each above -1 and below 256; anything else stops the program.
    @inline(__always)
    package init(truncating values: SIMD4<Float>) {
        self.init(UInt8(values.x), UInt8(values.y), UInt8(values.z), UInt8(values.w))
    }
}
