/// How far brows and lips are from where the reference face has them, after the pose of the head is taken away; in face
/// widths. 0: as on the reference face.
package struct FaceShape: Equatable, Sendable {
    /// The subject's own.
    package enum Side: Int, Sendable { case right, left }

    /// What is measured on both sides; upwards and away from the middle positive.
    package enum Measure: Int, Sendable {
        /// The height of the half of a brow next to the nose, and of the other half.
        case innerBrow, outerBrow
        /// The height of a corner of the mouth above the middle of the upper lip, and how far it is out.
        case mouthCornerHeight, mouthCornerOut
    }

    /// Two for each measure, then how far the mouth is to the subject's left.
    private(set) var values = SIMD16<Float>.zero

    /// The reference face.
    package init() {}

    package subscript(measure: Measure, side: Side) -> Float { values[2 * measure.rawValue + side.rawValue] }

    /// How far the middle of the mouth is to the subject's left.
    package var mouthToLeft: Float { values[8] }

    /// - Parameter camera: fitted to the landmarks. Of a face seen from the side, nothing is known: 0.
    package init(_ landmarks: Landmarks, _ camera: AffineCamera, reference: ReferenceFace) {
        let topology = Landmarks.topology
        let unit = 1 / max(reference.width, 1e-6)
        /// The mean residual of some landmarks in face widths: to the right on the template, and down.
        func residual(_ indices: ArraySlice<Int>) -> Point? {
            var sum = Point.zero
            for index in indices { sum += landmarks[index] - camera.project(reference, vertex: index) }
            return camera.referenceOffset(sum / Float(max(1, indices.count))).map { $0 * unit }
        }
        let half = topology.rightBrow.count / 2 + 1
        let (upper, lips) = (topology.outerLips.upper, topology.outerLips)
        guard let rightOuter = residual(topology.rightBrow.prefix(half)),
            let rightInner = residual(topology.rightBrow.suffix(half)),
            let leftInner = residual(topology.leftBrow.prefix(half)),
            let leftOuter = residual(topology.leftBrow.suffix(half)),
            let right = residual(lips.upper.prefix(1)), let left = residual(lips.upper.suffix(1)),
            // The upper lip, which the jaw does not move.
            let middle = residual(upper[(upper.count / 2)...(upper.count / 2)])
        else { return }
        values.lowHalf = SIMD8(
            -rightInner.y, -leftInner.y, -rightOuter.y, -leftOuter.y, middle.y - right.y, middle.y - left.y,
            middle.x - right.x, left.x - middle.x)
        values[8] = (left.x + right.x) / 2
        // Landmarks far away may be anything.
        if !values.sum().isFinite { values = .zero }
    }

    /// Moves towards another shape.
    /// - Parameter weight: of measures that are like these, 0…1; those 0.015 face widths away count half as much.
    mutating func approach(_ other: FaceShape, weight: Float) {
        let change = other.values - values
        let distance = change / 0.015
        values += weight * change / (1 + distance * distance)
    }
}
