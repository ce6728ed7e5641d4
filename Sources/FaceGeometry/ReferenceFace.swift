/// The face that masks are painted on: a mean frontal face on a square sheet, perfectly symmetric.
///
/// Vertices are the 68 landmarks followed by the head points. Positions are in shares of the sheet's side (0…1), depths
/// in the same unit, positive towards the viewer.
package struct ReferenceFace: Equatable, Sendable {
    package static let vertexCount = Landmarks.count + HeadPoint.allCases.count

    package let vertices: [Point]
    package let landmarks: Landmarks
    package let depths: [Float]

    /// - Parameters:
    ///   - points: 68 landmarks and 11 head points on a sheet of `canonicalSide` units.
    ///   - depths: one depth a vertex, in the same units.
    /// - Throws: `ParseError` when the counts are wrong.
    package init(points: [Point], depths: [Float]) throws(ParseError) {
        guard points.count == Self.vertexCount else {
            throw ParseError("the reference face needs \(Self.vertexCount) points, not \(points.count)")
        }
        guard depths.count == points.count else {
            throw ParseError("the reference face needs \(points.count) depths, not \(depths.count)")
        }
        vertices = points.map { $0 / Self.canonicalSide }
        guard let landmarks = Landmarks(Array(vertices.prefix(Landmarks.count))) else {
            throw ParseError("the reference face has a point that is not finite")
        }
        self.landmarks = landmarks
        self.depths = depths.map { $0 / Self.canonicalSide }
    }

    /// The side of the sheet in the units of `face/reference.pts`.
    package static let canonicalSide: Float = 1024

    /// The width of the face from ear to ear, the unit of sizes that go with the face.
    package var width: Float { (vertices[16] - vertices[0]).length }

    /// Where a mean shape of dlib's models (in units of the detector's box) lies on the sheet of `canonicalSide` units.
    package static func canonicalPosition(meanShape point: Point) -> Point {
        // The face is 602 units wide; the hairline is 67 units below the sheet's top, the chin 93 above its bottom.
        Point(512 + 640 * (point.x - 0.5), 246.4 + 640 * point.y)
    }

    /// Head points on the sheet of `canonicalSide` units. The hairline follows the rule of thirds of facial canons
    /// (hairline to brow, brow to nose, nose to chin, equal heights); the rest is drawn by eye on an ellipse through
    /// the ears.
    package static let headPointPositions: [Point] = {
        let right: [Point] = [
            Point(0.008, 0.190), Point(0.018, 0.060), Point(0.062, -0.085), Point(0.160, -0.205),
            Point(0.325, -0.265),
        ]
        let left = right.reversed().map { Point(1 - $0.x, $0.y) }
        return (right + [Point(0.5, -0.280)] + left).map(canonicalPosition)
    }()
}
