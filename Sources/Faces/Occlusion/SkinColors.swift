import FaceGeometry
import Glibc
import Pixels

/// Reads the colours of a face at places of a picture, as the logarithmic luminance and two logarithmic ratios: light
/// multiplies colours, so a change of light adds to the first component, and little to the others.
struct SkinColors {
    /// ln(c + 12) for c from 0 to 255 in steps of a sixteenth: 12 grey values are what sensor noise makes of darkness.
    private static let logarithms: [Float] = (0...4096).map { logf(Float($0) / 16 + 12) }

    /// Side of the square of samples that are averaged at each place.
    private let samples: Int
    /// Between samples, in pixels.
    private let step: Float

    /// - Parameter spacing: between the places, in pixels: what lies between them is averaged.
    init(spacing: Float) {
        samples = Int(min(3, max(1, spacing.rounded())))
        step = spacing / Float(samples)
    }

    /// - Parameters:
    ///   - places: in pixels; outside of the picture the nearest pixel counts.
    ///   - result: gets a colour for each place: (luminance, red : green, blue : green, 0).
    func read(
        _ picture: borrowing PixelBuffer, at places: [Point], into result: inout [SIMD4<Float>]
    ) {
        result.removeAll(keepingCapacity: true)
        result.reserveCapacity(places.count)
        let (stride, has16Bits) = (picture.bytesPerRow, picture.format == .rgba16)
        let (right, bottom) = (Float(picture.width) - 1.001, Float(picture.height) - 1.001)
        let (samples, step) = (samples, step)
        picture.withUnsafeBytes { bytes in
            func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
                if has16Bits {
                    let value = bytes.loadUnaligned(fromByteOffset: y * stride + 8 * x, as: SIMD4<UInt16>.self)
                    return SIMD4<Float>(value) / 257
                }
                return SIMD4<Float>(bytes.loadUnaligned(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self))
            }
            for place in places {
                guard place.x.isFinite, place.y.isFinite else {
                    result.append(.zero)
                    continue
                }
                var sum = SIMD4<Float>.zero
                if samples == 1 {
                    let x = max(0, min(right, place.x - 0.5))
                    let y = max(0, min(bottom, place.y - 0.5))
                    let (column, row) = (Int(x), Int(y))
                    let (fx, fy) = (x - Float(column), y - Float(row))
                    // A picture of one row or column has no neighbours.
                    let (next, below) = (right > 0 ? column + 1 : column, bottom > 0 ? row + 1 : row)
                    let above = (1 - fx) * pixel(column, row) + fx * pixel(next, row)
                    let under = (1 - fx) * pixel(column, below) + fx * pixel(next, below)
                    sum = (1 - fy) * above + fy * under
                } else {
                    let first = place - step * Float(samples - 1) / 2
                    for j in 0..<samples {
                        for i in 0..<samples {
                            let x = max(0, min(right, first.x + step * Float(i)))
                            let y = max(0, min(bottom, first.y + step * Float(j)))
                            sum += pixel(Int(x), Int(y))
                        }
                    }
                    sum /= Float(samples * samples)
                }
                result.append(Self.color(sum))
            }
        }
    }

    /// - Parameter rgb: 0…255.
    private static func color(_ rgb: SIMD4<Float>) -> SIMD4<Float> {
        func logarithm(_ value: Float) -> Float { logarithms[Int(max(0, min(255, value)) * 16 + 0.5)] }
        let (r, g, b) = (logarithm(rgb.x), logarithm(rgb.y), logarithm(rgb.z))
        return SIMD4((r + g + b) / 3, r - g, b - g, 0)
    }
}
