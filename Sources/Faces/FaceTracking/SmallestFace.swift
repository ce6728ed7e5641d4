/// The smallest face that is looked for.
package enum SmallestFace: Equatable, Sendable {
    /// As a fraction of the picture's height.
    case share(Float)
    /// In pixels of the picture.
    case pixels(Int)

    /// Completes the sentence about a text that is none.
    package static let requirement =
        "a number of pixels, such as 40px (1px to 100000px), or a share of the picture's height, such as 10% (1% to 90%)"

    /// - Parameter text: `40px`, or `10%` of the picture's height.
    package init?(_ text: String) {
        // Int and Float also take "+40" and "0x10".
        func isPlain(_ number: Substring) -> Bool { number.utf8.allSatisfy { "0123456789.".utf8.contains($0) } }
        let (pixels, percent) = (text.dropLast(2), text.dropLast())
        if text.hasSuffix("px"), isPlain(pixels), let pixels = Int(pixels), (1...100_000).contains(pixels) {
            self = .pixels(pixels)
        } else if text.hasSuffix("%"), isPlain(percent), let percent = Float(percent), (1...90).contains(percent) {
            self = .share(percent / 100)
        } else {
            return nil
        }
    }

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
