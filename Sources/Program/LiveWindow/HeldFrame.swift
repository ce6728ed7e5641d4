import Compositing
import MaskRendering

/// The frame that a session shows while it is paused, or after the end of a clip.
final class HeldFrame {
    /// The analyzed frame, without a mask.
    let frame: Frame
    /// The settings of the last drawing; nil: it has not been drawn yet.
    var look: HeldLook?

    init(_ frame: consuming Frame) { self.frame = frame }
}

/// The settings that a held frame is drawn with. When they change, it is drawn again.
package struct HeldLook: Equatable {
    private let opacity: Float
    private let faces: FaceChoice
    private let whenLost: LostFaces.Policy
    private let renderer: ObjectIdentifier
    /// The effect that replaces the background; nil: none was chosen.
    private let background: ObjectIdentifier?
    /// `LiveMasks.revision`.
    package var revision = 0
    package var showsMesh = false
    package var takesSnapshot = false
    /// Whether a program has begun to show the virtual camera, and has got no picture yet.
    package var isAwaited = false
    package var isMaskOff = false
    package var isCovered = false
    /// Whether the part that portrait recordings do not show is darkened.
    package var isVertical = false
    /// How far a mask has faded over to another, 0 to 1.
    package var fade = 1.0

    /// The user's choices for the compositor, and the renderer.
    package init(_ compositor: FaceCompositor, _ renderer: MaskRenderer) {
        (opacity, faces, whenLost) = (compositor.opacity, compositor.faces, compositor.lostFaces.policy)
        self.renderer = ObjectIdentifier(renderer)
        background = compositor.effects.chosen.map { ObjectIdentifier($0) }
    }
}
