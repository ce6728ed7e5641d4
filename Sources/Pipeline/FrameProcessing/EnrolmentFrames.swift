import Compositing
import FaceGeometry
import FaceRecognition
import FaceTracking

/// Chooses faces for an enrolment from the frames of a clip or a camera: sharp, turned no more than a little, and different
/// from each other.
package struct EnrolmentFrames {
    /// As many faces are enough.
    package static let wanted = 8
    /// Longer is not looked for them, in seconds.
    package static let longest = 60.0
    /// Between two looks, in seconds: frames that follow each other show the same.
    private static let interval = 0.3
    /// Nearer faces add nothing.
    private static let leastDistance: Float = 0.15

    private let describer: FaceDescriber
    private var nextLook = -Double.infinity
    package private(set) var faces: [DescribedFace] = []
    /// The problem of the last examined frame, as a sentence; nil: none.
    package private(set) var obstacle: String?

    package init(_ embedder: FaceEmbedder) { describer = FaceDescriber(embedder, .enrolment) }

    /// Whether there are enough, or it has taken too long.
    package private(set) var isFinished = false

    /// Takes the next analyzed frame.
    package mutating func take(_ frame: borrowing Frame) throws {
        let seconds = frame.seconds ?? 0
        if faces.count >= Self.wanted || seconds > Self.longest { isFinished = true }
        guard !isFinished, seconds >= nextLook else { return }
        nextLook = seconds + Self.interval
        guard let face = frame.faces.first?.face, frame.faces.count == 1 else {
            obstacle = "there \(frame.faces.isEmpty ? "is no face" : "are several faces") in the picture"
            return
        }
        let described = try describer.describe(face, in: frame.pixels)
        guard let embedding = described.embedding else {
            obstacle = described.obstacle.map { "the face \($0.reason)" }
            return
        }
        let nearest = faces.compactMap { $0.embedding?.distance(to: embedding) }.min()
        if let nearest, nearest > FaceRecognizer.rejectedDistance {
            obstacle = "the face looks like another person than before"
        } else if let nearest, nearest < Self.leastDistance {
            obstacle = "the face looks the same as before: turn your head a little, or smile"
        } else {
            obstacle = nil
            faces.append(described)
        }
    }
}
