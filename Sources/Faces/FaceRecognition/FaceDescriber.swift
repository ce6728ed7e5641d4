import FaceGeometry
import Pixels
import Vision

/// A face of a picture with its embedding, or why it has none.
package struct DescribedFace: Sendable {
    package let face: Face
    package let chip: FaceChip
    /// Nil if the face is not seen well enough.
    package let embedding: FaceEmbedding?
    package let obstacle: FaceObstacle?
    /// How long cutting out and describing took.
    package let duration: Duration
}

/// Cuts faces out of pictures and describes them.
package struct FaceDescriber: Sendable {
    private let embedder: FaceEmbedder
    private let requirements: FaceRequirements

    package init(_ embedder: FaceEmbedder, _ requirements: FaceRequirements) {
        self.embedder = embedder
        self.requirements = requirements
    }

    /// - Parameter picture: `rgba8`.
    package func describe(_ face: Face, in picture: borrowing PixelBuffer) throws(VisionError) -> DescribedFace {
        let start = ContinuousClock.now
        let chip = try FaceChip(face.landmarks, in: picture)
        let obstacle = requirements.obstacle(face) ?? requirements.obstacle(chip)
        let embedding = obstacle == nil ? try embedder.embedding(of: chip) : nil
        return DescribedFace(
            face: face, chip: chip, embedding: embedding, obstacle: obstacle, duration: .now - start)
    }
}
