/// What is asked of a picture of a window: a number that is measured in it, and which numbers will do.
package struct PictureCondition: CustomStringConvertible {
    package let description: String
    let measure: (Screenshot) -> Double
    let accepts: (Double) -> Bool

    /// A share of the pixels of a region, more than `share`, differs from another picture.
    /// - Parameter other: what the other picture is, in words.
    package static func differs(
        from picture: Screenshot, _ other: String, in region: TestDisplay.Region, by share: Double
    ) -> PictureCondition {
        PictureCondition(description: "more than \(share) of the region \(region) differs from \(other)") {
            picture.difference($0, in: region)
        } accepts: {
            $0 > share
        }
    }

    /// Less than a share of the pixels of a region differs from another picture.
    package static func equals(
        _ picture: Screenshot, _ other: String, in region: TestDisplay.Region, within share: Double
    ) -> PictureCondition {
        PictureCondition(description: "less than \(share) of the region \(region) differs from \(other)") {
            picture.difference($0, in: region)
        } accepts: {
            $0 < share
        }
    }

    /// More than a share of a region has nearly one colour.
    package static func shows(
        _ color: SIMD4<UInt8>, in region: TestDisplay.Region, above share: Double
    ) -> PictureCondition {
        PictureCondition(description: "more than \(share) of the region \(region) is nearly \(color)") {
            $0.share(of: region, near: color)
        } accepts: {
            $0 > share
        }
    }

    /// Less than a share of a region has nearly one colour.
    package static func lacks(
        _ color: SIMD4<UInt8>, in region: TestDisplay.Region, below share: Double
    ) -> PictureCondition {
        PictureCondition(description: "less than \(share) of the region \(region) is nearly \(color)") {
            $0.share(of: region, near: color)
        } accepts: {
            $0 < share
        }
    }
}

/// A picture with what its conditions measured, for the message of a failure.
struct PictureState: CustomStringConvertible {
    let picture: Screenshot
    let values: [Double]

    var description: String { values.map { "\($0)" }.joined(separator: ", ") }
}
