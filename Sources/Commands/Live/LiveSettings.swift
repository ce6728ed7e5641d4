import FaceTracking
import Masking

/// What the live window is asked to do.
package struct LiveSettings: Sendable {
    package var source = SourceOptions()
    /// The first mask's name or folder.
    package var mask = "bauta"
    /// The landmark model's file, in dlib's format.
    package var model = LandmarkCascade.defaultModelPath
    package var faces = FaceChoice.all
    /// The smallest face to look for, as a fraction of the picture's height.
    package var smallestFace: Float = 0.1
    package var whenLost = LostFaces.Policy.keep
    /// Whether the window shows a mirror image; nil: if the source is a camera.
    package var isMirrored: Bool?
    package var outputs = LiveOutputs.Settings()
    /// Whether no window is opened.
    package var isHeadless = false
    package var isFullScreen = false
    /// The session ends after this many frames; nil: when the user ends it.
    package var frameLimit: Int?

    package init() {}
}
