import FaceGeometry
import Pixels
import Vision

/// Says whose the faces of a picture are. It may be shared by threads.
package struct FaceIdentifier: Sendable {
    package let recognizer: FaceRecognizer
    let embedder: FaceEmbedder
    private let describer: FaceDescriber

    package init(_ embedder: FaceEmbedder, _ people: EnrolledPeople) {
        recognizer = FaceRecognizer(people)
        self.embedder = embedder
        describer = FaceDescriber(embedder, .recognition)
    }

    /// The identities of the faces, in their order. A face that is not seen well enough may be anybody's. Nobody is
    /// twice in a picture.
    /// - Parameter picture: `rgba8`.
    package func identities(of faces: [Face], in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceIdentity] {
        var found: [(identity: FaceIdentity, distance: Float)] = []
        for face in faces {
            guard let embedding = try describer.describe(face, in: picture).embedding else {
                found.append((recognizer.doubt, .infinity))
                continue
            }
            let candidates = recognizer.candidates(for: embedding)
            found.append((FaceRecognizer.identity(candidates), candidates.first?.distance ?? .infinity))
        }
        return FaceRecognizer.withoutDoubles(found)
    }
}
