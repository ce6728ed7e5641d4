import Arguments
import FaceTracking

/// The size of a face as an option's value: 40px, or 10% of the picture's height.
enum FaceSize {
    static func smallest(_ text: String) throws(InvalidValue) -> SmallestFace {
        guard let size = SmallestFace(text) else { throw InvalidValue("must be \(SmallestFace.requirement)") }
        return size
    }
}
