/// The face that masks are painted on: a mean frontal face in a unit square, symmetric. Its plane is canonical UV space.
///
/// Vertices are the landmarks (`Landmarks.topology`) followed by the head points. Positions are in 0…1 of the square's
/// side, depths in the same unit, positive towards the viewer.
package struct ReferenceFace: Equatable, Sendable {
    /// Number of vertices: landmarks and head points.
    package static let vertexCount = Landmarks.topology.vertexCount

    package let vertices: [Point]
    package let landmarks: Landmarks
    package let depths: [Float]

    /// - Parameters:
    ///   - points: one for each vertex, in a square of `canonicalSide` units.
    ///   - depths: one for each vertex, in the same units.
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

    /// The side of the square in the units of `face/reference.pts`.
    package static let canonicalSide: Float = 1024

    /// The width of the face from ear to ear: the unit of sizes relative to the face.
    package var width: Float { landmarks.width }

    /// Converts a point of a dlib model's mean shape (0…1 of the detector's box) to the square of `canonicalSide` units.
    package static func canonicalPosition(meanShape point: Point) -> Point {
        // The face is 602 units wide; the hairline is 67 units below the top, the chin 93 units above the bottom.
        Point(512 + 640 * (point.x - 0.5), 246.4 + 640 * point.y)
    }

    /// The head points in the square of `canonicalSide` units. The hairline follows the rule of thirds of facial canons
    /// (hairline to brow, brow to nose and nose to chin have equal heights); the others were placed by eye on an ellipse
    /// through the ears.
    package static let headPointPositions: [Point] = {
        let right: [Point] = [
            Point(0.008, 0.190), Point(0.018, 0.060), Point(0.062, -0.085), Point(0.160, -0.205),
            Point(0.325, -0.265),
        ]
        let left = right.reversed().map { Point(1 - $0.x, $0.y) }
        return (right + [Point(0.5, -0.280)] + left).map(canonicalPosition)
    }()
}
