import FaceGeometry
import FaceTracking
import Pixels

/// How much the scene and the face have moved within the last half second. As in Apple's sample on alignment, successive
/// frames are registered by translation, and the scene is stable when the movements of a history add up to little
/// ("Training a Create ML Model to Classify Flowers": `VNTranslationalImageRegistrationRequest`); by phase correlation here.
/// A face that moves before a background at rest does not move the picture, so its own movement counts, too.
package struct Stillness: ~Copyable {
    /// The length of the history, in seconds.
    private static let history = 0.5
    /// The longest path that is still, in widths of the picture, and of the face in its own.
    private static let sceneLimit: Float = 0.02
    private static let faceLimit: Float = 0.06
    private static let (width, height) = (128, 96)

    private struct Step {
        let seconds: Double
        /// In the limits.
        let amount: Float
    }

    private var steps: [Step] = []
    private var last: PixelBuffer?
    private var lastFace: (trackID: Int, center: Point)?
    private var start: Double?

    package init() {}

    /// - Parameter face: the one that matters; nil: none.
    /// - Returns: 1: as much as is still; more: it is not. Infinite until there is a history.
    /// - Throws: `VisionError` or `OutOfMemory`.
    package mutating func motion(
        in picture: borrowing PixelBuffer, face: FaceInstance?, isCut: Bool, at seconds: Double
    ) throws -> Float {
        let small = try picture.grey(width: Self.width, height: Self.height)
        var amount: Float = 0
        if let before = last.take(), !isCut {
            let (shift, certainty) = try small.shift(since: before)
            // A registration that fails says nothing of a movement.
            if certainty > 0.05 { amount = shift.length / Float(Self.width) / Self.sceneLimit }
        }
        let center = face.map { Self.center(of: $0) }
        if let face, let center, let lastFace, lastFace.trackID == face.trackID {
            amount = max(amount, (center - lastFace.center).length / max(face.face.box.width, 1) / Self.faceLimit)
        }
        lastFace = face.flatMap { face in center.map { (face.trackID, $0) } }
        last = consume small
        if isCut || start.map({ seconds < $0 }) ?? true { (start, steps) = (seconds, []) }
        steps.append(Step(seconds: seconds, amount: amount.isFinite ? amount : .infinity))
        steps.removeAll { seconds - $0.seconds > Self.history }
        guard let start, seconds - start >= 0.8 * Self.history else { return .infinity }
        return steps.reduce(0) { $0 + $1.amount }
    }

    /// Of the points that expressions move least: the nose's.
    private static func center(of face: FaceInstance) -> Point {
        face.face.landmarks.center(of: Landmarks.topology.noseBridge)
    }
}
