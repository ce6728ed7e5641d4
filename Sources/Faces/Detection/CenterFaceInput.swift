import NeuralNetworks

/// How a picture becomes the input of CenterFace, whose sides are multiples of 32 pixels. The picture's top left corner is
/// the input's; beyond its right and lower edge the input is black.
package struct CenterFaceInput: Equatable, Sendable {
    /// Pixels of the input for each of the picture, along one axis.
    package let magnification: Float
    /// In pixels of the input.
    package let size: NeuralNetwork.InputSize

    /// The side of the smallest face that the network finds well, in pixels of its input.
    package static let smallestFace: Float = 12
    /// The largest input without another wish, in pixels: 1920 × 1088 are just below. It takes about 330 MB.
    package static let mostPixels = 1 << 21
    /// The sides of the input are multiples of this, in pixels.
    package static let step = 32
    /// The network takes no longer sides, in pixels.
    private static let longestSide = 1 << 16

    /// - Parameters:
    ///   - width: of the picture, in pixels; like `height`.
    ///   - smallestFace: the side of the smallest face that is to be found, in pixels of the picture: if it is large, the
    ///     picture is reduced, and if it is small, magnified up to `DetectionPlan.largestScale`.
    ///   - mostPixels: of the input. The picture is reduced until it fits, so that smaller faces may not be found.
    package init(width: Int, height: Int, smallestFace: Int, mostPixels: Int = CenterFaceInput.mostPixels) {
        var magnification = min(Self.smallestFace / Float(max(smallestFace, 1)), Float(DetectionPlan.largestScale))
        var size = Self.size(width: width, height: height, magnification)
        while size.pixelCount > mostPixels || max(size.width, size.height) > Self.longestSide {
            if size.width == Self.step && size.height == Self.step { break }
            // The sides are rounded up, so this may take several steps.
            magnification *= min(0.98, (Float(mostPixels) / Float(size.pixelCount)).squareRoot())
            size = Self.size(width: width, height: height, magnification)
        }
        self.magnification = magnification
        self.size = size
    }

    private static func size(width: Int, height: Int, _ magnification: Float) -> NeuralNetwork.InputSize {
        func side(_ length: Int) -> Int {
            max(1, Int((Float(length) * magnification / Float(step)).rounded(.up))) * step
        }
        return NeuralNetwork.InputSize(width: side(width), height: side(height))
    }
}
