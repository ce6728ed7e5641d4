/// The smallest face that is looked for.
package enum SmallestFace: Equatable, Sendable {
    /// As a fraction of the picture's height.
    case share(Float)
    /// In pixels of the picture.
    case pixels(Int)

    /// As a fraction of the height of a picture.
    /// - Parameter height: in pixels.
    package func share(ofHeight height: Int) -> Float {
        switch self {
        case .share(let share): share
        case .pixels(let pixels): Float(pixels) / Float(max(height, 1))
        }
    }

    /// In pixels, at least 1.
    /// - Parameter height: that of the picture, in pixels.
    package func pixels(ofHeight height: Int) -> Int {
        switch self {
        case .share(let share): max(1, Int((share * Float(height)).rounded()))
        case .pixels(let pixels): pixels
        }
    }
}
