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

    /// A part of an `rgba8` or `rgba16` picture with 8 bits per component.
    /// - Parameter area: inside the picture.
    package borrowing func copy(of area: PixelRectangle) throws(OutOfMemory) -> PixelBuffer {
        precondition(!area.isEmpty && area.intersection(bounds) == area && format != .grey8)
        var result = try PixelBuffer(width: area.width, height: area.height, format: .rgba8)
        let (isDeep, stride, targetStride) = (format == .rgba16, bytesPerRow, result.bytesPerRow)
        withUnsafeBytes { source in
            result.withUnsafeMutableBytes { target in
                for y in 0..<area.height {
                    for index in 0..<(4 * area.width) {
                        let place = (area.y + y) * stride + (isDeep ? 2 : 1) * (4 * area.x + index)
                        target[y * targetStride + index] =
                            isDeep ? source.load(fromByteOffset: place + 1, as: UInt8.self) : source[place]
                    }
                }
            }
        }
        return result
    }

    /// Puts a part of a row of an `rgba8` picture into a row of this one, which is `rgba8` or `rgba16`.
    /// - Parameters:
    ///   - columns: of the other picture.
    ///   - x: the column here that the first of them becomes.
    package mutating func copy(
        _ columns: Range<Int>, ofRow y: Int, from other: borrowing PixelBuffer, to x: Int, row: Int
    ) {
        precondition(row >= 0 && row < height && x >= 0 && x + columns.count <= width && format != .grey8)
        let (offset, format) = (row * bytesPerRow, format)
        other.withRow(y) { source in
            withUnsafeMutableBytes { bytes in
                for column in columns {
                    let place = x + column - columns.lowerBound
                    if format == .rgba16 {
                        let deep = SIMD4<UInt16>(truncatingIfNeeded: source[column]) &* 257
                        bytes.storeBytes(of: deep, toByteOffset: offset + 8 * place, as: SIMD4<UInt16>.self)
                    } else {
                        bytes.storeBytes(of: source[column], toByteOffset: offset + 4 * place, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
    }

    /// The picture on a white background, for formats without transparency.
    package borrowing func flattenedOnWhite() throws(OutOfMemory) -> PixelBuffer {
        var result = try copy()
        result.flatten(on: SIMD4(repeating: 255))
        return result
    }

    /// Lays an `rgba8` picture with straight alpha over a colour.
    /// - Parameter other: alternates with it in squares of 16 pixels; nil: it is the only one.
    package mutating func flatten(on color: SIMD4<UInt8>, and other: SIMD4<UInt8>? = nil) {
        precondition(format == .rgba8)
        let colors = (
            SIMD4<UInt32>(truncatingIfNeeded: color), SIMD4<UInt32>(truncatingIfNeeded: other ?? color)
        )
        for y in 0..<height {
            withMutableRow(y) { row in
                for x in row.indices {
                    let pixel = row[x]
                    guard pixel.w < 255 else { continue }
                    let alpha = UInt32(pixel.w)
                    let behind = ((x ^ y) >> 4) & 1 == 0 ? colors.0 : colors.1
                    let own = SIMD4<UInt32>(truncatingIfNeeded: pixel) &* alpha
                    row[x] = SIMD4<UInt8>(truncatingIfNeeded: (own &+ behind &* (255 - alpha) &+ 127) / 255)
                    row[x].w = 255
                }
            }
        }
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
