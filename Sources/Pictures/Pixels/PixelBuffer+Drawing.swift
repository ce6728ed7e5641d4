/// Filling, pasting, and anti-aliased lines, for drawing landmarks and meshes.
extension PixelBuffer {
    /// Fills an `rgba8` picture with one colour.
    package mutating func fill(_ color: SIMD4<UInt8>) {
        for y in 0..<height { withMutableRow(y) { row in for x in row.indices { row[x] = color } } }
    }

    /// Fills a part of a row of an `rgba8` or `rgba16` picture with one colour.
    /// - Parameter color: 0…255.
    package mutating func fill(_ columns: Range<Int>, ofRow y: Int, with color: SIMD4<UInt8>) {
        precondition(columns.lowerBound >= 0 && columns.upperBound <= width && y >= 0 && y < height)
        let (offset, format) = (y * bytesPerRow, format)
        withUnsafeMutableBytes { bytes in
            for x in columns {
                switch format {
                case .rgba8: bytes.storeBytes(of: color, toByteOffset: offset + 4 * x, as: SIMD4<UInt8>.self)
                case .rgba16:
                    let deep = SIMD4<UInt16>(truncatingIfNeeded: color) &* 257
                    bytes.storeBytes(of: deep, toByteOffset: offset + 8 * x, as: SIMD4<UInt16>.self)
                case .grey8: bytes[offset + x] = color.y
                }
            }
        }
    }

    /// Clears the colour of pixels that are fully transparent, which pictures may hide there.
    package mutating func forgetTransparentColors() {
        let (width, height, stride, format) = (width, height, bytesPerRow, format)
        withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let offset = y * stride + x * format.bytesPerPixel
                    switch format {
                    case .rgba8:
                        if bytes[offset + 3] == 0 {
                            bytes.storeBytes(of: .zero, toByteOffset: offset, as: SIMD4<UInt8>.self)
                        }
                    case .rgba16:
                        if bytes.load(fromByteOffset: offset + 6, as: UInt16.self) == 0 {
                            bytes.storeBytes(of: .zero, toByteOffset: offset, as: SIMD4<UInt16>.self)
                        }
                    case .grey8: break
                    }
                }
            }
        }
    }

    /// Copies an `rgba8` picture into this one, its top left corner at (x, y); parts outside are clipped.
    package mutating func paste(_ other: borrowing PixelBuffer, x: Int, y: Int) {
        // The offset may come from a file: its sums with rows and columns must not overflow.
        guard (-other.height..<height).contains(y), (-other.width..<width).contains(x) else { return }
        for line in 0..<other.height where (0..<height).contains(line + y) {
            other.withRow(line) { source in
                withMutableRow(line + y) { row in
                    for column in source.indices where row.indices.contains(column + x) {
                        row[column + x] = source[column]
                    }
                }
            }
        }
    }

    /// Draws a line between two points, or a dot if they are equal; coordinates and thickness in pixels.
    /// - Parameter color: red, green, blue, alpha, 0…255, straight.
    package mutating func drawLine(
        from start: SIMD2<Float>, to end: SIMD2<Float>, thickness: Float, color: SIMD4<UInt8>
    ) {
        let reach = thickness / 2 + 1
        let low = pointwiseMin(start, end) - reach
        let high = pointwiseMax(start, end) + reach
        func clamped(_ value: Float, _ limit: Int) -> Int { Int(max(0, min(Float(limit), value.rounded(.down)))) }
        let columns = clamped(low.x, width)..<max(clamped(low.x, width), clamped(high.x + 1, width))
        let rows = clamped(low.y, height)..<max(clamped(low.y, height), clamped(high.y + 1, height))
        let edge = end - start
        let lengthSquared = max((edge * edge).sum(), 1e-12)
        for y in rows {
            for x in columns {
                let offset = SIMD2(Float(x) + 0.5, Float(y) + 0.5) - start
                let fraction = max(0, min(1, (edge * offset).sum() / lengthSquared))
                let rest = offset - fraction * edge
                let coverage = min(1, thickness / 2 + 0.5 - (rest * rest).sum().squareRoot())
                if coverage > 0 { blend(color, weight: coverage * Float(color.w) / 255, x: x, y: y) }
            }
        }
    }

    private mutating func blend(_ color: SIMD4<UInt8>, weight: Float, x: Int, y: Int) {
        let maximum = Float(format.maximum)
        let target = SIMD4(Float(color.x), Float(color.y), Float(color.z), 255) * (maximum / 255)
        let offset = y * bytesPerRow + x * format.bytesPerPixel
        let format = format
        withUnsafeMutableBytes { bytes in
            switch format {
            case .rgba8:
                let old = SIMD4<Float>(bytes.load(fromByteOffset: offset, as: SIMD4<UInt8>.self))
                let new = SIMD4<UInt8>(truncating: (old + (target - old) * weight).rounded(.toNearestOrEven))
                bytes.storeBytes(of: new, toByteOffset: offset, as: SIMD4<UInt8>.self)
            case .rgba16:
                let old = SIMD4<Float>(bytes.load(fromByteOffset: offset, as: SIMD4<UInt16>.self))
                let new = SIMD4<UInt16>(old + (target - old) * weight, rounding: .toNearestOrEven)
                bytes.storeBytes(of: new, toByteOffset: offset, as: SIMD4<UInt16>.self)
            case .grey8:
                let grey = (target.x + target.y + target.z) / 3
                let old = Float(bytes[offset])
                bytes[offset] = UInt8(old + (grey - old) * weight)
            }
        }
    }
}
