import FaceGeometry
import Glibc

/// Whether a face can be where it has been found. A head that is much larger than another one is nearer, and hides it. If the
/// smaller one has been seen whole for a while, the larger one is none: a print on that person's clothes.
enum HeadInFront {
    /// A head so many times as large is nearer, a child's beside an adult's included.
    private static let nearer: Float = 1.5
    /// The share of a face's landmarks that a head in front of it hides at least.
    private static let hidden: Float = 0.35
    /// Of a head, from the chin to the crown, in sides of the face's box: half its width and height, and how far its middle is
    /// above the box's.
    private static let radii = Point(0.48, 0.66)
    private static let rise: Float = 0.2

    /// Whether a head hides much of another face, which is farther away.
    /// - Parameters:
    ///   - box: of the head's face, in the convention of dlib's detector.
    ///   - other: the box of the other face.
    static func hides(_ box: OrientedBox, _ other: OrientedBox, _ landmarks: Landmarks) -> Bool {
        guard box.side > nearer * other.side else { return false }
        let middle = box.shifted(by: Point(0, -rise)).center
        let (across, down) = (Point(cos(box.roll), sin(box.roll)), Point(-sin(box.roll), cos(box.roll)))
        var count = 0
        for index in 0..<Landmarks.count {
            let offset = (landmarks[index] - middle) / box.side
            let place = Point((offset * across).sum(), (offset * down).sum()) / radii
            if (place * place).sum() < 1 { count += 1 }
        }
        return Float(count) >= hidden * Float(Landmarks.count)
    }
}
