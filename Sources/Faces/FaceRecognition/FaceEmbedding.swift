/// How a face looks, as a point of a space in which pictures of one person lie near each other and pictures of different
/// people far apart. It tells people apart: it is biometric data, and cannot be turned back into a picture here.
package struct FaceEmbedding: Equatable, Sendable {
    /// The number of dimensions.
    package static let count = 128
    /// Above what the network gives for any face; bounds what a file may say.
    static let largestValue: Float = 4

    /// `count` finite numbers.
    package let values: [Float]

    /// Nil unless there are `count` finite numbers within `largestValue`.
    package init?(_ values: [Float]) {
        guard values.count == Self.count, values.allSatisfy({ abs($0) <= Self.largestValue }) else { return nil }
        self.values = values
    }

    /// The Euclidean distance: 0 for the same picture, mostly below 0.5 for one person, above 0.7 for two.
    package func distance(to other: FaceEmbedding) -> Float {
        var sum: Float = 0
        for index in values.indices {
            let difference = values[index] - other.values[index]
            sum += difference * difference
        }
        return sum.squareRoot()
    }

    /// The mean of several; nil of none.
    package static func mean(_ embeddings: [FaceEmbedding]) -> FaceEmbedding? {
        guard !embeddings.isEmpty else { return nil }
        return FaceEmbedding(
            (0..<count).map { index in embeddings.reduce(0) { $0 + $1.values[index] } / Float(embeddings.count) })
    }
}
