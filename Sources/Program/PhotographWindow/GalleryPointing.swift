/// Whether the user points at the pictures of a gallery.
package struct GalleryPointing {
    package private(set) var isOn = false

    /// What comes under a mouse that has rested for so long is not meant, in seconds.
    private static let longestRest: Float = 0.5

    package init() {}

    /// To be called for each frame.
    /// - Parameters:
    ///   - hasMouse: whether the mouse is over the pictures.
    ///   - mouseRest: how long it has rested, in seconds.
    package mutating func update(_ hasMouse: Bool, mouseRest: Float) {
        isOn = hasMouse && (isOn || mouseRest < Self.longestRest)
    }
}
