import Masking

/// A frame that stays on screen during a pause.
final class HeldFrame {
    /// All that changes how it is drawn.
    struct Look: Equatable {
        var revision: Int
        var opacity: Float
        var faces: FaceChoice
        var showsMesh: Bool
        var takesSnapshot: Bool
    }

    /// Without a mask.
    let frame: Frame
    /// How it was drawn last.
    var look: Look?

    init(_ frame: consuming Frame) { self.frame = frame }
}
