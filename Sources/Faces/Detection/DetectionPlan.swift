/// The scales at which a photograph is searched, in order, until faces are found.
///
/// The detector's cost is proportional to the number of pixels (about 85 ms per megapixel); the smallest face that it
/// finds depends on the scale.
package enum DetectionPlan {
    /// Without a minimum face width, the first search covers at most this number of pixels.
    package static let boundedPixelCount = 4_000_000
    /// A larger magnification finds no more faces: the photograph has no more detail.
    package static let largestScale = 2.0
    /// Upper limit of any search: the detector's features take several bytes for each pixel.
    package static let maximumPixelCount = 400_000_000

    /// The width of the smallest face that the first of `scales` finds without `minimumFaceWidth`, in pixels.
    package static func smallestFace(width: Int, height: Int) -> Float {
        let scale = scales(width: width, height: height, minimumFaceWidth: nil)[0]
        return Float(HOGFaceDetector.windowSide) / Float(scale)
    }

    /// The scales, in order of trial.
    ///
    /// - Small pictures (up to a megapixel) are magnified by two, so that faces of 40 pixels are found.
    /// - Pictures of up to four megapixels are searched as they are, for faces of 80 pixels.
    /// - Larger ones are reduced to four megapixels first, and searched at full size only if no face is found.
    /// - With `minimumFaceWidth` there is one scale, at which such a face just fills the detector's window.
    package static func scales(
        width: Int, height: Int, smallestDetected: Int = HOGFaceDetector.windowSide, minimumFaceWidth: Int?
    ) -> [Double] {
        let pixelCount = Double(width) * Double(height)
        if let minimumFaceWidth {
            let wanted = Double(smallestDetected) / Double(max(minimumFaceWidth, 1))
            let affordable = (Double(maximumPixelCount) / pixelCount).squareRoot()
            return [min(wanted, largestScale, affordable)]
        }
        let bounded = (Double(boundedPixelCount) / pixelCount).squareRoot()
        if bounded >= largestScale { return [largestScale] }
        return bounded >= 1 ? [1] : [bounded, 1]
    }
}
