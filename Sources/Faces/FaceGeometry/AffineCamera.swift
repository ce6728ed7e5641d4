import Glibc

/// The affine camera that best projects the reference face, with its depths, onto a face in a picture: x = A·X + t with
/// a 2 × 3 matrix A (Tomasi & Kanade 1992, without their factorisation: the shape is known here).
package struct AffineCamera: Equatable, Sendable {
    /// The rows of A and t: picture x and y from reference (x, y, depth, 1).
    private var horizontal: SIMD4<Double>
    private var vertical: SIMD4<Double>

    private typealias Rows = PerLandmark<SIMD4<Double>>
    private typealias Matrix = InlineArray<4, SIMD4<Double>>

    /// Weighted least squares over the landmarks, with `LandmarkTopology.cameraWeights`. Four more fits lower the weights
    /// of outliers (a dropped jaw, a jaw line that slides along the outline of a turned head): iteratively reweighted
    /// least squares with Cauchy weights.
    ///
    /// - Parameter landmarks: in pixels of the picture.
    package init(fitting landmarks: Landmarks, to reference: ReferenceFace) {
        let rows = Rows { Self.homogeneous(reference, $0) }
        let bounds = landmarks.bounds
        let tolerance = Double(max(bounds.width, bounds.height, 1e-3)) * 0.03
        let topology = Landmarks.topology
        var weights = PerLandmark<Double> { topology.cameraWeights[$0] }
        (horizontal, vertical) = Self.fit(landmarks, rows, weights)
        for _ in 0..<4 {
            for index in weights.indices {
                let offset = Point(Float((horizontal * rows[index]).sum()), Float((vertical * rows[index]).sum()))
                let residual = Double((offset - landmarks[index]).length) / tolerance
                weights[index] = topology.cameraWeights[index] / (1 + residual * residual)
            }
            (horizontal, vertical) = Self.fit(landmarks, rows, weights)
        }
    }

    private static func fit(
        _ landmarks: Landmarks, _ rows: borrowing Rows, _ weights: borrowing PerLandmark<Double>
    ) -> (SIMD4<Double>, SIMD4<Double>) {
        var normal = Matrix(repeating: .zero)
        var right = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for index in rows.indices {
            let row = rows[index]
            for i in 0..<4 { normal[i] += weights[index] * row[i] * row }
            right.0 += weights[index] * Double(landmarks[index].x) * row
            right.1 += weights[index] * Double(landmarks[index].y) * row
        }
        return (solve(normal, right.0), solve(normal, right.1))
    }

    /// The offset in the picture, in pixels, that corresponds to an offset in the plane of the reference face.
    /// - Parameter depth: towards the viewer of the reference face, in the same unit.
    package func direction(_ offset: Point, depth: Float = 0) -> Point {
        let offset = SIMD3(Double(offset.x), Double(offset.y), Double(depth))
        return Point(
            Float(horizontal.x * offset.x + horizontal.y * offset.y + horizontal.z * offset.z),
            Float(vertical.x * offset.x + vertical.y * offset.y + vertical.z * offset.z))
    }

    /// The offset in the plane of the reference face that corresponds to an offset in the picture, in pixels; nil where
    /// the plane is seen almost from its side.
    package func referenceOffset(_ direction: Point) -> Point? {
        let (x, y) = (Double(direction.x), Double(direction.y))
        let determinant = horizontal.x * vertical.y - horizontal.y * vertical.x
        // For a head that looks into the camera: the square of the scale.
        func square(_ row: SIMD4<Double>) -> Double { row.x * row.x + row.y * row.y + row.z * row.z }
        let square = (square(horizontal) + square(vertical)) / 2
        guard abs(determinant) > 0.25 * square else { return nil }
        return Point(
            Float((vertical.y * x - horizontal.y * y) / determinant),
            Float((horizontal.x * y - vertical.x * x) / determinant))
    }

    /// The projection of a vertex of the reference face, in pixels.
    package func project(_ reference: ReferenceFace, vertex: Int) -> Point {
        let row = Self.homogeneous(reference, vertex)
        return Point(Float((horizontal * row).sum()), Float((vertical * row).sum()))
    }

    /// The head points of a face, in pixels: projected, then corrected by the residuals of the fit at the ears, the outer
    /// corners of the eyes and the root of the nose, weighted by inverse square distance. This joins the upper part of
    /// a mask to the lower without a kink. The brows do not count: raising them does not lift the hairline.
    package func headPoints(of reference: ReferenceFace, landmarks: Landmarks) -> HeadPoints {
        let yaw = pose.yaw
        let topology = Landmarks.topology
        let (jaw, last) = (topology.jaw, topology.jaw.count - 1)
        return HeadPoints { headPoint in
            let place = reference.vertices[headPoint.vertex]
            var correction = Point.zero
            var total: Float = 0
            for index in topology.headPointAnchors {
                let offset = reference.vertices[index] - place
                // On the far side of a turned head the ear's landmark slides along the outline of the head, so its
                // residual does not apply to the temple.
                let isFar = (index == topology.leftEar && yaw > 0) || (index == topology.rightEar && yaw < 0)
                let visibility = isFar ? max(0.02, 1 - abs(yaw) / 0.4) : 1
                let weight = visibility / ((offset * offset).sum() + 1e-4)
                correction += weight * (landmarks[index] - project(reference, vertex: index))
                total += weight
            }
            let found = project(reference, vertex: headPoint.vertex) + correction / total
            switch headPoint {
            case _ where landmarks.isMirrored: return found
            case .rightSide: return Self.outside(found, of: (landmarks[jaw[1]], landmarks[jaw[0]]))
            case .leftSide: return Self.outside(found, of: (landmarks[jaw[last]], landmarks[jaw[last - 1]]))
            default: return found
            }
        }
    }

    /// On a turned head the ear's landmark slides over the side of the head, and the mesh would fold there. This keeps
    /// a point on the outer side of the line along the ear.
    private static func outside(_ place: Point, of line: (Point, Point)) -> Point {
        let along = line.1 - line.0
        let length = max((along * along).sum().squareRoot(), 1e-6)
        // To the left of the direction up the right ear, and of the direction down the left one: away from the face.
        let outward = Point(along.y, -along.x) / length
        let distance = ((place - line.1) * outward).sum()
        return distance < 0.03 * length ? place + (0.03 * length - distance) * outward : place
    }

    /// The angles of the rotation nearest to A, applied in the order yaw, pitch, roll. Their product has the rows
    /// cr·(cy, 0, sy) − sr·(sp·sy, cp, −sp·cy), sr·(cy, 0, sy) + cr·(sp·sy, cp, −sp·cy) and (−cp·sy, sp, cp·cy).
    package var pose: Pose {
        var first = SIMD3(horizontal.x, horizontal.y, horizontal.z)
        var second = SIMD3(vertical.x, vertical.y, vertical.z)
        let scale = ((first * first).sum().squareRoot() + (second * second).sum().squareRoot()) / 2
        guard scale > 1e-9 else { return Pose(yaw: 0, pitch: 0, roll: 0) }
        first /= scale
        second /= scale
        // Split the error of orthogonality between both rows.
        let skew = (first * second).sum() / 2
        (first, second) = (first - skew * second, second - skew * first)
        first /= max((first * first).sum().squareRoot(), 1e-9)
        second /= max((second * second).sum().squareRoot(), 1e-9)
        let third = SIMD3(
            first.y * second.z - first.z * second.y, first.z * second.x - first.x * second.z,
            first.x * second.y - first.y * second.x)
        return Pose(
            yaw: Float(atan2(-third.x, third.z)), pitch: Float(asin(max(-1, min(1, third.y)))),
            roll: Float(atan2(-first.y, second.y)))
    }

    private static func homogeneous(_ reference: ReferenceFace, _ vertex: Int) -> SIMD4<Double> {
        let point = reference.vertices[vertex]
        return SIMD4(Double(point.x), Double(point.y), Double(reference.depths[vertex]), 1)
    }

    /// Gaussian elimination with pivoting; the reference face is never flat, so the system is well conditioned.
    private static func solve(_ matrix: Matrix, _ right: SIMD4<Double>) -> SIMD4<Double> {
        var rows = matrix
        var values = right
        for column in 0..<4 {
            var pivot = column
            for row in column..<4 where abs(rows[row][column]) > abs(rows[pivot][column]) { pivot = row }
            (rows[column], rows[pivot]) = (rows[pivot], rows[column])
            (values[column], values[pivot]) = (values[pivot], values[column])
            for row in 0..<4 where row != column {
                let factor = rows[row][column] / rows[column][column]
                rows[row] -= factor * rows[column]
                values[row] -= factor * values[column]
            }
        }
        return SIMD4(values[0] / rows[0][0], values[1] / rows[1][1], values[2] / rows[2][2], values[3] / rows[3][3])
    }
}
