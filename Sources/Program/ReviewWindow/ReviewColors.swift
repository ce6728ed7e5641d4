import Display

/// The colours of covers in the window: three that colour-blind people tell apart (Okabe and Ito, "Color Universal Design", 2008),
/// beside patterns that differ, too.
enum ReviewColors {
    static let covered = Canvas.Color(86, 180, 233, 255)
    static let uncovered = Canvas.Color(240, 228, 66, 255)
    static let added = Canvas.Color(232, 140, 90, 255)
    static let chosen = Canvas.Color(255, 255, 255, 255)
    static let text = Canvas.Color(225, 225, 228, 255)
    static let faint = Canvas.Color(160, 160, 165, 255)
    static let background = Canvas.Color(24, 24, 26, 255)

    static func of(_ face: ReviewFace) -> Canvas.Color {
        face.isAdded ? added : face.isCovered ? covered : uncovered
    }
}

extension Canvas.Color {
    func with(alpha: UInt8) -> Canvas.Color { Canvas.Color(x, y, z, alpha) }
}
