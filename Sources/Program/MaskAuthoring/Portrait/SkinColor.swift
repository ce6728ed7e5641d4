import FaceGeometry

/// The distribution of a face's skin colour.
struct SkinColor {
    private let mean: SIMD3<Float>
    private let deviation: SIMD3<Float>

    /// - Parameter colors: of bare skin, such as the cheeks; red, green and blue, 0…255.
    /// - Returns: nil if there are too few.
    init?(_ colors: some Sequence<SIMD3<Float>>) {
        var (sum, squares, count) = (SIMD3<Float>.zero, SIMD3<Float>.zero, Float(0))
        for color in colors {
            let value = Self.coordinates(color)
            sum += value
            squares += value * value
            count += 1
        }
        guard count > 50 else { return nil }
        mean = sum / count
        deviation = pointwiseMax((squares / count - mean * mean), SIMD3(repeating: 4)).squareRoot()
    }

    /// The mean of red, green and blue, 0…255.
    var brightness: Float { mean.x / Self.brightnessWeight }

    /// Small, because shadows are skin too.
    private static let brightnessWeight: Float = 0.35

    /// Brightness and two chromaticities.
    private static func coordinates(_ color: SIMD3<Float>) -> SIMD3<Float> {
        let brightness = max(8, color.sum())
        return SIMD3(brightnessWeight * brightness / 3, 255 * color.x / brightness, 255 * color.z / brightness)
    }

    /// The distance from the mean, in standard deviations.
    func distance(of color: SIMD3<Float>) -> Float {
        let offset = (Self.coordinates(color) - mean) / deviation
        return (offset * offset).sum().squareRoot()
    }
}
