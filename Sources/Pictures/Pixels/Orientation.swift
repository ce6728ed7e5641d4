/// How to rotate or mirror a stored picture so that it is upright: the eight values of the EXIF tag Orientation
/// (CIPA DC-008).
package enum Orientation: Int, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    /// Mirrored along the diagonal from top left to bottom right.
    case transposed = 5
    /// Upright after a rotation by 90° clockwise.
    case turnRight = 6
    /// Mirrored along the diagonal from top right to bottom left.
    case transversed = 7
    /// Upright after a rotation by 90° counter-clockwise.
    case turnLeft = 8

    /// Whether width and height are exchanged.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The pixel of the stored picture that becomes the upright pixel (x, y); `width` and `height` are the stored
    /// picture's.
    package func source(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        // Computed at pixel centres; halves are exact in Float up to four million pixels a side.
        let center = source(of: SIMD2(Float(x) + 0.5, Float(y) + 0.5), size: SIMD2(Float(width), Float(height)))
        return (Int(center.x), Int(center.y))
    }

    /// The same for any point, in pixels from the top left corner; `size` is the stored picture's.
    package func source(of point: SIMD2<Float>, size: SIMD2<Float>) -> SIMD2<Float> {
        switch self {
        case .upright: point
        case .mirrored: SIMD2(size.x - point.x, point.y)
        case .upsideDown: size - point
        case .mirroredUpsideDown: SIMD2(point.x, size.y - point.y)
        case .transposed: SIMD2(point.y, point.x)
        case .turnRight: SIMD2(point.y, size.y - point.x)
        case .transversed: SIMD2(size.x - point.y, size.y - point.x)
        case .turnLeft: SIMD2(size.x - point.y, point.x)
        }
    }
}

extension PixelBuffer {
    /// The upright picture of a stored one.
    package consuming func turnedUpright(from orientation: Orientation) throws(OutOfMemory) -> PixelBuffer {
        orientation == .upright ? self : try turned(from: orientation)
    }

    /// A turned copy.
    package borrowing func turned(from orientation: Orientation) throws(OutOfMemory) -> PixelBuffer {
        let (width, height) = (width, height)
        var result = try PixelBuffer(
            width: orientation.swapsAxes ? height : width, height: orientation.swapsAxes ? width : height,
            format: format)
        // Every orientation is affine: one step right and one step down are two constant steps in the stored picture.
        let pixelBytes = format.bytesPerPixel
        let sourceStride = bytesPerRow
        func offset(_ x: Int, _ y: Int) -> Int {
            let place = orientation.source(x: x, y: y, width: width, height: height)
            return place.y * sourceStride + place.x * pixelBytes
        }
        let origin = offset(0, 0)
        let stepRight = offset(1, 0) - origin
        let stepDown = offset(0, 1) - origin
        let targetStride = result.bytesPerRow
        let tiles = result.bounds.tiles(side: 64)  // small enough that both pictures stay in the cache
        withUnsafeBytes { source in
            result.withUnsafeMutableBytes { target in
                for tile in tiles {
                    for y in tile.y..<(tile.y + tile.height) {
                        for x in tile.x..<(tile.x + tile.width) {
                            let from = origin + x * stepRight + y * stepDown
                            let to = y * targetStride + x * pixelBytes
                            if pixelBytes == 4 {
                                target.storeBytes(
                                    of: source.load(fromByteOffset: from, as: UInt32.self), toByteOffset: to,
                                    as: UInt32.self)
                            } else {
                                for byte in 0..<pixelBytes { target[to + byte] = source[from + byte] }
                            }
                        }
                    }
                }
            }
        }
        return result
    }
}
