import FaceGeometry

/// The part that the far side of a turned head hides.
extension FaceMeshEstimate {
    /// On the far side of a turned head, the ends of the jaw are behind the cheek. The scheme of landmarks puts them on the
    /// outline, so they are moved outward to it.
    /// - Parameter right: the unit vector to the subject's right, along the eyes.
    static func withOutline(_ landmarks: Landmarks, _ vertex: (Int) -> Point, right: Point) -> Landmarks {
        let jaw = Landmarks.topology.jaw
        return landmarks.mappedWithIndex { index, point in
            guard index < jaw.count, index != jaw.count / 2 else { return point }
            let isRight = index < jaw.count / 2
            let outward = isRight ? right : -right
            let row =
                isRight
                ? FaceMeshMapping.rightOutline[index] : FaceMeshMapping.leftOutline[jaw.count - 1 - index]
            let outermost = row.reduce(-Float.infinity) { max($0, (vertex($1) * outward).sum()) }
            return point + max(0, outermost - (point * outward).sum()) * outward
        }
    }

    /// Head points are extrapolated beyond the upper edge of the mesh, where heads are round. On a turned head a straight
    /// extrapolation leaves the head, so they are moved into an ellipse: as wide as the mesh at its upper edge, and closed
    /// a little above the hairline.
    /// - Parameter right: the unit vector to the subject's right, along the eyes.
    static func onHead(_ points: HeadPoints, _ vertex: (Int) -> Point, right: Point) -> HeadPoints {
        let up = Point(-right.y, right.x)
        let edge = (vertex(FaceMeshMapping.foreheadTop) * up).sum()
        let rise = (points[.hairlineCenter] * up).sum() - edge
        var low = Float.infinity
        var high = -Float.infinity
        for index in FaceMeshMapping.forehead {
            let place = (vertex(index) * right).sum()
            (low, high) = (min(low, place), max(high, place))
        }
        let (center, half) = ((low + high) / 2, (high - low) / 2)
        return HeadPoints { headPoint in
            let point = points[headPoint]
            let height = ((point * up).sum() - edge) / rise
            guard rise > 0, height > 0 else { return point }
            let share = hairlineShare * min(height, 1)
            let limit = half * (1 - share * share).squareRoot()
            let place = (point * right).sum() - center
            return point + (min(limit, max(-limit, place)) - place) * right
        }
    }

    /// The height of the hairline above the mesh, in heights of that ellipse.
    private static let hairlineShare: Float = 0.9
}
