/// At which sizes a photograph is searched for faces, one after another until there are some.
///
/// The detector's cost goes with the pixels that it sees (about 85 ms a megapixel), its smallest face with the scale.
package enum DetectionPlan {
    /// A search without further wishes looks at no more pixels than this at first.
    package static let boundedPixelCount = 4_000_000
    /// Magnifying further finds nothing more: there is no detail left.
    package static let largestScale = 2.0
    /// No search looks at more pixels than this, whatever is asked: the detector's features take several bytes a pixel.
    package static let maximumPixelCount = 400_000_000

    /// The scales, in order of trial.
    ///
    /// - Small pictures (up to a megapixel) are magnified by two, so that faces of 40 pixels are found.
    /// - Middling ones (up to four megapixels) are searched as they are: faces of 80 pixels.
    /// - Larger ones are reduced to four megapixels first, and searched at full size only if that shows no face.
    /// - With `minimumFaceWidth` the one scale is that at which such a face just fills the detector's window.
    package static func scales(width: Int, height: Int, minimumFaceWidth: Int?) -> [Double] {
        let pixelCount = Double(width) * Double(height)
        if let minimumFaceWidth {
            let wanted = Double(HOGFaceDetector.windowSide) / Double(max(minimumFaceWidth, 1))
            let affordable = (Double(maximumPixelCount) / pixelCount).squareRoot()
            return [min(wanted, largestScale, affordable)]
        }
        let bounded = (Double(boundedPixelCount) / pixelCount).squareRoot()
        if bounded >= largestScale { return [largestScale] }
        return bounded >= 1 ? [1] : [bounded, 1]
    }
}
