/// How a picture encodes colours.
package struct ColorEncoding: Equatable, Sendable {
    /// The picture is grey: masks are drawn in their luminance.
    package var isGrey: Bool
    /// No pixel is transparent.
    package var isOpaque: Bool
    /// Whether what is in front of masks gets the alpha back that it had, where pixels are transparent. Otherwise it is laid over
    /// the mask, opaque.
    package var restoresAlpha = false
    /// Linear sRGB to the picture's linear RGB, 3 × 3 row by row; nil: the picture is sRGB.
    package var matrixFromSRGB: [Float]?

    /// Frames of video: opaque sRGB.
    package static let video = ColorEncoding(isOpaque: true)

    package init(isGrey: Bool = false, isOpaque: Bool = false, matrixFromSRGB: [Float]? = nil) {
        self.isGrey = isGrey
        self.isOpaque = isOpaque
        self.matrixFromSRGB = matrixFromSRGB
    }
}
