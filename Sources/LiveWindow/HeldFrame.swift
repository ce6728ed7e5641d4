import Masking

/// The frame that a paused session shows.
final class HeldFrame {
    /// The settings that it is drawn with. When they change, it is drawn again.
    struct Look: Equatable {
        /// `LiveMasks.revision`.
        var revision: Int
        var opacity: Float
        var faces: FaceChoice
        var showsMesh: Bool
        var takesSnapshot: Bool
        var isMaskOff: Bool
        var isCovered: Bool
        /// How far a mask has faded over to another, 0 to 1.
        var fade: Double
    }

    /// The analyzed frame, without a mask.
    let frame: Frame
    /// The settings of the last drawing; nil: it has not been drawn yet.
    var look: Look?

    init(_ frame: consuming Frame) { self.frame = frame }
}
