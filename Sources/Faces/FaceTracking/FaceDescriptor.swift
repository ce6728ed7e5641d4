import FaceGeometry

/// A coarse description of a face's appearance: 16 × 16 grey values of its patch, normalised for brightness and contrast.
/// It distinguishes the few people in front of a camera; it is not a biometric.
package struct FaceDescriptor: Sendable {
    static let side = 16
    /// In successive frames, a face that is less similar to the one before may be another one. On nine clips of people, hands
    /// in front of a face lowered the similarity so far, and nothing else.
    package static let sameLook: Float = 0.8

    private var values: InlineArray<256, Float>

    init(_ patch: FlowPatch) { self.init(greyValues: patch.coarse) }

    /// - Parameter greyValues: 16 rows of 16.
    package init(greyValues: InlineArray<256, Float>) {
        values = greyValues
        var (sum, total) = (Float(0), Float(0))
        for index in values.indices {
            sum += Self.weights[index] * values[index]
            total += Self.weights[index]
        }
        let mean = sum / total
        for index in values.indices { values[index] = Self.weights[index] * (values[index] - mean) }
        normalize()
    }

    /// The correlation of two descriptors: 1 for the same picture, about 0 for unrelated ones.
    package func similarity(to other: FaceDescriptor) -> Float {
        var sum: Float = 0
        for index in values.indices { sum += values[index] * other.values[index] }
        return sum
    }

    /// Moves this descriptor towards another.
    /// - Parameter weight: of the other one, 0…1.
    package mutating func learn(_ other: FaceDescriptor, weight: Float) {
        for index in values.indices { values[index] += weight * (other.values[index] - values[index]) }
        normalize()
    }

    private mutating func normalize() {
        var square: Float = 0
        for index in values.indices { square += values[index] * values[index] }
        let length = max(square.squareRoot(), 1e-6)
        for index in values.indices { values[index] /= length }
    }

    /// The centre of the patch counts more than its corners, which show background.
    private static let weights = InlineArray<256, Float> { index in
        let x = (Float(index % side) + 0.5) / Float(side) * 2 - 1
        let y = (Float(index / side) + 0.5) / Float(side) * 2 - 1
        return max(0.02, 1 - (x * x + y * y))
    }
}
