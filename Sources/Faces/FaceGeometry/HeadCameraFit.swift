import Glibc

/// Fits a `HeadCamera` to landmarks: least squares over rotation, place, size and nearness with Gauss and Newton's method,
/// and Cauchy weights against outliers, as `AffineCamera` has them (a dropped jaw, a jaw line that slides along the
/// outline of a turned head).
///
/// How near the camera is shows weakly: a near camera and a wide head look alike. So the nearness has a mean that is
/// expected of the picture, and follows the landmarks as far as they are clear. A nearness that fits the landmarks puts
/// the sides of the head where they are in the picture, whoever the person is.
package struct HeadCameraFit: Sendable {
    /// The model of the head: reference vertices in head coordinates, with the weights of the landmarks.
    private let positions: [SIMD3<Double>]
    private let weights: [Double]

    /// The focal length of a camera that nothing is known of, in longer sides of its picture: 53° across.
    package static let usualFocalLength: Float = 1
    /// How far landmarks of a well-fitted face are off, in face widths.
    private static let landmarkDeviation = 0.01
    /// Of the nearness, relative to what is expected.
    private static let nearnessDeviation = 0.5
    /// In 1/face widths: the eyes are between 1.5 and 50 face widths from the camera.
    private static let nearnessRange = 0.02...0.66

    package init(_ reference: ReferenceFace) {
        positions = (0..<Landmarks.count).map {
            let place = HeadCamera.position(of: $0, reference: reference)
            return SIMD3(Double(place.x), Double(place.y), Double(place.z))
        }
        weights = Landmarks.topology.cameraWeights
    }

    /// - Parameters:
    ///   - picture: its size in pixels; the camera's axis goes through its middle.
    ///   - nearness: 1 / `HeadCamera.distance` if it is known; nil: it is fitted, too.
    package func camera(_ face: Face, picture: Point, nearness: Float? = nil) -> HeadCamera {
        let center = SIMD2(Double(picture.x), Double(picture.y)) / 2
        let usual = Double(Self.usualFocalLength * max(picture.x, picture.y))
        var state = start(face, center: center, usualFocalLength: usual)
        if let nearness { state.nearness = Double(nearness) }
        let targets = PerLandmark<SIMD2<Double>> {
            SIMD2(Double(face.landmarks[$0].x), Double(face.landmarks[$0].y)) - center
        }
        for _ in 0..<12 {
            let expected = min(Self.nearnessRange.upperBound, max(Self.nearnessRange.lowerBound, state.scale / usual))
            guard let step = step(state, targets, expected: expected, fitsNearness: nearness == nil) else { break }
            state.move(by: step)
            state.nearness = min(Self.nearnessRange.upperBound, max(Self.nearnessRange.lowerBound, state.nearness))
        }
        return state.camera(center: center)
    }

    private typealias Step = InlineArray<7, Double>

    /// The fitted model: a point p of the head, turned to P, is seen at (place + scale · P.xy) / (1 − nearness · P.z).
    private struct State {
        var rotation: AffineTransform3D
        /// Of the head's origin, in pixels from the middle of the picture.
        var place: SIMD2<Double>
        /// Pixels per face width at the distance of the eyes.
        var scale: Double
        /// 1 / distance.
        var nearness: Double

        /// - Parameter step: three angles, two offsets in scales, the logarithm of the scale, the nearness.
        mutating func move(by step: Step) {
            let angles = SIMD3(Float(step[0]), Float(step[1]), Float(step[2]))
            let angle = min(0.5, angles.length)
            if let axis = angles.normalized {
                let quaternion = SIMD4(sin(angle / 2) * axis, cos(angle / 2))
                rotation = AffineTransform3D(scale: SIMD3(repeating: 1), rotation: quaternion, translation: .zero)
                    .after(rotation)
            }
            place += scale * SIMD2(step[3], step[4])
            scale *= exp(max(-0.5, min(0.5, step[5])))
            nearness += step[6]
        }

        func camera(center: SIMD2<Double>) -> HeadCamera {
            let offset = place / scale
            var transform = rotation
            transform.translation = SIMD3(Float(offset.x), Float(offset.y), Float(-1 / nearness))
            return HeadCamera(
                headToCamera: transform, focalLength: Float(scale / nearness),
                principalPoint: Point(Float(center.x), Float(center.y)))
        }
    }

    /// From the affine camera.
    private func start(_ face: Face, center: SIMD2<Double>, usualFocalLength: Double) -> State {
        let topology = Landmarks.topology
        let eyes = (face.landmarks[topology.rightEye.right] + face.landmarks[topology.leftEye.left]) / 2
        let bounds = face.landmarks.bounds
        // Any scale of the right order does.
        let scale = max(1e-3, Double(max(bounds.width, 0.8 * bounds.height)))
        return State(
            rotation: AffineTransform3D(face.pose), place: SIMD2(Double(eyes.x), Double(eyes.y)) - center,
            scale: scale, nearness: min(0.4, scale / usualFocalLength))
    }

    /// On the far side of a turned head, landmarks of the jaw slide along its outline.
    private static func certainty(_ index: Int, yaw: Float) -> Double {
        let topology = Landmarks.topology
        guard topology.isOnJaw(index), index != topology.chin else { return 1 }
        let isOnLeft = index > topology.chin
        return isOnLeft == (yaw > 0) ? max(0.05, 1 - Double(abs(yaw)) / 0.4) : 1
    }

    /// One step of Gauss and Newton; nil where the landmarks determine none.
    private func step(
        _ state: State, _ targets: PerLandmark<SIMD2<Double>>, expected: Double, fitsNearness: Bool
    ) -> Step? {
        let count = fitsNearness ? 7 : 6
        var normal = NormalEquations(count: count)
        let unit = Self.landmarkDeviation * state.scale
        let rotation = state.rotation
        let yaw = rotation.pose.yaw
        var row = (Step(repeating: 0), Step(repeating: 0))
        for index in positions.indices {
            let turned = rotation.turned(SIMD3<Float>(positions[index]))
            let (x, y, z) = (Double(turned.x), Double(turned.y), Double(turned.z))
            let ratio = 1 / max(0.2, 1 - state.nearness * z)
            let seen = (state.place + state.scale * SIMD2(x, y)) * ratio
            let residual = (targets[index] - seen) / unit
            // Half of the weight at a distance of 0.035 face widths.
            let weight = weights[index] * Self.certainty(index, yaw: yaw) / (1 + (residual * residual).sum() / 12)
            // Derivatives in units of the deviation; `along`: by the depth.
            let (s, along) = (state.scale * ratio / unit, seen * (ratio * state.nearness) / unit)
            row.0[0] = along.x * y
            row.1[0] = -s * z + along.y * y
            row.0[1] = s * z - along.x * x
            row.1[1] = -along.y * x
            row.0[2] = -s * y
            row.1[2] = s * x
            (row.0[3], row.1[3]) = (s, 0)
            (row.0[4], row.1[4]) = (0, s)
            (row.0[5], row.1[5]) = (s * x, s * y)
            (row.0[6], row.1[6]) = (seen.x * ratio * z / unit, seen.y * ratio * z / unit)
            normal.add(row.0, residual.x, weight: weight)
            normal.add(row.1, residual.y, weight: weight)
        }
        if fitsNearness {
            let deviation = Self.nearnessDeviation * expected
            normal.addPrior(6, (expected - state.nearness) / deviation, deviation: deviation)
        }
        return normal.solution()
    }
}
