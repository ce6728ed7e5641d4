import FaceGeometry

/// What is before a face in one picture: how much of each place shows something else than the face and its mask.
package struct OcclusionMatte: Sendable {
    /// The part of the picture that it covers, in pixels. Outside nothing is before the face.
    package let box: FaceBox
    package let width: Int
    package let height: Int
    /// Row by row: 0 (the face) … 255 (something before it), at the centres of equal cells of the box. Between them it is
    /// interpolated.
    package let alpha: [UInt8]

    package init(box: FaceBox, width: Int, height: Int, alpha: [UInt8]) {
        precondition(width > 0 && height > 0 && alpha.count == width * height)
        (self.box, self.width, self.height, self.alpha) = (box, width, height, alpha)
    }

    /// At a place of the picture, 0…1, without interpolation.
    package func value(at place: Point) -> Float {
        let x = Int(((place.x - box.x) / box.width * Float(width)).rounded(.down))
        let y = Int(((place.y - box.y) / box.height * Float(height)).rounded(.down))
        guard x >= 0, y >= 0, x < width, y < height else { return 0 }
        return Float(alpha[y * width + x]) / 255
    }
}
