import FaceGeometry

/// The squares of a picture in which the detector network searches, one after another.
///
/// The network finds faces from about 14 of its 192 pixels on. So it searches the whole picture as one square, which finds
/// the large faces; and, if smaller ones are asked for, overlapping tiles in which the smallest is just large enough.
package enum DetectionTiles {
    /// The smallest face that the network finds, in pixels of its input.
    package static let smallestFace: Float = 14
    /// The side of the network's input.
    package static let inputSide: Float = 192
    /// Between the whole picture and the smallest tiles, tiles are larger by this factor from level to level: faces that are
    /// small on one level are not too large for the next.
    private static let levelFactor: Float = 5
    /// Tiles overlap by this multiple of the smallest face of the next larger level: each face that is too small there
    /// lies wholly in one tile.
    private static let overlap: Float = 1.4
    private static let largestOverlap: Float = 1 / 3
    /// A larger magnification finds no smaller faces: the picture has no more detail.
    private static let largestMagnification = Float(DetectionPlan.largestScale)
    /// A face may be cut off at the picture's edge, but shows at least half of itself.
    private static let largestFaceShare: Float = 2
    /// Of a level. With more, the search would take minutes.
    private static let mostTiles: Float = 16_384

    /// The square around a whole picture.
    /// - Parameter roll: in radians: a multiple of 90°.
    package static func whole(width: Int, height: Int, roll: Float = 0) -> OrientedBox {
        OrientedBox(center: Point(Float(width), Float(height)) / 2, side: Float(max(width, height)), roll: roll)
    }

    /// All squares, that around the whole picture first.
    /// - Parameters:
    ///   - smallestFace: in pixels of the picture.
    ///   - roll: of all squares, in radians: a multiple of 90°.
    package static func squares(
        width: Int, height: Int, smallestFace: Float, roll: Float = 0
    ) -> [OrientedBox] {
        var result = [whole(width: width, height: height, roll: roll)]
        let (width, height) = (Float(width), Float(height))
        var larger = result[0].side
        let affordable = (width * height / mostTiles).squareRoot() / (1 - largestOverlap)
        // NaN counts as the smallest.
        let wanted = (smallestFace > 1 ? smallestFace : 1) * inputSide / self.smallestFace
        let smallest = max(wanted, inputSide / largestMagnification, affordable)
        // The tiles of larger sides find only faces that are too large for the picture.
        let largest = largestFaceShare * min(width, height) * inputSide / self.smallestFace
        while larger > smallest * 1.05 {
            let side = max(smallest, larger / levelFactor)
            defer { larger = side }
            guard side <= largest else { continue }
            let overlap = min(Self.overlap * self.smallestFace * larger / inputSide, side * largestOverlap)
            for y in centers(height, side: side, overlap: overlap) {
                for x in centers(width, side: side, overlap: overlap) {
                    result.append(OrientedBox(center: Point(x, y), side: side, roll: roll))
                }
            }
        }
        return result
    }

    /// The centres of tiles along one axis.
    private static func centers(_ length: Float, side: Float, overlap: Float) -> [Float] {
        guard length > side else { return [length / 2] }
        let steps = ((length - side) / (side - overlap)).rounded(.up)
        return (0...Int(steps)).map { side / 2 + Float($0) * (length - side) / steps }
    }
}
