import CSkinColors
import FaceGeometry
import Glibc
import Pixels

/// Reads the colours of a face at places of a picture, as the logarithmic luminance and two logarithmic ratios: light
/// multiplies colours, so a change of light adds to the first component, and little to the others.
package struct SkinColors {
    /// ln(c + 12) for c from 0 to 255 in steps of a sixteenth: 12 grey values are what sensor noise makes of darkness.
    private static let logarithms: [Float] = (0...4096).map { logf(Float($0) / 16 + 12) }

    /// Side of the square of samples that are averaged at each place.
    private let samples: Int
    /// Between samples, in pixels.
    private let step: Float

    /// - Parameter spacing: between the places, in pixels: what lies between them is averaged.
    package init(spacing: Float) {
        samples = Int(min(3, max(1, spacing.rounded())))
        step = spacing / Float(samples)
    }

    /// - Parameters:
    ///   - places: in pixels; outside of the picture the nearest pixel counts.
    ///   - result: gets a colour for each place: (luminance, red : green, blue : green, 0).
    package func read(
        _ picture: borrowing PixelBuffer, at places: [Point], into result: inout [SIMD4<Float>]
    ) {
        if result.count != places.count {
            result.removeAll(keepingCapacity: true)
            result.append(contentsOf: repeatElement(.zero, count: places.count))
        }
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let isDeep = picture.format == .rgba16
        picture.withUnsafeBytes { bytes in
            Self.logarithms.withUnsafeBufferPointer { logarithms in
                result.withUnsafeMutableBufferPointer { result in
                    if samples > 1, !isDeep, height * stride <= Int32.max {
                        let picture = cskincolors_picture(
                            pixels: bytes.baseAddress, bytes_per_row: stride, width: Int32(width),
                            height: Int32(height))
                        return read(picture, at: places, logarithms, into: result)
                    }
                    let pixels = PixelReader(
                        bytes: bytes, stride: stride, isDeep: isDeep,
                        last: Point(Float(width) - 1.001, Float(height) - 1.001))
                    for (index, place) in places.enumerated() {
                        result[index] = color(at: place, pixels, logarithms)
                    }
                }
            }
        }
    }

    private func read(
        _ picture: cskincolors_picture, at places: [Point], _ logarithms: UnsafeBufferPointer<Float>,
        into result: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        let square = cskincolors_square(side: Int32(samples), step: step)
        places.withUnsafeBytes { places in
            let coordinates = places.assumingMemoryBound(to: Float.self)
            let components = UnsafeMutableRawBufferPointer(result).assumingMemoryBound(to: Float.self)
            withUnsafePointer(to: picture) { picture in
                cskincolors_read(
                    picture, coordinates.baseAddress, coordinates.count / 2, square, logarithms.baseAddress,
                    components.baseAddress)
            }
        }
    }

    private func color(
        at place: Point, _ pixels: PixelReader, _ logarithms: UnsafeBufferPointer<Float>
    ) -> SIMD4<Float> {
        guard place.x.isFinite, place.y.isFinite else { return .zero }
        let rgb =
            samples == 1
            ? pixels.interpolated(at: place - 0.5)
            : pixels.sum(from: place - step * Float(samples - 1) / 2, step: step, count: samples)
                / Float(samples * samples)
        func logarithm(_ value: Float) -> Float { logarithms[Int(max(0, min(255, value)) * 16 + 0.5)] }
        let (r, g, b) = (logarithm(rgb.x), logarithm(rgb.y), logarithm(rgb.z))
        return SIMD4((r + g + b) / 3, r - g, b - g, 0)
    }
}

/// The pixels of a picture, as colours from 0 to 255; the last component says nothing.
private struct PixelReader {
    let bytes: UnsafeRawBufferPointer
    let stride: Int
    /// Whether they are `rgba16`, not `rgba8`.
    let isDeep: Bool
    /// The largest coordinates that are read: those of the last pixel, or a little less.
    let last: Point

    @inline(__always)
    private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        if isDeep {
            let value = bytes.loadUnaligned(fromByteOffset: y * stride + 8 * x, as: SIMD4<UInt16>.self)
            return SIMD4<Float>(value) / 257
        }
        return SIMD4<Float>(bytes.loadUnaligned(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self))
    }

    @inline(__always)
    private func limited(_ place: Point) -> Point { pointwiseMax(.zero, pointwiseMin(last, place)) }

    /// Between the middles of four pixels.
    @inline(__always)
    func interpolated(at place: Point) -> SIMD4<Float> {
        let place = limited(place)
        let (column, row) = (Int(place.x), Int(place.y))
        let (fx, fy) = (place.x - Float(column), place.y - Float(row))
        // A picture of one row or column has no neighbours.
        let (next, below) = (last.x > 0 ? column + 1 : column, last.y > 0 ? row + 1 : row)
        let above = (1 - fx) * pixel(column, row) + fx * pixel(next, row)
        let under = (1 - fx) * pixel(column, below) + fx * pixel(next, below)
        return (1 - fy) * above + fy * under
    }

    /// Of a square of pixels.
    /// - Parameters:
    ///   - count: of its rows and columns, 3 at most.
    @inline(__always)
    func sum(from first: Point, step: Float, count: Int) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for j in 0..<count {
            for i in 0..<count {
                let place = limited(first + step * Point(Float(i), Float(j)))
                sum += pixel(Int(place.x), Int(place.y))
            }
        }
        return sum
    }
}
